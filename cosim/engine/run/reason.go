package run

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/score"
)

// reason is why an episode fails, in the terms in which a shorter one must also fail: the kind of failure, its place
// and its fields.
type reason struct {
	kind   string
	where  string // stream, or the text of an assertion
	fields []string
}

// The kinds of a reason, in addition to those of a finding.
const (
	reasonDiffers   = "differs"
	reasonHandshake = "handshake" // a valid or ready came at the wrong time
	reasonLost      = "lost"      // a response is missing, or the next one is in its place
	reasonTwice     = "twice"     // a response came once more
)

// same reports whether a shorter episode fails for this reason: in the same fields or some of them.
func (r *reason) same(short *reason) bool {
	if r.kind != short.kind || r.where != short.where || len(r.fields) > 0 && len(short.fields) == 0 {
		return false
	}
	for _, f := range short.fields {
		if !slices.Contains(r.fields, f) {
			return false
		}
	}
	return true
}

// names returns the fields or, without any, the kind and place of a failure.
func (r *reason) names() []string {
	if len(r.fields) > 0 {
		return r.fields
	}
	return []string{strings.TrimSpace(r.kind + " " + r.where)}
}

// numbers matches what differs between runs in the text of an assertion: times, cycles, values.
var numbers = regexp.MustCompile(`[0-9]+`)

// asserted returns the reason of an assertion's failure.
func asserted(text string) reason {
	return reason{kind: "assertion", where: numbers.ReplaceAllString(text, "#")}
}

// reasonOf returns why a stream differs from the model or was stopped.
func (e *lockstep) reasonOf(out *device.Outcome) reason {
	if out.RTL != nil {
		return asserted(out.RTL.Text)
	}
	return differing(e.judge.Diff(outputs(out.Mismatch, e.judge.Layout().Out.Words)))
}

// outputs returns the output records of the differing cycle, of so many words each.
func outputs(w *client.Mismatch, words int) (want, got []uint64) {
	n := int(w.Cycle-w.From) * words
	return w.Want[n : n+words], w.Got[n : n+words]
}

// differing returns the reason of a cycle whose outputs differ. If a handshake differs, the fields with it may have no
// meaning.
func differing(diff []score.Difference) reason {
	r := reason{kind: reasonDiffers}
	for _, d := range diff {
		if d.Stream == "" {
			r.kind = reasonHandshake
			r.fields = append(r.fields, d.Name)
		}
	}
	for _, d := range diff {
		if r.kind == reasonDiffers {
			r.fields = append(r.fields, d.Name)
		}
	}
	return r
}

// reasonOf returns why an episode that compares answers fails.
func (e *answers) reasonOf(f *elastic.Finding) reason {
	outs, ins := e.judge.Layout().Outputs(), e.judge.Layout().Inputs()
	switch f.Kind {
	case elastic.RTL:
		return asserted(f.Text)
	case elastic.Stuck:
		return reason{kind: string(f.Kind), where: ins[f.Stream].Name}
	case elastic.Differs:
		return differing(e.judge.Diff(e.spec.Spare(f.Want, f.Got), f.Got))
	case elastic.Missing:
		return reason{kind: reasonLost, where: outs[f.Stream].Name}
	case elastic.Extra:
		return reason{kind: reasonTwice, where: outs[f.Stream].Name}
	}
	r := reason{kind: string(f.Kind), where: outs[f.Stream].Name}
	switch {
	case f.Kind == elastic.Unstable && f.Text == elastic.Withdrawn:
		return reason{kind: elastic.Withdrawn, where: r.where}
	case f.Kind == elastic.Wrong && f.Text == elastic.SeemsLost:
		return reason{kind: reasonLost, where: r.where}
	case f.Kind == elastic.Wrong && f.Text == elastic.SeemsTwice:
		return reason{kind: reasonTwice, where: r.where}
	}
	valid := outs[f.Stream].Valid
	want, got := slices.Clone(f.Want), slices.Clone(f.Got)
	want[0] |= valid
	got[0] |= valid
	if f.Kind == elastic.Wrong { // a handshake violation concerns all bits that the design has
		want = e.spec.Spare(want, got)
	} else {
		want = e.spared(want, got)
	}
	for _, d := range e.judge.Diff(want, got) {
		if d.Stream == r.where {
			r.fields = append(r.fields, d.Name)
		}
	}
	return r
}

// shortNote returns the note on a search for a short case: that none was found, or what ended it early; "" for nothing.
func shortNote(found bool, ended string, err error) string {
	var notes []string
	if !found {
		notes = append(notes, "no shorter case was found that the schema allows and that fails in the same field")
	}
	switch {
	case err != nil:
		notes = append(notes, "the search for the shortest events that fail ended early: "+err.Error())
	case ended != "":
		notes = append(notes, "the search for the shortest events that fail ended early, "+ended)
	}
	return strings.Join(notes, "; ")
}

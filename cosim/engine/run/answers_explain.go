package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

func (e *answers) describe(ctx context.Context, m *report.Mismatch, f *failure) bool {
	e.show(m, f.find)
	e.why(ctx, m, f, nil)
	if e.after != nil {
		m.AddNote("the run ended after the mismatch: " + e.after.Error())
	}
	return true
}

// try plays a recording. Its cycles are limited for an event that is never accepted; all others end soon.
func (e *answers) try(ctx context.Context, rec *play.Recording, most uint64) (attempt, error) {
	out, err := e.playFor(ctx, rec.Episode(e.cfg.Block), most)
	a := attempt{failed: err == nil && out.Finding != nil, cycles: out.Cycles}
	if a.failed {
		a.at, a.why, a.kind = out.Finding.Cycle, e.reasonOf(out.Finding), out.Finding.Kind
	}
	return a, err
}

// again returns an error unless the kind of finding is the same.
func (e *answers) again(f *failure, a *attempt) error {
	if a.failed && a.kind == f.find.Kind {
		return nil
	}
	return e.notRepeated(f)
}

func (e *answers) notRepeated(f *failure) error {
	return fmt.Errorf("episode %s failed at cycle %d, but not when repeated: %w", f.name, f.at, ErrNotRepeated)
}

// harmless reports whether an assertion of the reference's RTL refused the events, or the reference broke its
// handshake. Such events show nothing.
func (e *answers) harmless(err error) bool {
	var rtl *client.RTLError
	var broken *elastic.HandshakeError
	return errors.As(err, &rtl) || errors.As(err, &broken) || errors.Is(err, elastic.ErrStopped)
}

// record plays the failing episode again and keeps the items taken from it before it fails.
func (e *answers) record(ctx context.Context, f *failure) (rec *play.Recording, err error) {
	if !e.ref.Cuts() {
		return nil, nil
	}
	err = e.inEpisode(f.name, f.index, func(ep *stim.Episode) error {
		rec = play.NewRecording(ep)
		out, err := e.play(ctx, ep)
		if err == nil && (out.Finding == nil || out.Finding.Kind != f.find.Kind || out.Finding.Cycle != f.at) {
			err = e.notRepeated(f)
		}
		return err
	})
	return rec, err
}

// spared returns the wanted words. Bits that the design does not have are copied from got.
func (e *answers) spared(want, got []uint64) []uint64 {
	w := slices.Clone(want)
	for k, skip := range e.spec.Skip {
		w[k] = w[k]&^skip | got[k]&skip
	}
	return w
}

// show fills in the differences and the cycles before them.
func (e *answers) show(m *report.Mismatch, f *elastic.Finding) {
	l := e.judge.Layout()
	if f.Event != nil {
		m.Event = e.judge.Event(f.Lane, f.Event)
	}
	if f.After != nil {
		m.Event += ", inserted to read the state after " + e.judge.Event(f.Lane, f.After)
	}
	ins, outs := l.Inputs(), l.Outputs()
	record := func(words []uint64) []uint64 {
		r := make([]uint64, l.Out.Words)
		copy(r, words)
		r[0] |= l.Outputs()[f.Stream].Valid
		return r
	}
	var want []uint64 // expected output record of the failing cycle
	switch f.Kind {
	case elastic.Wrong:
		want = e.spec.Spare(record(f.Want), f.Got)
		if j := e.spec.Judge; j != nil {
			want = e.tolerated(m, f, want)
		}
		e.differ(m, f, want, record(f.Got))
		e.words(m, f, want)
		m.AddNote(f.Text)
	case elastic.Unstable:
		was, now := record(f.Want), record(e.spared(f.Got, f.Want)) // bits that are not compared count as unchanged
		if f.Text == elastic.Withdrawn {
			now = make([]uint64, l.Out.Words)
		}
		changed := e.judge.Diff(was, now)
		if f.Text == elastic.Withdrawn {
			changed = changed[:1] // the fields mean nothing now
		}
		m.Fields = fieldsOf(changed)
		broken(m, &e.spec, outs[f.Stream].Name, f.Text, changed, e.cfg.Bind)
	case elastic.Extra:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "0, nothing is owed", Got: "1"}}
	case elastic.Missing:
		m.Fields = []report.Field{{Name: outs[f.Stream].Name + "_valid", Want: "1",
			Got: fmt.Sprintf("0 for %d cycles", e.spec.Flush)}}
	case elastic.Stuck:
		m.Fields = []report.Field{{Name: ins[f.Stream].Name + "_ready", Want: "1",
			Got: fmt.Sprintf("0 for %d cycles", e.spec.Patience)}}
	case elastic.Differs:
		want = f.Want
		e.differ(m, f, e.spec.Spare(want, f.Got), f.Got)
	case elastic.RTL:
		m.Fields = []report.Field{{Name: "assertion", Want: "holds", Got: f.Text}}
	}
	m.AddNote(hint(f, &e.spec, e.ref.Together()))
	for _, c := range f.Window {
		if c.N > f.Cycle || c.N+windowBefore < f.Cycle {
			continue
		}
		row := report.Row{Cycle: c.N, Inputs: named(e.judge.Inputs(c.In)), Want: named(e.judge.Outputs(c.Out)),
			Got: named(e.judge.Outputs(c.Out))}
		if c.N == f.Cycle && want != nil {
			w := slices.Clone(c.Out)
			if f.Kind == elastic.Differs {
				copy(w, want)
			}
			l.Outputs()[f.Stream].Copy(w, want)
			row.Want, row.Differ = named(e.judge.Outputs(w)), true
		}
		m.Window = append(m.Window, row)
	}
}

// hint names the key of the binding that, rather than the design, may have caused a finding, or "" for none. together
// is set if the reference gets the events of one cycle together.
func hint(f *elastic.Finding, s *elastic.Spec, together bool) string {
	var hints []string
	if f.Kind == elastic.Missing {
		hints = append(hints, fmt.Sprintf("flush of the binding gives a response %d cycles; raise it when the design may "+
			"take longer", s.Flush))
	}
	if f.Kind == elastic.Wrong || f.Kind == elastic.Extra || f.Kind == elastic.Missing {
		if len(s.Block.StreamsOf(event.In)) > 1 {
			one := "those of one cycle together"
			if !together {
				one = "those of one cycle in the order of the schema's streams"
			}
			hints = append(hints, "expected is what follows from the order in which the design took the events of its several "+
				"streams, "+one+
				"; where an answer depends on more of their timing, match by the field that names the source (order: context) or "+
				"compare with latency: exact")
		}
	}
	return strings.Join(hints, "; ")
}

// differ fills in the fields in which two output records differ.
func (e *answers) differ(m *report.Mismatch, f *elastic.Finding, want, got []uint64) {
	diff := e.judge.Diff(want, got)
	m.Fields = fieldsOf(diff)
	place(m, e.kind.Schema, f.Frames, diff, want)
}

// broken labels a mismatch as a handshake violation: a response of an output stream was withdrawn or changed (how)
// while it waited for its ready. changed are the differences between the previous cycle, which is wanted, and this one.
// bound, if not nil, is the binding in which the rule can be relaxed.
func broken(m *report.Mismatch, s *elastic.Spec, stream, how string, changed []score.Difference, bound *bind.Binding) {
	ready := s.Control(stream + "_ready")
	f := report.Field{Name: s.Control(stream + "_valid"), Want: "held until " + ready, Got: how}
	m.Fields = append([]report.Field{f}, m.Fields...)
	var texts []string
	for i := range changed {
		texts = append(texts, fmt.Sprintf("%s from %s to %s", changed[i].Name, changed[i].Want, changed[i].Got))
	}
	m.AddNote("the design breaks the handshake: a response that is valid stays, unchanged, until its ready takes it")
	if len(texts) > 0 {
		m.AddNote(fmt.Sprintf("with %s low it changed %s", ready, strings.Join(texts, ", ")))
	}
	if bound != nil && bound.Latency == bind.Elastic {
		m.AddNote(fmt.Sprintf("a design that does so on purpose has relax: [%s.%s] in its dut.yaml", stream,
			reference.RuleOf(how)))
	}
}

// tolerated returns the wanted record with the design's values where the tolerances accept them, and notes which values
// are beyond which rule.
func (e *answers) tolerated(m *report.Mismatch, f *elastic.Finding, want []uint64) []uint64 {
	r := tolerance.Response{Stream: f.Stream, Event: f.Event, Want: want, Got: f.Got, Read: f.After != nil,
		Mask: e.judge.Layout().Outputs()[f.Stream].Mask}
	if f.Text != elastic.Unheld {
		want = e.spec.Judge.Excuse(&r)
	}
	if rules := e.spec.Judge.Beyond(&r); len(rules) > 0 {
		m.AddNote("beyond the tolerances: " + strings.Join(rules, "; "))
	}
	return want
}

// words replaces the field data by the state words, or the register, that it carries and that differ.
func (e *answers) words(m *report.Mismatch, f *elastic.Finding, want []uint64) {
	if e.spec.Judge == nil || f.Event == nil {
		return
	}
	parts := e.spec.Judge.Carried(f.Event, want, f.Got)
	if len(parts) == 0 {
		return
	}
	var fields []report.Field
	data := strings.ReplaceAll(e.spec.Judge.DataName(), ".", "_")
	for _, x := range m.Fields {
		if x.Name != data {
			fields = append(fields, x)
			continue
		}
		for _, p := range parts {
			fields = append(fields, report.Field{Name: p.Name, Want: p.Want, Got: p.Got, DiffLSB: fmt.Sprintf("%+d", p.Diff)})
		}
	}
	m.Fields = fields
}

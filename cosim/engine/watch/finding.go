package watch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// The observers that judge outputs independently of the model.
const (
	ByPackets  = "packet judge"
	ByCoverage = "coverage follower"
	ByOutcomes = "directed outcome"
)

// Finding is a wrong output on which model and design agree. An observer that knows neither found it, judging by what
// came before. The run ends like one that found a mismatch.
type Finding struct {
	By      string
	Episode string
	At      uint64 // cycle of the episode
	Place   string // where in the outputs
	Fields  []report.Field
	Text    string // the finding in one line
	Input   int    // stream of the event it is about; -1: the one that is answered in the cycle
	// Pick reports whether a first transfer on that stream, in order, is that of the event; the last one counts.
	Pick  func([]uint64) bool
	Event string // described as in a report, once known
}

// Findings returns what the observers found wrong in the outputs, in the order of the report.
func (w *All) Findings() (out []*Finding) {
	if w == nil {
		return nil
	}
	if w.Outcomes != nil {
		out = append(out, w.Outcomes.Wrong()...)
	}
	if w.Packets != nil {
		if f := w.Packets.Found(); f != nil {
			out = append(out, &Finding{By: ByPackets, Episode: f.Episode, At: f.At, Place: f.Place,
				Fields: []report.Field{f.Field}, Text: f.Text, Input: f.Input, Pick: f.Pick})
		}
	}
	if f := w.Cover.Finding(); f != nil {
		out = append(out, f)
	}
	return out
}

// Check returns the error of an observer that broke, or contradicts itself.
func (w *All) Check() error {
	if w == nil {
		return nil
	}
	return errors.Join(w.Cover.Check(), w.Packets.Check())
}

// Beside returns what the observers found, for the notes of a run that found a mismatch.
func (w *All) Beside() (out []error) {
	all := w.Findings()
	for _, f := range all[:min(len(all), MostBeside)] {
		out = append(out, errors.New(f.Text))
	}
	if n := len(all) - MostBeside; n > 0 {
		out = append(out, fmt.Errorf("and %d more", n))
	}
	return append(out, w.Check())
}

// MostBeside is the number of findings that the note of a mismatch lists.
const MostBeside = 3

// Fill puts the finding into a mismatch.
func (f *Finding) Fill(m *report.Mismatch) {
	m.FoundBy, m.Episode, m.Cycle, m.Event, m.Place, m.Fields = f.By, f.Episode, f.At, f.Event, f.Place, f.Fields
}

// Settle turns a result into one of this mismatch, without a digest: a digest stands for outputs that are right.
func (f *Finding) Settle(res *report.Result, cases *Cases, m *report.Mismatch) {
	res.Mismatches, res.FirstMismatch, res.Digest = 1, m, ""
	cases.Fail(f.Episode, func() string {
		return fmt.Sprintf("episode %s: %s; repeat it with: %s", f.Episode, f.Text, m.Reproduce)
	})
}

// Show names the outputs that are transferred in the cycle of a difference, each described by words; followed is what
// the follower wanted.
func (f *Finding) Show(l *event.Layout, in, out []uint64, followed string, words func(string, []uint64) string) {
	if followed == "" {
		followed = "what follows from the events before"
	}
	f.Fields = nil
	for i := range l.Outputs() {
		if p := &l.Outputs()[i]; p.Moves(out, in) {
			f.Fields = append(f.Fields, report.Field{Name: p.Name, Want: followed, Got: words(p.Name, out)})
		}
	}
	if len(f.Fields) == 0 {
		f.Fields = []report.Field{{Name: "outputs", Want: followed, Got: "no response in this cycle"}}
	}
}

// Finding returns the first difference between outputs and the state that the follower has followed.
func (w *Cover) Finding() *Finding {
	w.note()
	return w.found
}

// note looks for a difference in the episode played last.
func (w *Cover) note() {
	if w.found != nil || w.C.Differences() == 0 {
		return
	}
	text := w.C.Difference()
	w.found = &Finding{By: ByCoverage, Episode: w.episode, Input: -1,
		Place:  "in the episode, at a cycle that is not known",
		Text:   strings.TrimSuffix("coverage: an output differs from the state that was followed: "+text, ": "),
		Fields: []report.Field{{Name: "outputs", Want: "what follows from the events before", Got: text}}}
}

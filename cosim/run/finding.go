package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Who judges outputs independently of the model.
const (
	byPackets  = "packet judge"
	byCoverage = "coverage follower"
)

// finding is a wrong output on which model and design agree: an observer that knows neither judged it by what came
// before. It is a difference in content, so the run ends as one that found a mismatch.
type finding struct {
	by      string
	episode string
	at      uint64 // cycle of the episode
	place   string // where in the outputs
	fields  []report.Field
	text    string // the finding in one line
	input   int    // stream of the event it is about; -1: the one that is answered in the cycle
	// whether a first transfer on that stream, in order, is that of the event; the last one counts
	pick  func([]uint64) bool
	event string // described as in a report, once known
}

// findings returns what the observers found wrong in the outputs, the first one to be reported first.
func (w *watchers) findings() (out []*finding) {
	if w == nil {
		return nil
	}
	if w.wire != nil && w.wire.bad != nil {
		out = append(out, w.wire.bad)
	}
	if f := w.cover.finding(); f != nil {
		out = append(out, f)
	}
	return out
}

// check returns the error of an observer that broke, or contradicts itself.
func (w *watchers) check() error {
	if w == nil {
		return nil
	}
	return errors.Join(w.cover.check(), w.wire.check())
}

// beside returns, for the notes of a run that found a mismatch, what the observers found.
func (w *watchers) beside() (out []error) {
	for _, f := range w.findings() {
		out = append(out, errors.New(f.text))
	}
	return append(out, w.check())
}

// judged turns a result into a mismatch when an observer found one. Compared is set when the design agreed with the
// model to the end.
func (e *engine) judged(ctx context.Context, res *report.Result, compared bool) bool {
	all := e.watch.findings()
	if len(all) == 0 {
		return false
	}
	f := all[0]
	m := &report.Mismatch{Seed: e.cfg.Seed, Reproduce: e.cfg.repeat(f.episode)}
	if err := e.pin(ctx, f); err != nil {
		m.AddNote("the event is not known: " + err.Error())
	}
	f.fill(m)
	m.FoundIn = "model"
	if compared && e.dev != nil {
		m.FoundIn = "model and rtl"
	}
	for _, g := range all[1:] {
		m.AddNote("beside it: " + g.text)
	}
	if err := e.watch.check(); err != nil {
		m.AddNote("beside it: " + err.Error())
	}
	f.settle(res, e.watch.cases, m)
	return true
}

// fill puts the finding into a mismatch.
func (f *finding) fill(m *report.Mismatch) {
	m.FoundBy, m.Episode, m.Cycle, m.Event, m.Place, m.Fields = f.by, f.episode, f.at, f.event, f.place, f.fields
}

// settle makes a result that of this mismatch. A digest stands for outputs that are right.
func (f *finding) settle(res *report.Result, cases *caseBook, m *report.Mismatch) {
	res.Mismatches, res.FirstMismatch, res.Digest = 1, m, ""
	if i, ok := cases.byRow[rowOf(f.episode)]; ok {
		row := &res.Cases[i]
		row.Failed = true
		row.Message = fmt.Sprintf("episode %s: %s; repeat it with: %s", f.episode, f.text, m.Reproduce)
	}
}

// pin finds the event of a finding, and of a coverage follower the cycle and the outputs, by playing the episode on
// another model.
func (e *engine) pin(ctx context.Context, f *finding) (err error) {
	defer guard(&err)
	if f.by == byCoverage {
		if err := e.inEpisode(f.episode, func(ep *stim.Episode) error { return e.pinCover(ctx, ep, f) }); err != nil {
			return err
		}
	}
	return e.inEpisode(f.episode, func(ep *stim.Episode) error { return e.pinEvent(ctx, ep, f) })
}

// pinEvent puts the event of a finding into words.
func (e *engine) pinEvent(ctx context.Context, ep *stim.Episode, f *finding) error {
	if f.input < 0 {
		rec, err := e.recordUntil(ctx, ep, f.at)
		if err == nil {
			f.event = e.eventAt(rec, f.at, nil)
		}
		return err
	}
	follow := &follower{}
	p, err := e.playerOf(ep)
	if err != nil {
		return err
	}
	follow.p = p
	follow.begin(nil)
	p.watch(follow)
	if err := p.until(ctx, f.at+1, nil); err != nil {
		return err
	}
	for i, words := range follow.events[f.input] {
		if f.pick(words) {
			f.event = fmt.Sprintf("packet %d of %s", i, e.words(&stim.Item{Lane: f.input, Words: words}))
		}
	}
	return nil
}

// pinCover plays an episode until a new coverage follower finds a difference.
func (e *engine) pinCover(ctx context.Context, ep *stim.Episode, f *finding) error {
	c, err := block.NewCollector(e.cfg.Block, e.params)
	if err != nil {
		return err
	}
	p, err := e.playerOf(ep)
	if err != nil {
		return err
	}
	in, out := make([]uint64, p.inWords), make([]uint64, p.outWords)
	for p.more(in) {
		if p.cycles%look == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p.cycle(in, out)
		if c.Cycle(in, out); c.Differences() > 0 {
			f.at, f.place = p.cycles-1, ""
			f.show(e.kind.Schema, e.judge.Layout(), in, out, c.Difference(), e.outputs)
			return nil
		}
	}
	return fmt.Errorf("episode %s alone shows no difference", f.episode)
}

// outputs describes an output stream's record.
func (e *engine) outputs(stream string, out []uint64) string {
	return e.judge.Describe(&e.judge.Layout().Out, stream, out)
}

// show names the outputs that are transferred in the cycle of a difference; followed is what the follower wanted.
func (f *finding) show(b *event.Block, l *event.Layout, in, out []uint64, followed string,
	words func(string, []uint64) string) {
	if followed == "" {
		followed = "what follows from the events before"
	}
	f.fields = nil
	for _, s := range b.StreamsOf(event.Out) {
		if out[0]&l.Out.Control(s.Name+"_valid") != 0 && in[0]&l.In.Control(s.Name+"_ready") != 0 {
			f.fields = append(f.fields, report.Field{Name: s.Name, Want: followed, Got: words(s.Name, out)})
		}
	}
	if len(f.fields) == 0 {
		f.fields = []report.Field{{Name: "outputs", Want: followed, Got: "no response in this cycle"}}
	}
}

// inEpisode calls f with an episode of the source, found by its name.
func (e *engine) inEpisode(name string, f func(*stim.Episode) error) error {
	src, err := e.open(e.cfg.source())
	if err != nil {
		return err
	}
	defer src.Close()
	for {
		ep, ok := src.Next()
		switch {
		case !ok:
			return errors.Join(fmt.Errorf("episode %s: the source ended before it", name), src.Err())
		case ep.Name == name:
			return f(ep)
		}
	}
}

// finding returns the first difference between outputs and the state that the follower has followed.
func (w *coverWatch) finding() *finding {
	w.note()
	return w.found
}

// note looks for a difference in the episode played last.
func (w *coverWatch) note() {
	if w.found != nil || w.c.Differences() == 0 {
		return
	}
	text := w.c.Difference()
	w.found = &finding{by: byCoverage, episode: w.episode, input: -1,
		place:  "in the episode, at a cycle that is not known",
		text:   strings.TrimSuffix("coverage: an output differs from the state that was followed: "+text, ": "),
		fields: []report.Field{{Name: "outputs", Want: "what follows from the events before", Got: text}}}
}

package run

import (
	"context"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// modelFollow is the coverage follower of a model that runs at its own pace beside a bound design.
type modelFollow struct {
	*watch.Cover
	e      *answers
	ports  play.Ports
	cycles uint64   // of the model in the episode
	last   []uint64 // input record of the last accepted event; empty for none
	lane   int
	known  bool // a difference was found
	over   bool // the run is over: later cycles do not count
}

func (e *answers) newModelFollow(w *watch.Cover) *modelFollow {
	return &modelFollow{Cover: w, e: e, ports: play.PortsOf(e.judge.Layout())}
}

// Begin begins an episode.
func (w *modelFollow) Begin(n uint64, ep *stim.Episode) {
	w.Cover.Begin(n, ep)
	w.cycles, w.last = 0, w.last[:0]
}

// observe takes one cycle of the model.
func (w *modelFollow) observe(in, out []uint64) {
	if w.over {
		return
	}
	w.Cycle(w.cycles, in, out)
	for i := range w.ports.Ins {
		if s := &w.ports.Ins[i]; in[0]&w.ports.RstN != 0 && in[0]&s.Valid != 0 && out[0]&s.Ready != 0 {
			w.last, w.lane = append(w.last[:0], in...), i
		}
	}
	if !w.known && w.C.Differences() > 0 {
		w.known = true
		f, l := w.Finding(), w.e.judge.Layout()
		f.At, f.Place = w.cycles, "in the outputs of the model, whose cycles are counted: it runs at its own pace"
		f.Show(l, in, out, w.C.Difference(), func(stream string, out []uint64) string {
			return w.e.judge.Describe(&l.Out, stream, out)
		})
		if len(w.last) > 0 {
			f.Event = "accepted last: " + w.e.judge.Event(w.lane, w.last)
		}
	}
	w.cycles++
}

// judged turns a result into a mismatch if the coverage follower found a difference in the model's outputs.
func (e *answers) judged(_ context.Context, res *report.Result, _ bool) bool {
	if e.cover == nil {
		return false
	}
	f := e.cover.Finding()
	if f == nil {
		return false
	}
	m := &report.Mismatch{Seed: e.cfg.Seed, Reproduce: e.cfg.repeat(f.Episode), FoundIn: "model"}
	f.Fill(m)
	if err := e.cover.Check(); err != nil {
		m.AddNote("beside it: " + err.Error())
	}
	f.Settle(res, e.cases, m)
	return true
}

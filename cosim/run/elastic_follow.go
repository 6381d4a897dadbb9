package run

import (
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

// twinFollow is the coverage follower of a model that runs at its own pace beside a bound design.
type twinFollow struct {
	*coverWatch
	e      *elasticEngine
	ports  ports
	cycles uint64   // of the model in the episode
	last   []uint64 // input record of the event accepted last; empty for none
	lane   int
}

func (e *elasticEngine) newTwinFollow(w *coverWatch) *twinFollow {
	return &twinFollow{coverWatch: w, e: e, ports: portsOf(e.block, e.judge.Layout())}
}

func (w *twinFollow) begin(ep *stim.Episode) {
	w.coverWatch.begin(ep)
	w.cycles, w.last = 0, w.last[:0]
}

// observe takes one cycle of the model.
func (w *twinFollow) observe(in, out []uint64) {
	w.cycle(w.cycles, in, out)
	for i := range w.ports.ins {
		if s := &w.ports.ins[i]; in[0]&w.ports.rstN != 0 && in[0]&s.valid != 0 && out[0]&s.ready != 0 {
			w.last, w.lane = append(w.last[:0], in...), i
		}
	}
	if w.found == nil && w.c.Differences() > 0 {
		w.note()
		f, l := w.found, w.e.judge.Layout()
		f.at, f.place = w.cycles, "in the outputs of the model, whose cycles are counted: it runs at its own pace"
		f.show(w.e.block, l, in, out, w.c.Difference(), func(stream string, out []uint64) string {
			return w.e.judge.Describe(&l.Out, stream, out)
		})
		if len(w.last) > 0 {
			f.event = "accepted last: " + itemWords(w.e.block, w.e.judge, w.lane, w.last)
		}
	}
	w.cycles++
}

// judged makes a result that of a mismatch when the coverage follower found a difference in the model's outputs.
func (e *elasticEngine) judged(res *report.Result) bool {
	if e.cover == nil {
		return false
	}
	f := e.cover.finding()
	if f == nil {
		return false
	}
	m := &report.Mismatch{Seed: e.cfg.Seed, Reproduce: e.cfg.repeat(f.episode), FoundIn: "model"}
	f.fill(m)
	if err := e.cover.check(); err != nil {
		m.AddNote("beside it: " + err.Error())
	}
	f.settle(res, e.cases, m)
	return true
}

package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/score"
)

// result puts together what is known so far.
func (e *engine) result() *report.Result {
	planned := e.cfg.Planned()
	res := &planned
	res.Events, res.Cycles, res.Responses, res.Compared = e.play.Events, e.play.Cycles, e.play.Responses, e.compared
	res.ModelOnly, res.Episodes, res.Mismatches = e.dev == nil, e.episodes, uint64(len(e.failures))
	res.Cases = e.watch.Cases.Table()
	if e.play.Cycles > 0 {
		res.EventsPerCycle = float64(e.play.Events) / float64(e.play.Cycles)
	}
	if e.dev != nil {
		h := e.dev.Session.Hello()
		res.Simulator = report.Simulator{Name: "Verilator", Version: h.Simulator, Flags: h.Flags}
		if len(e.failures) == 0 && e.complete {
			res.Digest = fmt.Sprintf("%016x", e.digest)
		}
	}
	for _, f := range e.failures {
		e.watch.Cases.Fail(f.name, func() string {
			return fmt.Sprintf("episode %s differs at cycle %d; repeat it with: %s", f.name, f.at, e.reproduce(&f))
		})
	}
	e.watch.Fill(res)
	return res
}

func named(vs []score.Value) []report.Named {
	out := make([]report.Named, len(vs))
	for i, v := range vs {
		out[i] = report.Named(v)
	}
	return out
}

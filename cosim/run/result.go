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
	res.Events, res.Cycles, res.Responses, res.Compared = e.play.events, e.play.cycles, e.play.responses, e.compared
	res.ModelOnly, res.Episodes, res.Mismatches = e.dev == nil, e.episodes, uint64(len(e.failures))
	res.Cases = e.watch.cases.table()
	if e.play.cycles > 0 {
		res.EventsPerCycle = float64(e.play.events) / float64(e.play.cycles)
	}
	if e.dev != nil {
		h := e.dev.session.Hello()
		res.Simulator = report.Simulator{Name: "Verilator", Version: h.Simulator, Flags: h.Flags}
		if len(e.failures) == 0 && e.complete {
			res.Digest = fmt.Sprintf("%016x", e.digest)
		}
	}
	for _, f := range e.failures {
		row := &res.Cases[e.watch.cases.byRow[rowOf(f.name)]]
		if !row.Failed {
			row.Failed = true
			row.Message = fmt.Sprintf("episode %s differs at cycle %d; repeat it with: %s", f.name, f.at, e.reproduce(&f))
		}
	}
	e.watch.fill(res)
	return res
}

func named(vs []score.Value) []report.Named {
	out := make([]report.Named, len(vs))
	for i, v := range vs {
		out[i] = report.Named(v)
	}
	return out
}

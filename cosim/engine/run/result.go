package run

import (
	"fmt"
	"time"

	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/report"
)

// result assembles what is known so far.
func (e *engine) result() *report.Result {
	planned := e.cfg.Planned()
	res := &planned
	res.ModelOnly, res.Episodes, res.Compared = e.dev == nil, e.episodes, e.compared
	res.Mismatches = uint64(len(e.failures))
	if e.kept != nil {
		res.Stimulus = &report.Stimulus{}
		if at, read := e.kept.Made(); read {
			res.Stimulus.Read, res.Stimulus.Made = true, at.UTC().Format(time.RFC3339)
		}
	}
	e.way.count(res)
	if res.Cycles > 0 {
		res.EventsPerCycle = float64(res.Events) / float64(res.Cycles)
	}
	if e.dev != nil {
		h := e.dev.Session.Hello()
		res.Simulator = report.Simulator{Name: "Verilator", Version: h.Simulator, Flags: h.Flags}
		if len(e.failures) == 0 && e.complete {
			res.Digest = fmt.Sprintf("%016x", e.digest)
		}
	}
	return res
}

// fail marks the cases of the failures.
func (e *engine) fail(cases interface {
	Fail(episode string, message func() string)
}) {
	for i := range e.failures {
		f := &e.failures[i]
		cases.Fail(f.name, func() string {
			return fmt.Sprintf("episode %s%s at cycle %d; repeat it with: %s", f.name, e.way.message(f), f.at,
				e.cfg.repeat(f.name))
		})
	}
}

func named(vs []score.Value) []report.Named {
	out := make([]report.Named, len(vs))
	for i, v := range vs {
		out[i] = report.Named(v)
	}
	return out
}

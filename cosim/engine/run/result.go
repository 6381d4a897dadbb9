package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover/codecov"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
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

// dueSections returns the keys of the sections that the result of a run must have. They follow from the plan alone, so
// a comparison that is left out by mistake is found.
func (c *Config) dueSections() (due []string) {
	if c.CodeCoverage != "" {
		due = append(due, codecov.Key)
	}
	if c.Bind != nil && c.Bind.Judging.Any() && !c.ModelOnly {
		return []string{tolerance.Key}
	}
	kind, err := block.Lookup(c.Block)
	lockstep := c.ModelOnly || c.reference().Lockstep(c.Bind)
	if err == nil && lockstep && c.Source == "directed" {
		due = append(due, watch.OutcomesKey)
	}
	if err != nil || kind.Float == nil || c.FloatOff || !lockstep {
		return due
	}
	return append(due, kind.Float.Due(c.Source)...)
}

// reached returns an error if a run over a simulated network or a corpus played fewer events than requested: its result
// would claim more than was compared. A single episode may have fewer.
func (e *engine) reached(res *report.Result) error {
	want := e.owed
	if strings.HasPrefix(e.cfg.Source, stim.Fabric) {
		want = e.cfg.Events
	}
	if e.cfg.Episode != "" || e.cfg.Replay != "" || e.given.OwnEvents() || res.Events >= want {
		return nil
	}
	return fmt.Errorf("source %s: only %d of %d events were played: the source or the harness has lost the others",
		e.cfg.Source, res.Events, want)
}

package run

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover/codecov"
	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/stim"
)

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

package run

import (
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/tolerance"
)

// dueSections returns the keys of the sections that the result of a run must have. It follows from the plan alone, so
// that a comparison that is left out by mistake is found.
func (c *Config) dueSections() []string {
	if c.Bind != nil && c.Bind.Judging.Any() && !c.ModelOnly {
		return []string{tolerance.Key}
	}
	kind, err := block.Lookup(c.Block)
	lockstep := c.ModelOnly || c.reference().Lockstep(c.Bind)
	if err != nil || kind.Float == nil || c.FloatOff || !lockstep {
		return nil
	}
	return kind.Float.Due(c.Source)
}

package run

import (
	"strings"

	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// dueSections returns the keys of the sections that the result of a run must have. It follows from the plan alone, so
// that a comparison that is left out by mistake is found.
func (c *Config) dueSections() (out []string) {
	lockstep := c.ModelOnly || c.reference().Lockstep(c.Bind)
	if c.Block != ccc.BlockName || c.FloatOff || !lockstep {
		return nil
	}
	out = append(out, precision.StateKey)
	if strings.HasPrefix(c.Source, "fabric:") {
		out = append(out, precision.FloatKey)
	}
	return out
}

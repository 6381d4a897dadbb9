package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// maskedBits adds what the masks of the schema hid in an episode.
func (e *elasticEngine) maskedBits(counts []event.MaskCount) {
	for i, c := range counts {
		if i == len(e.res.Masked) {
			e.res.Masked = append(e.res.Masked, report.Masked{Name: c.Name})
		}
		e.res.Masked[i].Hidden += c.Hidden
		e.res.Masked[i].Bits += c.Total
	}
}

// allMasked returns the error of a field of which the run compared nothing because its mask hid all of it.
func (e *elasticEngine) allMasked() error {
	if e.cfg.Replay != "" || e.cfg.Episode != "" {
		return nil // a few events to look at: that a mask hid all of a field stands in the report
	}
	for _, m := range e.res.Masked {
		if m.Bits > 0 && m.Hidden == m.Bits {
			return fmt.Errorf("field %s: its mask hid all %d bits of it, so nothing of it was compared; check the mask in the schema, play more events, or map the field to none", m.Name, m.Bits)
		}
	}
	return nil
}

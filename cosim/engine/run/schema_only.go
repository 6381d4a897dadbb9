package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover/schema"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// schemaCoverage starts the coverage of a user-defined block: of its inputs and its answers.
func (e *answers) schemaCoverage() error {
	if !e.cfg.Bind.SchemaOnly() {
		return nil
	}
	var err error
	if e.schema, err = schema.New(e.kind.Schema, e.params, !e.given.OwnEvents() && e.cfg.Replay == ""); err != nil {
		return fmt.Errorf("schema %s: %w", e.cfg.Bind.SchemaFile, err)
	}
	e.spec.Took, e.spec.Gave = e.schema.Take, e.schema.Answer
	return nil
}

// checkSchema returns an error if an event was counted that the constraints of the schema exclude.
func (e *answers) checkSchema() error {
	if e.schema == nil {
		return nil
	}
	if r, _, _ := e.schema.Report(); len(r.Impossible) > 0 {
		return fmt.Errorf("coverage: bin %s was hit, and the constraints of schema %s rule it out", r.Impossible[0],
			e.cfg.Bind.SchemaFile)
	}
	return nil
}

// maskedBits adds the bits that the masks of the schema hid in an episode.
func (e *answers) maskedBits(counts []event.MaskCount) {
	for i, c := range counts {
		if i == len(e.masked) {
			e.masked = append(e.masked, report.Masked{Name: c.Name})
		}
		e.masked[i].Hidden += c.Hidden
		e.masked[i].Bits += c.Total
	}
}

// allMasked returns the error for a field that was never compared because its mask hid all of it.
func (e *answers) allMasked() error {
	if e.cfg.Replay != "" || e.cfg.Episode != "" {
		return nil // few events: the report shows that a mask hid all of a field
	}
	for _, m := range e.masked {
		if m.Bits > 0 && m.Hidden == m.Bits {
			return fmt.Errorf("field %s: its mask hid all %d bits of it, so nothing of it was compared; check the mask in the "+
				"schema, play more events, or map the field to none", m.Name, m.Bits)
		}
	}
	return nil
}

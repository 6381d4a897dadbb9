package run

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover/schema"
)

// ownCoverage starts the coverage of a block that has only a schema: of what is driven and what is answered.
func (e *elasticEngine) ownCoverage() error {
	if !e.cfg.own() {
		return nil
	}
	var err error
	if e.own, err = schema.New(e.block, e.params, e.cfg.Expect == "" && e.cfg.Replay == ""); err != nil {
		return fmt.Errorf("schema %s: %w", e.cfg.Bind.SchemaFile, err)
	}
	e.spec.Took, e.spec.Gave = e.own.Take, e.own.Answer
	return nil
}

// checkOwn returns an error when an event was counted that the constraints of the schema rule out.
func (e *elasticEngine) checkOwn() error {
	if e.own == nil {
		return nil
	}
	if r, _, _ := e.own.Report(); len(r.Impossible) > 0 {
		return fmt.Errorf("coverage: bin %s was hit, and the constraints of schema %s rule it out", r.Impossible[0],
			e.cfg.Bind.SchemaFile)
	}
	return nil
}

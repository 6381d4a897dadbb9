package reference

import (
	"context"
	"fmt"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/play"
)

// Model is our cycle-true model of the block.
type Model struct{}

// Kind returns "".
func (Model) Kind() string { return "" }

// Title returns "".
func (Model) Title() string { return "" }

// Args returns none.
func (Model) Args() []string { return nil }

// Check returns an error for a block that has only a schema: there is no model of it.
func (Model) Check(bound *bind.Binding) error {
	if !bound.SchemaOnly() {
		return nil
	}
	return fmt.Errorf("block %s: it has your own schema %s and has no model here; give a reference: --expect FILE.gwv, "+
		"--against OTHER.yaml or --golden ADDRESS", bound.Block.Name, bound.SchemaFile)
}

// Ours returns true.
func (Model) Ours() bool { return true }

// Lockstep reports whether the design keeps the contract's time.
func (Model) Lockstep(bound *bind.Binding) bool { return bound == nil || bound.Latency != bind.Elastic }

// OwnEvents returns false.
func (Model) OwnEvents() bool { return false }

// Limits returns none.
func (Model) Limits() (relaxed, uncompared []string) { return nil, nil }

// Start makes a model that runs at its own pace.
func (Model) Start(_ context.Context, s *Setup) (Reference, error) {
	model, err := play.NewModel(s.Block, s.Params)
	if err != nil {
		return nil, err
	}
	t := elastic.NewModel(s.Block.Schema, model)
	t.Observe = s.Observe
	return &answers{expect: t}, nil
}

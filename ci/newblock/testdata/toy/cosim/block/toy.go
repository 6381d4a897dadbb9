package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/toy"
	model "github.com/goldwire/goldwire/rtlmodel/toy"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/toy"
	stimulus "github.com/goldwire/goldwire/vectors/stim/toy"
)

// toy is a saturating byte counter.
var toy = Block{
	Schema:   schema.Schema(),
	NewModel: func(map[string]int) (event.Model, error) { return model.New(), nil },
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Bench:    Bench{Events: 1_000_000},
}

package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/trimmer"
	model "github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/trimmer"
	stimulus "github.com/goldwire/goldwire/vectors/stim/trimmer"
)

// trimmer is the packet trimmer of a switch.
var trimmer = Block{
	Schema: schema.Schema(),
	NewModel: func(map[string]int) (event.Model, error) {
		return model.New(), nil
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Bench:    Bench{Events: 40_000}, // packets of 65 beats need fewer
}

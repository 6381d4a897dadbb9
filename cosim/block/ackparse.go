package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/ackparse"
	model "github.com/goldwire/goldwire/rtlmodel/ackparse"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/ackparse"
	stimulus "github.com/goldwire/goldwire/vectors/stim/ackparse"
)

// ackparse is the parser of acknowledgements of a NIC.
var ackparse = Block{
	Schema: schema.Schema(),
	NewModel: func(map[string]int) (event.Model, error) {
		return model.New(), nil
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Bench:    Bench{Events: 400_000},
}

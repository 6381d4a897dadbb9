package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/credit"
	model "github.com/goldwire/goldwire/rtlmodel/credit"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/credit"
	stimulus "github.com/goldwire/goldwire/vectors/stim/credit"
)

// credit is the pacer of receiver credit in a NIC.
var credit = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{Senders: p["Senders"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Sizes:    Sizes{Soak: []map[string]int{{"Senders": 2}, {"Senders": 1024}}},
	Bench:    Bench{Events: 400_000},
	Formats:  schema.Formats,
}

package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/txpdc"
	model "github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/txpdc"
	stimulus "github.com/goldwire/goldwire/vectors/stim/txpdc"
)

// txpdc is the source half of the packet delivery contexts in a NIC.
var txpdc = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{Contexts: p["Contexts"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Sizes:    Sizes{Soak: []map[string]int{{"Contexts": 2}, {"Contexts": 64}}},
	Bench:    Bench{Events: 200_000},
}

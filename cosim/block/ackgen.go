package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/ackgen"
	model "github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/ackgen"
	stimulus "github.com/goldwire/goldwire/vectors/stim/ackgen"
)

// ackgen is the destination half of a NIC.
var ackgen = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{Pdcs: p["Pdcs"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Sizes: Sizes{Cases: []SizedCase{{Most, "pdc/twins"}}, // several rows of keys
		Soak: []map[string]int{{"Pdcs": 4}, {"Pdcs": 256}}},
	Faults: FaultPlan{Directed: []Size{Most}}, // a search of several rows
	Bench:  Bench{Events: 20_000},             // packets of 65 beats need fewer
}

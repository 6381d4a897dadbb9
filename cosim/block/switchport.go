package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/switchport"
	model "github.com/goldwire/goldwire/rtlmodel/switchport"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/switchport"
	stimulus "github.com/goldwire/goldwire/vectors/stim/switchport"
)

// switchport is a whole port of a switch.
var switchport = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumPorts: p["NumPorts"], Depth: p["Depth"], Slots: p["Slots"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	// Three blocks and a buffer: fewer events, so that the run stays within minutes.
	Sizes: Sizes{LeastEvents: 1_500, Soak: []map[string]int{{"NumPorts": 1, "Slots": 2}, {"NumPorts": 64}},
		// All groups of slots; ports whose number has all its bits.
		Cases: []SizedCase{{Deep, "buffer/full"}, {Most, "telemetry/queue"}}},
	Bench:  Bench{Events: 12_000},                   // packets of 65 beats need fewer
	Faults: FaultPlan{Directed: []Size{Deep, Most}}, // more groups of slots than one; ports whose number has all its bits
}

package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/egress"
	model "github.com/goldwire/goldwire/rtlmodel/egress"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/egress"
	stimulus "github.com/goldwire/goldwire/vectors/stim/egress"
)

// egress is the egress queues of a switch.
var egress = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumPorts: p["NumPorts"], Depth: p["Depth"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	// A queue of the default depth is full by its packets long before it reaches the threshold of trimming.
	Sizes: Sizes{Fabric: map[string]int{"Depth": 512},
		Cases: []SizedCase{{Deep, "shared/most"}}, // over 2^31 bytes
		Soak:  []map[string]int{{"NumPorts": 1, "Depth": 2}, {"NumPorts": 64}}},
	Bench:  Bench{Events: 1_500_000},
	Faults: FaultPlan{Directed: []Size{Deep}}, // its depth costs no sweep
}

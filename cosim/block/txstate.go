package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/txstate"
	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/txstate"
	stimulus "github.com/goldwire/goldwire/vectors/stim/txstate"
)

// txstate is the per-packet transmit state of a NIC.
var txstate = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumPdcs: p["NumPdcs"], Depth: p["Depth"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	// 128 NICs would evict each other's packets from a table of the default size.
	Sizes: Sizes{Fabric: map[string]int{"NumPdcs": 128, "Depth": 512}, MostEvents: 2_000,
		Soak: []map[string]int{{"NumPdcs": 3, "Depth": 8}}},
	Bench: Bench{Events: 300_000, Light: true},
}

package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/nic"
	model "github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/nic"
	stimulus "github.com/goldwire/goldwire/vectors/stim/nic"
)

// nic is a NIC from packets to packets.
var nic = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{Contexts: p["Contexts"], Receives: p["Receives"]})
	},
	Stimulus: stimulus.Suite(stimulus.Inside{Ackparse: ackparse.Stimulus, Ackgen: ackgen.Stimulus, Txpdc: txpdc.Stimulus,
		Txstate: txstate.Stimulus, Ccc: ccc.Stimulus}),
	Coverage: coverage.Coverage,
	// Five blocks: fewer events, so that the run stays within minutes.
	Sizes: Sizes{LeastEvents: 2_000,
		Soak: []map[string]int{{"Contexts": 2, "Receives": 4}, {"Contexts": 16, "Receives": 64}}},
	Bench: Bench{Events: 10_000}, // packets of many beats, and commands that wait for one another
}

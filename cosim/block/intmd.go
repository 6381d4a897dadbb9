package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/intmd"
	model "github.com/goldwire/goldwire/rtlmodel/intmd"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/intmd"
	stimulus "github.com/goldwire/goldwire/vectors/stim/intmd"
)

// intmd is the telemetry of a switch.
var intmd = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumPorts: p["NumPorts"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Formats:  schema.Formats,
	Sizes:    Sizes{Soak: []map[string]int{{"NumPorts": 1}, {"NumPorts": 64}}},
	Bench:    Bench{Events: 80_000}, // counter reports are events, too
}

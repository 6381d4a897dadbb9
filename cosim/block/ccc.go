package block

import (
	coverage "github.com/goldwire/goldwire/cosim/cover/ccc"
	float "github.com/goldwire/goldwire/cosim/precision/ccc"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event"
	schema "github.com/goldwire/goldwire/vectors/event/ccc"
	stimulus "github.com/goldwire/goldwire/vectors/stim/ccc"
)

// ccc is the congestion-control context pipeline of a NIC.
var ccc = Block{
	Schema: schema.Schema(),
	NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumContexts: p["NumContexts"], NumPdcs: p["NumPdcs"],
			NumProfiles: p["NumProfiles"]})
	},
	Stimulus: &stimulus.Suite,
	Coverage: coverage.Coverage,
	Sizes: Sizes{Soak: []map[string]int{{"NumPdcs": 1, "NumProfiles": 1}, {"NumPdcs": 16, "NumProfiles": 16}},
		Cases: []SizedCase{{Deep, "profile/all-sixteen"}}}, // numbers of profiles with all their bits
	Float: &Float{Due: float.Due, New: func(params map[string]int, source string, seed uint64,
		tickPs int64) (FloatWatch, error) {
		return float.New(params, source, seed, tickPs)
	}},
	Formats: schema.Formats,
	Bench:   Bench{Plain: true, Events: 300_000},
	Faults:  FaultPlan{Random: []Size{Deep}}, // numbers of profiles with all their bits
}

package traffic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Simulations are what a block is fed with besides the presets of the fabric: by name, what each changes in the default
// settings.
type Simulations map[string]func(*fabric.Spec)

// NIC has the simulations for a block of a NIC: the presets alone.
var NIC = Simulations{}

// Switch has the simulations for a block of a switch. Their flows end, so contexts of a NIC come and go; a block with a
// fixed number of contexts would soon see no more traffic.
var Switch = Simulations{
	"mixed": func(s *fabric.Spec) {
		s.Workload, s.Sizes = fabric.Mixture, []int64{16 << 10, 256 << 10, 4 << 20}
	},
	"websearch": func(s *fabric.Spec) {
		s.Workload, s.CDF, s.Load, s.Flows = fabric.Poisson, "websearch", 0.8, 2000
	},
}

// Names returns the names of the simulations, the presets among them, in order.
func (m Simulations) Names() []string {
	return slices.Sorted(slices.Values(append(fabric.PresetNames(), slices.Collect(maps.Keys(m))...)))
}

// Sources returns the sources fabric:NAME.
func (m Simulations) Sources(open func(o *stim.Options, name string) (stim.Source, error)) (out []stim.Entry) {
	for _, name := range m.Names() {
		out = append(out, stim.Entry{
			Name: "fabric:" + name, About: "the live stream of a simulated 128-host network with traffic " + name + ", as one episode",
			Open: func(o *stim.Options, _ string) (stim.Source, error) { return open(o, name) },
		})
	}
	return out
}

// Spec returns the simulation behind a source fabric:NAME: endless, and given what a NIC meets in service, that is,
// receivers that ask for a slower pace and now and then a lost packet. It errors when the name is unknown.
func (m Simulations) Spec(name string, seed uint64) (fabric.Spec, error) {
	spec, ok := fabric.Presets()[name]
	if change := m[name]; change != nil {
		spec = fabric.DefaultSpec()
		change(&spec)
	} else if !ok {
		return fabric.Spec{}, fmt.Errorf("fabric %q: unknown; there are %v", name, m.Names())
	}
	spec.Seed = seed
	spec.Rounds = 0
	spec.StartSpread = 20 * fabric.Microsecond
	spec.ServiceJitter = fabric.Microsecond
	spec.SlowHosts = 0.125
	switch spec.Workload {
	case fabric.Incast:
		spec.LossProb = 1e-5
	default:
		spec.LossProb = 1e-6
	}
	return spec, nil
}

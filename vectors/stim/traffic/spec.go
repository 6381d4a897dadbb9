package traffic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/vectors/stim"
)

// switchTraffic is what only the blocks of a switch are fed with: runs that end, so that contexts of a NIC come and go
// and a block with a fixed number of them would soon see no more.
var switchTraffic = map[string]func(*fabric.Spec){
	"mixed": func(s *fabric.Spec) {
		s.Workload, s.Sizes = fabric.Mixture, []int64{16 << 10, 256 << 10, 4 << 20}
	},
	"websearch": func(s *fabric.Spec) {
		s.Workload, s.CDF, s.Load, s.Flows = fabric.Poisson, "websearch", 0.8, 2000
	},
}

// NICNames returns the names of the simulations that the blocks of a NIC are fed with, in order.
func NICNames() []string { return slices.Sorted(slices.Values(fabric.PresetNames())) }

// SwitchNames returns the names of the simulations that the blocks of a switch are fed with, in order.
func SwitchNames() []string {
	return slices.Sorted(slices.Values(append(fabric.PresetNames(), slices.Collect(maps.Keys(switchTraffic))...)))
}

// NICSources returns the sources fabric:NAME of a block of a NIC.
func NICSources(open func(o *stim.Options, name string) (stim.Source, error)) []stim.Entry {
	return entries(NICNames(), open)
}

// SwitchSources returns the sources fabric:NAME of a block of a switch.
func SwitchSources(open func(o *stim.Options, name string) (stim.Source, error)) []stim.Entry {
	return entries(SwitchNames(), open)
}

func entries(names []string, open func(o *stim.Options, name string) (stim.Source, error)) (out []stim.Entry) {
	for _, name := range names {
		out = append(out, stim.Entry{
			Name: "fabric:" + name, About: "the live stream of a simulated 128-host network with traffic " + name + ", as one episode",
			Open: func(o *stim.Options, _ string) (stim.Source, error) { return open(o, name) },
		})
	}
	return out
}

// NICSpec returns the simulation behind a source fabric:NAME of a block of a NIC: the preset of that name made endless
// and given what a NIC meets in service, that is, several connections to a context, receivers that ask for a slower
// pace and, in an incast, now and then a lost packet. It errors when the name is unknown.
func NICSpec(name string, seed uint64) (fabric.Spec, error) { return specOf(NICNames(), name, seed) }

// SwitchSpec returns the simulation behind a source fabric:NAME of a block of a switch: those of a NIC, mixed sizes and
// the websearch workload. It errors when the name is unknown.
func SwitchSpec(name string, seed uint64) (fabric.Spec, error) {
	return specOf(SwitchNames(), name, seed)
}

func specOf(names []string, name string, seed uint64) (fabric.Spec, error) {
	if !slices.Contains(names, name) {
		return fabric.Spec{}, fmt.Errorf("fabric %q: unknown; there are %v", name, names)
	}
	spec, ok := fabric.Presets()[name]
	if !ok {
		spec = fabric.DefaultSpec()
		switchTraffic[name](&spec)
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

package traffic

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Simulations are the names of the simulations that a block is fed with, presets stimulus/NAME of the fabric, in order.
type Simulations []string

// NIC has the simulations for the blocks of a NIC.
var NIC = Simulations{"incast32", "permutation"}

// Switch has the simulations for the blocks of a switch. In the last two flows end, so contexts of a NIC come and go; a
// block with a fixed number of contexts would soon see no more traffic.
var Switch = Simulations{"incast32", "mixed", "permutation", "websearch"}

// Telemetered has the simulations of senders that read telemetry, for the block that writes it.
var Telemetered = Simulations{"fncc", "hpcc"}

// Sources returns the sources fabric:NAME. Open is given what follows fabric:NAME/, one of part (see stim.Entry), or
// "".
func (m Simulations) Sources(part string,
	open func(o *stim.Options, name, part string) (stim.Source, error)) (out []stim.Entry) {
	for _, name := range m {
		about := "what a simulated 128-host network with traffic " + name + " gives the block"
		if part != "" {
			about += ", switch after switch; " + stim.Fabric + name + "/" + part + " is episode " + part + " alone"
		}
		out = append(out, stim.Entry{
			Name: stim.Fabric + name, About: about, Part: part,
			Open: func(o *stim.Options, part string) (stim.Source, error) { return open(o, name, part) },
		})
	}
	return out
}

// Spec returns the simulation behind a source fabric:NAME, the preset stimulus/NAME made endless. It errors when the
// name is unknown.
func (m Simulations) Spec(name string, seed uint64) (settings.Spec, error) {
	spec, ok := presets.Stimulus(name)
	if !ok || !slices.Contains(m, name) {
		return settings.Spec{}, fmt.Errorf("fabric %q: unknown; there are %v", name, m)
	}
	spec.Seed = seed
	spec.Rounds = 0
	return spec, nil
}

package fabric

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Simulations are the names of a block's simulations, the fabric's presets stimulus/NAME, in order.
type Simulations []string

// NIC lists the simulations for the blocks of a NIC.
var NIC = Simulations{"incast32", "permutation"}

// Switch lists the simulations for the blocks of a switch. Flows end in mixed and websearch, so a NIC opens and closes
// contexts; a NIC block with a fixed number of contexts would soon get no more fabric.
var Switch = Simulations{"incast32", "mixed", "permutation", "websearch"}

// Telemetered lists the simulations whose senders read telemetry, for the block that writes it.
var Telemetered = Simulations{"fncc", "hpcc"}

// Sources returns the sources fabric:NAME. It passes open the text after fabric:NAME/, which part describes (see
// stim.Entry), or "".
func (m Simulations) Sources(part string,
	open func(o *stim.Options, name, part string) (stim.Source, error)) (out []stim.Entry) {
	for _, name := range m {
		about := "traffic " + name + " of a simulated 128-host network, as the block sees it"
		if part != "" {
			about += ", one switch per episode; " + stim.Fabric + name + "/" + part + " is episode " + part + " alone"
		}
		out = append(out, stim.Entry{
			Name: stim.Fabric + name, About: about, Part: part,
			Open: func(o *stim.Options, part string) (stim.Source, error) { return open(o, name, part) },
		})
	}
	return out
}

// Simulated is Sources for an open that gets the simulation, too.
func (m Simulations) Simulated(part string,
	open func(o *stim.Options, spec settings.Spec, name, part string) (stim.Source, error)) []stim.Entry {
	return m.Sources(part, func(o *stim.Options, name, part string) (stim.Source, error) {
		spec, err := m.Spec(name, o.Seed)
		if err != nil {
			return nil, err
		}
		return open(o, spec, name, part)
	})
}

// Spec returns the simulation for a source fabric:NAME: the preset stimulus/NAME without an end. It errors when the
// name is unknown.
func (m Simulations) Spec(name string, seed uint64) (settings.Spec, error) {
	spec, ok := presets.Stimulus(name)
	if !ok || !slices.Contains(m, name) {
		return settings.Spec{}, fmt.Errorf("fabric %q: unknown; known names: %v", name, m)
	}
	spec.Seed = seed
	spec.Rounds = 0
	return spec, nil
}

// Turnover is the simulation of small flows, one after another between the same hosts.
const Turnover = "turnover"

// NICTurnover lists the simulations for the blocks of a NIC that take flows which end.
var NICTurnover = append(slices.Clone(NIC), Turnover)

// flowsOfRun is the number of flows of a simulation in which each has a connection of its own.
const flowsOfRun = 1 << 11

// shortFlows returns the flows of an incast, each on a connection of its own. A sender begins one when the one before
// has arrived, so the connection of that one is still closing.
func shortFlows(r *stim.Rand, spec *settings.Spec) (out []traffic.Message) {
	hosts := make([]int32, spec.Hosts()-1)
	for i := range hosts {
		hosts[i] = int32(i) + 1
	}
	for i := range spec.Incast {
		k := i + r.N(len(hosts)-i)
		hosts[i], hosts[k] = hosts[k], hosts[i]
	}
	for i := range int32(flowsOfRun) {
		m := traffic.Message{Src: hosts[int(i)%spec.Incast], Bytes: spec.FlowBytes, Conn: i}
		if before := i - int32(spec.Incast); before >= 0 {
			m.After = []int32{before}
		} else if spec.StartSpread > 0 {
			m.Start = int64(r.U64() % uint64(spec.StartSpread))
		}
		out = append(out, m)
	}
	return out
}

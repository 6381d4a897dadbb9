package fabric

import (
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Turnover is the simulation of small flows, one after another between the same hosts.
const Turnover = "turnover"

// NICTurnover lists the simulations for the blocks of a NIC that take flows which end.
var NICTurnover = append(slices.Clone(NIC), Turnover)

// shortRuns is the number of flows of a simulation in which each has a connection of its own.
const shortRuns = 1 << 11

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
	for i := range int32(shortRuns) {
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

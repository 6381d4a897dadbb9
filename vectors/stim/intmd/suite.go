package intmd

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/traffic"
)

// Suite lists the sources of intmd.
var Suite = stim.Suite{Schema: intmd.Schema(), Sources: append([]stim.Entry{
	stim.Directed(intmd.Schema(), cases),
	stim.RandomScript(intmd.Schema(), func(s *stim.Script) { random(&script{Script: s}) }),
}, simulations.Sources("N", openFabric)...)}

// simulations are those of any switch, and those whose senders read what this block writes.
var simulations = append(slices.Clone(traffic.Switch), traffic.Telemetered...)

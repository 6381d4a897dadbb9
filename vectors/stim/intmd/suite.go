package intmd

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/intmd"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of intmd.
var Suite = stim.Suite{Schema: intmd.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(intmd.Schema(), cases),
	stim.RandomScript(intmd.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(intmd.Schema(), captured, func(s *stim.Script) { on(s).intReadBack() }))}

// captured sends a frame of a capture from a drawn port to another.
func captured(s *stim.Script, frame []byte) {
	r, n := &s.Rand, s.Params["NumPorts"]
	on(s).intRx(frame, sideband{len(frame), r.N(n), r.N(n)}, false, 0)
}

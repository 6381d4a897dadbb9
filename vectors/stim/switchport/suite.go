package switchport

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/switchport"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of switchport.
var Suite = stim.Suite{Schema: switchport.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(switchport.Schema(), cases),
	stim.RandomScript(switchport.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(switchport.Schema(), captured,
	func(s *stim.Script) { on(s).switchReadBack(s.Params["NumPorts"]) }))}

// captured sends a frame of a capture to a drawn port, in a drawn class, and grants that port.
func captured(s *stim.Script, frame []byte) {
	r, n := &s.Rand, s.Params["NumPorts"]
	x := on(s)
	side := sideband{port: r.N(n), in: r.N(n), cls: r.N(3), trimmable: !r.One(4), ect: !r.One(4), lastHop: r.One(2),
		id: uint32(r.U64())}
	x.switchRx(frame, &side, false, 0)
	x.grantPort(side.port, 1<<laneRx)
}

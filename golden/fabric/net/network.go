package net

import (
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// Hosts is what a network needs from the hosts at its ends.
type Hosts interface {
	// Receive takes packet i off the network at its destination.
	Receive(i int32)
	// Transmit lets the NIC of a host, whose link is idle, send a packet.
	Transmit(host int32)
	// Ends returns sender and receiver of a connection.
	Ends(conn int32) (src, dst int32)
	// AheadOfReceive and AheadOfTransmit read what those will need, and return anything that depends on it: see Ahead.
	AheadOfReceive(k *Packet) uint64
	AheadOfTransmit(host int32) uint64
}

// Network is links, queues and switches, with the packets in them.
type Network struct {
	spec  *settings.Spec
	wheel *kernel.Wheel
	count *account.Counters
	bytes *account.Bytes
	NIC   Hosts

	Topo     *topo.Net
	hosts    int
	Ports    []Port
	Switches []swtch
	Pool     Pool
	Carried
	border
	fair    *fairRates // nil when switches compute none
	baseRTT units.Picos
	drr     bool
	pfc     bool   // of the spec, like those below: read for every packet
	Mixed   bool   // not all links have the rate of the spec
	lossCut uint64 // a 53-bit draw below it loses the packet

	routes   *topo.Routes // nil while the rules of the tree hold
	intact   *topo.Routes // with every link up, for the reasons of flows that did not end
	outages  []outage
	linkDown []bool
	tied     []int32 // ports that adaptive routing finds equal

	stall    units.Picos // between two checks for pauses that do not end
	watching bool        // an evStall is scheduled
	Deadlock []int32     // ports that wait for one another in a circle

	Taps    bool // what happens at ports is reported
	tap     func(*PortEvent)
	packets PacketTap
	tapped  []bool
	pev     PortEvent
	sink    uint64 // depends on what Ahead has read, or it would not be read

	rngECN, rngLoss, rngTrim, rngFail, rngRoute *rand.PCG
}

// New lays out hosts, switches and ports. The books are those of the run; draw returns the
// stream of random numbers of a purpose.
func New(spec *settings.Spec, n *topo.Net, w *kernel.Wheel, count *account.Counters, bytes *account.Bytes,
	draw func(kernel.Stream) *rand.PCG) *Network {
	s := &Network{
		spec: spec, wheel: w, count: count, bytes: bytes, Topo: n, hosts: n.Hosts,
		baseRTT: spec.EffectiveBaseRTT(), stall: spec.PathRTO(), Pool: Pool{free: -1},
		pfc: spec.PFC, Carried: carriedBy(spec),
		drr: spec.DRR != [Classes]int{}, lossCut: uint64(spec.LossProb * (1 << 53)),
		rngECN: draw(kernel.StreamECN), rngLoss: draw(kernel.StreamLoss), rngTrim: draw(kernel.StreamTrim),
		rngFail: draw(kernel.StreamFail), rngRoute: draw(kernel.StreamRoute),
	}
	s.Switches = make([]swtch, len(n.Names)-n.Hosts)
	s.Ports = make([]Port, 0, len(n.Ports))
	for i := range n.Ports {
		s.addPort(&n.Ports[i])
		s.Mixed = s.Mixed || n.Ports[i].Gbps != s.spec.LinkGbps
	}
	salts := draw(kernel.StreamTopo)
	for i := range s.Switches {
		first, end := n.First[n.Hosts+i], n.First[n.Hosts+i+1]
		w := swtch{id: int32(i), Salt: salts.Uint64(), down: first}
		if n.Ranges != nil {
			r := n.Ranges[i]
			w.lo, w.hi, w.per = r.Lo, r.Hi, r.Per
			w.up = first + (r.Hi-r.Lo)/r.Per
			w.ups = end - w.up
		}
		s.Switches[i] = w
	}
	if n.Ranges == nil {
		s.routes = n.Routes(nil)
	}
	if s.pfc {
		s.setRoom()
	}
	if spec.FairRate {
		beginFair(s)
	}
	s.setSteps()
	return s
}

// Watch calls f for every event at the given ports, or at all ports of switches when none is given.
func (s *Network) Watch(f func(*PortEvent), ports []int32) {
	s.tap = f
	s.Taps = s.Taps || f != nil
	if f == nil || len(ports) == 0 {
		return
	}
	s.tapped = make([]bool, len(s.Ports))
	for _, p := range ports {
		if p >= 0 && int(p) < len(s.tapped) {
			s.tapped[p] = true
		}
	}
}

// WatchPackets calls f for every event of a packet at the ports of switches.
func (s *Network) WatchPackets(f PacketTap) {
	s.packets = f
	s.Taps = s.Taps || f != nil
}

// Handle executes an event of the network.
func (s *Network) Handle(e kernel.Event) {
	switch e.Kind {
	case evArrive:
		s.arrive(e.Arg)
	case EvWake:
		s.wake(e.Arg)
	case evPause:
		s.onPause(e.Arg, true)
	case evResume:
		s.onPause(e.Arg, false)
	case evFail:
		s.onFail(e.Arg)
	case evStall:
		s.onStall()
	case EvFair:
		onFair(s)
	}
}

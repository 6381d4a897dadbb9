package net

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

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
	// Ends returns sender and receiver of a connection, and the number of its context within the sender's NIC.
	Ends(conn int32) (src, dst, ccc int32)
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
	speeds   []units.PerByte // of the ports, each once
	Switches []swtch
	Pool     Pool
	Carried
	border
	fair    *fairRates // nil when switches compute none
	baseRTT units.Picos
	drr     bool
	pfc     bool   // of the spec, like those below: read for every packet
	Mixed   bool   // not all links have the rate of the spec
	faults  faults // of the links

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

	rngECN, rngTrim, rngFail, rngRoute *rand.PCG
}

// Books are what a network, or a part of one, counts with and draws from: Draw returns the stream of random numbers of
// a purpose.
type Books struct {
	Wheel *kernel.Wheel
	Count *account.Counters
	Bytes *account.Bytes
	Draw  func(kernel.Stream) *rand.PCG
}

// keep gives the network its books, and an empty pool.
func (s *Network) keep(b Books) {
	s.wheel, s.count, s.bytes = b.Wheel, b.Count, b.Bytes
	s.Pool, s.Carried, s.tied = Pool{free: -1}, carriedBy(s.spec), nil
	s.rngECN, s.rngTrim, s.faults = b.Draw(kernel.StreamECN), b.Draw(kernel.StreamTrim), newFaults(s.spec, b.Draw)
	s.rngFail, s.rngRoute = b.Draw(kernel.StreamFail), b.Draw(kernel.StreamRoute)
}

// New lays out hosts, switches and ports. The books are those of the run.
func New(spec *settings.Spec, n *topo.Net, b Books) *Network {
	s := &Network{
		spec: spec, Topo: n, hosts: n.Hosts, baseRTT: spec.EffectiveBaseRTT(), stall: spec.PathRTO(), pfc: spec.PFC,
		drr: spec.DRR != [Classes]int{},
	}
	s.keep(b)
	s.Switches = make([]swtch, len(n.Names)-n.Hosts)
	s.Ports = make([]Port, 0, len(n.Ports))
	for i := range n.Ports {
		s.addPort(&n.Ports[i])
		s.Mixed = s.Mixed || n.Ports[i].Gbps != s.spec.LinkGbps
	}
	salts := b.Draw(kernel.StreamTopo)
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
	levels := int64(cmp.Or(spec.ARLevels, defaultARLevels))
	for i := range s.Ports { // from the limits, which are final
		s.Ports[i].step = max(1, s.Ports[i].Limit[ClassLow]/levels)
	}
	return s
}

// Watch calls f for every event at the given ports, or at all ports of switches when none is given, and packets for
// every event of a packet at the ports of switches. Either may be nil.
func (s *Network) Watch(f func(*PortEvent), ports []int32, packets PacketTap) {
	s.tap, s.packets = f, packets
	s.Taps = f != nil || packets != nil
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

// defaultARLevels is the number of bands in which adaptive routing sees a queue: the reference simulator's bands begin
// at 5, 10 and 20 % of a queue, and queues that adaptive routing fills rarely grow beyond.
const defaultARLevels = 20

// addPort appends a port and sets its limits from the BDP of its own rate, or
// from the sizes that the spec gives in bytes.
func (s *Network) addPort(t *topo.Port) {
	spec := s.spec
	perByte := t.Gbps.PerByte()
	bdp := perByte.Bytes(s.baseRTT)
	p := Port{
		to: t.To, Rev: t.Rev, Latency: units.Picos(t.Latency), lastHop: int(t.To) < s.Topo.Hosts,
		rate: rateCode(t.Gbps), turn: Classes - 1,
	}
	p.speed = int32(slices.Index(s.speeds, perByte))
	if p.speed < 0 {
		p.speed = int32(len(s.speeds))
		s.speeds = append(s.speeds, perByte)
	}
	if perByte.Den == 1 {
		p.whole = units.Picos(perByte.Num)
	}
	size := func(f float64) int64 { return settings.Scaled(f, bdp) }
	if spec.WholePackets {
		size = func(f float64) int64 { return wholePackets(f*float64(bdp), int64(spec.MTU)) }
	}
	for c := range p.Q {
		p.Q[c] = fifo{head: -1, Tail: -1}
		p.Limit[c] = cmp.Or(spec.CtlQueueBytes, size(spec.CtlDropAt))
	}
	low, given := spec.TrimAt, spec.QueueBytes
	if p.lastHop {
		low, given = spec.TrimAtLastHop, cmp.Or(spec.LastHopQueueBytes, given)
	}
	if !spec.Trim {
		low = spec.DropAt
	}
	p.Limit[ClassLow] = cmp.Or(given, size(low))
	if spec.MediumElephants() {
		p.Limit[ClassMedium] = p.Limit[ClassLow]
	}
	setMarking(spec, &p, bdp)
	s.Ports = append(s.Ports, p)
}

// setMarking sets the thresholds of ECN.
func setMarking(spec *settings.Spec, p *Port, bdp int64) {
	at := func(f float64) int64 { return settings.Scaled(f, bdp) }
	if mtu := int64(spec.MTU); spec.WholePackets {
		queue := float64(wholePackets(float64(bdp), mtu))
		at = func(f float64) int64 { return wholePackets(f*queue, mtu) }
	}
	kmin, kmax, kdet := at(spec.KMin), at(spec.KMax), at(spec.KDet)
	if spec.KMaxBytes > 0 || spec.KMinBytes > 0 {
		kmin, kmax, kdet = spec.KMinBytes, spec.KMaxBytes, spec.KMinBytes
	}
	mode := spec.ECN
	if p.lastHop && !spec.ECNLastHop {
		mode = settings.ECNOff
	}
	switch mode {
	case settings.ECNProbabilistic:
		p.kmin, p.kin, p.draw = kmin, kmax-kmin, kmax-kmin
		if spec.PMax > 0 {
			p.draw = int64(float64(p.kin) / spec.PMax)
		}
	case settings.ECNDeterministic:
		p.kmin = kdet
	default:
		p.kmin = 1 << 62
	}
}

// wholePackets returns a number of bytes, rounded up to a multiple of the MTU.
func wholePackets(bytes float64, mtu int64) int64 {
	return int64(math.Ceil(bytes/float64(mtu)-1e-9)) * mtu
}

// Ahead reads what the coming events will need, and changes nothing. In a large network nearly every packet, port and
// connection is out of the cache when its event comes. Read one after another, each of them stops the run for as long
// as the memory takes; read side by side, as the loops here do, they come together.
func (s *Network) Ahead(coming []kernel.Event) {
	sum := uint64(0)
	for _, e := range coming {
		switch e.Kind {
		case evArrive:
			sum += uint64(s.Pool.At(e.Arg).link)
		case EvWake:
			sum += uint64(s.Ports[e.Arg].to)
		}
	}
	for _, e := range coming {
		switch e.Kind {
		case evArrive:
			sum += uint64(s.Ports[s.Pool.At(e.Arg).link].to)
		case EvWake:
			sum += aheadOfWake(s, e.Arg)
		}
	}
	for _, e := range coming {
		if e.Kind == evArrive {
			sum += aheadOfArrive(s, e.Arg)
		}
	}
	s.sink = sum // or nothing would be read
}

// aheadOfWake reads the packet that a port may send.
func aheadOfWake(s *Network, pi int32) uint64 {
	p := &s.Ports[pi]
	for c := range p.Q {
		if i := p.Q[c].head; i >= 0 {
			return uint64(s.Pool.At(i).link) + uint64(s.Pool.next[i]) + p.Tx
		}
	}
	if int(pi) < s.hosts {
		return s.NIC.AheadOfTransmit(pi) + p.Tx
	}
	return 0
}

// aheadOfArrive reads the port that a packet goes on to, where that is known before it is there, or what its host will
// need.
func aheadOfArrive(s *Network, i int32) uint64 {
	k := s.Pool.At(i)
	to := s.Ports[k.link].to
	if int(to) < s.hosts {
		return s.NIC.AheadOfReceive(k)
	}
	if k.Flags&FlagSteer != 0 || s.retracing {
		return 0
	}
	if pi := s.route(&s.Switches[int(to)-s.hosts], k); pi >= 0 {
		p := &s.Ports[pi]
		return uint64(p.to) + uint64(p.Q[ClassLow].head) + p.Tx
	}
	return 0
}

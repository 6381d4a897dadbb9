package transport

import (
	"math/bits"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/kernel"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// Events of hosts.
const (
	evTimer  = kernel.HostKinds + iota // retransmission timer of connection argument
	evStart                            // flow argument begins
	evEmit                             // packet argument (ACK, NACK) leaves the receiver's logic
	evProbe                            // probe timer of connection argument
	evPace                             // context argument may send by its rate
	evNotify                           // an interval between CNPs of connection argument ends

	evControl = kernel.IdleKinds + 1 // timer of the congestion control of context argument
	evStop    = kernel.IdleKinds + 3 // flow argument sends nothing new
)

// tables are what senders and receivers share: hosts, contexts, both ends of connections, flows.
type tables struct {
	spec  *settings.Spec
	wheel *kernel.Wheel
	net   *net.Network
	count *account.Counters
	bytes *account.Bytes

	baseRTT units.Picos
	rto     units.Picos
	maxWnd  int64 // of the fastest host

	hosts []host
	ccc   []cccState
	tx    []txPDC
	rx    []rxPDC
	flows []flow
	after [][]int32 // flows that wait for each flow, of a list of messages

	divided bool // these hosts are a part of those of the run

	rngTopo, rngSpray, rngHost *rand.PCG
}

// sender is the sending side of all hosts.
type sender struct {
	*tables
	wheel *kernel.Wheel // these three as in tables, one step nearer: they are read for every packet
	net   *net.Network
	count *account.Counters

	rows     []cc.Row // congestion controls by name, the first of a name counts
	only     *cc.Row  // of every context, in place of those named
	tap      func(*cc.Event) bool
	ev       cc.Event
	rings    [32][]ringMemory
	bound    []int64 // packets of each connection, of a list of messages
	finished []int32 // flows that the ACK at hand ended
}

// receiver is the receiving side of all hosts.
type receiver struct {
	*tables
	wheel *kernel.Wheel // these three as in tables, one step nearer
	net   *net.Network
	count *account.Counters

	answered int32 // packet being answered
}

// Hosts are all hosts of a run, with their flows.
type Hosts struct {
	*tables
	sender   sender
	receiver receiver
	digest   uint64
}

// handle executes an event of hosts.
func (s *Hosts) handle(e kernel.Event) {
	switch e.Kind {
	case evTimer:
		s.sender.onTimer(e.Arg)
	case evStart:
		s.sender.startFlow(e.Arg)
	case evEmit:
		s.net.Emit(e.Arg, s.tx[s.net.Pool.At(e.Arg).PDC].dst)
	case evProbe:
		s.sender.onProbeTimer(e.Arg)
	case evPace:
		s.sender.onPace(e.Arg)
	case evStop:
		s.sender.stopFlow(e.Arg)
	case evControl:
		s.sender.onControl(e.Arg)
	case evNotify:
		s.receiver.onNotify(e.Arg)
	}
}

// Transmit implements net's Hosts.
func (s *Hosts) Transmit(h int32) { s.sender.Transmit(h) }

// Ends implements net's Hosts.
func (s *Hosts) Ends(conn int32) (src, dst int32) {
	t := &s.tx[conn]
	return s.ccc[t.ccc].host, t.dst
}

// Receive implements net's Hosts: it takes packet i off the network at its destination.
func (s *Hosts) Receive(i int32) {
	k := s.net.Pool.At(i)
	s.digest = digest(s.digest, s.wheel.Now(), k)
	switch k.Kind {
	case net.PacketAck:
		s.count.Acks++
		s.sender.onAck(i)
	case net.PacketNack:
		s.count.Nacks++
		s.sender.onNack(k)
	case net.PacketProbe:
		s.receiver.onProbe(i)
	case net.PacketAckReq:
		s.receiver.onAckReq(i)
	case net.PacketCNP:
		s.sender.onCNP(k)
	default:
		s.receiver.answered = i
		s.receiver.onData(k)
	}
	s.net.Pool.Release(i)
}

// digest adds the arrival of packet k to a run's digest: all of its headers except the entropy, which does not matter
// where there is only one path.
func digest(d uint64, now units.Picos, k *net.Packet) uint64 {
	d = mix64(d ^ uint64(now))
	d = mix64(d ^ uint64(uint32(k.PDC))<<32 ^ uint64(k.PSN))
	d = mix64(d ^ uint64(k.Cum)<<32 ^ uint64(cc.RcvdUnits(k.Rcvd))<<8 ^ uint64(k.Flags))
	d = mix64(d ^ uint64(k.Flows)<<48 ^ uint64(k.OOO)<<32 ^ uint64(k.Service)<<16 ^ uint64(k.Pend)<<8 ^ uint64(k.Reason))
	return mix64(d ^ k.Sack ^ bits.RotateLeft64(uint64(k.Kind), 62))
}

// drawSlowHosts draws the hosts whose memory drains slowly; every second of
// them lets its senders restore their windows.
func (s *tables) drawSlowHosts() {
	slow := 0
	for h := range s.hosts {
		n := &s.hosts[h]
		n.ready = -1
		if float64(s.rngHost.Uint64()>>11)/(1<<53) >= s.spec.SlowHosts {
			continue
		}
		n.slow, n.restore = true, slow%2 == 0
		n.drainTime = units.Picos(float64(s.net.Ports[h].PerByte) / s.spec.DrainShare)
		slow++
	}
}

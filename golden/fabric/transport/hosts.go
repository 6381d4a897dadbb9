package transport

import (
	"math/bits"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/rccc"
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
	evPull                             // the pacer of host argument may send a pull
	evCycle                            // a clock cycle of NICs in hardware

	evControl = kernel.IdleKinds + 1 // timer of the congestion control of context argument
	evStop    = kernel.IdleKinds + 3 // flow argument sends nothing new
	evClose   = kernel.IdleKinds + 4 // the ACK of the CLOSE of connection argument is overdue; of a NIC: the CLOSE is due
)

// Hosts are all hosts of a run, with both ends of their connections and their flows.
type Hosts struct {
	wheel *kernel.Wheel
	net   *net.Network
	count *account.Counters
	bytes *account.Bytes
	spec  *settings.Spec

	hosts []host
	ccc   []cccState
	tx    []txPDC
	rx    []rxPDC
	flows []flow
	after [][]int32 // flows that wait for each flow, of a list of messages

	baseRTT  units.Picos
	rto      units.Picos
	maxWnd   int64 // of the fastest host
	digest   uint64
	answered int32 // packet that a receiver is answering

	rngTopo, rngSpray, rngHost *rand.PCG

	rows     []cc.Row // congestion controls by name, the first of a name counts
	only     *cc.Row  // of every context, in place of those named
	tap      func(*cc.Event) bool
	ev       cc.Event
	bound    []int64          // packets of each connection
	grants   []rccc.Sender    // what the rule's pacers know of each context, nil when none needs credit
	pulls    []uint32         // sent to each context, as grants
	finished []int32          // flows that the ACK at hand ended
	rings    [32][]ringMemory // given back by senders, by class
	maps     [32][][]uint64   // ... by receivers
	board    *board           // NICs in hardware, nil for simulated hosts
}

// sender, closer, receiver and loader are the hosts by what they do: send, end connections, receive and make flows.
type (
	sender   struct{ *Hosts }
	closer   struct{ *Hosts }
	receiver struct{ *Hosts }
	loader   struct{ *Hosts }
)

// handle executes an event of hosts.
func (s *Hosts) handle(e kernel.Event) {
	switch e.Kind {
	case evTimer:
		sender{s}.onTimer(e.Arg)
	case evStart:
		if s.board != nil {
			hardware{s}.startFlow(e.Arg)
			return
		}
		sender{s}.startFlow(e.Arg)
	case evEmit:
		s.net.Emit(e.Arg, s.tx[s.net.Pool.At(e.Arg).PDC].dst)
	case evProbe:
		sender{s}.onProbeTimer(e.Arg)
	case evPace:
		sender{s}.onPace(e.Arg)
	case evStop:
		sender{s}.stopFlow(e.Arg)
	case evClose:
		if s.board != nil {
			hardware{s}.onClose(e.Arg)
			return
		}
		closer{s}.onCloseTimer(e.Arg)
	case evControl:
		sender{s}.onControl(e.Arg)
	case evNotify:
		receiver{s}.onNotify(e.Arg)
	case evPull:
		receiver{s}.onPull(e.Arg)
	case evCycle:
		hardware{s}.onCycle()
	}
}

// Transmit implements net's Hosts.
func (s *Hosts) Transmit(h int32) { sender{s}.Transmit(h) }

// Ends implements net's Hosts.
func (s *Hosts) Ends(conn int32) (src, dst, ccc int32) {
	t := &s.tx[conn]
	c := &s.ccc[t.ccc]
	return c.host, t.dst, c.id
}

// Receive implements net's Hosts: it takes packet i off the network at its destination.
func (s *Hosts) Receive(i int32) {
	k := s.net.Pool.At(i)
	s.digest = digest(s.digest, s.wheel.Now(), k)
	if s.board != nil {
		hardware{s}.receive(i)
		return
	}
	switch k.Kind {
	case net.PacketAck:
		s.count.Acks++
		sender{s}.onAck(i)
	case net.PacketNack:
		s.count.Nacks++
		sender{s}.onNack(k)
	case net.PacketProbe:
		receiver{s}.onProbe(i)
	case net.PacketAckReq:
		receiver{s}.onAckReq(i)
	case net.PacketCNP:
		sender{s}.onCNP(k)
	case net.PacketClose:
		receiver{s}.onClose(i)
	case net.PacketCredit:
		withCredit{sender{s}}.onCredit(k)
	case net.PacketCreditReq:
		receiver{s}.onCreditReq(i)
	default:
		s.answered = i
		receiver{s}.onData(k)
	}
	s.net.Pool.Release(i)
}

// digest adds the arrival of packet k to a run's digest: all of its headers except the entropy, which does not matter
// where there is only one path.
func digest(d uint64, now units.Picos, k *net.Packet) uint64 {
	d = mix64(d ^ uint64(now))
	d = mix64(d ^ uint64(uint32(k.PDC))<<32 ^ uint64(k.PSN))
	d = mix64(d ^ uint64(k.Cum)<<32 ^ uint64(cc.RcvdUnits(k.Rcvd))<<8 ^ uint64(k.Flags))
	d = mix64(d ^ uint64(k.Span))
	d = mix64(d ^ uint64(k.Flows)<<48 ^ uint64(k.OOO)<<32 ^ uint64(k.Service)<<16 ^ uint64(k.Pend)<<8 ^ uint64(k.Reason))
	return mix64(d ^ k.Sack ^ bits.RotateLeft64(uint64(k.Kind), 62))
}

// drawSlowHosts draws the hosts whose memory drains slowly; every second of
// them lets its senders restore their windows.
func (s *Hosts) drawSlowHosts() {
	slow := 0
	for h := range s.hosts {
		n := &s.hosts[h]
		n.ready = -1
		if float64(s.rngHost.Uint64()>>11)/(1<<53) >= s.spec.SlowHosts {
			continue
		}
		n.slow, n.restore = true, slow%2 == 0
		n.drainTime = drainTime(net.PerByte(s.net, &s.net.Ports[h]), s.spec.DrainShare)
		slow++
	}
}

// drainTime returns the time that slow memory takes for a byte: whole picoseconds where the link takes whole ones.
func drainTime(b units.PerByte, share float64) units.PerByte {
	unit := 1.0
	if b.Den > 1 {
		unit = 1 << 16
	}
	return units.PerByte{Num: int64(unit * b.Float() / share), Den: int64(unit)}
}

// before reports whether packet sequence number a precedes b, modulo 2^32.
func before(a, b uint32) bool { return int32(a-b) < 0 }

// mix64 is the finaliser of SplitMix64: a bijection whose every output bit depends on every input bit.
func mix64(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// AheadOfReceive implements net's Hosts. It reads what the host that receives the packet has, and nothing of the other
// end of its connection, which may belong to another part of a divided run.
func (s *Hosts) AheadOfReceive(k *net.Packet) uint64 {
	switch k.Kind {
	case net.PacketData:
		r := &s.rx[k.PDC]
		sum := uint64(r.cum) + uint64(s.flows[k.Flow].delivered) + uint64(s.tx[k.PDC].ccc)
		if r.seen != nil {
			sum += r.seen[k.PSN&r.mask>>6]
		}
		return sum
	case net.PacketAck, net.PacketNack:
		t := &s.tx[k.PDC]
		sum := uint64(s.ccc[t.ccc].sentAt)
		if t.ring != nil {
			sum += uint64(t.ring[k.PSN&t.mask].time)
		}
		return sum
	}
	return 0
}

// AheadOfTransmit implements net's Hosts.
func (s *Hosts) AheadOfTransmit(h int32) uint64 {
	ci := s.hosts[h].ready
	if ci < 0 {
		return 0
	}
	c := &s.ccc[ci]
	t := &s.tx[c.pdcs[c.rr]]
	sum := uint64(c.sentAt) + uint64(t.unsent)
	if t.ring != nil {
		sum += uint64(t.ring[t.nxt&t.mask].time)
	}
	return sum
}

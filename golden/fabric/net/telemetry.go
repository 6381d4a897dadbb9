package net

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// INTHops is the number of telemetry records that a packet can carry.
const INTHops = 8

// INT record, from the most significant bit: rate code 4, time 24 in ns, bytes
// transmitted 20 in units of 128, queue 16 in units of 80 (seed 001, section 3).
const (
	intTSBits, intTxBits, intQBits = 24, 20, 16
	intTxUnit, intQUnit            = 128, 80
)

// INTRecord is one hop's telemetry as the wire holds it.
type INTRecord struct {
	Rate    uint8  // code: 25, 50, 100, 200, 400, 800 Gb/s from 0 on, 15 any other
	TS      uint32 // ns modulo 2^24
	TxBytes uint32 // units of 128 bytes modulo 2^20
	QLen    uint16 // units of 80 bytes, saturating
}

// UnpackINT takes a record apart.
func UnpackINT(w uint64) INTRecord {
	return INTRecord{
		Rate: uint8(w >> 60), TS: uint32(w >> 36 & (1<<intTSBits - 1)),
		TxBytes: uint32(w >> 16 & (1<<intTxBits - 1)), QLen: uint16(w),
	}
}

// Pack returns the record's 64 bits.
func (r INTRecord) Pack() uint64 {
	return uint64(r.Rate)<<60 | uint64(r.TS)&(1<<intTSBits-1)<<36 | uint64(r.TxBytes)&(1<<intTxBits-1)<<16 | uint64(r.QLen)
}

var rateCodes = [...]units.Gbps{25, 50, 100, 200, 400, 800}

// noRate is the code of every other rate.
const noRate = 15

func rateCode(gbps units.Gbps) uint8 {
	if i := slices.Index(rateCodes[:], gbps); i >= 0 {
		return uint8(i)
	}
	return noRate
}

// CheckRates returns an error when telemetry on the wire has no code for the rate of a link. A control would pass over
// every record of it.
func CheckRates(s *Network) error {
	for i := range s.Ports {
		if gbps := s.Topo.Ports[i].Gbps; s.Ports[i].rate == noRate {
			return fmt.Errorf("telemetry on the wire has no code for the %v Gb/s of %s, only for %v: set int.format to exact",
				gbps, s.Topo.Name(int32(i)), rateCodes)
		}
	}
	return nil
}

// stamp adds the state of port p at a time to the telemetry of packet i, if there is room.
func (s *Carried) stamp(i int32, p *Port, now units.Picos) {
	if list := s.Ints.of(i); len(*list) < INTHops {
		*list = append(*list, INTRecord{
			Rate: p.rate, TS: uint32(now / units.Nanosecond), TxBytes: uint32(p.Tx / intTxUnit),
			QLen: uint16(min(p.Q[ClassLow].bytes/intQUnit, 1<<intQBits-1)),
		}.Pack())
	}
}

// intOf returns the telemetry records of packet i in an event of its departure: nil for a packet that has no telemetry
// header, none for one that no switch has written to.
func intOf(s *Network, i int32, k *Packet) []uint64 {
	if s.intExact || // the wire has no format for it
		!(s.intData && k.Kind == PacketData || (s.intData || s.intAck) && k.Kind == PacketAck) {
		return nil
	}
	if r := s.Ints.Of(i); r != nil {
		return r
	}
	return []uint64{}
}

// Carried is what the packets of a run carry beyond their headers, by their place in the pool.
type Carried struct {
	Ints   stacks[uint64] // telemetry as the wire holds it
	Exact  stacks[cc.Hop] // exact telemetry
	trails stacks[int32]  // links by which a packet has come
	frames stacks[byte]   // heads of frames, between NICs in hardware

	intData, intAck, intExact bool // of the spec
	retracing                 bool
	carries                   bool // any of it
}

// carriedBy returns what packets carry in a run of a spec.
func carriedBy(spec *settings.Spec) Carried {
	return Carried{
		intData: spec.INT == settings.INTData, intAck: spec.INT == settings.INTAck,
		intExact:  spec.INT != settings.INTOff && spec.INTFormat == settings.INTExact,
		retracing: spec.Retrace, carries: spec.INT != settings.INTOff || spec.Retrace,
	}
}

// Fresh begins what a new packet carries beyond its headers: telemetry and the way it has come.
func (s *Carried) Fresh(i int32) {
	if s.carries {
		s.Ints.clear(i)
		s.Exact.clear(i)
		s.trails.clear(i)
	}
}

// SetFrame gives packet i the head of its frame.
func (s *Carried) SetFrame(i int32, head []byte) {
	*s.frames.of(i) = append((*s.frames.of(i))[:0], head...)
}

// Frame returns the head of the frame of packet i. It is valid until the packet is released.
func (s *Carried) Frame(i int32) []byte { return s.frames.Of(i) }

// Bring gives an ACK or NACK what the packet that it answers carries: the way it has come and, in an ACK, the telemetry
// that switches have written into it.
func (s *Carried) Bring(to, from int32, ack bool) {
	if s.intData && ack {
		s.Ints.copy(to, from)
		s.Exact.copy(to, from)
	}
	s.trails.copy(to, from)
}

// copyCarried gives packet to all that packet from carries.
func (s *Carried) copyCarried(to, from int32) {
	s.Ints.copy(to, from)
	s.Exact.copy(to, from)
	s.trails.copy(to, from)
	s.frames.copy(to, from)
}

// swapCarried exchanges what two packets carry.
func (s *Carried) swapCarried(a, b int32) {
	s.Ints.swap(a, b)
	s.Exact.swap(a, b)
	s.trails.swap(a, b)
	s.frames.swap(a, b)
}

// stacks are lists that packets carry, in the order of writing, by the place of each in the pool; empty in a run that
// has none of the kind.
type stacks[T any] [][]T

// of returns the list of packet i. Places come by doubling, with room for what most packets carry, so that a run that
// reuses them allocates no more.
func (s *stacks[T]) of(i int32) *[]T {
	if n := max(int(i)+1-len(*s), len(*s)); int(i) >= len(*s) {
		room := make([]T, n*INTHops)
		for ; n > 0; n, room = n-1, room[INTHops:] {
			*s = append(*s, room[:0:INTHops])
		}
	}
	return &(*s)[i]
}

// Of returns the list of packet i to read, which is the pool's: a reader copies it.
func (s stacks[T]) Of(i int32) []T {
	if int(i) >= len(s) {
		return nil
	}
	return s[i]
}

func (s stacks[T]) clear(i int32) {
	if int(i) < len(s) {
		s[i] = s[i][:0]
	}
}

// copy gives packet to the list of packet from.
func (s *stacks[T]) copy(to, from int32) {
	if len(*s) > 0 {
		list := s.of(to)
		*list = append((*list)[:0], s.Of(from)...)
	}
}

// swap exchanges the lists of two packets.
func (s *stacks[T]) swap(a, b int32) {
	if len(*s) > 0 {
		s.of(max(a, b))
		(*s)[a], (*s)[b] = (*s)[b], (*s)[a]
	}
}

// stampExact adds the state of port p to the telemetry of packet i: data bytes that have left it, also of the packet
// that it is sending, and data bytes that wait. It is called as packet i begins its transmission.
func stampExact(s *Network, i int32, p *Port, now units.Picos) {
	left, perByte := 0.0, PerByte(s, p).Float()
	if p.sendsData && p.FreeAt > now {
		left = float64(p.FreeAt-now) / perByte
	}
	hops := s.Exact.of(i)
	*hops = append(*hops, cc.Hop{
		Gbps: units.BytePicos / perByte, TS: float64(now) / float64(units.Nanosecond),
		Tx: float64(p.dataTx) - left, Queue: float64(p.Q[ClassLow].bytes),
	})
}

// retrace returns the port by which an ACK or NACK goes on to take the way of the packet that it answers backwards, -1
// for a packet that has no such way. It keeps the way of those that will be answered.
func (s *Carried) retrace(ports []Port, i int32, k *Packet) int32 {
	switch k.Kind {
	case PacketData, PacketProbe, PacketAckReq, PacketClose, PacketCreditReq:
		trail := s.trails.of(i)
		*trail = append(*trail, k.link)
	case PacketAck, PacketNack:
		if n := len(s.trails.Of(i)) - 1; n >= 0 {
			in := s.trails[i][n]
			s.trails[i] = s.trails[i][:n]
			return ports[in].Rev
		}
	}
	return -1
}

package net

import (
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// Carried is what the packets of a run carry beyond their headers, by their place in the pool.
type Carried struct {
	Ints   telemetry
	exact  [][]cc.Hop // exact telemetry
	trails [][]int32  // links by which a packet has come

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
	if !s.carries {
		return
	}
	s.Ints.Clear(i)
	if int(i) < len(s.exact) {
		s.exact[i] = s.exact[i][:0]
	}
	if int(i) < len(s.trails) {
		s.trails[i] = s.trails[i][:0]
	}
}

// Bring gives an ACK or NACK what the packet that it answers carries: the way it has come and, in an ACK, the telemetry
// that switches have written into it.
func (s *Carried) Bring(to, from int32, ack bool) {
	if s.intData && ack {
		s.Ints.Copy(to, from)
		if s.intExact {
			spread(&s.exact, max(to, from))
			s.exact[to] = append(s.exact[to][:0], s.exact[from]...)
		}
	}
	if s.retracing {
		spread(&s.trails, max(to, from))
		s.trails[to] = append(s.trails[to][:0], s.trails[from]...)
	}
}

// swapCarried exchanges what two packets carry.
func (s *Carried) swapCarried(a, b int32) {
	s.Ints.swap(a, b)
	if s.intExact {
		spread(&s.exact, max(a, b))
		s.exact[a], s.exact[b] = s.exact[b], s.exact[a]
	}
	if s.retracing {
		spread(&s.trails, max(a, b))
		s.trails[a], s.trails[b] = s.trails[b], s.trails[a]
	}
}

// spread makes room for packet i.
func spread[T any](list *[][]T, i int32) {
	for len(*list) <= int(i) {
		*list = append(*list, nil)
	}
}

// Hops returns the exact telemetry of packet i in the order of stamping. It is the pool's: a reader copies it.
func (s *Carried) Hops(i int32) []cc.Hop {
	if int(i) >= len(s.exact) {
		return nil
	}
	return s.exact[i]
}

// stampExact adds the state of port p to the telemetry of packet i: data bytes that have left it, also of the packet
// that it is sending, and data bytes that wait. It is called as packet i begins its transmission.
func (s *Carried) stampExact(i int32, p *Port, now units.Picos) {
	spread(&s.exact, i)
	left := 0.0
	if p.sendsData && p.FreeAt > now {
		left = float64(p.FreeAt-now) / float64(p.PerByte)
	}
	s.exact[i] = append(s.exact[i], cc.Hop{
		Gbps: units.BytePicos / float64(p.PerByte), TS: float64(now) / float64(units.Nanosecond),
		Tx: float64(p.dataTx) - left, Queue: float64(p.Q[ClassLow].bytes),
	})
}

// retrace returns the port by which an ACK or NACK goes on to take the way of the packet that it answers backwards, -1
// for a packet that has no such way. It keeps the way of those that will be answered.
func (s *Carried) retrace(ports []Port, i int32, k *Packet) int32 {
	switch k.Kind {
	case PacketData, PacketProbe, PacketAckReq:
		spread(&s.trails, i)
		s.trails[i] = append(s.trails[i], k.link)
	case PacketAck, PacketNack:
		if int(i) >= len(s.trails) || len(s.trails[i]) == 0 {
			return -1
		}
		n := len(s.trails[i]) - 1
		in := s.trails[i][n]
		s.trails[i] = s.trails[i][:n]
		return ports[in].Rev
	}
	return -1
}

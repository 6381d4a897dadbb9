package net

import (
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/units"
)

// FairPeriod is the time between two computations of a port's fair rate.
const FairPeriod = 40 * units.Microsecond

// fairRule is the rule by which RoCC's switches compute the fair rate of a port. Rates are in units of 10 Mb/s, queues
// in units of 600 bytes (congestion-control.md, section 7, whose constants are not verified by code).
type fairRule struct {
	least, most   float64
	ref, mid, top float64 // queues
	a, b          float64 // gains of the distance from ref and of the growth
}

const fairUnit = 600 // bytes

// fairRuleOf returns the rule of a link: that of the paper for 40 Gb/s, and for other rates that for 100 Gb/s with its
// queues scaled.
func fairRuleOf(gbps float64) fairRule {
	if gbps == 40 {
		return fairRule{10, 4000, 150e3 / fairUnit, 300e3 / fairUnit, 360e3 / fairUnit, 0.3, 1.5}
	}
	return fairRule{10, 100 * gbps, 3e3 * gbps / fairUnit, 6e3 * gbps / fairUnit, 6.6e3 * gbps / fairUnit, 0.45, 2.25}
}

// next returns the fair rate that follows f when the queue has grown from old to q: the least when it is much too long,
// half when it grows fast, else a proportional and integral step. The gains fall with the rate.
func (r *fairRule) next(f, q, old float64) float64 {
	switch {
	case q >= r.top && f > r.most/8:
		f = r.least
	case q-old >= r.mid && f > r.most/8:
		f /= 2
	default:
		level := 2.0
		for f < r.most/level && level < 64 {
			level *= 2
		}
		k := level / 2
		f -= float64(r.a/k*(q-r.ref)) + float64(r.b/k*(q-old))
	}
	return math.Min(math.Max(f, r.least), r.most)
}

// fairPort is the computation at one port of a switch.
type fairPort struct {
	rule      fairRule
	rate, old float64
	conns     []int32 // with a packet enqueued since the last computation
}

// fairRates are those of all ports of switches, in their order.
type fairRates struct {
	ports []fairPort
	first int // number of the first
}

// beginFair begins to compute the fair rates of all ports of switches.
func beginFair(s *Network) {
	s.fair = &fairRates{first: s.hosts}
	for i := s.hosts; i < len(s.Ports); i++ {
		rule := fairRuleOf(float64(s.Topo.Ports[i].Gbps))
		s.fair.ports = append(s.fair.ports, fairPort{rule: rule, rate: rule.most})
	}
	s.wheel.Push(FairPeriod, EvFair, 0)
}

// note keeps that a packet of a connection was enqueued at port pi.
func (f *fairRates) note(pi, conn int32) {
	p := &f.ports[int(pi)-f.first]
	if n := len(p.conns); n > 0 && p.conns[n-1] == conn || slices.Contains(p.conns, conn) {
		return
	}
	p.conns = append(p.conns, conn)
}

// onFair computes the fair rate of every port, and sends it to the sources of the packets that a port has enqueued
// since the last time when it is below the line's. Like a sample of the queues it does not keep the run going.
func onFair(s *Network) {
	for i := range s.fair.ports {
		f, pi := &s.fair.ports[i], int32(i+s.fair.first)
		q := float64(s.Ports[pi].Q[ClassLow].bytes) / fairUnit
		f.rate = f.rule.next(f.rate, q, f.old)
		f.old = q
		if f.rate < f.rule.most {
			for _, conn := range f.conns {
				sendFair(s, pi, conn, f.rate)
			}
		}
		f.conns = f.conns[:0]
	}
	s.wheel.Push(s.wheel.Now()+FairPeriod, EvFair, 0)
}

// sendFair sends the fair rate of port pi to the source of a connection, from the switch that has the port.
func sendFair(s *Network, pi, conn int32, rate float64) {
	src, _, _ := s.NIC.Ends(conn)
	i := s.Control(&Packet{
		link: pi, Dst: src, PDC: conn, Flow: -1, Kind: PacketCNP, Class: ClassHigh,
		Cum: uint32(pi) + 1, Sack: math.Float64bits(rate),
	})
	s.count.CtlSent++
	s.count.CNPs++
	k := s.Pool.At(i)
	s.enqueue(s.route(&s.Switches[int(s.Ports[s.Ports[pi].Rev].to)-s.hosts], k), i)
}

// FairRate returns the port and the fair rate that a CNP of a switch holds, in units of 10 Mb/s; ok is false for one of
// a receiver. Ports count from 1.
func (k *Packet) FairRate() (port int32, rate float64, ok bool) {
	return int32(k.Cum), math.Float64frombits(k.Sack), k.Kind == PacketCNP && k.Cum > 0
}

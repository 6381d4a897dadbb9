package fabric

import (
	"math"
	"math/bits"

	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// hopsLongest is the number of links that the wheel's slot width assumes.
const hopsLongest = 6

// swtch is a switch. In a tree it reaches hosts lo to hi-1 through its down
// ports, one port for each per hosts, and all others through any of its up
// ports; port numbers are contiguous, so that routing needs no table.
type swtch struct {
	lo, hi, per int32
	down        int32 // first down port
	up, ups     int32 // first up port and their number
	id          int32
	salt        uint64
}

// route returns the port on which switch w forwards packet k, -1 when there is
// no way: the only one or, of several, the one that the hash of connection and
// entropy, or adaptive routing, chooses.
func (s *sim) route(w *swtch, k *packet) int32 {
	first, n := w.up, w.ups
	var list []int32
	if s.routes == nil {
		if d := k.dst; d >= w.lo && d < w.hi {
			return w.down + (d-w.lo)/w.per
		}
	} else {
		list = s.routes.Hops(w.id, k.dst)
		n = int32(len(list))
		if n == 0 {
			return -1
		}
		if n == 1 {
			return list[0]
		}
	}
	h := (uint64(uint32(k.pdc))<<16 | uint64(k.entropy)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ w.salt) * 0xd6e8feb86659fd93
	at := int32(h >> 32 * uint64(n) >> 32)
	if k.flags&flagSteer != 0 {
		return s.shortest(first, n, list, k.class)
	}
	if list != nil {
		return list[at]
	}
	return first + at
}

// shortest returns a port whose queue of a class is in the lowest band, drawn at
// random among those of the same band. A queue holds the packet under way, too.
func (s *sim) shortest(first, n int32, list []int32, class uint8) int32 {
	least := int64(math.MaxInt64)
	s.tied = s.tied[:0]
	for at := range n {
		pi := first + at
		if list != nil {
			pi = list[at]
		}
		p := &s.ports[pi]
		bytes := p.q[class].bytes
		if s.now < p.freeAt {
			bytes += int64((p.freeAt - s.now) / p.perByte)
		}
		switch band := bytes / p.step; {
		case band < least:
			least = band
			s.tied = append(s.tied[:0], pi)
		case band == least:
			s.tied = append(s.tied, pi)
		}
	}
	if len(s.tied) == 1 {
		return s.tied[0]
	}
	hi, _ := bits.Mul64(s.rngRoute.Uint64(), uint64(len(s.tied)))
	return s.tied[hi]
}

// buildNetwork lays out hosts, switches and ports.
func (s *sim) buildNetwork(n *topo.Net) {
	s.net = n
	hosts := n.Hosts
	s.hosts = make([]host, hosts)
	s.switches = make([]swtch, len(n.Names)-hosts)
	s.ports = make([]port, 0, len(n.Ports))
	for i := range n.Ports {
		s.addPort(&n.Ports[i])
		s.mixed = s.mixed || n.Ports[i].Gbps != s.spec.LinkGbps
	}
	for i := range s.switches {
		first, end := n.First[hosts+i], n.First[hosts+i+1]
		w := swtch{id: int32(i), salt: s.rngTopo.Uint64(), down: first}
		if n.Ranges != nil {
			r := n.Ranges[i]
			w.lo, w.hi, w.per = r.Lo, r.Hi, r.Per
			w.up = first + (r.Hi-r.Lo)/r.Per
			w.ups = end - w.up
		}
		s.switches[i] = w
	}
	if n.Ranges == nil {
		s.routes = n.Routes(nil)
	}
	if s.spec.PFC {
		s.setRoom()
	}
	s.setSteps()
}

// defaultARLevels is the number of bands in which adaptive routing sees a queue: the
// reference simulator's bands begin at 5, 10 and 20 % of a queue, and queues that
// adaptive routing fills rarely grow beyond.
const defaultARLevels = 20

// setSteps sets the steps of adaptive routing from the limits, which must be final.
func (s *sim) setSteps() {
	levels := int64(defaultARLevels)
	if s.spec.ARLevels > 0 {
		levels = int64(s.spec.ARLevels)
	}
	for i := range s.ports {
		p := &s.ports[i]
		p.step = max(1, p.limit[classLow]/levels)
	}
}

// addPort appends a port and sets its limits from the BDP of its own rate, or
// from the sizes that the spec gives in bytes.
func (s *sim) addPort(t *topo.Port) {
	spec := &s.spec
	perByte := units.PerByte(t.Gbps)
	bdp := int64(s.baseRTT) / perByte
	p := port{
		to: t.To, rev: t.Rev, perByte: units.Picos(perByte), latency: units.Picos(t.Latency), lastHop: int(t.To) < s.net.Hosts,
		rate: rateCode(t.Gbps), turn: classes - 1,
	}
	size := func(f float64) int64 { return scaled(f, bdp) }
	if spec.WholePackets {
		size = func(f float64) int64 { return wholePackets(f*float64(bdp), int64(spec.MTU)) }
	}
	ctl := size(spec.CtlDropAt)
	if spec.CtlQueueBytes > 0 {
		ctl = spec.CtlQueueBytes
	}
	for c := range p.q {
		p.q[c] = fifo{head: -1, tail: -1}
		p.limit[c] = ctl
	}
	low := spec.TrimAt
	switch {
	case !spec.Trim:
		low = spec.DropAt
	case p.lastHop:
		low = spec.TrimAtLastHop
	}
	p.limit[classLow] = size(low)
	switch {
	case p.lastHop && spec.LastHopQueueBytes > 0:
		p.limit[classLow] = spec.LastHopQueueBytes
	case spec.QueueBytes > 0:
		p.limit[classLow] = spec.QueueBytes
	}
	if s.mediumData {
		p.limit[classMedium] = p.limit[classLow]
	}
	s.setMarking(&p, bdp)
	s.ports = append(s.ports, p)
}

// setMarking sets the thresholds of ECN.
func (s *sim) setMarking(p *port, bdp int64) {
	spec := &s.spec
	kmin, kmax, kdet := scaled(spec.KMin, bdp), scaled(spec.KMax, bdp), scaled(spec.KDet, bdp)
	if spec.WholePackets {
		mtu := int64(spec.MTU)
		queue := float64(wholePackets(float64(bdp), mtu))
		kmin, kmax, kdet = wholePackets(spec.KMin*queue, mtu), wholePackets(spec.KMax*queue, mtu), wholePackets(spec.KDet*queue, mtu)
	}
	if spec.KMaxBytes > 0 || spec.KMinBytes > 0 {
		kmin, kmax, kdet = spec.KMinBytes, spec.KMaxBytes, spec.KMinBytes
	}
	switch spec.ECN {
	case ECNProbabilistic:
		p.kmin, p.kin, p.draw = kmin, kmax-kmin, kmax-kmin
		if spec.PMax > 0 {
			p.draw = int64(float64(p.kin) / spec.PMax)
		}
	case ECNDeterministic:
		p.kmin = kdet
	default:
		p.kmin = 1 << 62
	}
}

// wholePackets returns a number of bytes, rounded up to a multiple of the MTU.
func wholePackets(bytes float64, mtu int64) int64 {
	return int64(math.Ceil(bytes/float64(mtu)-1e-9)) * mtu
}

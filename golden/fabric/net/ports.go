package net

import (
	"math"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// defaultARLevels is the number of bands in which adaptive routing sees a queue: the
// reference simulator's bands begin at 5, 10 and 20 % of a queue, and queues that
// adaptive routing fills rarely grow beyond.
const defaultARLevels = 20

// setSteps sets the steps of adaptive routing from the limits, which must be final.
func (s *Network) setSteps() {
	levels := int64(defaultARLevels)
	if s.spec.ARLevels > 0 {
		levels = int64(s.spec.ARLevels)
	}
	for i := range s.Ports {
		p := &s.Ports[i]
		p.step = max(1, p.Limit[ClassLow]/levels)
	}
}

// addPort appends a port and sets its limits from the BDP of its own rate, or
// from the sizes that the spec gives in bytes.
func (s *Network) addPort(t *topo.Port) {
	spec := s.spec
	perByte := units.PerByte(t.Gbps)
	bdp := int64(s.baseRTT) / perByte
	p := Port{
		to: t.To, Rev: t.Rev, PerByte: units.Picos(perByte), Latency: units.Picos(t.Latency),
		lastHop: int(t.To) < s.Topo.Hosts,
		rate:    rateCode(t.Gbps), turn: Classes - 1,
	}
	size := func(f float64) int64 { return settings.Scaled(f, bdp) }
	if spec.WholePackets {
		size = func(f float64) int64 { return wholePackets(f*float64(bdp), int64(spec.MTU)) }
	}
	ctl := size(spec.CtlDropAt)
	if spec.CtlQueueBytes > 0 {
		ctl = spec.CtlQueueBytes
	}
	for c := range p.Q {
		p.Q[c] = fifo{head: -1, Tail: -1}
		p.Limit[c] = ctl
	}
	low := spec.TrimAt
	switch {
	case !spec.Trim:
		low = spec.DropAt
	case p.lastHop:
		low = spec.TrimAtLastHop
	}
	p.Limit[ClassLow] = size(low)
	switch {
	case p.lastHop && spec.LastHopQueueBytes > 0:
		p.Limit[ClassLow] = spec.LastHopQueueBytes
	case spec.QueueBytes > 0:
		p.Limit[ClassLow] = spec.QueueBytes
	}
	if spec.MediumElephants() {
		p.Limit[ClassMedium] = p.Limit[ClassLow]
	}
	setMarking(spec, &p, bdp)
	s.Ports = append(s.Ports, p)
}

// setMarking sets the thresholds of ECN.
func setMarking(spec *settings.Spec, p *Port, bdp int64) {
	kmin, kmax, kdet := settings.Scaled(spec.KMin, bdp), settings.Scaled(spec.KMax, bdp), settings.Scaled(spec.KDet, bdp)
	if spec.WholePackets {
		mtu := int64(spec.MTU)
		queue := float64(wholePackets(float64(bdp), mtu))
		kmin, kmax, kdet = wholePackets(spec.KMin*queue, mtu), wholePackets(spec.KMax*queue,
			mtu), wholePackets(spec.KDet*queue, mtu)
	}
	if spec.KMaxBytes > 0 || spec.KMinBytes > 0 {
		kmin, kmax, kdet = spec.KMinBytes, spec.KMaxBytes, spec.KMinBytes
	}
	switch spec.ECN {
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

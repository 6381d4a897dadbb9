package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// regs holds the configuration registers by address.
type regs [ccc.NumRegs]uint64

// resetRegs returns the registers after reset.
func resetRegs() (c regs) {
	for a, r := range ccc.RegInfo {
		c[a] = r.Reset
	}
	return c
}

// write does what a CFG_WRITE does.
func (c *regs) write(addr int, data uint64) {
	if addr >= len(c) {
		return
	}
	data &= ^uint64(0) >> (64 - ccc.RegInfo[addr].Width)
	if addr == ccc.RegMTU && data == 0 {
		return
	}
	c[addr] = data
}

// realisticRegs draws register values that an operator would compute from link
// rate, base RTT, MTU and tick (facts table 3-76 and its scaling rules). A tick of
// 128 ns is kept to; at 1 ns one in three draws is for 128 ns all the same.
func realisticRegs(r *stim.Rand, tickNs int) regs {
	gbps := stim.Pick(r, uint64(100), 400, 800)
	rttNs := stim.Pick(r, uint64(12000), 6000, 14022)
	mtu := stim.Pick(r, uint64(4096), 4150, 9216, 1500)
	tick := stim.Pick(r, uint64(1), 1, 128) // ns
	if tickNs == 128 {
		tick = 128
	}
	bdp := gbps * rttNs / 8
	a16 := bdp << 16 / 150000 // scaling_a, 16 fraction bits
	target := rttNs * 3 / 4
	if r.One(3) {
		target = rttNs
	}
	c := resetRegs()
	c[ccc.RegMTU] = mtu
	c[ccc.RegMaxWnd] = bdp * 3 / 2
	c[ccc.RegConfigBaseRTT] = rttNs / tick
	c[ccc.RegTargetQDelay] = target / tick
	c[ccc.RegAlpha] = 4 * mtu * a16 / 12000 * tick
	c[ccc.RegFI] = 5 * mtu * a16 >> 8
	c[ccc.RegEta] = 15 * mtu * a16 / 100 >> 8
	c[ccc.RegFIScale] = min(a16/4, 1<<24-1)
	c[ccc.RegAdjustBytes] = 8 * mtu
	c[ccc.RegAdjustPeriod] = rttNs / tick
	c[ccc.RegFastDelay] = max(1000/tick, 1)
	c[ccc.RegMwndRate] = gbps * 3 << 16 / 16 * tick
	c[ccc.RegTimeShift] = 7
	if tick == 128 {
		c[ccc.RegTimeShift] = 0
	}
	if r.One(2) {
		c[ccc.RegQAThreshold] = 4 * target / tick
	}
	if r.One(4) {
		c[ccc.RegEWMAGain] = r.LogN(24)
	}
	c[ccc.RegCtrl] = stim.Pick(r, uint64(0), 0, 0, 2, 2, 4, 10)
	return c
}

// cornerRegs draws legal register values from corners and from anywhere. Each register keeps its realistic value now
// and then, so that one extreme does not hide the effect of another.
func cornerRegs(r *stim.Rand, tickNs int) regs {
	c := realisticRegs(r, tickNs)
	keep := 1 + r.N(8) // of 8
	for a := range c {
		if r.N(8) < keep {
			continue
		}
		c.write(a, drawReg(r, a, &c))
	}
	return c
}

// drawReg draws a value for register a.
func drawReg(r *stim.Rand, a int, c *regs) uint64 {
	switch a {
	case ccc.RegMTU:
		return max(1, r.Corner(16))
	case ccc.RegTargetQDelay, ccc.RegFastDelay, ccc.RegQAThreshold:
		return stim.Pick(r, r.Corner(32), r.Near(c[ccc.RegTargetQDelay], 32), r.LogN(16), 0, 1<<32-1)
	case ccc.RegConfigBaseRTT, ccc.RegAdjustPeriod:
		return stim.Pick(r, r.Corner(32), r.LogN(16), c[a])
	case ccc.RegQAGate:
		// Every shift is as likely as any other; from 32 on nothing is left.
		return stim.Pick(r, r.Bits(5), r.Bits(5), r.Bits(5), r.Bits(6), r.Bits(8))
	case ccc.RegCtrl:
		return stim.Pick(r, 0, 0, 0, 1, 2, 2, 4, 4, 4, 10, r.Bits(4), r.Bits(4), r.Bits(4))
	case ccc.RegAdjustBytes:
		return stim.Pick(r, r.Corner(32), r.LogN(18)&^255, 0)
	}
	return r.Corner(ccc.RegInfo[a].Width)
}

// mirror is what the generator knows of a context's state, to aim at the
// thresholds that the next event will be compared with.
type mirror struct {
	cwnd, maxWnd, saved           uint64
	inflight                      int64
	baseRTT                       uint64
	achieved, received, fiCount   uint64
	ignored, toIgnore             uint64
	qaEnd, lastAdjust, lastDec    uint64
	inc, avg, backlog             uint64
	rtxBacklog, waiting, inflPkts uint64
	rcvd                          [ccc.MaxNumPdcs]uint64
	credit                        int64
	lastPull                      uint64
	speculating                   bool
	flags                         uint64 // word 0 without the profile
	profile                       uint8
}

// mostCredit is the largest credit of a context.
func (c *regs) mostCredit() int64 { return int64(min(max(c[ccc.RegMTU], c[ccc.RegMaxWnd]), 1<<31-1)) }

const (
	mask24 = 1<<24 - 1
	mask32 = 1<<32 - 1
	mask48 = 1<<48 - 1
)

// drawState draws a state in one of the corners that the rules distinguish:
// every field that an event compares with something lies near that something.
func drawState(r *stim.Rand, c *regs, profile uint8, now uint64) (s mirror) {
	mtu := c[ccc.RegMTU]
	s.cwnd = stim.Pick(r, mtu, mtu+uint64(r.N(300)), c[ccc.RegMaxWnd], r.Near(c[ccc.RegMaxWnd], 32), 1<<32-1,
		mtu+r.LogN(20), mtu+r.LogN(31))
	s.cwnd = min(max(s.cwnd, mtu), mask32)
	s.maxWnd = stim.Pick(r, c[ccc.RegMaxWnd], s.cwnd, s.cwnd+r.LogN(16), s.cwnd*2, r.Near(s.cwnd, 32), r.Corner(32),
		r.Corner(32))
	s.maxWnd = min(max(s.maxWnd, mtu), mask32)
	s.inflight = drawInflight(r, s.cwnd, mtu)
	if r.One(8) {
		s.maxWnd = min(mtu+uint64(r.N(300)), mask32)
	}
	s.saved = stim.Pick(r, 0, 0, 0, s.maxWnd, r.Near(s.maxWnd, 32), r.Corner(32), mtu+uint64(r.N(300)))
	s.baseRTT = stim.Pick(r, c[ccc.RegConfigBaseRTT], r.Near(c[ccc.RegConfigBaseRTT], 32), r.LogN(16), r.Corner(32))
	some := 256 * r.Bits(r.N(12))
	gate := c[ccc.RegQAGate]
	target := c[ccc.RegTargetQDelay]
	s.achieved = stim.Pick(r, 0, r.Near(s.maxWnd>>gate-some, 32), r.Near(s.maxWnd>>gate, 32), r.LogN(32),
		mask32-r.LogN(16))
	s.received = stim.Pick(r, 0, r.Near(c[ccc.RegAdjustBytes]-some, 32), c[ccc.RegAdjustBytes]-some, r.LogN(20),
		mask32-r.LogN(16))
	s.fiCount = stim.Pick(r, 0, r.Near(s.cwnd-some, 32), r.Near(s.cwnd-some, 32), r.LogN(20), mask32-r.LogN(16))
	s.toIgnore = stim.Pick(r, 0, 0, r.LogN(20), r.Corner(32), uint64(max(s.inflight, 0)))
	s.ignored = stim.Pick(r, 0, r.Near(s.toIgnore-some, 32), s.toIgnore-some, s.toIgnore+r.LogN(16), mask32-r.LogN(16))
	bound := s.windowBound(c)
	s.qaEnd = stim.Pick(r, now, r.Near(now, 48), now-r.LogN(20), now+r.LogN(20), now+s.baseRTT+target, now+bound,
		now+bound+1,
		r.Near(now+bound, 48), now+r.Bits(48)%(bound+1), now+r.Bits(48)%(bound+1), now-1<<47, r.Near(now+1<<47, 48),
		r.Bits(48))
	s.lastAdjust = stim.Pick(r, now, now-c[ccc.RegAdjustPeriod], r.Near(now-c[ccc.RegAdjustPeriod], 48), now-r.LogN(20),
		r.Bits(48))
	s.lastDec = stim.Pick(r, now, now-s.baseRTT, r.Near(now-s.baseRTT, 48), now-r.LogN(20), r.Bits(48))
	s.inc = stim.Pick(r, 0, r.LogN(48), s.cwnd*r.LogN(12), s.cwnd*r.LogN(12)-1, mask48-r.LogN(20), mask48)
	s.avg = stim.Pick(r, 0, target<<16, r.Near(target<<16, 48), target<<17, (target+r.LogN(16))<<16|r.Bits(16),
		r.Corner(48), r.LogN(48),
		r.Near(c[ccc.RegFastDelay]<<16, 48), r.Near((c[ccc.RegQAThreshold]+1)<<16, 48))
	s.backlog = stim.Pick(r, 0, 0, r.LogN(16), r.LogN(48), mask48-r.LogN(16))
	s.waiting = stim.Pick(r, 0, 0, 0, 1, r.LogN(8), mask32-uint64(r.N(2)))
	s.rtxBacklog = stim.Pick(r, 0, 0, s.waiting*mtu, r.LogN(32), mask32-r.LogN(12))
	s.inflPkts = stim.Pick(r, 0, 0, 1, r.LogN(10), r.LogN(32), mask32-uint64(r.N(2)))
	for i := range s.rcvd {
		s.rcvd[i] = stim.Pick(r, 0, mask24, mask24-r.LogN(10), r.Bits(24))
	}
	if r.One(16) { // several saturate in one event
		for _, p := range []*uint64{&s.ignored, &s.received, &s.achieved, &s.fiCount, &s.waiting, &s.rtxBacklog,
			&s.inflPkts} {
			if !r.One(4) {
				*p = mask32 - r.Bits(r.N(10))
			}
		}
		s.inc = stim.Pick(r, s.inc, mask48-r.LogN(20))
		s.inflight = stim.Pick(r, s.inflight, 1<<31-1-int64(r.LogN(9)), -1<<31+int64(r.LogN(9)))
	}
	near := int64(r.Bits(3)) - 4
	s.credit = stim.Pick(r, near, near+int64(mtu), int64(r.LogN(20)), int64(r.LogN(31)), -int64(r.LogN(20)),
		-int64(r.LogN(31)),
		c.mostCredit(), c.mostCredit()-256*int64(r.Bits(4))+near, -1<<31+int64(r.LogN(16)), near-256*int64(r.Bits(4)))
	s.credit = min(max(s.credit, -1<<31), 1<<31-1)
	s.lastPull = stim.Pick(r, r.Bits(24), r.LogN(10), mask24-r.LogN(10))
	s.speculating = r.One(2)
	s.flags = r.Bits(6) &^ (1 << 3)
	s.profile = profile
	s.fit()
	return s
}

// windowBound is how far ahead the end of a running quick-adapt window can lie.
func (s *mirror) windowBound(c *regs) uint64 {
	return max(s.baseRTT&mask32, c[ccc.RegConfigBaseRTT]) + c[ccc.RegTargetQDelay]
}

// fit cuts every field to its stored width.
func (s *mirror) fit() {
	for _, p := range []*uint64{&s.cwnd, &s.maxWnd, &s.saved, &s.baseRTT, &s.achieved, &s.received,
		&s.fiCount, &s.ignored, &s.toIgnore, &s.rtxBacklog, &s.waiting, &s.inflPkts} {
		*p &= mask32
	}
	for _, p := range []*uint64{&s.qaEnd, &s.lastAdjust, &s.lastDec, &s.inc, &s.avg, &s.backlog} {
		*p &= mask48
	}
}

func drawInflight(r *stim.Rand, cwnd, mtu uint64) int64 {
	v := int64(cwnd)
	switch r.N(10) {
	case 0, 1, 2:
		v -= int64(mtu) + int64(r.N(5)) - 2
	case 3:
		v += int64(r.N(5)) - 2
	case 4:
		v = 0
	case 5:
		v = -int64(r.LogN(31)) - 1
	case 6:
		v = 1<<31 - 1 - int64(r.LogN(16))
	case 7:
		v = -1<<31 + int64(r.LogN(16))
	default:
		v = int64(r.Bits(32)) % (v + 1)
	}
	return min(max(v, -1<<31), 1<<31-1)
}

// words returns the state as the block's state words hold it; the slots of last_rcvd stand apart.
func (s *mirror) words() ccc.Words {
	return ccc.Words{
		TriggerQA: s.flags&1 != 0, QAValid: s.flags&2 != 0, Increase: s.flags&4 != 0, CccState: ccc.State(s.flags >> 4),
		Profile: s.profile,
		Cwnd:    uint32(s.cwnd), MaxWnd: uint32(s.maxWnd), Inflight: int32(s.inflight), SavedCwnd: uint32(s.saved),
		BaseRTT: uint32(s.baseRTT), AchievedBytes: uint32(s.achieved), ReceivedBytes: uint32(s.received),
		FICount:      uint32(s.fiCount),
		BytesIgnored: uint32(s.ignored), BytesToIgnore: uint32(s.toIgnore),
		QAEndtime: s.qaEnd, LastAdjustTime: s.lastAdjust, LastDecTime: s.lastDec,
		IncBytes: s.inc, AvgDelay: s.avg, Backlog: s.backlog,
		RtxBacklog: uint32(s.rtxBacklog), WaitingRtx: uint32(s.waiting), InflightPkts: uint32(s.inflPkts),
		Credit: int32(s.credit), LastPull: uint32(s.lastPull), Speculating: s.speculating,
	}
}

// set takes from a state what the fields of events are aimed by.
func (s *mirror) set(w *ccc.Words, rcvd *[ccc.MaxNumPdcs]uint32) {
	*s = mirror{
		cwnd: uint64(w.Cwnd), maxWnd: uint64(w.MaxWnd), saved: uint64(w.SavedCwnd), inflight: int64(w.Inflight),
		baseRTT: uint64(w.BaseRTT), achieved: uint64(w.AchievedBytes), received: uint64(w.ReceivedBytes),
		fiCount: uint64(w.FICount),
		ignored: uint64(w.BytesIgnored), toIgnore: uint64(w.BytesToIgnore),
		qaEnd: w.QAEndtime, lastAdjust: w.LastAdjustTime, lastDec: w.LastDecTime,
		inc: w.IncBytes, avg: w.AvgDelay, backlog: w.Backlog,
		rtxBacklog: uint64(w.RtxBacklog), waiting: uint64(w.WaitingRtx), inflPkts: uint64(w.InflightPkts),
		credit: int64(w.Credit), lastPull: uint64(w.LastPull), speculating: w.Speculating, profile: w.Profile,
	}
	for i, v := range rcvd {
		s.rcvd[i] = uint64(v)
	}
}

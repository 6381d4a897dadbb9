package gen

import "github.com/goldwire/goldwire/vectors/event/ccc"

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
func realisticRegs(r *rng, tickNs int) regs {
	gbps := pick(r, uint64(100), 400, 800)
	rttNs := pick(r, uint64(12000), 6000, 14022)
	mtu := pick(r, uint64(4096), 4150, 9216, 1500)
	tick := pick(r, uint64(1), 1, 128) // ns
	if tickNs == 128 {
		tick = 128
	}
	bdp := gbps * rttNs / 8
	a16 := bdp << 16 / 150000 // scaling_a, 16 fraction bits
	target := rttNs * 3 / 4
	if r.one(3) {
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
	if r.one(2) {
		c[ccc.RegQAThreshold] = 4 * target / tick
	}
	if r.one(4) {
		c[ccc.RegEWMAGain] = r.logn(24)
	}
	c[ccc.RegCtrl] = pick(r, uint64(0), 0, 0, 2, 4)
	return c
}

// cornerRegs draws legal register values from corners and from anywhere. Each
// register keeps its realistic value now and then, so that one extreme does not
// hide the effect of another.
func cornerRegs(r *rng, tickNs int) regs {
	c := realisticRegs(r, tickNs)
	keep := 1 + r.n(8) // of 8
	for a := range c {
		if r.n(8) < keep {
			continue
		}
		c.write(a, drawReg(r, a, &c))
	}
	return c
}

// drawReg draws a value for register a.
func drawReg(r *rng, a int, c *regs) uint64 {
	switch a {
	case ccc.RegMTU:
		return max(1, r.corner(16))
	case ccc.RegTargetQDelay, ccc.RegFastDelay, ccc.RegQAThreshold:
		return pick(r, r.corner(32), r.near(c[ccc.RegTargetQDelay], 32), r.logn(16), 0, 1<<32-1)
	case ccc.RegConfigBaseRTT, ccc.RegAdjustPeriod:
		return pick(r, r.corner(32), r.logn(16), c[a])
	case ccc.RegQAGate:
		return pick(r, 0, 1, uint64(r.n(6)), 3, 31, 32, 33, 255, r.bits(8))
	case ccc.RegCtrl:
		return pick(r, uint64(0), 0, 0, 1, 2, 3, 4, 4, 4, 5, 6, 7)
	case ccc.RegAdjustBytes:
		return pick(r, r.corner(32), r.logn(18)&^255, 0)
	}
	return r.corner(ccc.RegInfo[a].Width)
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
	flags                         uint64 // word 0 without the profile
	profile                       uint8
}

const (
	mask24 = 1<<24 - 1
	mask32 = 1<<32 - 1
	mask48 = 1<<48 - 1
)

// drawState draws a state in one of the corners that the rules distinguish:
// every field that an event compares with something lies near that something.
func drawState(r *rng, c *regs, profile uint8, now uint64) (s mirror) {
	mtu := c[ccc.RegMTU]
	s.cwnd = pick(r, mtu, mtu+uint64(r.n(300)), c[ccc.RegMaxWnd], r.near(c[ccc.RegMaxWnd], 32), 1<<32-1, mtu+r.logn(20), mtu+r.logn(31))
	s.cwnd = min(max(s.cwnd, mtu), mask32)
	s.maxWnd = pick(r, c[ccc.RegMaxWnd], s.cwnd, s.cwnd+r.logn(16), s.cwnd*2, r.near(s.cwnd, 32), r.corner(32), r.corner(32))
	s.maxWnd = min(max(s.maxWnd, mtu), mask32)
	s.inflight = drawInflight(r, s.cwnd, mtu)
	if r.one(8) {
		s.maxWnd = min(mtu+uint64(r.n(300)), mask32)
	}
	s.saved = pick(r, 0, 0, 0, s.maxWnd, r.near(s.maxWnd, 32), r.corner(32), mtu+uint64(r.n(300)))
	s.baseRTT = pick(r, c[ccc.RegConfigBaseRTT], r.near(c[ccc.RegConfigBaseRTT], 32), r.logn(16), r.corner(32))
	some := 256 * r.bits(r.n(12))
	gate := c[ccc.RegQAGate]
	target := c[ccc.RegTargetQDelay]
	s.achieved = pick(r, 0, r.near(s.maxWnd>>gate-some, 32), r.near(s.maxWnd>>gate, 32), r.logn(32), mask32-r.logn(16))
	s.received = pick(r, 0, r.near(c[ccc.RegAdjustBytes]-some, 32), c[ccc.RegAdjustBytes]-some, r.logn(20), mask32-r.logn(16))
	s.fiCount = pick(r, 0, r.near(s.cwnd-some, 32), r.near(s.cwnd-some, 32), r.logn(20), mask32-r.logn(16))
	s.toIgnore = pick(r, 0, 0, r.logn(20), r.corner(32), uint64(max(s.inflight, 0)))
	s.ignored = pick(r, 0, r.near(s.toIgnore-some, 32), s.toIgnore-some, s.toIgnore+r.logn(16), mask32-r.logn(16))
	bound := s.windowBound(c)
	s.qaEnd = pick(r, now, r.near(now, 48), now-r.logn(20), now+r.logn(20), now+s.baseRTT+target, now+bound, now+bound+1,
		r.near(now+bound, 48), now+r.bits(48)%(bound+1), now+r.bits(48)%(bound+1), now-1<<47, r.near(now+1<<47, 48), r.bits(48))
	s.lastAdjust = pick(r, now, now-c[ccc.RegAdjustPeriod], r.near(now-c[ccc.RegAdjustPeriod], 48), now-r.logn(20), r.bits(48))
	s.lastDec = pick(r, now, now-s.baseRTT, r.near(now-s.baseRTT, 48), now-r.logn(20), r.bits(48))
	s.inc = pick(r, 0, r.logn(48), s.cwnd*r.logn(12), s.cwnd*r.logn(12)-1, mask48-r.logn(20), mask48)
	s.avg = pick(r, 0, target<<16, r.near(target<<16, 48), target<<17, (target+r.logn(16))<<16|r.bits(16), r.corner(48), r.logn(48),
		r.near(c[ccc.RegFastDelay]<<16, 48), r.near((c[ccc.RegQAThreshold]+1)<<16, 48))
	s.backlog = pick(r, 0, 0, r.logn(16), r.logn(48), mask48-r.logn(16))
	s.waiting = pick(r, 0, 0, 0, 1, r.logn(8), mask32-uint64(r.n(2)))
	s.rtxBacklog = pick(r, 0, 0, s.waiting*mtu, r.logn(32), mask32-r.logn(12))
	s.inflPkts = pick(r, 0, 0, 1, r.logn(10), r.logn(32), mask32-uint64(r.n(2)))
	for i := range s.rcvd {
		s.rcvd[i] = pick(r, 0, mask24, mask24-r.logn(10), r.bits(24))
	}
	s.flags = r.bits(6) &^ (1 << 3)
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

func drawInflight(r *rng, cwnd, mtu uint64) int64 {
	v := int64(cwnd)
	switch r.n(10) {
	case 0, 1, 2:
		v -= int64(mtu) + int64(r.n(5)) - 2
	case 3:
		v += int64(r.n(5)) - 2
	case 4:
		v = 0
	case 5:
		v = -int64(r.logn(31)) - 1
	case 6:
		v = 1<<31 - 1 - int64(r.logn(16))
	case 7:
		v = -1<<31 + int64(r.logn(16))
	default:
		v = int64(r.bits(32)) % (v + 1)
	}
	return min(max(v, -1<<31), 1<<31-1)
}

// words returns the state as the block's state words hold it; the slots of last_rcvd stand apart.
func (s *mirror) words() ccc.Words {
	return ccc.Words{
		TriggerQA: s.flags&1 != 0, QAValid: s.flags&2 != 0, Increase: s.flags&4 != 0, CccState: ccc.State(s.flags >> 4), Profile: s.profile,
		Cwnd: uint32(s.cwnd), MaxWnd: uint32(s.maxWnd), Inflight: int32(s.inflight), SavedCwnd: uint32(s.saved),
		BaseRTT: uint32(s.baseRTT), AchievedBytes: uint32(s.achieved), ReceivedBytes: uint32(s.received), FICount: uint32(s.fiCount),
		BytesIgnored: uint32(s.ignored), BytesToIgnore: uint32(s.toIgnore),
		QAEndtime: s.qaEnd, LastAdjustTime: s.lastAdjust, LastDecTime: s.lastDec,
		IncBytes: s.inc, AvgDelay: s.avg, Backlog: s.backlog,
		RtxBacklog: uint32(s.rtxBacklog), WaitingRtx: uint32(s.waiting), InflightPkts: uint32(s.inflPkts),
	}
}

// set takes what the fields of events are aimed by from a state.
func (s *mirror) set(w *ccc.Words, rcvd *[ccc.MaxNumPdcs]uint32) {
	*s = mirror{
		cwnd: uint64(w.Cwnd), maxWnd: uint64(w.MaxWnd), saved: uint64(w.SavedCwnd), inflight: int64(w.Inflight),
		baseRTT: uint64(w.BaseRTT), achieved: uint64(w.AchievedBytes), received: uint64(w.ReceivedBytes), fiCount: uint64(w.FICount),
		ignored: uint64(w.BytesIgnored), toIgnore: uint64(w.BytesToIgnore),
		qaEnd: w.QAEndtime, lastAdjust: w.LastAdjustTime, lastDec: w.LastDecTime,
		inc: w.IncBytes, avg: w.AvgDelay, backlog: w.Backlog,
		rtxBacklog: uint64(w.RtxBacklog), waiting: uint64(w.WaitingRtx), inflPkts: uint64(w.InflightPkts),
		profile: w.Profile,
	}
	for i, v := range rcvd {
		s.rcvd[i] = uint64(v)
	}
}

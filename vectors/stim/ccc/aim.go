package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// draw returns an event of the episode's mix, or the next load of a context that is still being preloaded.
func (s *random) draw() ccc.Event {
	r, m := &s.Rand, &s.mix
	s.tick()
	c := s.pickContext()
	if r.One(m.reload) {
		s.preload(c, s.sh.profile(c), uint32(r.Bits(32)&r.Bits(32)))
	}
	if l := &s.loads[c]; l.mask != 0 {
		ev := s.fresh(ccc.KindLoad, c)
		l.nextLoad(&ev, s.slots)
		return ev
	}
	k := r.Weighted(m.kind[:]...)
	if k == numKinds {
		k += r.N(16 - numKinds)
	}
	ev := s.fresh(ccc.Kind(k), c)
	if r.One(60) {
		ev.Ctx = stim.Pick(r, uint16(s.contexts), uint16(s.contexts-1), 0xffff, uint16(r.Bits(16)))
	}
	st := s.sh.look(c)
	switch ev.Kind {
	case ccc.KindOpen:
		ev.Profile = s.anyProfile()
		aimOpen(r, &ev)
	case ccc.KindLoad, ccc.KindRead:
		s.aimWord(&ev, st)
	case ccc.KindCfgWrite, ccc.KindCfgRead:
		s.aimConfig(&ev, st)
	case ccc.KindBind:
		s.aimBind(&ev, st)
	case ccc.KindSample:
		s.aimRTT(&ev, st)
	case ccc.KindNewData:
		ev.Size = uint32(stim.Pick(r, r.LogN(24), r.LogN(32), 0, mask48-st.backlog+uint64(r.N(3))))
	case ccc.KindSend:
		s.aimSend(&ev, st)
	case ccc.KindAck:
		s.aimAck(&ev, st)
	case ccc.KindNack:
		s.aimNack(&ev, st)
	case ccc.KindLoss:
		s.aimSize(&ev, st)
		ev.Now = s.aimNow(st)
	case ccc.KindCredit:
		s.aimCredit(&ev, st)
	}
	return ev
}

// hour is in ticks of 1 ns.
const hour = uint64(3600 * 1e9)

// tick advances the clock by the episode's stride, now and then by a jump: of seconds, or of hours, so that half the
// range of time or all of it has passed.
func (s *random) tick() {
	r := &s.Rand
	s.now = (s.now + r.Bits(s.stepW)) & mask48
	if !r.One(s.jump) {
		return
	}
	by := r.LogN(34)
	if r.One(3) {
		by = stim.Pick(r, 39*hour, 60*hour, 77*hour, r.Near(1<<47, 48), 1<<47+r.LogN(40), mask48-r.LogN(16),
			mask48-r.LogN(32), r.LogN(47))
	}
	s.now = (s.now + by) & mask48
}

func (s *random) pickContext() uint16 {
	if s.mix.hot > 0 && s.Rand.N(256) < s.mix.hot {
		return s.ctx[0]
	}
	if s.Rand.N(256) < s.mix.rotate {
		s.turn++
		return s.ctx[s.turn%s.used]
	}
	return s.ctx[s.Rand.N(s.used)]
}

// aimNow returns the clock, or a time at which one of the context's timers is just due or just not.
func (s *random) aimNow(st *mirror) uint64 {
	r := &s.Rand
	if r.N(256) >= s.mix.aim {
		return s.now
	}
	c := s.sh.regs(st.profile)
	return r.Near(stim.Pick(r, st.qaEnd, st.qaEnd+1<<47, st.qaEnd-st.windowBound(c),
		st.qaEnd-st.baseRTT-c[ccc.RegTargetQDelay],
		st.lastAdjust+c[ccc.RegAdjustPeriod], st.lastDec+st.baseRTT), 48)
}

// aimWord draws the address and the data of a LOAD or READ.
func (s *random) aimWord(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	ev.Addr, ev.PDC = uint8(r.N(ccc.NumWords)), s.anySlot()
	if r.One(12) {
		ev.Addr = uint8(ccc.NumWords + r.N(32-ccc.NumWords))
	}
	if ev.Kind == ccc.KindRead {
		return
	}
	p := st.profile
	if r.One(2) {
		p = s.anyProfile()
	}
	d := drawState(r, s.sh.regs(st.profile), p, s.now)
	switch w := d.words(); {
	case ev.Addr == ccc.WordLastRcvd:
		ev.Data = d.rcvd[ev.PDC]
	default:
		ev.Data = w.Word(int(ev.Addr))
	}
	if s.noise && ev.Addr < ccc.NumWords {
		ev.Data |= r.U64() &^ ccc.WordMask[ev.Addr]
	}
}

// aimConfig draws a register and, for a CFG_WRITE, what it is given: the MTU often
// near the windows of a context, so that it overtakes them.
func (s *random) aimConfig(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	ev.Profile, ev.Addr = s.anyProfile(), uint8(r.N(ccc.NumRegs))
	if r.One(10) {
		ev.Addr = uint8(ccc.NumRegs + r.N(32-ccc.NumRegs))
	}
	if ev.Kind == ccc.KindCfgRead {
		return
	}
	if r.One(3) {
		ev.Addr = ccc.RegMTU
	}
	if ev.Addr >= ccc.NumRegs {
		return
	}
	switch old := s.sh.regs(ev.Profile); {
	case ev.Addr == ccc.RegMTU && r.One(2):
		if r.One(2) {
			ev.Profile = st.profile
		}
		ev.Data = min(max(r.Near(stim.Pick(r, st.cwnd, st.maxWnd, st.saved, old[ccc.RegMTU]+r.LogN(10)), 32), 1),
			1<<16-1)
	case r.One(2):
		ev.Data = drawReg(r, int(ev.Addr), old)
	default:
		ev.Data = s.mix.regs[s.profs[0]][ev.Addr]
	}
	if s.noise {
		ev.Data |= r.U64() << ccc.RegInfo[ev.Addr].Width
	}
	if ev.Addr == ccc.RegMTU && r.One(8) {
		ev.Data &^= 0xffff
	}
}

// aimBind draws what a slot's new PDC starts from and what its old one leaves.
func (s *random) aimBind(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	ev.PDC = s.anySlot()
	ev.RcvdBytes = uint32(stim.Pick(r, 0, 0, st.rcvd[ev.PDC], r.Near(st.rcvd[ev.PDC], 24), r.Corner(24)))
	ev.Size = uint32(stim.Pick(r, 0, r.Bits(8), r.Bits(8), 255, 256, r.LogN(32), r.Corner(32),
		r.Near(uint64(1<<31-1-st.inflight), 32)))
}

// aimRTT draws the RTT of a SAMPLE around base_rtt and around the ends of what is one.
func (s *random) aimRTT(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	base := st.baseRTT
	ev.Data = stim.Pick(r, r.Near(base, 32), r.Near(base, 32), base-r.LogN(12), base+r.LogN(16), 0, 1, 1<<31-1, 1<<31,
		r.Corner(32),
		r.Near(base, 32)|1<<(32+r.N(32)), 1<<48|base>>1, r.U64())
	ev.Now = s.aimNow(st)
}

func (s *random) aimSend(ev *ccc.Event, st *mirror) {
	r, mtu := &s.Rand, s.sh.regs(st.profile)[ccc.RegMTU]
	ev.IsRtx = r.One(4) || st.waiting > 0 && r.One(2)
	ev.Size = uint32(stim.Pick(r, mtu, mtu, r.LogN(16), r.Corner(32), uint64(1<<31-1-st.inflight)+uint64(r.N(3))-1))
	switch {
	case ev.IsRtx && r.One(3):
		ev.Size = uint32(r.Near(st.rtxBacklog, 32))
	case !ev.IsRtx && r.One(3):
		ev.Size = uint32(min(st.backlog, mask32))
	}
	aimSpend(r, ev, st)
}

// aimSize draws the size of a packet that leaves the flight.
func (s *random) aimSize(ev *ccc.Event, st *mirror) {
	r, c := &s.Rand, s.sh.regs(st.profile)
	mtu := c[ccc.RegMTU]
	ev.Size = uint32(stim.Pick(r, mtu, mtu, mtu, r.LogN(16), r.Corner(32), r.Near(st.cwnd-mtu, 32),
		r.Near(st.toIgnore-st.ignored, 32)))
}

// aimAck draws the fields of an ACK.
func (s *random) aimAck(ev *ccc.Event, st *mirror) {
	r, c := &s.Rand, s.sh.regs(st.profile)
	ev.Now = s.aimNow(st)
	ev.PDC = s.anySlot()
	var units uint64
	switch r.N(17) {
	case 16:
		units = productUnits(r, c)
	case 0:
		units = r.Corner(24)
	case 1:
		units = r.Near(1<<23, 24)
	case 2:
		units = (c[ccc.RegAdjustBytes]-st.received)>>8 + uint64(r.N(2))
	case 3:
		units = (st.toIgnore-st.ignored)>>8 + uint64(r.N(2))
	case 4:
		units = (st.maxWnd>>c[ccc.RegQAGate]-st.achieved)>>8 + uint64(r.N(2))
	case 5:
		units = (st.cwnd-st.fiCount)>>8 + uint64(r.N(2))
	case 6:
		units = 0
	case 7:
		units = r.LogN(22)
	case 8:
		units = -r.LogN(12)
	default:
		units = r.LogN(10)
	}
	ev.RcvdBytes = uint32(st.rcvd[ev.PDC]+units) & mask24
	ev.AckedPkts = uint16(stim.Pick(r, 0, 1, r.Near(st.inflPkts, 16), r.LogN(8), r.Corner(16)))
	ev.UnmarkPkts, ev.UnmarkBytes = 0, 0
	if r.One(4) {
		ev.UnmarkPkts = uint16(stim.Pick(r, 1, r.Near(st.waiting, 16), r.LogN(8), r.Corner(16)))
		ev.UnmarkBytes = uint32(stim.Pick(r, c[ccc.RegMTU], r.Near(st.rtxBacklog, 32), r.LogN(20), r.Corner(32)))
	}
	ev.M = r.N(256) < s.mix.mark
	ev.Pend, ev.RC = 0, r.One(3)
	if r.One(s.mix.pend) {
		ev.Pend = uint8(stim.Pick(r, 1, 64, 127, r.Bits(7)))
	}
	ev.ServiceTime = uint16(stim.Pick(r, 1, 1, 2, 1+r.LogN(6), 1+r.LogN(6), r.LogN(16), r.Corner(16), 0, 0xffff,
		0xfffe))
	s.aimSample(ev, st, uint64(ev.ServiceTime)<<c[ccc.RegTimeShift])
}

// productUnits returns units whose product with a factor of the rules has a highest bit that is as likely as any other,
// where it does not saturate.
func productUnits(r *stim.Rand, c *regs) uint64 {
	factor := stim.Pick(r, c[ccc.RegFI], c[ccc.RegFI], c[ccc.RegAlpha]>>8*max(c[ccc.RegTargetQDelay]>>1, 1),
		c[ccc.RegAlpha]>>8, c[ccc.RegFIScale]>>8)
	top := 48
	if factor == c[ccc.RegFIScale]>>8 {
		top = 32
	}
	return min(uint64(1)<<r.N(top)/max(factor, 1)+uint64(r.N(2)), 1<<23-1)
}

func (s *random) aimNack(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	ev.Now = s.aimNow(st)
	s.aimSize(ev, st)
	ev.M = r.N(256) < s.mix.mark
	ev.Reason = ccc.Reason(stim.Pick(r, 1, 1, 1, 2, 2, 2, 0, 3, 4, 5, 6, 7, 0x0b, 0x0d, 0x1a, 0x81, r.Bits(8)))
	s.aimSample(ev, st, 0)
}

// aimSample sets the transmit state so that the RTT comes out near a threshold.
func (s *random) aimSample(ev *ccc.Event, st *mirror, service uint64) {
	r, c := &s.Rand, s.sh.regs(st.profile)
	base, target, fast := st.baseRTT, c[ccc.RegTargetQDelay], c[ccc.RegFastDelay]
	var raw uint64
	switch r.N(20) {
	case 0:
		raw = r.Near(base, 48)
	case 1:
		raw = stim.Pick(r, uint64(0), 1, 1<<31-1, 1<<31, 1<<32-1, 1<<47)
	case 2:
		raw = r.Bits(48)
	case 3:
		raw = base - r.LogN(12)
	case 4, 5:
		raw = base + r.Near(fast, 32)
	case 6, 7, 8:
		raw = base + r.Near(target, 32)
	case 9:
		raw = base + r.Near(c[ccc.RegQAThreshold], 32)
	case 10, 11, 12:
		raw = base + target + 1 + r.LogN(20)
	case 13:
		raw = base + r.Bits(1+r.N(31))
	case 14, 15:
		raw = base + r.Bits(63)%(fast+1)
	default:
		raw = base + r.Bits(63)%(target+1)
	}
	ev.TxTime = (ev.Now - raw - service) & mask48
	if r.N(256) < s.mix.txFresh {
		ev.TxValid = true
		ev.Retx = r.One(4)
		ev.RtxCount = 0
		if ev.Retx {
			ev.RtxCount = 1
		}
		return
	}
	ev.TxValid, ev.Retx, ev.RtxCount = !r.One(3), r.One(2), uint8(r.N(4))
}

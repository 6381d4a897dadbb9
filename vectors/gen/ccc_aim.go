package gen

import "github.com/goldwire/goldwire/vectors/event/ccc"

// draw returns an event of the episode's mix, or the next load of a context that
// is still being preloaded.
func (s *cccRandom) draw() ccc.Event {
	r, m := &s.r, &s.mix
	s.tick()
	c := s.pickContext()
	if r.one(m.reload) {
		s.preload(c, s.sh.profile(c), uint32(r.bits(32)&r.bits(32)))
	}
	if l := &s.loads[c]; l.mask != 0 {
		ev := s.fresh(ccc.KindLoad, c)
		l.nextLoad(&ev)
		return ev
	}
	w := r.n(m.total)
	k := 0
	for ; w >= m.kind[k]; k++ {
		w -= m.kind[k]
	}
	if k == numCCCKinds {
		k += r.n(16 - numCCCKinds)
	}
	ev := s.fresh(ccc.Kind(k), c)
	if r.one(60) {
		ev.Ctx = pick(r, uint16(s.contexts), uint16(s.contexts-1), 0xffff, uint16(r.bits(16)))
	}
	st := s.sh.look(c)
	switch ev.Kind {
	case ccc.KindOpen:
		ev.Profile = s.anyProfile()
	case ccc.KindLoad, ccc.KindRead:
		s.aimWord(&ev, st)
	case ccc.KindCfgWrite, ccc.KindCfgRead:
		s.aimConfig(&ev, st)
	case ccc.KindBind:
		s.aimBind(&ev, st)
	case ccc.KindSample:
		s.aimRTT(&ev, st)
	case ccc.KindNewData:
		ev.Size = uint32(pick(r, r.logn(24), r.logn(32), 0, mask48-st.backlog+uint64(r.n(3))))
	case ccc.KindSend:
		s.aimSend(&ev, st)
	case ccc.KindAck:
		s.aimAck(&ev, st)
	case ccc.KindNack:
		s.aimNack(&ev, st)
	case ccc.KindLoss:
		s.aimSize(&ev, st)
		ev.Now = s.aimNow(st)
	}
	return ev
}

// hour is in ticks of 1 ns.
const hour = uint64(3600 * 1e9)

// tick advances the clock by the episode's stride, now and then by a jump: of
// seconds, or of the hours after which half the range of time or all of it is over.
func (s *cccRandom) tick() {
	r := &s.r
	s.now = (s.now + r.bits(s.stepW)) & mask48
	if !r.one(s.jump) {
		return
	}
	by := r.logn(34)
	if r.one(3) {
		by = pick(r, 39*hour, 60*hour, 77*hour, r.near(1<<47, 48), 1<<47+r.logn(40), mask48-r.logn(16), mask48-r.logn(32), r.logn(47))
	}
	s.now = (s.now + by) & mask48
}

func (s *cccRandom) pickContext() uint16 {
	if s.mix.hot > 0 && s.r.n(256) < s.mix.hot {
		return s.ctx[0]
	}
	if s.r.n(256) < s.mix.rotate {
		s.turn++
		return s.ctx[s.turn%s.used]
	}
	return s.ctx[s.r.n(s.used)]
}

// aimNow returns the clock, or a time at which one of the context's timers is
// just due or just not.
func (s *cccRandom) aimNow(st *mirror) uint64 {
	r := &s.r
	if r.n(256) >= s.mix.aim {
		return s.now
	}
	c := s.sh.regs(st.profile)
	return r.near(pick(r, st.qaEnd, st.qaEnd+1<<47, st.qaEnd-st.windowBound(c), st.qaEnd-st.baseRTT-c[ccc.RegTargetQDelay],
		st.lastAdjust+c[ccc.RegAdjustPeriod], st.lastDec+st.baseRTT), 48)
}

// aimWord draws the address and the data of a LOAD or READ.
func (s *cccRandom) aimWord(ev *ccc.Event, st *mirror) {
	r := &s.r
	ev.Addr, ev.PDC = uint8(r.n(ccc.NumWords)), s.anySlot()
	if r.one(12) {
		ev.Addr = uint8(ccc.NumWords + r.n(32-ccc.NumWords))
	}
	if ev.Kind == ccc.KindRead {
		return
	}
	p := st.profile
	if r.one(2) {
		p = s.anyProfile()
	}
	d := drawState(r, s.sh.regs(st.profile), p, s.now)
	switch w := d.words(); {
	case ev.Addr < lastRcvd:
		ev.Data = w.Word(int(ev.Addr))
	default:
		ev.Data = d.rcvd[ev.PDC]
	}
	if s.noise && ev.Addr < ccc.NumWords {
		ev.Data |= r.u64() &^ ccc.WordMask[ev.Addr]
	}
}

// aimConfig draws a register and, for a CFG_WRITE, what it is given: the MTU often
// near the windows of a context, so that it overtakes them.
func (s *cccRandom) aimConfig(ev *ccc.Event, st *mirror) {
	r := &s.r
	ev.Profile, ev.Addr = s.anyProfile(), uint8(r.n(ccc.NumRegs))
	if r.one(10) {
		ev.Addr = uint8(ccc.NumRegs + r.n(32-ccc.NumRegs))
	}
	if ev.Kind == ccc.KindCfgRead {
		return
	}
	if r.one(3) {
		ev.Addr = ccc.RegMTU
	}
	if ev.Addr >= ccc.NumRegs {
		return
	}
	switch old := s.sh.regs(ev.Profile); {
	case ev.Addr == ccc.RegMTU && r.one(2):
		if r.one(2) {
			ev.Profile = st.profile
		}
		ev.Data = min(max(r.near(pick(r, st.cwnd, st.maxWnd, st.saved, old[ccc.RegMTU]+r.logn(10)), 32), 1), 1<<16-1)
	case r.one(2):
		ev.Data = drawReg(r, int(ev.Addr), old)
	default:
		ev.Data = s.mix.regs[s.profs[0]][ev.Addr]
	}
	if s.noise {
		ev.Data |= r.u64() << ccc.RegInfo[ev.Addr].Width
	}
	if ev.Addr == ccc.RegMTU && r.one(8) {
		ev.Data &^= 0xffff
	}
}

// aimBind draws what a slot's new PDC starts from and what its old one leaves.
func (s *cccRandom) aimBind(ev *ccc.Event, st *mirror) {
	r := &s.r
	ev.PDC = s.anySlot()
	ev.RcvdBytes = uint32(pick(r, 0, 0, st.rcvd[ev.PDC], r.near(st.rcvd[ev.PDC], 24), r.corner(24)))
	ev.Size = uint32(pick(r, 0, r.bits(8), r.bits(8), 255, 256, r.logn(32), r.corner(32), r.near(uint64(1<<31-1-st.inflight), 32)))
}

// aimRTT draws the RTT of a SAMPLE around base_rtt and around the ends of what is one.
func (s *cccRandom) aimRTT(ev *ccc.Event, st *mirror) {
	r := &s.r
	base := st.baseRTT
	ev.Data = pick(r, r.near(base, 32), r.near(base, 32), base-r.logn(12), base+r.logn(16), 0, 1, 1<<31-1, 1<<31, r.corner(32),
		r.near(base, 32)|1<<(32+r.n(32)), 1<<48|base>>1, r.u64())
	ev.Now = s.aimNow(st)
}

func (s *cccRandom) aimSend(ev *ccc.Event, st *mirror) {
	r, mtu := &s.r, s.sh.regs(st.profile)[ccc.RegMTU]
	ev.IsRtx = r.one(4) || st.waiting > 0 && r.one(2)
	ev.Size = uint32(pick(r, mtu, mtu, r.logn(16), r.corner(32), uint64(1<<31-1-st.inflight)+uint64(r.n(3))-1))
	switch {
	case ev.IsRtx && r.one(3):
		ev.Size = uint32(r.near(st.rtxBacklog, 32))
	case !ev.IsRtx && r.one(3):
		ev.Size = uint32(min(st.backlog, mask32))
	}
}

// aimSize draws the size of a packet that leaves the flight.
func (s *cccRandom) aimSize(ev *ccc.Event, st *mirror) {
	r, c := &s.r, s.sh.regs(st.profile)
	mtu := c[ccc.RegMTU]
	ev.Size = uint32(pick(r, mtu, mtu, mtu, r.logn(16), r.corner(32), r.near(st.cwnd-mtu, 32), r.near(st.toIgnore-st.ignored, 32)))
}

// aimAck draws the fields of an ACK.
func (s *cccRandom) aimAck(ev *ccc.Event, st *mirror) {
	r, c := &s.r, s.sh.regs(st.profile)
	ev.Now = s.aimNow(st)
	ev.PDC = s.anySlot()
	var units uint64
	switch r.n(16) {
	case 0:
		units = r.corner(24)
	case 1:
		units = r.near(1<<23, 24)
	case 2:
		units = (c[ccc.RegAdjustBytes]-st.received)>>8 + uint64(r.n(2))
	case 3:
		units = (st.toIgnore-st.ignored)>>8 + uint64(r.n(2))
	case 4:
		units = (st.maxWnd>>c[ccc.RegQAGate]-st.achieved)>>8 + uint64(r.n(2))
	case 5:
		units = (st.cwnd-st.fiCount)>>8 + uint64(r.n(2))
	case 6:
		units = 0
	case 7:
		units = r.logn(22)
	case 8:
		units = -r.logn(12)
	default:
		units = r.logn(10)
	}
	ev.RcvdBytes = uint32(st.rcvd[ev.PDC]+units) & mask24
	ev.AckedPkts = uint16(pick(r, 0, 1, r.near(st.inflPkts, 16), r.logn(8), r.corner(16)))
	ev.UnmarkPkts, ev.UnmarkBytes = 0, 0
	if r.one(4) {
		ev.UnmarkPkts = uint16(pick(r, 1, r.near(st.waiting, 16), r.logn(8), r.corner(16)))
		ev.UnmarkBytes = uint32(pick(r, c[ccc.RegMTU], r.near(st.rtxBacklog, 32), r.logn(20), r.corner(32)))
	}
	ev.M = r.n(256) < s.mix.mark
	ev.Pend, ev.RC = 0, r.one(3)
	if r.one(s.mix.pend) {
		ev.Pend = uint8(pick(r, 1, 64, 127, r.bits(7)))
	}
	ev.ServiceTime = uint16(pick(r, 1, 1, 2, 1+r.logn(6), 1+r.logn(6), r.logn(16), r.corner(16), 0, 0xffff, 0xfffe))
	s.aimSample(ev, st, uint64(ev.ServiceTime)<<c[ccc.RegTimeShift])
}

func (s *cccRandom) aimNack(ev *ccc.Event, st *mirror) {
	r := &s.r
	ev.Now = s.aimNow(st)
	s.aimSize(ev, st)
	ev.M = r.n(256) < s.mix.mark
	ev.Reason = ccc.Reason(pick(r, 1, 1, 1, 2, 2, 2, 0, 3, 4, 5, 6, 7, 0x0b, 0x0d, 0x1a, 0x81, r.bits(8)))
	s.aimSample(ev, st, 0)
}

// aimSample sets the transmit state so that the RTT comes out near a threshold.
func (s *cccRandom) aimSample(ev *ccc.Event, st *mirror, service uint64) {
	r, c := &s.r, s.sh.regs(st.profile)
	base, target, fast := st.baseRTT, c[ccc.RegTargetQDelay], c[ccc.RegFastDelay]
	var raw uint64
	switch r.n(20) {
	case 0:
		raw = r.near(base, 48)
	case 1:
		raw = pick(r, uint64(0), 1, 1<<31-1, 1<<31, 1<<32-1, 1<<47)
	case 2:
		raw = r.bits(48)
	case 3:
		raw = base - r.logn(12)
	case 4, 5:
		raw = base + r.near(fast, 32)
	case 6, 7, 8:
		raw = base + r.near(target, 32)
	case 9:
		raw = base + r.near(c[ccc.RegQAThreshold], 32)
	case 10, 11, 12:
		raw = base + target + 1 + r.logn(20)
	case 13:
		raw = base + r.bits(1+r.n(31))
	case 14, 15:
		raw = base + r.bits(63)%(fast+1)
	default:
		raw = base + r.bits(63)%(target+1)
	}
	ev.TxTime = (ev.Now - raw - service) & mask48
	if r.n(256) < s.mix.txFresh {
		ev.TxValid = true
		ev.Retx = r.one(4)
		ev.RtxCount = 0
		if ev.Retx {
			ev.RtxCount = 1
		}
		return
	}
	ev.TxValid, ev.Retx, ev.RtxCount = !r.one(3), r.one(2), uint8(r.n(4))
}

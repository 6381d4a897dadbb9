package gen

import (
	"math/bits"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// draw returns an event of the episode's mix, or the next load of a context that
// is still being preloaded.
func (s *cccRandom) draw() ccc.Event {
	r, m := &s.r, &s.mix
	s.tick()
	c := s.pickContext()
	if r.one(m.reload) {
		s.preload(c, uint16(r.bits(16)&r.bits(16)))
	}
	if l := &s.loads[c]; l.mask != 0 {
		a := bits.TrailingZeros16(l.mask)
		l.mask &= l.mask - 1
		ev := s.fresh(ccc.KindLoad, c)
		ev.Addr, ev.Data = uint8(a), l.w.Word(a)
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
	case ccc.KindLoad, ccc.KindRead:
		ev.Addr = uint8(r.n(16))
		if r.one(12) {
			ev.Addr = uint8(16 + r.n(16))
		}
		if ev.Kind == ccc.KindLoad {
			d := drawState(r, s.sh.regs(), s.now)
			w := d.words()
			ev.Data = w.Word(int(ev.Addr) % 16)
			if s.noise {
				ev.Data |= r.u64() &^ ccc.WordMask[ev.Addr%16]
			}
		}
	case ccc.KindCfgWrite, ccc.KindCfgRead:
		ev.Addr = uint8(r.n(ccc.NumRegs))
		if r.one(10) {
			ev.Addr = uint8(ccc.NumRegs + r.n(32-ccc.NumRegs))
		}
		if ev.Kind == ccc.KindCfgWrite && ev.Addr < ccc.NumRegs {
			ev.Data = s.mix.regs[ev.Addr]
			if r.one(2) {
				ev.Data = drawReg(r, int(ev.Addr), s.sh.regs())
			}
			if s.noise {
				ev.Data |= r.u64() << ccc.RegInfo[ev.Addr].Width
			}
			if ev.Addr == ccc.RegMTU && r.one(6) {
				ev.Data &^= 0xffff
			}
		}
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

// tick advances the clock by the episode's stride, now and then by a jump.
func (s *cccRandom) tick() {
	s.now = (s.now + s.r.bits(s.stepW)) & mask48
	if s.r.one(s.jump) {
		s.now = (s.now + s.r.logn(34)) & mask48
	}
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
	c := s.sh.regs()
	return r.near(pick(r, st.qaEnd, st.qaEnd+1<<47, st.lastAdjust+c[ccc.RegAdjustPeriod], st.lastDec+st.baseRTT), 48)
}

func (s *cccRandom) aimSend(ev *ccc.Event, st *mirror) {
	r, mtu := &s.r, s.sh.regs()[ccc.RegMTU]
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
	r, c := &s.r, s.sh.regs()
	mtu := c[ccc.RegMTU]
	ev.Size = uint32(pick(r, mtu, mtu, mtu, r.logn(16), r.corner(32), r.near(st.cwnd-mtu, 32), r.near(st.toIgnore-st.ignored, 32)))
}

// aimAck draws the fields of an ACK.
func (s *cccRandom) aimAck(ev *ccc.Event, st *mirror) {
	r, c := &s.r, s.sh.regs()
	ev.Now = s.aimNow(st)
	ev.PDC = uint8(r.n(ccc.PDCs))
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
	r, c := &s.r, s.sh.regs()
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

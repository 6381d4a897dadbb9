package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// ack executes an ACK up to, but not including, update_state. The numbers are the contract's steps.
func (x *exec) ack() {
	s, ev, r := x.st, x.ev, x.rsp
	delta := x.newlyReceived() // 1

	s.WaitingRtx = x.sub0(s.WaitingRtx, uint32(ev.UnmarkPkts)) // 2
	s.RtxBacklog = x.sub0(s.RtxBacklog, ev.UnmarkBytes)

	s.Inflight = x.sats32(int64(s.Inflight) + int64(ev.UnmarkBytes) - int64(delta)) // 3

	s.BytesIgnored = x.sat32(s.BytesIgnored, delta) // 4
	s.ReceivedBytes = x.sat32(s.ReceivedBytes, delta)
	s.AchievedBytes = x.sat32(s.AchievedBytes, delta)

	r.LB = port.LBNoECN // 5
	if ev.M {
		r.LB = port.LBECN
	}

	raw, ok := x.rttSample(uint64(ev.ServiceTime) << x.cfg.timeShift) // 6
	r.RTTValid = ok && ev.ServiceTime != 0 && ev.ServiceTime != 0xFFFF

	x.flowControl(delta) // 7

	switch { // 8
	case r.RTTValid:
		x.control(x.newDelay(raw), delta) // 9 to 14
	case x.reg[port.RegCtrl]&ctrlAvgNoSample != 0:
		x.control(s.AvgDelay>>avgFrac, delta) // 12 to 14
	default:
		r.Action = port.ActionNoRTT
	}
	s.InflightPkts = x.sub0(s.InflightPkts, uint32(ev.AckedPkts)) // 15
}

// newlyReceived returns the bytes received since the last ACK of the slot's PDC. A difference of half the range or more
// means an old ACK that a newer one overtook.
func (x *exec) newlyReceived() uint64 {
	const width = 24
	last := &x.st.LastRcvd[x.ev.PDC]
	d := fxp.WrapSub(uint64(x.ev.RcvdBytes), uint64(*last), width)
	if d>>(width-1) != 0 {
		x.rsp.Stale = true
		return 0
	}
	*last = x.ev.RcvdBytes
	return d * 256
}

// flowControl is step 7: it applies the receiver's penalty, or restores the window saved before the penalty.
func (x *exec) flowControl(delta uint64) {
	s, r := x.st, x.rsp
	switch {
	case x.ev.Pend > 0:
		r.RcvLimit = true
		if s.SavedCwnd == 0 {
			s.SavedCwnd = s.Cwnd
			r.Saved = true
		}
		s.Cwnd = min(s.Cwnd, uint32(max(s.Inflight, 0)))
		x.shrink(uint64(x.ev.Pend) * delta >> 7)
	case x.ev.RC && s.SavedCwnd > 0:
		s.Cwnd = min(s.SavedCwnd, s.MaxWnd)
		s.SavedCwnd = 0
		r.Restored = true
	}
}

// newDelay is steps 9 to 11: it takes a valid RTT sample into base_rtt and the average and returns the queueing
// delay in ticks.
func (x *exec) newDelay(raw uint64) uint64 {
	s := x.st
	x.lowerBase(raw) // 9

	delay := raw - uint64(s.BaseRTT) // 10

	sample := delay // 11
	if !x.ev.M && delay > x.reg[port.RegTargetQDelay] {
		sample = uint64(s.BaseRTT >> 2)
	}
	x.ewma(sample)
	return delay
}

// control is steps 12 to 14; delay is the queueing delay, in ticks, on which they decide.
func (x *exec) control(delay, delta uint64) {
	s, ev := x.st, x.ev
	x.rsp.Delay = uint32(delay)
	target := x.reg[port.RegTargetQDelay]

	if a := x.quickAdapt(false, ev.M, delay); a != port.ActionNone { // 12
		x.rsp.Action = a
		return
	}

	switch { // 13
	case ev.M && delay >= target:
		x.rsp.Action = port.ActionMD
		x.decrease()
	case ev.M:
		x.rsp.Action = port.ActionNoop
	case ev.Pend > 0:
		x.rsp.Action = port.ActionRcvLimit
	case delay >= target:
		x.rsp.Action = port.ActionFair
		inc, _ := fxp.MulShift(x.reg[port.RegFI], delta, byteFrac)
		s.IncBytes = x.sat48(s.IncBytes, inc)
	case x.fastIncrease(delta, delay):
		x.rsp.Action = port.ActionFast
	default:
		x.rsp.Action = port.ActionProp
		// ALPHA * delta has at most 63 bits. A quotient wider than 64 bits is returned as 2^64 - 1, which the sum
		// clamps as well.
		inc, _ := fxp.MulShift(x.reg[port.RegAlpha]*delta, target-delay, rateFrac)
		s.IncBytes = x.sat48(s.IncBytes, inc)
	}
	x.fulfil() // 14
}

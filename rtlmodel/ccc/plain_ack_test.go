package ccc

import (
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// ack executes an ACK in the plain implementation, with the contract's step numbers.
func (x *run) ack() {
	e, s, c := x.e, x.s, x.c
	oldAverage := s["avg_delay"]
	// 1
	last := slot(int(e.PDC))
	d := mod2(sub(n(e.RcvdBytes), s[last]), 24)
	delta := n(0)
	if lt(d, pow2(23)) {
		delta = mul(n(256), d)
		s[last] = n(e.RcvdBytes)
	} else {
		x.r.Stale = true
	}
	// 2
	s["waiting_rtx"] = x.sub0(s["waiting_rtx"], n(e.UnmarkPkts))
	s["rtx_backlog"] = x.sub0(s["rtx_backlog"], n(e.UnmarkBytes))
	// 3
	s["inflight"] = x.sats32(sub(add(s["inflight"], n(e.UnmarkBytes)), delta))
	// 4
	for _, f := range []string{"bytes_ignored", "received_bytes", "achieved_bytes"} {
		s[f] = x.sat(add(s[f], delta), 32)
	}
	// 5
	x.r.LB = port.LBNoECN
	if e.M {
		x.r.LB = port.LBECN
	}
	// 6
	service := mul(n(e.ServiceTime), pow2(int(x.p.timeShift.Int64())))
	raw, ok := x.rtt(service, e.ServiceTime != 0 && e.ServiceTime != 0xFFFF)
	x.r.RTTValid = ok
	// 7
	if e.Pend > 0 {
		x.r.RcvLimit = true
		if eq(s["saved_cwnd"], 0) {
			s["saved_cwnd"] = s["cwnd"]
			x.r.Saved = true
		}
		s["cwnd"] = zmin(s["cwnd"], zmax(s["inflight"], n(0)))
		s["cwnd"] = zmax(c["MTU"], wsub(s["cwnd"], shr(mul(n(e.Pend), delta), 7)))
	} else if e.RC && !eq(s["saved_cwnd"], 0) {
		s["cwnd"] = zmin(s["saved_cwnd"], s["max_wnd"])
		s["saved_cwnd"] = n(0)
		x.r.Restored = true
	}
	// 8
	switch {
	case ok:
		x.sampled(raw, delta)
	case x.ctrl(2):
		x.judged(shr(oldAverage, 16), delta)
	default:
		x.r.Action = port.ActionNoRTT
	}
	// 15
	s["inflight_pkts"] = x.sub0(s["inflight_pkts"], n(e.AckedPkts))
}

// sampled is steps 9 to 11, followed by the remaining steps.
func (x *run) sampled(raw, delta z) {
	e, s, c := x.e, x.s, x.c
	target := c["TARGET_QDELAY"]
	// 9
	x.base(raw)
	// 10
	delay := sub(raw, s["base_rtt"])
	// 11
	if !e.M && lt(target, delay) {
		x.ewma(shr(s["base_rtt"], 2))
	} else {
		x.ewma(delay)
	}
	x.judged(delay, delta)
}

// judged is steps 12 to 14.
func (x *run) judged(delay, delta z) {
	e, s, c := x.e, x.s, x.c
	target := c["TARGET_QDELAY"]
	x.r.Delay = uint32(delay.Uint64())
	// 12
	if a := x.quickAdapt(false, e.M, delay); a != port.ActionNone {
		x.r.Action = a
		return
	}
	// 13
	high := !lt(delay, target)
	accumulate := func(v z) { s["inc_bytes"] = x.sat(add(s["inc_bytes"], v), 48) }
	switch [3]bool{e.M, high, e.Pend > 0} {
	case [3]bool{false, true, false}:
		x.r.Action = port.ActionFair
		accumulate(shr(mul(c["FI"], delta), 8))
	case [3]bool{false, false, false}:
		if x.fast(delta, delay) {
			x.r.Action = port.ActionFast
		} else {
			x.r.Action = port.ActionProp
			accumulate(shr(mul(mul(c["ALPHA"], delta), sub(target, delay)), 16))
		}
	case [3]bool{false, true, true}, [3]bool{false, false, true}:
		x.r.Action = port.ActionRcvLimit
	case [3]bool{true, true, true}, [3]bool{true, true, false}:
		x.r.Action = port.ActionMD
		x.cut()
	case [3]bool{true, false, true}, [3]bool{true, false, false}:
		x.r.Action = port.ActionNoop
	}
	// 14
	elapsed := !lt(x.since(s["last_adjust_time"]), c["ADJUST_PERIOD"])
	if elapsed || lt(c["ADJUST_BYTES"], s["received_bytes"]) {
		x.r.Fulfilled = true
		cwnd := add(s["cwnd"], x.sat(div(s["inc_bytes"], s["cwnd"]), 32))
		if elapsed {
			s["last_adjust_time"] = n(e.Now)
			cwnd = add(cwnd, shr(c["ETA"], 8))
			x.r.EtaApplied = true
		}
		s["cwnd"] = zmin(cwnd, s["max_wnd"])
		s["inc_bytes"], s["received_bytes"] = n(0), n(0)
	}
}

func (x *run) fast(delta, delay z) bool {
	s, c := x.s, x.c
	if !lt(delay, c["FAST_DELAY"]) {
		s["fi_count"], s["increase"] = n(0), n(0)
		return false
	}
	s["fi_count"] = x.sat(add(s["fi_count"], delta), 32)
	if lt(s["cwnd"], s["fi_count"]) || eq(s["increase"], 1) {
		s["cwnd"] = zmin(add(s["cwnd"], shr(mul(delta, c["FI_SCALE"]), 16)), s["max_wnd"])
		s["increase"] = n(1)
		return true
	}
	s["increase"] = n(0)
	return false
}

func (x *run) cut() {
	s, c := x.s, x.c
	s["increase"], s["fi_count"] = n(0), n(0)
	avg, target := s["avg_delay"], mul(c["TARGET_QDELAY"], pow2(16))
	if lt(target, avg) && lt(s["base_rtt"], x.since(s["last_dec_time"])) {
		ratio := div(mul(sub(avg, target), pow2(16)), avg)
		f := zmax(sub(pow2(32), mul(c["GAMMA"], ratio)), mul(c["MAX_MD_JUMP"], pow2(16)))
		s["cwnd"] = zmax(c["MTU"], shr(mul(s["cwnd"], f), 32))
		s["last_dec_time"] = n(x.e.Now)
		x.r.MDApplied = true
	}
}

package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// Fraction bits of the formats used below.
const (
	avgFrac   = 16 // avg_delay, UQ32.16
	gainFrac  = 24 // EWMA_GAIN, UQ0.24
	rateFrac  = 16 // MWND_RATE and ALPHA, UQ16.16
	byteFrac  = 8  // FI and ETA, UQ24.8
	scaleFrac = 16 // FI_SCALE, UQ8.16
	ratioFrac = 16 // decrease ratio, GAMMA and MAX_MD_JUMP, UQ0.16
)

// rttSample returns the round-trip time in ticks, with the service time subtracted, and whether it is valid. A packet
// sent more than once gives no valid sample, because the feedback may belong to either transmission.
func (x *exec) rttSample(service uint64) (raw uint64, ok bool) {
	ev := x.ev
	raw = fxp.WrapSub(ev.Now, ev.TxTime+service, port.TimeW)
	once := ev.RtxCount == 0 && !ev.Retx || ev.RtxCount == 1 && ev.Retx
	return raw, ev.TxValid && once && plausible(raw)
}

// plausible reports whether a number of ticks can be an RTT. A clock that steps back, or a value in another unit, gives
// numbers that cannot.
func plausible(rtt uint64) bool { return rtt >= 1 && rtt <= 1<<31-1 }

// lowerBase lowers base_rtt to a valid RTT sample and, when base_rtt falls, adapts max_wnd. cwnd is unchanged.
func (x *exec) lowerBase(raw uint64) {
	s := x.st
	if raw >= uint64(s.BaseRTT) {
		return
	}
	s.BaseRTT = uint32(raw)
	wnd, _ := fxp.MulShift(x.reg[port.RegMwndRate], raw, rateFrac)
	s.MaxWnd = max(x.mtu(), uint32(min(x.reg[port.RegMaxWnd], wnd)))
	x.rsp.BaseFell = true
}

// ewma moves avg_delay towards a sample in ticks. The step is floored once, so a step down is at least as large as a
// step up.
func (x *exec) ewma(sample uint64) {
	diff := int64(sample<<avgFrac) - int64(x.st.AvgDelay)
	x.st.AvgDelay += uint64(fxp.MulShiftSigned(x.reg[port.RegEWMAGain], diff, gainFrac))
}

// quickAdapt ends a quick-adapt window when it is over and returns the action taken, or ActionNone when it did not act.
// qdelay is in ticks.
func (x *exec) quickAdapt(loss, mark bool, qdelay uint64) port.Action {
	s, r := x.st, x.rsp
	action := port.ActionNone
	switch {
	case x.reg[port.RegCtrl]&ctrlNoQuickAdapt != 0:
	case s.BytesIgnored < s.BytesToIgnore && mark:
		action = port.ActionIgnore
		r.Ignored = true
	case !s.QAValid || x.over(s.QAEndtime):
		r.QAWindow = true
		trigger := s.TriggerQA || loss || qdelay > x.reg[port.RegQAThreshold]
		if s.QAValid && trigger && s.AchievedBytes < s.MaxWnd>>x.reg[port.RegQAGate] {
			action = port.ActionQA
			r.QAFired = true
			s.Cwnd = max(s.AchievedBytes, x.mtu())
			s.BytesToIgnore = uint32(max(s.Inflight, 0))
			s.BytesIgnored = 0
			s.TriggerQA = false
		}
		s.AchievedBytes = 0
		s.QAEndtime = fxp.WrapAdd(x.ev.Now, uint64(s.BaseRTT)+x.reg[port.RegTargetQDelay], port.TimeW)
		s.QAValid = true
	}
	if action != port.ActionNone {
		s.IncBytes = 0
		s.ReceivedBytes = 0
	}
	return action
}

// over reports whether a window that ends at time end is over. base_rtt starts at CONFIG_BASE_RTT and only falls, so
// no running window ends further ahead than the bound: an end beyond it dates from before the clock wrapped.
func (x *exec) over(end uint64) bool {
	ahead := fxp.WrapSub(end, x.ev.Now, port.TimeW)
	base := max(uint64(x.st.BaseRTT), x.reg[port.RegConfigBaseRTT])
	return ahead == 0 || ahead > base+x.reg[port.RegTargetQDelay]
}

// fastIncrease grows cwnd immediately once more than a window of bytes has been acknowledged without delay. It reports
// whether it grew cwnd.
func (x *exec) fastIncrease(delta, delay uint64) bool {
	s := x.st
	if delay >= x.reg[port.RegFastDelay] {
		s.FICount = 0
		s.Increase = false
		return false
	}
	s.FICount = x.sat32(s.FICount, delta)
	if s.FICount <= s.Cwnd && !s.Increase {
		return false
	}
	grow, _ := fxp.MulShift(delta, x.reg[port.RegFIScale], scaleFrac)
	s.Cwnd = uint32(min(uint64(s.Cwnd)+grow, uint64(s.MaxWnd)))
	s.Increase = true
	return true
}

// decrease multiplies cwnd by 1 minus GAMMA times the share of the average delay that exceeds the target, but by no
// less than MAX_MD_JUMP, and at most once per base RTT.
func (x *exec) decrease() {
	s := x.st
	s.Increase = false
	s.FICount = 0
	target := x.reg[port.RegTargetQDelay] << avgFrac
	if s.AvgDelay <= target || x.since(s.LastDecTime) <= uint64(s.BaseRTT) {
		return
	}
	ratio, _ := fxp.Ratio(s.AvgDelay-target, s.AvgDelay, ratioFrac)
	factor := max(1<<32-x.reg[port.RegGamma]*ratio, x.reg[port.RegMaxMDJump]<<ratioFrac)
	cwnd, _ := fxp.MulShift(uint64(s.Cwnd), factor, 2*ratioFrac)
	s.Cwnd = max(x.mtu(), uint32(cwnd))
	s.LastDecTime = x.ev.Now
	x.rsp.MDApplied = true
}

// fulfil adds the accumulated increases to cwnd when they are due, and ETA at the end of an adjustment period.
func (x *exec) fulfil() {
	s := x.st
	period := x.since(s.LastAdjustTime) >= x.reg[port.RegAdjustPeriod]
	if !period && uint64(s.ReceivedBytes) <= x.reg[port.RegAdjustBytes] {
		return
	}
	x.rsp.Fulfilled = true
	cwnd := uint64(s.Cwnd) + uint64(x.sat32(0, s.IncBytes/uint64(s.Cwnd)))
	if period {
		s.LastAdjustTime = x.ev.Now
		cwnd += x.reg[port.RegEta] >> byteFrac
		x.rsp.EtaApplied = true
	}
	s.Cwnd = uint32(min(cwnd, uint64(s.MaxWnd)))
	s.IncBytes = 0
	s.ReceivedBytes = 0
}

package ccc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// quickAdapt sorts the path through quick_adapt and follows what it changes; k is
// 0 for an ACK, 1 for a NACK. The counters hold their values of this event.
func (s *watch) quickAdapt(hits []uint64, t *track, k int, mark bool) {
	r := &s.rsp
	path := qaOpen
	if s.cfg[ccc.RegCtrl]&1 != 0 {
		hits[s.qa.At2(k, qaDisabled)]++
		return
	}
	if mark {
		if d := int64(t.w.BytesIgnored) - int64(t.w.BytesToIgnore); d >= -1 && d <= 1 {
			hits[s.thIgnore.At2(k, int(d)+1)]++
		}
	}
	if !r.Ignored && t.w.QAValid {
		s.windowEnd(hits, t, k)
	}
	switch {
	case r.Ignored:
		path = qaIgnore
		hits[s.flag.At1(21+k)]++
	case r.QAWindow:
		hits[s.flag.At1(17+k)]++
		path = s.window(hits, t, k)
	}
	hits[s.qa.At2(k, path)]++
	if r.Ignored || r.QAFired {
		t.w.IncBytes, t.w.ReceivedBytes = 0, 0
	}
}

// windowEnd sorts where the end of a quick-adapt window lies.
func (s *watch) windowEnd(hits []uint64, t *track, k int) {
	ev, base := &s.ev, uint64(s.rsp.BaseRTT)
	ahead := (t.w.QAEndtime - ev.Now) & top48
	bound := s.bound(base)
	switch ahead {
	case top48:
		hits[s.thQAEnd.At2(k, 0)]++
	case 0:
		hits[s.thQAEnd.At2(k, 1)]++
	case 1:
		hits[s.thQAEnd.At2(k, 2)]++
	case 1<<47 - 1:
		hits[s.thQAEnd.At2(k, 6)]++
	case 1 << 47:
		hits[s.thQAEnd.At2(k, 7)]++
	}
	if ahead > 1 && ahead >= bound-1 && ahead <= bound+1 {
		hits[s.thQAEnd.At2(k, 3+int(ahead+1-bound))]++
	}
	switch {
	case ahead == 0:
	case ahead > bound && ahead < 1<<47:
		hits[s.fact.At1(factWindowLong+k)]++
	case ahead <= bound && ahead > base+s.cfg[ccc.RegTargetQDelay]:
		hits[s.fact.At1(factWindowByConfig+k)]++
	case ahead <= bound && ahead > s.cfg[ccc.RegConfigBaseRTT]+s.cfg[ccc.RegTargetQDelay]:
		hits[s.fact.At1(factWindowByBase+k)]++
	}
	if ahead > top32 && ahead <= bound {
		hits[s.fact.At1(factWindowWide)]++
	}
}

// window sorts the end of a quick-adapt window.
func (s *watch) window(hits []uint64, t *track, k int) (path int) {
	ev, r := &s.ev, &s.rsp
	gate := s.cfg[ccc.RegQAGate]
	limit := int64(uint64(t.w.MaxWnd) >> gate)
	threshold := s.cfg[ccc.RegQAThreshold]
	byDelay := k == 0 && uint64(r.Delay) > threshold
	cause := k == 1 || t.w.TriggerQA || byDelay
	switch {
	case !t.w.QAValid:
		path = qaFirst
	case !cause:
		path = qaNoCause
	case !r.QAFired:
		path = qaNoRoom
	default:
		path = qaFired
	}
	if t.w.QAValid {
		hits[s.gate.At1(int(min(gate, 33)))]++
		if t.w.QAEndtime > ev.Now {
			hits[s.fact.At1(factWrapQA)]++
		}
		if cause {
			if d := int64(t.w.AchievedBytes) - limit; d >= -1 && d <= 1 {
				hits[s.thGate.At2(k, int(d)+1)]++
			}
			s.gateAt(hits, gate, t.w.AchievedBytes, limit)
		}
		if k == 0 && !t.w.TriggerQA {
			hits[s.thQD.At2(cover.Bit(!r.RTTValid), cover.Side(int64(r.Delay), int64(threshold)))]++
			hits[s.fact.At1(factNever)] += uint64(cover.Bit(threshold == top32))
		}
	}
	if r.QAFired {
		s.fired(hits, t, k, byDelay)
	} else if t.w.TriggerQA && t.w.QAValid {
		hits[s.fact.At1(factTriggerKept)]++
	}
	t.w.AchievedBytes, t.w.QAValid = 0, true
	t.w.QAEndtime = (ev.Now + uint64(r.BaseRTT) + s.cfg[ccc.RegTargetQDelay]) & top48
	return path
}

// fired sorts a quick adapt that set the window.
func (s *watch) fired(hits []uint64, t *track, k int, byDelay bool) {
	r := &s.rsp
	hits[s.flag.At1(19+k)]++
	switch {
	case k == 1:
		hits[s.fact.At1(factQAByLoss)]++
	case byDelay:
		hits[s.fact.At1(factQAByDelay)]++
	default:
		hits[s.fact.At1(factQAByTrigger)]++
	}
	if r.Cwnd > t.w.Cwnd {
		hits[s.fact.At1(factQARaises)]++
	} else if r.Cwnd < t.w.Cwnd {
		hits[s.fact.At1(factQALowers)]++
	}
	hits[s.atMTU.At2(4, cover.Bit(uint64(r.Cwnd) == s.cfg[ccc.RegMTU]))]++
	sign := 1
	if r.Inflight < 0 {
		sign = 0
	} else if r.Inflight > 0 {
		sign = 2
	}
	hits[s.toIgnore.At2(k, sign)]++
	t.w.BytesToIgnore, t.w.BytesIgnored, t.w.TriggerQA = uint32(max(r.Inflight, 0)), 0, false
}

package ccc

import (
	"cmp"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// quickAdapt sorts the path through quick_adapt and follows what it changes; k is
// 0 for an ACK, 1 for a NACK. The counters hold their values of this event.
func (s *watch) quickAdapt(hits cover.Hits, t *track, k int, mark bool) {
	r := &s.rsp
	path := qaOpen
	if s.cfg[ccc.RegCtrl]&1 != 0 {
		hits[s.qa.At2(k, qaDisabled)]++
		return
	}
	if mark {
		hits.Near(s.thIgnore.At2(k, 0), int64(t.w.BytesIgnored)-int64(t.w.BytesToIgnore))
	}
	if !r.Ignored && t.w.QAValid {
		s.windowEnd(hits, t, k)
	}
	switch {
	case r.Ignored:
		path = qaIgnore
		hits[s.flag.Ignored[k]]++
	case r.QAWindow:
		hits[s.flag.QAWindow[k]]++
		path = s.window(hits, t, k)
	}
	hits[s.qa.At2(k, path)]++
	if r.Ignored || r.QAFired {
		t.w.IncBytes, t.w.ReceivedBytes = 0, 0
	}
}

// windowEnd sorts where the end of a quick-adapt window lies.
func (s *watch) windowEnd(hits cover.Hits, t *track, k int) {
	ev, base := &s.ev, uint64(s.rsp.BaseRTT)
	ahead := (t.w.QAEndtime - ev.Now) & top48
	bound := s.bound(base)
	end := s.thQAEnd.At2(k, 0)
	hits.Each(end, ahead == top48, ahead == 0, ahead == 1)
	hits.Each(end+6, ahead == 1<<47-1, ahead == 1<<47)
	if ahead > 1 {
		hits.Near(end+3, int64(ahead)-int64(bound))
	}
	switch {
	case ahead == 0:
	case ahead > bound && ahead < 1<<47:
		hits[s.fact.WindowLong[k]]++
	case ahead <= bound && ahead > base+s.cfg[ccc.RegTargetQDelay]:
		hits[s.fact.WindowByConfig[k]]++
	case ahead <= bound && ahead > s.cfg[ccc.RegConfigBaseRTT]+s.cfg[ccc.RegTargetQDelay]:
		hits[s.fact.WindowByBase[k]]++
	}
	hits.If(ahead > top32 && ahead <= bound, s.fact.WindowWide)
}

// window sorts the end of a quick-adapt window.
func (s *watch) window(hits cover.Hits, t *track, k int) (path int) {
	ev, r := &s.ev, &s.rsp
	gate := s.cfg[ccc.RegQAGate]
	limit := int64(uint64(t.w.MaxWnd) >> gate)
	threshold := s.cfg[ccc.RegQAThreshold]
	byDelay := k == 0 && uint64(r.Delay) > threshold
	cause := k == 1 || t.w.TriggerQA || byDelay
	path = qaFirst + cover.First(!t.w.QAValid, !cause, !r.QAFired)
	if t.w.QAValid {
		hits[s.gate.At1(int(min(gate, 33)))]++
		hits.If(t.w.QAEndtime > ev.Now, s.fact.WrapQA)
		if cause {
			hits.Near(s.thGate.At2(k, 0), int64(t.w.AchievedBytes)-limit)
			s.gateAt(hits, gate, t.w.AchievedBytes, limit)
		}
		if k == 0 && !t.w.TriggerQA {
			hits[s.thQD.At2(cover.Bit(!r.RTTValid), cover.Side(int64(r.Delay), int64(threshold)))]++
			hits.If(threshold == top32, s.fact.Never)
		}
	}
	if r.QAFired {
		s.fired(hits, t, k, byDelay)
	} else if t.w.TriggerQA && t.w.QAValid {
		hits[s.fact.TriggerKept]++
	}
	t.w.AchievedBytes, t.w.QAValid = 0, true
	t.w.QAEndtime = (ev.Now + uint64(r.BaseRTT) + s.cfg[ccc.RegTargetQDelay]) & top48
	return path
}

// fired sorts a quick adapt that set the window.
func (s *watch) fired(hits cover.Hits, t *track, k int, byDelay bool) {
	r := &s.rsp
	hits[s.flag.QAFired[k]]++
	hits.Each(s.fact.QAByTrigger, k == 0 && !byDelay, k == 1, byDelay) // which k 1 is not
	hits.Each(s.fact.QARaises, r.Cwnd > t.w.Cwnd, r.Cwnd < t.w.Cwnd)
	s.atFloor(hits, 4)
	hits[s.toIgnore.At2(k, 1+cmp.Compare(r.Inflight, 0))]++
	t.w.BytesToIgnore, t.w.BytesIgnored, t.w.TriggerQA = uint32(max(r.Inflight, 0)), 0, false
}

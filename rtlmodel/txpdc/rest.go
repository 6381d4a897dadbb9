package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// rest is what goes on while nothing comes: the timer looks at one PDC after the other, and the time.
type rest struct {
	job       job
	left, gap int
	scan      int
	quiet     bool
	time      instant
}

// Rests returns for how many cycles, at most most, nothing comes of the model until something is given to it. Only the
// timer looks at PDCs for which it has no action.
func (m *Model) Rests(most int) int {
	if m.tell != nil || m.left > 0 && m.job != ofTimer || !m.source.swept() || m.source.Waiting() ||
		m.cmd.Len()+m.rec.Len()+m.view.Len()+m.act.Len()+m.rsp.Len() > 0 {
		return 0
	}
	_, n := m.ahead(most)
	return n
}

// Skip is n cycles of a rest. It panics when the model does not rest for so long.
func (m *Model) Skip(n int) {
	if m.Rests(n) < n {
		panic("txpdc: cycles are skipped in which something happens")
	}
	r, _ := m.ahead(n)
	m.job, m.left, m.gap, m.source.scan, m.quiet, m.time = r.job, r.left, r.gap, r.scan, r.quiet, r.time
}

// ahead returns what a rest has come to after n cycles, or before the first cycle in which the timer has an action.
func (m *Model) ahead(n int) (r rest, passed int) {
	r = rest{job: m.job, left: m.left, gap: m.gap, scan: m.source.scan, quiet: m.quiet, time: m.time}
	period := m.source.cfg[port.RegTick]
	pass := func(cycles int) {
		passed += cycles
		r.gap = min(r.gap+cycles, port.TimerGap-1)
		r.time.skip(cycles, period)
	}
	for passed < n {
		if r.left == 0 && r.gap < port.TimerGap-1 {
			r.quiet = true
			pass(min(port.TimerGap-1-r.gap, n-passed))
			continue
		}
		if r.left == 0 {
			r.job, r.left, r.gap = ofTimer, port.TimerBusy+m.source.retires(r.scan), -1 // 0 after the cycle of the start
		}
		if r.left > n-passed {
			r.left -= n - passed
			pass(n - passed)
			break
		}
		left := r.left
		pass(left - 1)
		if m.source.due(r.scan, r.time.tick) {
			r.left = 1
			break
		}
		pass(1)
		r.left, r.scan, r.quiet = 0, m.source.after(r.scan), false
	}
	return r, passed
}

package intmd

import port "github.com/goldwire/goldwire/vectors/event/intmd"

// AcceptRx is a transfer at rx. It returns the slot of the beat; the caller must write all of it before Tick. Call it
// only when RxReady. The other ports of the block are those of beats.Ports.
func (m *Model) AcceptRx() *port.Rx { return &m.Store.Accept().Rx }

// CntReady returns cnt_ready, which never falls once it has risen.
func (m *Model) CntReady() bool { return m.Up() && !m.reports.Full() }

// AcceptCnt is the same for a transfer at cnt. Call it only when CntReady.
func (m *Model) AcceptCnt() *port.Cnt { return m.reports.Push() }

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
//
// Everything reads the state before the clock edge, so the steps that write it come after those that read it: cfg
// writes, then reports and counts.
func (m *Model) Tick() {
	if !m.Up() { // the block is empty and everything keeps its reset value
		m.TickPorts()
		return
	}
	if m.Store.CanIssue() {
		m.issue()
	}
	first, added := m.emit()
	var ev *port.Cfg
	if m.Lane.CanIssue() {
		if ev = m.Lane.Head(); !m.answer(ev, m.Lane.Issue()) {
			ev = nil
		}
		if m.tell != nil {
			m.explainCfg(m.Lane.Head().Kind)
		}
	}
	m.table.Tick(&m.cfg)
	if ev != nil {
		m.write(ev)
	}
	if m.reports.Len() > 0 {
		if !m.table.Report(m.reports.Front()) {
			m.counters[port.WordBadReports]++
		}
		m.reports.Pop()
	}
	if first {
		m.counters.count(&m.leave.plan.Result)
	}
	if added {
		m.counters[port.WordAddedBeats]++
	}
	if m.tell != nil {
		m.tellAll()
	}
	m.TickPorts()
	m.reports.Tick()
}

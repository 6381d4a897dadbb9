package intmd

import port "github.com/goldwire/goldwire/vectors/event/intmd"

// The methods of this file are the ports of the block for one that holds it inside: what they
// return follows from the state before the clock edge, what they change is seen after Tick. A cycle
// with rst_n low is Reset.

// RxReady returns rx_ready.
func (m *Model) RxReady() bool { return m.sweep == 0 && !m.store.Full() }

// CfgReady returns cfg_ready.
func (m *Model) CfgReady() bool { return m.sweep == 0 && !m.lane.Full() }

// AcceptRx is a transfer at rx: it returns the place of the beat, all of it to be written before
// Tick; only when RxReady.
func (m *Model) AcceptRx() *port.Rx { return &m.store.Accept().Rx }

// AcceptCfg is a transfer at cfg, as AcceptRx.
func (m *Model) AcceptCfg() *port.Cfg { return m.lane.Accept() }

// Tx returns the beat at tx, nil when it is not valid.
func (m *Model) Tx() *port.Tx {
	if !m.tx.Valid() {
		return nil
	}
	return m.tx.Front()
}

// Cfgr returns the response at cfgr, nil when it is not valid.
func (m *Model) Cfgr() *port.Cfgr {
	if !m.lane.Valid() {
		return nil
	}
	return m.lane.Response()
}

// TakeTx is a transfer at tx; only when it is valid.
func (m *Model) TakeTx() { m.tx.Take() }

// TakeCfgr is a transfer at cfgr; only when it is valid.
func (m *Model) TakeCfgr() { m.lane.Take() }

// CntReady returns cnt_ready, which never falls once it rose.
func (m *Model) CntReady() bool { return m.sweep == 0 && !m.reports.Full() }

// AcceptCnt is a transfer at cnt, as AcceptRx.
func (m *Model) AcceptCnt() *port.Cnt { return m.reports.Push() }

// Tick is the rest of a cycle with rst_n high and the clock edge at its end.
//
// All reads the state before the clock edge. What writes it comes after what reads it: cfg writes,
// then reports and counts.
func (m *Model) Tick() {
	if m.sweep > 0 {
		m.sweep-- // nothing is in the block and all stays at its reset value
		return
	}
	if m.store.CanIssue() {
		m.issue()
	}
	first, added := m.emit()
	var ev *port.Cfg
	if m.lane.CanIssue() {
		if ev = m.lane.Head(); !m.answer(ev, m.lane.Issue()) {
			ev = nil
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
	m.store.Tick()
	m.tx.Tick()
	m.lane.Tick()
	m.reports.Tick()
}

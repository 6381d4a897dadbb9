package trimmer

import port "github.com/goldwire/goldwire/vectors/event/trimmer"

// The methods of this file are the ports of the block for one that holds it inside: what they
// return follows from the state before the clock edge, what they change is seen after Tick. A cycle
// with rst_n low is Reset.

// RxReady returns rx_ready.
func (m *Model) RxReady() bool { return m.up && !m.store.Full() }

// CfgReady returns cfg_ready.
func (m *Model) CfgReady() bool { return m.up && !m.lane.Full() }

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

// Tick is the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if m.store.CanIssue() { // before the cfg event: a write is in force from the next cycle on
		m.issue()
	}
	if m.lane.CanIssue() { // before the counting: a LOAD is counted on, a READ sees the count before
		ev := m.lane.Head()
		configure(&m.cfg, &m.counters, ev, m.lane.Issue())
	}
	if m.store.Avail() && !m.tx.Full() {
		m.pop()
	}
	m.up = true
	m.store.Tick()
	m.tx.Tick()
	m.lane.Tick()
}

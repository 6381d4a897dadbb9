package ackparse

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// The methods here are the ports that an enclosing block uses: what they return depends on the state before the clock
// edge, and what they change is visible after Tick. For a cycle with rst_n low, call Reset instead.

// RxReady returns rx_ready.
func (m *Model) RxReady() bool { return m.up && !m.rx.Full() }

// AcceptRx is a transfer at rx. It returns the slot of the beat; the caller must write all of it before Tick. Call it
// only when RxReady.
func (m *Model) AcceptRx() *port.Rx { return m.rx.Push() }

// CfgReady returns cfg_ready.
func (m *Model) CfgReady() bool { return m.up && !m.lane.Full() }

// AcceptCfg is the same for a transfer at cfg. Call it only when CfgReady.
func (m *Model) AcceptCfg() *port.Cfg { return m.lane.Accept() }

// Rec returns the record at rec, nil when it is not valid.
func (m *Model) Rec() *port.Rec {
	if !m.out.Valid() {
		return nil
	}
	return m.out.Front()
}

// TakeRec is a transfer at rec. Call it only when rec is valid.
func (m *Model) TakeRec() { m.out.Take() }

// Cfgr returns the response at cfgr, nil when it is not valid.
func (m *Model) Cfgr() *port.Cfgr {
	if !m.lane.Valid() {
		return nil
	}
	return m.lane.Response()
}

// TakeCfgr is a transfer at cfgr. Call it only when cfgr is valid.
func (m *Model) TakeCfgr() { m.lane.Take() }

// InUse returns the beats in the rx FIFO and the credits in use.
func (m *Model) InUse() (fifo, credits int) { return m.rx.Len(), m.credits() }

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if m.rx.Len() > 0 && m.credits() < port.Credits { // before the cfg event: a write takes effect in the next cycle
		m.issue()
	}
	if m.lane.CanIssue() { // before counting: a packet counts on top of a LOAD, and a READ does not see it
		ev := m.lane.Head()
		before := m.counters
		configure(&m.cfg, &m.counters, ev, m.lane.Issue())
		if m.tell != nil {
			m.explainCfg(ev.Kind, &before)
		}
	}
	m.count()
	m.up = true
	m.now++
	m.rx.Tick()
	m.out.Tick()
	m.lane.Tick()
}

// Rests reports whether cycles only count until something comes.
func (m *Model) Rests() bool {
	return m.up && m.rx.Len()+m.out.Len() == 0 && m.lane.Rests() && m.ended == [len(m.ended)]decision{}
}

// Skip is n cycles of a rest.
func (m *Model) Skip(n clk.Cycle) {
	m.now += uint(n)
	m.out.Skip(n)
	m.lane.Skip(n)
}

package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// The methods here are the ports that an enclosing block uses: what they return depends on the state before the clock
// edge, and what they change is visible after Tick. For a cycle with rst_n low, call TickReset instead.

// EvReady returns ev_ready.
func (m *Model) EvReady() bool { return m.stream.Ready() }

// AcceptEv is a transfer at ev. Call it only when EvReady.
func (m *Model) AcceptEv(ev *port.Event) {
	e := m.stream.Accept()
	e.Payload = *ev
	m.enter(e)
}

// enter adds to an event that is accepted what decides when it may issue.
func (m *Model) enter(e *clk.Entry[port.Event]) {
	e.Key, e.Class = uint32(e.Payload.Ctx), classOf(e.Payload.Kind)
}

// RspValid returns rsp_valid.
func (m *Model) RspValid() bool { return m.stream.Valid() }

// TakeRsp is a transfer at rsp, and fills rsp. Call it only when RspValid.
func (m *Model) TakeRsp(rsp *port.Response) {
	port.UnpackResponse(m.stream.Response()[:], rsp)
	m.stream.Take()
}

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if ev, rsp, ok := m.stream.Issue(); ok {
		if m.tell == nil {
			Apply(&m.cfg, m.row(ev.Ctx), ev, &m.rsp)
		} else {
			m.explained(ev)
		}
		port.PackResponse(&m.rsp, rsp[:])
	}
	m.stream.Tick()
	m.ctx.Tick()
}

// Skip is n cycles in which the block is up and has no event.
func (m *Model) Skip(n clk.Cycle) { m.stream.Skip(n) }

// TickReset is the clock edge at the end of a cycle with rst_n low.
func (m *Model) TickReset() {
	m.cfg = m.reset
	m.ctx.StartSweep()
	m.stream.TickReset()
}

// classOf returns the issue class of an event kind. Source: contract.md, Timing.
func classOf(k port.Kind) clk.Class {
	switch k {
	case port.KindCfgWrite:
		return clk.Exclusive
	case port.KindCfgRead:
		return clk.Free
	}
	return clk.Keyed
}

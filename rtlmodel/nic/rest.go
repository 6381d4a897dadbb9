package nic

import "github.com/goldwire/goldwire/rtlmodel/clk"

// Rests returns for how many cycles, at most most, the model rests if nothing comes: of its outputs only rx_ready and
// cmd_ready are high, and its clocks go on. It returns 0 while somebody asks for explanations. What is in txstate is in
// pend, and what is in ccc in order.
func (m *Model) Rests(most int) int {
	if m.sweep > 0 || m.why.tell != nil || m.access.out || m.writer.busy || m.turn != none ||
		m.cmd.Len()+m.pend.Len()+m.order.Len()+m.notes.Len()+m.packets.Len()+m.feed.Len() > 0 ||
		!m.ackparse.Rests() || !m.ackgen.Rests() {
		return 0
	}
	return m.txpdc.Rests(most)
}

// Skip is n cycles of a rest. It panics when the model does not rest for so long.
func (m *Model) Skip(n int) {
	if m.Rests(n) < n {
		panic("nic: cycles are skipped in which something happens")
	}
	cycles := clk.Cycle(n)
	m.ackparse.Skip(cycles)
	m.ackgen.Skip(cycles)
	m.txpdc.Skip(n)
	m.txstate.Skip(cycles)
	m.ccc.Skip(cycles)
	m.feed.Skip(cycles)
}

package trimmer

import port "github.com/goldwire/goldwire/vectors/event/trimmer"

// AcceptRx is a transfer at rx: it returns the place of the beat, all of it to be written before
// Tick; only when RxReady. The other ports of the block are those of beats.Ports.
func (m *Model) AcceptRx() *port.Rx { return &m.Store.Accept().Rx }

// Tick is the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if m.Store.CanIssue() { // before the cfg event: a write is in force from the next cycle on
		m.issue()
	}
	if m.Lane.CanIssue() { // before the counting: a LOAD is counted on, a READ sees the count before
		ev := m.Lane.Head()
		configure(&m.cfg, &m.counters, ev, m.Lane.Issue())
	}
	if m.Store.Avail() && !m.Out.Full() {
		m.pop()
	}
	m.TickPorts()
}

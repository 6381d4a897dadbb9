package trimmer

import port "github.com/goldwire/goldwire/vectors/event/trimmer"

// AcceptRx is a transfer at rx. It returns the slot of the beat; the caller must write all of it before Tick. Call it
// only when RxReady. The other ports of the block are those of beats.Ports.
func (m *Model) AcceptRx() *port.Rx { return &m.Store.Accept().Rx }

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if m.Store.CanIssue() { // before the cfg event: a write takes effect in the next cycle
		m.issue()
	}
	if m.Lane.CanIssue() { // before counting: a packet counts on top of a LOAD, and a READ does not see it
		ev, before := m.Lane.Head(), m.counters
		configure(&m.cfg, &m.counters, ev, m.Lane.Issue())
		if m.tell != nil {
			m.explainCfg(ev.Kind, &before)
		}
	}
	if m.Store.Avail() && !m.Out.Full() {
		m.pop()
	}
	m.TickPorts()
}

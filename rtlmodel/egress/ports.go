package egress

import port "github.com/goldwire/goldwire/vectors/event/egress"

// The methods in this file are the ports that an enclosing block uses: what they return depends on the state before the
// clock edge, and what they change is visible after Tick. For a cycle with rst_n low, call Reset.

// EnqReady returns enq_ready.
func (m *Model) EnqReady() bool { return m.sweep == 0 && !m.enq.Full() }

// DeqReady returns deq_ready.
func (m *Model) DeqReady() bool { return m.sweep == 0 && !m.deq.Full() }

// AcceptEnq is a transfer at enq. It returns the slot of the event; the caller must write all of it before Tick. Call
// it only when EnqReady.
func (m *Model) AcceptEnq() *port.Enq { return m.enq.Accept() }

// AcceptDeq is the same for a transfer at deq. Call it only when DeqReady.
func (m *Model) AcceptDeq() *port.Deq { return m.deq.Accept() }

// Enqr returns the response at enqr, nil when it is not valid.
func (m *Model) Enqr() *port.Enqr {
	if !m.enq.Valid() {
		return nil
	}
	return m.enq.Response()
}

// Deqr returns the response at deqr, nil when it is not valid.
func (m *Model) Deqr() *port.Deqr {
	if !m.deq.Valid() {
		return nil
	}
	return m.deq.Response()
}

// TakeEnqr is a transfer at enqr. Call it only when enqr is valid.
func (m *Model) TakeEnqr() { m.enq.Take() }

// TakeDeqr is a transfer at deqr. Call it only when deqr is valid.
func (m *Model) TakeDeqr() { m.deq.Take() }

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	m.issue()
	if m.sweep > 0 {
		m.sweep--
	}
	m.enq.Tick()
	m.deq.Tick()
}

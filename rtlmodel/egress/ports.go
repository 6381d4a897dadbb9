package egress

import port "github.com/goldwire/goldwire/vectors/event/egress"

// The methods of this file are the ports of the block for one that holds it inside: what they
// return follows from the state before the clock edge, what they change is seen after Tick. A cycle
// with rst_n low is Reset.

// EnqReady returns enq_ready.
func (m *Model) EnqReady() bool { return m.sweep == 0 && !m.enq.Full() }

// DeqReady returns deq_ready.
func (m *Model) DeqReady() bool { return m.sweep == 0 && !m.deq.Full() }

// AcceptEnq is a transfer at enq: it returns the place of the event, all of it to be written before
// Tick; only when EnqReady.
func (m *Model) AcceptEnq() *port.Enq { return m.enq.Accept() }

// AcceptDeq is a transfer at deq, as AcceptEnq.
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

// TakeEnqr is a transfer at enqr; only when it is valid.
func (m *Model) TakeEnqr() { m.enq.Take() }

// TakeDeqr is a transfer at deqr; only when it is valid.
func (m *Model) TakeDeqr() { m.deq.Take() }

// Tick is the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	m.issue()
	if m.sweep > 0 {
		m.sweep--
	}
	m.enq.Tick()
	m.deq.Tick()
}

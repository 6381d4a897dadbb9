package egress

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec  Spec
	queue *Queues
	enq   clk.Lane[port.Enq, port.Enqr]
	deq   clk.Lane[port.Deq, port.Deqr]
	sweep int // sweep cycles left
	quiet int // cycles since the last issue of any event, at most STALL
	last  int // port of the grant issued in the previous cycle; -1 if there was none
	tell  func(*event.Decision)
}

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("egress: %w", err)
	}
	m := &Model{spec: spec, queue: NewQueues(spec)}
	m.enq.Init(port.InFIFODepth, port.Credits, port.Latency)
	m.deq.Init(port.InFIFODepth, port.Credits, port.Latency)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.queue.Reset()
	m.enq.Reset()
	m.deq.Reset()
	m.sweep, m.quiet, m.last = m.spec.NumPorts, port.Stall, -1
}

// issue executes the events that issue in this cycle: the grant first, so that the enq event sees all its effects.
func (m *Model) issue() {
	enq := m.enq.CanIssue()
	hold := false // an exclusive event is at the head and has a credit
	if enq {
		kind := m.enq.Head().Kind
		hold = kind == port.KindCfgWrite || kind == port.KindLoad
		enq = !hold || m.quiet >= port.Stall-1
	}
	deq := !hold && m.deq.CanIssue() && int(m.deq.Head().Port) != m.last

	m.last = -1
	if deq {
		ev := m.deq.Head()
		m.last = int(ev.Port)
		if m.tell == nil {
			m.queue.Deq(ev, m.deq.Issue())
		} else {
			m.explainDeq(ev, m.deq.Issue())
		}
	}
	if enq {
		ev := m.enq.Head()
		if m.tell == nil {
			m.queue.Enq(ev, m.enq.Issue())
		} else {
			m.explainEnq(ev, m.enq.Issue())
		}
	}
	if enq || deq {
		m.quiet = 0
	} else if m.quiet < port.Stall {
		m.quiet++
	}
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Queues returns the state inside the ports after the events issued so far. It is not a copy: events executed on it
// change the model.
func (m *Model) Queues() *Queues { return m.queue }

// InUse returns, for both streams, the number of credits in use and of events waiting in the input FIFO.
func (m *Model) InUse() (enqCredits, enqQueued, deqCredits, deqQueued int) {
	enqCredits, enqQueued = m.enq.InUse()
	deqCredits, deqQueued = m.deq.InUse()
	return
}

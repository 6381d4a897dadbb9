package ackgen

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/packet"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec     Spec
	receiver *Receiver

	rx       clk.FIFO[port.Rx]
	cfg      clk.FIFO[port.Cfg]
	requests clk.Emitter[request] // a request enters when the last beat of its packet issues
	answers  clk.Emitter[answer]
	ind      clk.FIFO[port.Ind]
	cfgr     clk.FIFO[port.Cfgr]

	frame   packet.Frame            // of the packet whose beats issue
	now     uint                    // cycle since the reset
	ended   [port.Decide + 1]Reason // packets not yet counted, by the cycle in which they ended
	dropped int                     // how many of them are dropped; each holds a credit

	left    int // cycles of the job that runs, without this one; 0: none runs
	access  bool
	ev      port.Cfg // the job of a cfg event
	request request  // or that of a packet

	time Instant

	tx    port.Tx // at the port
	sent  int     // bytes of the oldest answer that have left
	taken bool    // a beat leaves in this cycle
	made  bool    // tx has the beat at the port

	tell func(*event.Decision) // nil: nobody asks
}

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("ackgen: %w", err)
	}
	m := &Model{spec: spec, receiver: NewReceiver(spec)}
	m.rx.Init(port.InFIFODepth)
	m.cfg.Init(port.InFIFODepth)
	m.requests.Init(port.Credits, port.Latency)
	m.answers.Init(port.Answers, port.Build+1)
	m.ind.Init(port.Inds)
	m.cfgr.Init(port.CfgCredits)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.receiver.reset()
	m.rx.Reset()
	m.cfg.Reset()
	m.requests.Reset()
	m.answers.Reset()
	m.ind.Reset()
	m.cfgr.Reset()
	m.frame.Clear()
	m.now, m.ended, m.dropped = 0, [len(m.ended)]Reason{}, 0
	m.left, m.time = 0, Instant{}
	m.sent, m.taken, m.made = 0, false, false
}

// credits returns the credits in use.
func (m *Model) credits() int { return m.requests.Len() + m.dropped }

// issue takes the oldest beat from the FIFO. When the beat is the last one of a packet, it decides on the packet.
func (m *Model) issue() {
	b := m.rx.Front()
	m.rx.Pop()
	m.frame.Add(&b.Data, b.Keep, b.Last, b.Tag)
	if b.Last {
		m.end()
		m.frame.Clear()
	}
}

// end decides on the packet whose last beat issues in this cycle.
func (m *Model) end() {
	var w walk
	frame, f, cfg := m.frame.Bytes(), m.frame.Len(), &m.receiver.cfg
	reason := w.decide(cfg, frame, f)
	if reason.Passed() {
		q := m.requests.Push()
		w.fields(frame, q)
		q.tag, q.came = m.frame.Tag, m.time
		if m.tell != nil {
			q.why = w.explain(cfg, frame, f)
		}
	} else {
		m.dropped++
	}
	m.ended[m.now%uint(len(m.ended))] = reason
}

// work starts a job, or ends the one that runs if this is its last cycle.
func (m *Model) work() {
	switch {
	case m.left > 1:
		m.left--
	case m.left == 1:
		m.left = 0
		if m.access {
			m.endAccess()
		} else {
			m.endRequest()
		}
	case m.cfg.Len() > 0 && m.cfgr.Len() < port.CfgCredits:
		m.ev, m.access, m.left = *m.cfg.Front(), true, port.CfgBusy-1
		m.cfg.Pop()
	case m.requests.Valid() && m.ind.Len() < port.Inds && m.answers.Len() < port.Answers:
		m.request, m.access, m.left = *m.requests.Front(), false, port.Busy-1
		if m.request.syn {
			m.left += (m.spec.Pdcs + port.Lanes - 1) / port.Lanes
		}
		m.requests.Take()
	}
}

func (m *Model) endAccess() {
	if m.tell != nil {
		m.explainAccess()
		return
	}
	m.receiver.Configure(&m.ev, m.cfgr.Push())
}

func (m *Model) endRequest() {
	if m.tell != nil {
		m.explainRequest()
		return
	}
	m.finish()
}

// finish executes the job of a packet.
func (m *Model) finish() (o outcome, a *answer) {
	q := &m.request
	o = m.receiver.job(q)
	if o.answer != 0 {
		a = m.answers.Push()
		m.receiver.build(q, &o, m.time, a)
	}
	*m.ind.Push() = o.indication(q)
	return o, a
}

// count counts the packet that ended DECIDE cycles ago, and returns its credit if it is dropped.
func (m *Model) count() {
	reason := &m.ended[(m.now+1)%uint(len(m.ended))]
	if *reason == 0 {
		return
	}
	m.receiver.counters.count(*reason)
	if !reason.Passed() {
		m.dropped--
	}
	*reason = 0
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Receiver returns the state inside the ports after the jobs that have ended. It is not a copy: what is executed on it
// changes the model.
func (m *Model) Receiver() *Receiver { return m.receiver }

package ackparse

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/packet"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	rx   clk.FIFO[port.Rx]
	out  clk.Emitter[port.Rec] // a record enters when the last beat of its packet issues
	lane clk.Lane[port.Cfg, port.Cfgr]
	up   bool // at least one cycle has passed since the reset

	cfg      Config
	counters Counters

	frame packet.Frame // of the packet whose beats issue

	now     uint                      // cycle since the reset
	ended   [port.Decide + 1]decision // packets not yet counted, by the cycle in which they ended
	dropped int                       // how many of them are dropped; each holds a credit

	tell func(*event.Decision) // nil: nobody asks
}

// decision is the verdict on a packet, 0 when none ended in the cycle.
type decision struct {
	verdict Verdict
	why     *event.Decision // for tell
}

// New returns a model in its power-on state.
func New() *Model {
	m := &Model{}
	m.rx.Init(port.InFIFODepth)
	m.out.Init(port.Credits, port.Latency)
	m.lane.Init(port.InFIFODepth, port.CfgCredits, port.CfgLatency)
	m.Reset()
	return m
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.rx.Reset()
	m.out.Reset()
	m.lane.Reset()
	m.up = false
	m.cfg, m.counters = DefaultConfig(), Counters{}
	m.frame.Clear()
	m.now, m.ended, m.dropped = 0, [len(m.ended)]decision{}, 0
}

// credits returns the credits in use.
func (m *Model) credits() int { return m.out.Len() + m.dropped }

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
	frame, f := m.frame.Bytes(), m.frame.Len()
	d := decision{verdict: w.decide(&m.cfg, frame, f)}
	if d.verdict.Passed() {
		rec := m.out.Push()
		w.record(frame, rec)
		rec.Tag = m.frame.Tag
		if m.tell != nil {
			d.why = explain(&m.cfg, frame, f, rec)
		}
	} else {
		m.dropped++
	}
	m.ended[m.now%uint(len(m.ended))] = d
}

// count counts the packet that ended DECIDE cycles ago, and returns its credit if it is dropped.
func (m *Model) count() {
	d := &m.ended[(m.now+1)%uint(len(m.ended))]
	if d.verdict == 0 {
		return
	}
	if m.tell != nil && d.verdict.Passed() {
		m.explainRec(d)
	}
	m.counters.count(d.verdict)
	if !d.verdict.Passed() {
		m.dropped--
	}
	*d = decision{}
}

// Config returns the configuration after the events issued so far.
func (m *Model) Config() Config { return m.cfg }

// Counters returns the counters before the next cycle.
func (m *Model) Counters() Counters { return m.counters }

package credit

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec  Spec
	pacer *Pacer
	pace  pace

	ev   clk.FIFO[port.Event]
	rsp  clk.FIFO[port.Response]
	pull clk.FIFO[port.Pull]

	job   job
	left  int // cycles of the job, with this one; 0: none runs
	event port.Event
	turn  bool // a pull's, when an event waits too

	tell func(*event.Decision) // nil: nobody asks
}

// job is what runs in a cycle.
type job uint8

const (
	none job = iota
	ofEvent
	ofPull
)

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("credit: %w", err)
	}
	m := &Model{spec: spec, pacer: NewPacer(spec)}
	m.ev.Init(port.InFIFODepth)
	m.rsp.Init(port.Credits)
	m.pull.Init(port.Pulls)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.pacer.reset()
	m.pace = pace{}
	m.ev.Reset()
	m.rsp.Reset()
	m.pull.Reset()
	m.job, m.left, m.turn = none, 0, false
}

// Cycle executes one clock cycle. in is an input record of port.InWords words; Cycle fills out with the output record
// of port.OutWords words: ready and valids always, payload when valid, else 0. It allocates nothing.
func (m *Model) Cycle(in, out []uint64) {
	ctl := in[0]
	clear(out[:port.OutWords])
	if ctl&port.InRstN == 0 {
		m.Reset()
		return
	}
	if m.rsp.Len() > 0 {
		port.PackResponse(m.rsp.Front(), out)
		out[0] |= port.OutRspValid
		if ctl&port.InRspReady != 0 {
			m.rsp.Pop()
		}
	}
	if m.pull.Len() > 0 {
		port.PackPull(m.pull.Front(), out)
		out[0] |= port.OutPullValid
		if ctl&port.InPullReady != 0 {
			m.pull.Pop()
		}
	}
	if m.pacer.senders.Swept() && !m.ev.Full() {
		out[0] |= port.OutEvReady
		if ctl&port.InEvValid != 0 {
			port.UnpackEvent(in, m.ev.Push())
		}
	}
	m.work()
	m.pacer.senders.Tick()
	m.ev.Tick()
	m.rsp.Tick()
	m.pull.Tick()
}

// work is the job that starts, runs or ends in this cycle, and the passing of time.
func (m *Model) work() {
	if m.left == 0 {
		m.start()
	}
	switch m.left {
	case 0:
	case 1:
		m.left = 0
		m.end()
	default:
		m.left--
	}
	if m.job != ofPull {
		m.pace.pass()
	}
}

// start starts a job if there is one. As none runs, what was started and is not taken is what the FIFOs hold; and until
// the sweep is over there is neither an event nor a sender in a list.
func (m *Model) start() {
	waits := m.ev.Len() > 0 && !m.rsp.Full()
	due := m.pace.due() && !m.pull.Full() && m.pacer.Waiting()
	switch {
	case due && (m.turn || !waits):
		m.job, m.left, m.turn = ofPull, port.PullBusy, false
	case waits:
		m.job, m.left, m.turn = ofEvent, port.EvBusy, true
		m.event = *m.ev.Front()
		m.ev.Pop()
	default:
		m.job = none
	}
}

// end executes the job.
func (m *Model) end() {
	switch {
	case m.tell != nil:
		m.explain()
	case m.job == ofEvent:
		m.pacer.Event(&m.event, m.rsp.Push())
	default:
		m.grant()
	}
}

// grant executes the job of a pull, and returns the pull, nil if there is none.
func (m *Model) grant() *port.Pull {
	var x port.Pull
	if !m.pacer.Pull(&x) {
		return nil
	}
	m.pace.pulled(m.pacer.Gap(x.Quanta))
	slot := m.pull.Push()
	*slot = x
	return slot
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Pacer returns the state inside the ports after the jobs that have ended. It is not a copy: what is executed on it
// changes the model.
func (m *Model) Pacer() *Pacer { return m.pacer }

// InUse returns the events in the FIFO, and the credits of events and pulls, before the clock edge.
func (m *Model) InUse() (fifo, credits, pulls int) {
	credits, pulls = m.rsp.Len(), m.pull.Len()
	switch {
	case m.left == 0:
	case m.job == ofEvent:
		credits++
	default:
		pulls++
	}
	return m.ev.Len(), credits, pulls
}

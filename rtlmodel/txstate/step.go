package txstate

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec   Spec
	cfg    Config
	table  clk.RAM[State] // row pdc * Depth + psn mod Depth
	stream clk.Stream[port.Event, record]
	rsp    port.Response // scratch, so that a cycle allocates nothing
	tell   func(*event.Decision)
}

// record is a packed response.
type record [port.ResponseWords]uint64

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("txstate: %w", err)
	}
	m := &Model{spec: spec}
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low, with every entry cleared. It
// allocates; to reset during a run, use a cycle with rst_n low.
func (m *Model) Reset() {
	m.cfg = DefaultConfig()
	m.table.Init(m.spec.NumPdcs * m.spec.Depth)
	m.stream.Init(m.spec.timing())
}

// Cycle executes one clock cycle. in is an input record of port.InWords words; Cycle fills out with the output record
// of port.OutWords words: ready and valid always, response fields when valid, else 0. It allocates nothing.
func (m *Model) Cycle(in, out []uint64) {
	ctl := in[0]
	clear(out[:port.OutWords])
	if ctl&port.InRstN == 0 {
		m.TickReset()
		return
	}
	ready, valid := m.stream.Ready(), m.stream.Valid()
	if valid {
		copy(out, m.stream.Response()[:])
		out[0] |= port.OutRspValid
	}
	if ready {
		out[0] |= port.OutEvReady
	}

	if ready && ctl&port.InEvValid != 0 {
		slot := m.stream.Accept()
		port.UnpackEvent(in, &slot.Payload)
		m.enter(slot)
	}
	if valid && ctl&port.InRspReady != 0 {
		m.stream.Take()
	}
	m.Tick()
}

// row returns the entry that an event uses, or nil when its PDC has no table.
func (m *Model) row(ev *port.Event) *State {
	if int(ev.PDC) >= m.spec.NumPdcs {
		return nil
	}
	return m.table.Row(int(ev.PDC)*m.spec.Depth + m.spec.index(ev.PSN))
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// State returns the entry that a PSN of a PDC uses, after the events issued so far. The entry may hold another PSN.
// State returns the zero State when the PDC has no table.
func (m *Model) State(pdc int, psn uint32) State {
	if pdc < 0 || pdc >= m.spec.NumPdcs {
		return State{}
	}
	return *m.table.Row(pdc*m.spec.Depth + m.spec.index(psn))
}

// Config returns the configuration after the events issued so far.
func (m *Model) Config() Config { return m.cfg }

// InUse returns the number of credits in use and of events waiting in the input FIFO.
func (m *Model) InUse() (credits, queued int) { return m.stream.InUse() }

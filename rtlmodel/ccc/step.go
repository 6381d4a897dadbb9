package ccc

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// Model is the clocked block. It is not safe for use from several goroutines at once.
type Model struct {
	spec   Spec
	reset  Config // cfg after reset; made once, so that a reset cycle only copies it
	cfg    Config
	ctx    clk.RAM[State]
	stream clk.Stream[port.Event, record]
	rsp    port.Response // scratch, so that a cycle allocates nothing
	tell   func(*event.Decision)
}

// record is a packed response.
type record [port.ResponseWords]uint64

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("ccc: %w", err)
	}
	m := &Model{spec: spec, reset: spec.Config()}
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low, with every context cleared. It
// allocates; to reset during a run, use a cycle with rst_n low.
func (m *Model) Reset() {
	m.cfg = m.reset
	m.ctx.Init(m.spec.NumContexts)
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

// row returns the context with a number, or nil when there is none.
func (m *Model) row(ctx uint16) *State {
	if int(ctx) >= m.ctx.Len() {
		return nil
	}
	return m.ctx.Row(int(ctx))
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// State returns context ctx after the events issued so far, or the zero State when ctx is out of range. During the
// sweep, rows not yet swept still show their contents from before the reset.
func (m *Model) State(ctx int) State {
	if ctx < 0 || ctx >= m.ctx.Len() {
		return State{}
	}
	return *m.ctx.Row(ctx)
}

// Config returns the configuration registers after the events issued so far.
func (m *Model) Config() Config { return m.cfg }

// InUse returns the credits in use and the events waiting in the input FIFO.
func (m *Model) InUse() (credits, queued int) { return m.stream.InUse() }

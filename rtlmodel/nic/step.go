package nic

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/ackgen"
	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	"github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/txpdc"
	"github.com/goldwire/goldwire/rtlmodel/txstate"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec     Spec
	ackparse *ackparse.Model
	ackgen   *ackgen.Model
	txpdc    *txpdc.Model
	txstate  *txstate.Model
	ccc      *ccc.Model
	sweep    int // sweep cycles left

	beat   port.Rx // accepted in this cycle, where arrives
	cmd    clk.FIFO[port.Cmd]
	access access

	pend   clk.FIFO[pending]
	order  clk.FIFO[ordered]
	latest uint64      // ticks
	window pc.Response // of ccc, being settled
	notes  clk.FIFO[port.Note]

	packets clk.FIFO[packet]
	writer  writer
	feed    clk.Emitter[port.Tx]

	turn turn
	tx   port.Tx  // an answer's beat at tx, in words of this block
	ind  port.Ind // at the port, in words of this block

	arrives, leaves, ends bool // transfers of this cycle: a beat at rx, a beat at tx, a last beat there

	why explainer
}

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("nic: %w", err)
	}
	m := &Model{spec: spec, ackparse: ackparse.New()}
	var err error
	if m.ackgen, err = ackgen.New(spec.ackgen()); err != nil {
		return nil, fmt.Errorf("nic: %w", err)
	}
	if m.txpdc, err = txpdc.New(spec.txpdc()); err != nil {
		return nil, fmt.Errorf("nic: %w", err)
	}
	if m.txstate, err = txstate.New(spec.txstate()); err != nil {
		return nil, fmt.Errorf("nic: %w", err)
	}
	if m.ccc, err = ccc.New(spec.ccc()); err != nil {
		return nil, fmt.Errorf("nic: %w", err)
	}
	m.cmd.Init(port.InFIFODepth)
	m.pend.Init(port.Pend)
	m.order.Init(port.Order)
	m.notes.Init(port.Notes)
	m.packets.Init(port.Packets)
	m.feed.Init(feedSlots, port.Write)
	m.writer.init(spec.Contexts)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.ackparse.Reset()
	m.ackgen.Reset()
	m.txpdc.Reset()
	m.txstate.TickReset()
	m.ccc.TickReset()
	m.cmd.Reset()
	m.pend.Reset()
	m.order.Reset()
	m.notes.Reset()
	m.packets.Reset()
	m.feed.Reset()
	m.writer.reset()
	m.access = access{}
	m.latest, m.turn, m.arrives, m.leaves, m.ends = 0, none, false, false, false
	m.why.reset()
	m.sweep = m.spec.sweep()
}

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	if m.arrives {
		m.arrive()
	}
	m.forward()
	toWindow, toTimes := m.offers()
	m.act(toTimes)
	m.join(toWindow)
	m.settle()
	turn := m.chosen()
	if m.why.tell != nil {
		m.show()
		m.why.shown = m.why.shown && !m.leaves
	}
	m.leaves = false

	// A packet that starts sees templates and registers before an access changes them, and an access the counters
	// before the packet counts.
	counts := m.write()
	m.command(toWindow, toTimes)
	m.writer.count(counts)
	if m.access.got {
		m.why.replied(&m.access.cmd)
	}

	m.ackparse.Tick()
	m.ackgen.Tick()
	m.txpdc.Tick()
	m.txstate.Tick()
	m.ccc.Tick()
	m.cmd.Tick()
	m.pend.Tick()
	m.order.Tick()
	m.notes.Tick()
	m.packets.Tick()
	m.feed.Tick()
	m.access.tick()
	if m.turn = turn; m.ends {
		m.turn, m.ends = none, false
	}
	if m.sweep > 0 {
		m.sweep--
	}
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Ackparse returns the ackparse model inside, after the cycles so far. It is not a copy.
func (m *Model) Ackparse() *ackparse.Model { return m.ackparse }

// Ackgen returns the ackgen model inside. It is not a copy.
func (m *Model) Ackgen() *ackgen.Model { return m.ackgen }

// Txpdc returns the txpdc model inside. It is not a copy.
func (m *Model) Txpdc() *txpdc.Model { return m.txpdc }

// Txstate returns the txstate model inside. It is not a copy.
func (m *Model) Txstate() *txstate.Model { return m.txstate }

// Ccc returns the ccc model inside. It is not a copy.
func (m *Model) Ccc() *ccc.Model { return m.ccc }

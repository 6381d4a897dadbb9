package intmd

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	beats.Ports[beat, port.Tx, port.Cfg, port.Cfgr]

	spec     Spec
	cfg      Config
	counters Counters
	table    *Table
	reports  clk.FIFO[port.Cnt]

	head  [HeadBytes]byte
	leave leaving

	tell    func(*event.Decision) // nil: nobody asks
	pending []*event.Decision     // decided in this cycle, for tell
}

// beat is an element of FIFO and store.
type beat struct {
	port.Rx
	first bool
	plan  plan // of the packet; set in its first beat when the packet is released
}

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("intmd: %w", err)
	}
	m := &Model{spec: spec, table: NewTable(spec.NumPorts)}
	m.InitPorts(beats.Sizes{
		InFIFO: port.InFIFODepth, Store: port.Store, HeadBeats: port.HeadBeats, Release: port.Release,
		Out: port.Out, Emit: port.Emit, CfgCredits: port.CfgCredits, CfgLatency: port.CfgLatency,
	})
	m.reports.Init(port.InFIFODepth)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.cfg, m.counters = DefaultConfig(), Counters{}
	m.ResetPorts(m.spec.NumPorts)
	m.leave = leaving{}
	m.table.Reset()
	m.reports.Reset()
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Config returns the configuration after the events issued so far; for TIME see Table.
func (m *Model) Config() Config { return m.cfg }

// Counters returns the counters before the next cycle.
func (m *Model) Counters() Counters { return m.counters }

// Table returns the table before the next cycle. It is not a copy: changes to it change the model.
func (m *Model) Table() *Table { return m.table }

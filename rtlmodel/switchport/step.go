package switchport

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/egress"
	"github.com/goldwire/goldwire/rtlmodel/intmd"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// Model is the clocked block. It is not safe for concurrent use.
type Model struct {
	spec    Spec
	egress  *egress.Model
	trimmer *trimmer.Model
	intmd   *intmd.Model
	sweep   int // sweep cycles left

	rx       clk.FIFO[port.Rx]
	buffer   buffer
	writer   writer
	requests clk.Emitter[request]
	copies   copies
	notes    clk.FIFO[port.Note]
	reader   reader
	feed     clk.Emitter[pt.Rx]
	grs      clk.FIFO[port.Gr]
	cfg      clk.FIFO[port.Cfg]
	access   access
	tx       port.Tx // at the port, in words of this block
	cfgr     port.Cfgr
	left     int // bytes in the beats that have left, of the packet at the trimmer's output
	why      explainer
}

// New returns a model in its power-on state. It returns an error when the spec is invalid.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("switchport: %w", err)
	}
	m := &Model{spec: spec, trimmer: trimmer.New()}
	var err error
	if m.egress, err = egress.New(spec.egress()); err != nil {
		return nil, fmt.Errorf("switchport: %w", err)
	}
	if m.intmd, err = intmd.New(spec.intmd()); err != nil {
		return nil, fmt.Errorf("switchport: %w", err)
	}
	m.rx.Init(port.InFIFODepth)
	m.cfg.Init(port.InFIFODepth)
	m.requests.Init(port.Requests, port.Walk)
	m.notes.Init(port.Notes)
	m.grs.Init(port.Grants)
	m.feed.Init(port.Feed, port.ReadLatency)
	m.buffer.init(spec.Slots)
	m.Reset()
	return m, nil
}

// Reset returns the model to the power-on state: the state after one cycle of rst_n low.
func (m *Model) Reset() {
	m.egress.Reset()
	m.trimmer.Reset()
	m.intmd.Reset()
	m.rx.Reset()
	m.cfg.Reset()
	m.requests.Reset()
	m.notes.Reset()
	m.grs.Reset()
	m.feed.Reset()
	m.buffer.reset()
	m.writer, m.reader, m.access = writer{}, reader{}, access{}
	m.copies.reset()
	m.left = 0
	m.why.reset()
	m.sweep = m.spec.NumPorts
}

// Tick executes the rest of a cycle with rst_n high and the clock edge at its end.
func (m *Model) Tick() {
	reported := m.read()
	m.verdict(reported)
	if !m.configure() {
		m.request()
	}
	m.write()
	m.forward()

	m.egress.Tick()
	m.trimmer.Tick()
	m.intmd.Tick()
	m.rx.Tick()
	m.cfg.Tick()
	m.requests.Tick()
	m.notes.Tick()
	m.grs.Tick()
	m.feed.Tick()
	m.buffer.tick()
	m.copies.tick()
	m.access.tick()
	if m.sweep > 0 {
		m.sweep--
	}
}

// Spec returns the model's parameters.
func (m *Model) Spec() Spec { return m.spec }

// Egress returns the egress model inside, after the cycles so far. It is not a copy.
func (m *Model) Egress() *egress.Model { return m.egress }

// Trimmer returns the trimmer model inside. It is not a copy.
func (m *Model) Trimmer() *trimmer.Model { return m.trimmer }

// Intmd returns the intmd model inside. It is not a copy.
func (m *Model) Intmd() *intmd.Model { return m.intmd }

// SlotsInUse returns the number of slots of the buffer that are not free.
func (m *Model) SlotsInUse() int { return m.buffer.inUse() }

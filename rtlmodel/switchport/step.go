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
	left     int // bytes in the beats that have left, of the packet at the trimmer's output
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
	m.sweep = m.spec.NumPorts
}

// Cycle executes one clock cycle. in is an input record of port.InWords words; Cycle fills out with the output record
// of port.OutWords words: readies and valids always, payload when valid, else 0. It allocates nothing.
func (m *Model) Cycle(in, out []uint64) {
	ctl := in[0]
	clear(out[:port.OutWords])
	if ctl&port.InRstN == 0 {
		m.Reset()
		return
	}
	m.outputs(out)
	reported := m.read()
	m.verdict(reported)
	if !m.configure() {
		m.request()
	}
	m.write()
	m.forward()
	m.transfers(in, out)

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
	if m.sweep > 0 {
		m.sweep--
	}
}

// outputs fills out with the values of the ports in this cycle.
func (m *Model) outputs(out []uint64) {
	if m.sweep == 0 && !m.rx.Full() {
		out[0] |= port.OutRxReady
	}
	if m.egress.DeqReady() {
		out[0] |= port.OutGrantReady
	}
	if m.sweep == 0 && !m.cfg.Full() {
		out[0] |= port.OutCfgReady
	}
	if x := m.intmd.Tx(); x != nil {
		tx := port.Tx{Data: x.Data, Keep: x.Keep, Last: x.Last, Port: x.OutPort, Inserted: x.Inserted, Hops: x.Hops}
		port.PackTx(&tx, out)
		out[0] |= port.OutTxValid
	}
	if m.notes.Len() > 0 {
		port.PackNote(m.notes.Front(), out)
		out[0] |= port.OutNoteValid
	}
	if m.grs.Len() > 0 {
		port.PackGr(m.grs.Front(), out)
		out[0] |= port.OutGrValid
	}
	if r, valid := m.cfgr(); valid {
		port.PackCfgr(&r, out)
		out[0] |= port.OutCfgrValid
	}
}

// transfers executes the transfers at the ports: those for which ready and valid are both set in in and out.
func (m *Model) transfers(in, out []uint64) {
	ctl, shown := in[0], out[0]
	if ctl&port.InRxValid != 0 && shown&port.OutRxReady != 0 {
		port.UnpackRx(in, m.rx.Push())
	}
	if ctl&port.InGrantValid != 0 && shown&port.OutGrantReady != 0 {
		var g port.Grant
		port.UnpackGrant(in, &g)
		m.egress.AcceptDeq().Port = g.Port
	}
	if ctl&port.InCfgValid != 0 && shown&port.OutCfgReady != 0 {
		port.UnpackCfg(in, m.cfg.Push())
	}
	if ctl&port.InTxReady != 0 && shown&port.OutTxValid != 0 {
		m.intmd.TakeTx()
	}
	if ctl&port.InNoteReady != 0 && shown&port.OutNoteValid != 0 {
		m.notes.Pop()
	}
	if ctl&port.InGrReady != 0 && shown&port.OutGrValid != 0 {
		m.grs.Pop()
	}
	if ctl&port.InCfgrReady != 0 && shown&port.OutCfgrValid != 0 {
		m.takeCfgr()
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

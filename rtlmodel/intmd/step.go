package intmd

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// Model is the clocked block. It is not safe for use from several goroutines at once.
type Model struct {
	beats.Ports[beat, port.Tx, port.Cfg, port.Cfgr]

	spec     Spec
	cfg      Config
	counters Counters
	table    *Table
	reports  clk.FIFO[port.Cnt]

	head  [HeadBytes]byte
	leave leaving
}

// beat is an element of the FIFO and the store.
type beat struct {
	port.Rx
	first bool
	plan  plan // of the packet; in its first beat, once it is released
}

// New returns a model in its power-on state. It errors when the spec is not valid.
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

// Reset returns to the power-on state: as after one cycle of rst_n low.
func (m *Model) Reset() {
	m.cfg, m.counters = DefaultConfig(), Counters{}
	m.ResetPorts(m.spec.NumPorts)
	m.leave = leaving{}
	m.table.Reset()
	m.reports.Reset()
}

// Cycle is one clock cycle. in is an input record of port.InWords words, out is filled with the
// output record of port.OutWords words: readies and valids always, payload only when valid, else 0.
// It allocates nothing.
func (m *Model) Cycle(in, out []uint64) {
	ctl := in[0]
	clear(out[:port.OutWords])
	if ctl&port.InRstN == 0 {
		m.Reset()
		return
	}
	if m.RxReady() {
		out[0] |= port.OutRxReady
		if ctl&port.InRxValid != 0 {
			port.UnpackRx(in, m.AcceptRx())
		}
	}
	if m.CntReady() {
		out[0] |= port.OutCntReady
		if ctl&port.InCntValid != 0 {
			port.UnpackCnt(in, m.AcceptCnt())
		}
	}
	if m.CfgReady() {
		out[0] |= port.OutCfgReady
		if ctl&port.InCfgValid != 0 {
			port.UnpackCfg(in, m.AcceptCfg())
		}
	}
	if x := m.Tx(); x != nil {
		port.PackTx(x, out)
		out[0] |= port.OutTxValid
		if ctl&port.InTxReady != 0 {
			m.TakeTx()
		}
	}
	if r := m.Cfgr(); r != nil {
		port.PackCfgr(r, out)
		out[0] |= port.OutCfgrValid
		if ctl&port.InCfgrReady != 0 {
			m.TakeCfgr()
		}
	}
	m.Tick()
}

// Spec returns the parameters the model was made with.
func (m *Model) Spec() Spec { return m.spec }

// Config returns the configuration as the events issued so far left it; for TIME see Table.
func (m *Model) Config() Config { return m.cfg }

// Counters returns the counters before the next cycle.
func (m *Model) Counters() Counters { return m.counters }

// Table returns the table before the next cycle. It is the model's own: what is done to it happens.
func (m *Model) Table() *Table { return m.table }

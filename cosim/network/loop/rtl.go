package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fields"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rtl is a context on the device.
type rtl struct {
	run     *closed
	cfg     registerFile
	profile uint8
	row     int              // in the device; -1: its state is in words
	words   [stateLen]uint64 // in the order of ccc.StateAt
	opened  bool
	ev      ccc.Event
	rsp     ccc.Response
}

// newRTL is a cc.Factory.
func (r *closed) newRTL(cfg cc.Config) (cc.Control, error) {
	regs, err := registers(cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	return &rtl{run: r, cfg: regs, row: -1}, nil
}

// Step implements cc.Control.
func (c *rtl) Step(ev *cc.Event) cc.Out {
	if c.run.err != nil {
		return cc.Out{}
	}
	if err := c.step(ev); err != nil {
		return c.run.fail(fmt.Errorf("%s: host %d context %d at %v: %w", RTL, ev.NIC, ev.CCC, ev.Time, err))
	}
	c.run.asked++
	return view(&c.rsp)
}

func (c *rtl) step(ev *cc.Event) (err error) {
	r := c.run
	if r.table == nil {
		if err = r.start(); err != nil {
			return err
		}
	}
	r.from = origin{NIC: ev.NIC, CCC: ev.CCC, Time: ev.Time}
	t := r.table
	if !c.opened {
		if c.profile, err = t.configure(&c.cfg); err != nil {
			return err
		}
	}
	if err := t.admit(c); err != nil {
		return err
	}
	if ev.Sample != 0 && fields.SampleEvent(ev.Time, ev.Sample, uint16(c.row), r.tickPs(), &c.ev) {
		if err := t.hw.do(&c.ev, &c.rsp); err != nil {
			return fmt.Errorf("sample: %w", err)
		}
	}
	if err := fields.CCCEvent(ev, uint16(c.row), r.tickPs(), &c.ev); err != nil {
		return err
	}
	c.ev.Profile = c.profile
	c.opened = true
	return t.hw.do(&c.ev, &c.rsp)
}

// Names of the congestion controls whose contexts are in hardware.
const (
	Fixed = "nscc-fixed"
	RTL   = "nscc-rtl"
)

// Rows returns the congestion controls of this package. Run makes the contexts of the first two; their New is nil.
func Rows() []cc.Row {
	reads := []string{"target.us", "qa_gate", "avg_without_sample"}
	return append([]cc.Row{
		{Name: Fixed, About: "NSCC in the fixed point of the hardware", Reads: reads, DestFlow: true},
		{Name: RTL, About: "NSCC on the Verilated RTL, one device for all contexts", Reads: reads, DestFlow: true},
	}, pacerRows()...)
}

// registerFile holds the registers of a profile by address.
type registerFile [ccc.NumRegs]uint64

// registers returns the register file of a context for a tick in nanoseconds.
func registers(cfg cc.Config, tickNs int) (registerFile, error) {
	g, err := exact.Constants(fields.ContextSI(cfg, fields.NSCC, tickNs))
	if err != nil {
		return registerFile{}, err
	}
	return fields.RegisterFile(&g), nil
}

// fixed is a context of the fixed-point model.
type fixed struct {
	run *closed
	cfg rtlccc.Config
	st  rtlccc.State
	ev  ccc.Event
	rsp ccc.Response
}

// oneProfile is a block of one context: each context of the model has its own registers.
var oneProfile = rtlccc.Spec{NumContexts: 1, NumPdcs: ccc.DefaultNumPdcs, NumProfiles: 1}

// newFixed is a cc.Factory.
func (r *closed) newFixed(cfg cc.Config) (cc.Control, error) {
	regs, err := registers(cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	f := &fixed{run: r, cfg: oneProfile.Config()}
	for a, v := range regs {
		f.cfg.Write(0, uint8(a), v)
	}
	return f, nil
}

// Step implements cc.Control.
func (f *fixed) Step(ev *cc.Event) cc.Out {
	if fields.SampleEvent(ev.Time, ev.Sample, 0, f.run.tickPs(), &f.ev) {
		rtlccc.Apply(&f.cfg, &f.st, &f.ev, &f.rsp)
	}
	if err := fields.CCCEvent(ev, 0, f.run.tickPs(), &f.ev); err != nil {
		return f.run.fail(fmt.Errorf("%s: %w", Fixed, err))
	}
	rtlccc.Apply(&f.cfg, &f.st, &f.ev, &f.rsp)
	return view(&f.rsp)
}

// view returns a response as the simulated host sees it.
func view(r *ccc.Response) cc.Out {
	out := cc.Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest}
	if r.Kind == ccc.KindAck || r.Kind == ccc.KindNack || r.Kind == ccc.KindLoss {
		out.Action = r.Action.String()
	}
	return out
}

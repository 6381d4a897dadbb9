package loop

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fields"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rtl is a context on the device.
type rtl struct {
	control
	run     *closed
	cfg     registerFile
	profile uint8
	row     int              // in the device; -1: its state is in words
	words   [stateLen]uint64 // in the order of ccc.StateAt
	opened  bool
	ev      ccc.Event
	rsp     ccc.Response
}

// newRTL makes a context of a control in hardware.
func (r *closed) newRTL(c control, cfg cc.Config) (cc.Control, error) {
	regs, err := registers(c.rule, cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	return &rtl{control: c, run: r, cfg: regs, row: -1}, nil
}

// Step implements cc.Control.
func (c *rtl) Step(ev *cc.Event) cc.Out {
	if c.run.err != nil {
		return cc.Out{}
	}
	if err := c.step(ev); err != nil {
		return c.run.fail(fmt.Errorf("%s: host %d context %d at %v: %w", c.name, ev.NIC, ev.CCC, ev.Time, err))
	}
	c.run.asked++
	return c.view(&c.rsp)
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

// Names of the congestion controls of this package: a rule of the simulator in the fixed point of the hardware, and on
// the Verilated RTL. With receiver credit the receiver's pacer is in hardware, too.
const (
	Fixed       = fields.NSCC + onModel
	RTL         = fields.NSCC + onRTL
	CreditFixed = fields.RCCC + onModel
	CreditRTL   = fields.RCCC + onRTL
	BothFixed   = fields.Both + onModel
	BothRTL     = fields.Both + onRTL
)

const onModel, onRTL = "-fixed", "-rtl"

// Pairs are the names in fixed point and on the RTL, by rule.
var Pairs = [][2]string{{Fixed, RTL}, {CreditFixed, CreditRTL}, {BothFixed, BothRTL}, {NICModel, NICRTL}}

// Rows returns the congestion controls of this package. Run makes their contexts; their New is nil.
func Rows() []cc.Row {
	reads := []string{"target.us", "qa_gate", "avg_without_sample"}
	return slices.Concat([]cc.Row{
		{Name: Fixed, About: "NSCC in the fixed point of the hardware", Reads: reads, DestFlow: true},
		{Name: RTL, About: "NSCC on the Verilated RTL, one device for all contexts", Reads: reads, DestFlow: true},
	}, creditRows(), nicRows())
}

// creditRows returns those with receiver credit, which differ from the row of their rule in the hardware alone.
func creditRows() (out []cc.Row) {
	for _, rule := range []string{fields.RCCC, fields.Both} {
		row, err := cc.Find(rule, cc.Rows())
		if err != nil {
			panic(err)
		}
		for _, x := range [][2]string{
			{onModel, rule + " with sender and receiver's pacer in the fixed point of the hardware"},
			{onRTL, rule + " on the Verilated RTL, one device for all senders and one for all pacers"},
		} {
			hw := *row
			hw.Name, hw.About, hw.New = rule+x[0], x[1], nil
			out = append(out, hw)
		}
	}
	return out
}

// ruleOf returns the rule of a control of this package, and whether it is on the RTL.
func ruleOf(name string) (rule string, rtl bool) {
	if rule, rtl = strings.CutSuffix(name, onRTL); !rtl {
		rule = strings.TrimSuffix(name, onModel)
	}
	return rule, rtl
}

// control is a control of this package, by its name and its rule.
type control struct{ name, rule string }

// factory returns the factory of a control of this package.
func (r *closed) factory(name string) cc.Factory {
	rule, rtl := ruleOf(name)
	return func(cfg cc.Config) (cc.Control, error) {
		if rtl {
			return r.newRTL(control{name, rule}, cfg)
		}
		return r.newFixed(control{name, rule}, cfg)
	}
}

// registerFile holds the registers of a profile by address.
type registerFile [ccc.NumRegs]uint64

// registers returns the register file of a context of a rule for a tick in nanoseconds.
func registers(rule string, cfg cc.Config, tickNs int) (registerFile, error) {
	g, err := exact.Constants(fields.ContextSI(cfg, rule, tickNs))
	if err != nil {
		return registerFile{}, err
	}
	return fields.RegisterFile(&g), nil
}

// fixed is a context of the fixed-point model.
type fixed struct {
	control
	run *closed
	cfg rtlccc.Config
	st  rtlccc.State
	ev  ccc.Event
	rsp ccc.Response
}

// oneProfile is a block of one context: each context of the model has its own registers.
var oneProfile = rtlccc.Spec{NumContexts: 1, NumPdcs: ccc.DefaultNumPdcs, NumProfiles: 1}

// newFixed makes a context of a control in fixed point.
func (r *closed) newFixed(c control, cfg cc.Config) (cc.Control, error) {
	regs, err := registers(c.rule, cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	f := &fixed{control: c, run: r, cfg: oneProfile.Config()}
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
		return f.run.fail(fmt.Errorf("%s: %w", f.name, err))
	}
	rtlccc.Apply(&f.cfg, &f.st, &f.ev, &f.rsp)
	return f.view(&f.rsp)
}

// view returns a response as the simulated host sees it.
func (c control) view(r *ccc.Response) cc.Out {
	out := cc.Out{Cwnd: int64(r.Cwnd), Inflight: int64(r.Inflight), CanSend: r.CanSend, AckReq: r.AckRequest,
		Target: r.Target}
	switch {
	case c.rule == fields.RCCC:
		out.Cwnd = cc.NoWindow // the block's own holds nothing back
	case r.Kind == ccc.KindAck || r.Kind == ccc.KindNack || r.Kind == ccc.KindLoss:
		out.Action = r.Action.String()
	}
	return out
}

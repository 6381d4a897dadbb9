package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rtl is a context on the device.
type rtl struct {
	run     *closed
	cfg     registerFile
	profile uint8
	row     int              // in the device; -1: its state is in words
	words   [stateLen]uint64 // with the last state word once for each slot
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

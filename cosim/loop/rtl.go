package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/units"
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

// newRTL implements fabric.CCFactory.
func (r *closed) newRTL(cfg fabric.CCConfig) (fabric.CC, error) {
	regs, err := registers(cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	return &rtl{run: r, cfg: regs, row: -1}, nil
}

// close ends the device, if it is running.
func (r *closed) close() {
	if r.dev != nil {
		r.dev.close()
	}
}

// Step implements fabric.CC.
func (c *rtl) Step(ev *fabric.TapEvent) fabric.CCOut {
	if c.run.err != nil {
		return fabric.CCOut{}
	}
	if err := c.step(ev); err != nil {
		return c.run.fail(fmt.Errorf("%s: host %d context %d at %v: %w", RTL, ev.NIC, ev.CCC, ev.Time, err))
	}
	return view(&c.rsp)
}

// Sample implements fabric.Sampler.
func (c *rtl) Sample(now, rtt fabric.Picos) {
	if c.run.err != nil || !units.SampleEvent(now, rtt, 0, c.run.tickPs(), &c.ev) {
		return
	}
	err := c.run.dev.admit(c) // the device exists, because the context has been opened
	if err == nil {
		c.ev.Ctx = uint16(c.row)
		err = c.run.dev.do(&c.ev, &c.rsp)
	}
	if err != nil {
		c.run.fail(fmt.Errorf("%s: sample at %v: %w", RTL, now, err))
	}
}

func (c *rtl) step(ev *fabric.TapEvent) (err error) {
	r := c.run
	if r.dev == nil {
		if r.dev, err = start(r.ctx, &r.Config); err != nil {
			return err
		}
	}
	d := r.dev
	if !c.opened {
		if c.profile, err = d.configure(&c.cfg); err != nil {
			return err
		}
	}
	if err := d.admit(c); err != nil {
		return err
	}
	if err := units.CCCEvent(ev, uint16(c.row), r.tickPs(), &c.ev); err != nil {
		return err
	}
	c.ev.Profile = c.profile
	c.opened = true
	return d.do(&c.ev, &c.rsp)
}

// admit gives a context a row: a free row or, if there is none, the row of the least recently used context, which is
// read out first.
func (d *device) admit(c *rtl) error {
	d.clock++
	if c.row >= 0 {
		d.used[c.row] = d.clock
		return nil
	}
	best := 0
	for i, who := range d.rows {
		if who == nil {
			best = i
			break
		}
		if d.used[i] < d.used[best] {
			best = i
		}
	}
	if old := d.rows[best]; old != nil {
		if err := d.readOut(old); err != nil {
			return fmt.Errorf("reading a context out: %w", err)
		}
	}
	c.row, d.rows[best], d.used[best] = best, c, d.clock
	if !c.opened {
		return nil // the first event opens it
	}
	if err := d.load(c); err != nil {
		return fmt.Errorf("loading a context: %w", err)
	}
	return nil
}

// stateLen is the number of state words of a context; the last one counts once per slot.
const stateLen = ccc.NumWords - 1 + ccc.DefaultNumPdcs

// at sets the address of a state word in an event.
func at(ev *ccc.Event, word int) {
	ev.Addr = uint8(min(word, ccc.NumWords-1))
	ev.PDC = uint8(max(word-(ccc.NumWords-1), 0))
}

func (d *device) readOut(c *rtl) error {
	var rsp ccc.Response
	for a := range c.words {
		ev := ccc.Event{Kind: ccc.KindRead, Ctx: uint16(c.row)}
		at(&ev, a)
		if err := d.do(&ev, &rsp); err != nil {
			return err
		}
		c.words[a] = rsp.Data
	}
	c.row = -1
	d.swaps++
	return nil
}

func (d *device) load(c *rtl) error {
	var rsp ccc.Response
	if err := d.do(&ccc.Event{Kind: ccc.KindOpen, Ctx: uint16(c.row), Profile: c.profile}, &rsp); err != nil {
		return err
	}
	for a, w := range c.words {
		ev := ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(c.row), Data: w}
		at(&ev, a)
		if err := d.do(&ev, &rsp); err != nil {
			return err
		}
	}
	return nil
}

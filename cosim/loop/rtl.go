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

// close ends the device, if it is running.
func (r *closed) close() {
	if r.dev != nil {
		r.dev.close()
	}
}

// Step implements cc.Control.
func (c *rtl) Step(ev *cc.Event) cc.Out {
	if c.run.err != nil {
		return cc.Out{}
	}
	if err := c.step(ev); err != nil {
		return c.run.fail(fmt.Errorf("%s: host %d context %d at %v: %w", RTL, ev.NIC, ev.CCC, ev.Time, err))
	}
	return view(&c.rsp)
}

func (c *rtl) step(ev *cc.Event) (err error) {
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
	if fields.SampleEvent(ev.Time, ev.Sample, uint16(c.row), r.tickPs(), &c.ev) {
		if err := d.do(&c.ev, &c.rsp); err != nil {
			return fmt.Errorf("sample: %w", err)
		}
	}
	if err := fields.CCCEvent(ev, uint16(c.row), r.tickPs(), &c.ev); err != nil {
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

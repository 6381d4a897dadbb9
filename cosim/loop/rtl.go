package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/gen"
)

// rtl is a context on the device.
type rtl struct {
	run    *closed
	cfg    rtlccc.Config
	row    int                  // in the device, -1: its state is in words
	words  [ccc.NumWords]uint64 //
	opened bool
	ev     ccc.Event
	rsp    ccc.Response
}

// newRTL is a fabric.CCFactory.
func (r *closed) newRTL(cfg fabric.CCConfig) (fabric.CC, error) {
	regs, err := registers(cfg, r.tickNs)
	if err != nil {
		return nil, err
	}
	return &rtl{run: r, cfg: regs, row: -1}, nil
}

// close ends the device, if there is one.
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

func (c *rtl) step(ev *fabric.TapEvent) error {
	r := c.run
	if r.dev == nil {
		d, err := start(r.ctx, &r.Config)
		if err != nil {
			return err
		}
		r.dev = d
	}
	d := r.dev
	if err := d.configure(&c.cfg); err != nil {
		return err
	}
	if err := d.admit(c); err != nil {
		return err
	}
	if err := gen.CCCEvent(ev, uint16(c.row), r.tickPs(), &c.ev); err != nil {
		return err
	}
	c.opened = true
	return d.do(&c.ev, &c.rsp)
}

// admit gives a context a row: a free one, else that of the context whose last
// event is the longest ago, which is read out first.
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
		return nil // its first event opens it
	}
	if err := d.load(c); err != nil {
		return fmt.Errorf("loading a context: %w", err)
	}
	return nil
}

func (d *device) readOut(c *rtl) error {
	var rsp ccc.Response
	for a := range c.words {
		if err := d.do(&ccc.Event{Kind: ccc.KindRead, Ctx: uint16(c.row), Addr: uint8(a)}, &rsp); err != nil {
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
	if err := d.do(&ccc.Event{Kind: ccc.KindOpen, Ctx: uint16(c.row)}, &rsp); err != nil {
		return err
	}
	for a, w := range c.words {
		if err := d.do(&ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(c.row), Addr: uint8(a), Data: w}, &rsp); err != nil {
			return err
		}
	}
	return nil
}

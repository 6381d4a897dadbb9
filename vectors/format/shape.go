package format

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
)

// shape is the set of bits that a record of a file may have.
type shape struct {
	layout        *event.Layout
	in, out       int // words
	rstN          uint64
	inCtl, outCtl uint64 // control bits that may be set
	ins, outs     []event.Port
	perCycle      bool
}

func newShape(b *event.Block, per string) *shape {
	l := event.NewLayout(b)
	s := &shape{layout: l, in: l.In.Words, out: l.Out.Words, rstN: l.Reset(), perCycle: per == PerCycle,
		ins: l.Inputs(), outs: l.Outputs()}
	if s.perCycle {
		s.inCtl, s.outCtl = l.In.ControlMask(), l.Out.ControlMask()
		return s
	}
	s.inCtl = s.rstN
	for i := range s.ins {
		s.inCtl |= s.ins[i].Valid
	}
	for i := range s.outs {
		s.outCtl |= s.outs[i].Valid
	}
	return s
}

// allow sets, word for word, the bits that a record with that word 0 may have.
func allow(dst []uint64, word0, ctl uint64, ports []event.Port) {
	clear(dst)
	dst[0] = ctl
	for i := range ports {
		p := &ports[i]
		for w := p.From; word0&p.Valid != 0 && w < p.To; w++ {
			dst[w] |= p.Mask[w]
		}
	}
}

// stray returns an error when a record has bits that its form does not allow.
func (s *shape) stray(in, out, scratch []uint64) error {
	side := func(what string, record, a []uint64, ctl uint64, ports []event.Port) error {
		allow(a, record[0], ctl, ports)
		for w, m := range a {
			if x := record[w] &^ m; x != 0 {
				return fmt.Errorf("bits %x of %s word %d have no meaning here", x, what, w)
			}
		}
		return nil
	}
	if err := side("input", in, scratch[:s.in], s.inCtl, s.ins); err != nil {
		return err
	}
	return side("output", out, scratch[:s.out], s.outCtl, s.outs)
}

// counter adds up totals record by record.
type counter struct {
	s         *shape
	records   uint64
	frames    uint64
	episodes  uint64
	resets    uint64
	low       bool // rst_n in the record before, per cycle
	transfers []uint64
}

func newCounter(s *shape) counter {
	return counter{s: s, transfers: make([]uint64, len(s.ins)+len(s.outs))}
}

func (c *counter) add(in, out uint64) {
	s := c.s
	c.records++
	low := in&s.rstN == 0
	if low && !c.low {
		c.resets++
	}
	c.low = low && s.perCycle
	if c.low {
		return // nothing is transferred during reset
	}
	for i := range s.ins {
		x := &s.ins[i]
		if in&x.Valid != 0 && (!s.perCycle || out&x.Ready != 0) {
			c.transfers[i]++
		}
	}
	for i := range s.outs {
		x := &s.outs[i]
		if out&x.Valid != 0 && (!s.perCycle || in&x.Ready != 0) {
			c.transfers[len(s.ins)+i]++
		}
	}
}

func (c *counter) totals(digest string) Totals {
	t := Totals{Records: c.records, Frames: c.frames, Episodes: c.episodes, Resets: c.resets,
		Transfers: map[string]uint64{}, Digest: digest}
	for i := range c.s.ins {
		t.Transfers[c.s.ins[i].Name] = c.transfers[i]
	}
	for i := range c.s.outs {
		t.Transfers[c.s.outs[i].Name] = c.transfers[len(c.s.ins)+i]
	}
	return t
}

package format

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event"
)

// lane is the bits of one stream in the records.
type lane struct {
	name         string
	valid, ready uint64   // masks in word 0; the ready bit lies in the other record
	words        []int    // words that carry its fields
	masks        []uint64 // and the bits in each
}

// shape is the set of bits that a record of a file may have.
type shape struct {
	layout        *event.Layout
	in, out       int // words
	rstN          uint64
	inCtl, outCtl uint64 // control bits that may be set
	ins, outs     []lane
	perCycle      bool
}

func newShape(b *event.Block, per string) *shape {
	l := event.NewLayout(b)
	s := &shape{layout: l, in: l.In.Words, out: l.Out.Words, rstN: l.In.Control("rst_n"), perCycle: per == PerCycle}
	s.inCtl, s.outCtl = s.rstN, 0
	if s.perCycle {
		s.inCtl, s.outCtl = l.In.ControlMask(), l.Out.ControlMask()
	}
	for _, st := range b.StreamsOf(event.In) {
		s.ins = append(s.ins, newLane(&l.In, &l.Out, st.Name))
		s.inCtl |= l.In.Control(st.Name + "_valid")
	}
	for _, st := range b.StreamsOf(event.Out) {
		s.outs = append(s.outs, newLane(&l.Out, &l.In, st.Name))
		s.outCtl |= l.Out.Control(st.Name + "_valid")
	}
	return s
}

func newLane(own, other *event.Record, name string) lane {
	x := lane{name: name, valid: own.Control(name + "_valid"), ready: other.Control(name + "_ready")}
	for w, m := range own.StreamMask(name) {
		if m != 0 {
			x.words, x.masks = append(x.words, w), append(x.masks, m)
		}
	}
	return x
}

// allow sets, word for word, the bits that a record with that word 0 may have.
func allow(dst []uint64, word0, ctl uint64, lanes []lane) {
	clear(dst)
	dst[0] = ctl
	for i := range lanes {
		x := &lanes[i]
		if word0&x.valid == 0 {
			continue
		}
		for j, w := range x.words {
			dst[w] |= x.masks[j]
		}
	}
}

// stray returns an error when a record has bits that its form does not allow.
func (s *shape) stray(in, out, scratch []uint64) error {
	a := scratch[:s.in]
	allow(a, in[0], s.inCtl, s.ins)
	for w, m := range a {
		if x := in[w] &^ m; x != 0 {
			return fmt.Errorf("bits %x of input word %d have no meaning here", x, w)
		}
	}
	a = scratch[:s.out]
	allow(a, out[0], s.outCtl, s.outs)
	for w, m := range a {
		if x := out[w] &^ m; x != 0 {
			return fmt.Errorf("bits %x of output word %d have no meaning here", x, w)
		}
	}
	return nil
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
		if in&x.valid != 0 && (!s.perCycle || out&x.ready != 0) {
			c.transfers[i]++
		}
	}
	for i := range s.outs {
		x := &s.outs[i]
		if out&x.valid != 0 && (!s.perCycle || in&x.ready != 0) {
			c.transfers[len(s.ins)+i]++
		}
	}
}

func (c *counter) totals(digest string) Totals {
	t := Totals{Records: c.records, Frames: c.frames, Episodes: c.episodes, Resets: c.resets,
		Transfers: map[string]uint64{}, Digest: digest}
	for i := range c.s.ins {
		t.Transfers[c.s.ins[i].name] = c.transfers[i]
	}
	for i := range c.s.outs {
		t.Transfers[c.s.outs[i].name] = c.transfers[len(c.s.ins)+i]
	}
	return t
}

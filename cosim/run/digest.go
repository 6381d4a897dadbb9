package run

import (
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// digester takes the digest of the twin's outputs the way the device takes that of its own: over the
// words under the compare rule. The two must meet, which a compare that skips something would not survive.
type digester struct {
	layout *event.Layout
	cycles uint64
	sum    wire.Digest

	valid []uint64   // control bit of each output stream
	masks [][]uint64 // and the bits of its fields
	words []uint64
}

// add takes the outputs of one cycle.
func (d *digester) add(out []uint64) {
	if d.words == nil {
		d.prepare()
	}
	d.cycles++
	clear(d.words)
	d.words[0] = out[0] & d.layout.Out.ControlMask()
	for i, v := range d.valid {
		if out[0]&v == 0 {
			continue
		}
		for w, m := range d.masks[i] {
			d.words[w] |= out[w] & m
		}
	}
	d.sum = d.sum.Add(d.words)
}

func (d *digester) prepare() {
	r := &d.layout.Out
	d.words = make([]uint64, r.Words)
	seen := map[string]bool{}
	for i := range r.Slots {
		name := r.Slots[i].Stream
		if seen[name] {
			continue
		}
		seen[name] = true
		d.valid = append(d.valid, r.Control(name+"_valid"))
		d.masks = append(d.masks, r.StreamMask(name))
	}
}

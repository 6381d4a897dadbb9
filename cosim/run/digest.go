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

	control uint64     // control bits of an output record
	valid   []uint64   // of each output stream: its control bit,
	from    []int      // the first word that holds fields of it,
	masks   [][]uint64 // and their bits in that word and those behind
	words   []uint64
}

// add takes the outputs of one cycle.
func (d *digester) add(out []uint64) {
	if d.words == nil {
		d.prepare()
	}
	d.cycles++
	clear(d.words)
	d.words[0] = out[0] & d.control
	for i, v := range d.valid {
		if out[0]&v == 0 {
			continue
		}
		from, masks := d.from[i], d.masks[i]
		to, in := d.words[from:from+len(masks)], out[from:from+len(masks)]
		for w, m := range masks {
			to[w] |= in[w] & m
		}
	}
	d.sum = d.sum.Add(d.words)
}

func (d *digester) prepare() {
	r := &d.layout.Out
	d.words, d.control = make([]uint64, r.Words), r.ControlMask()
	seen := map[string]bool{}
	for i := range r.Slots {
		name := r.Slots[i].Stream
		if seen[name] {
			continue
		}
		seen[name] = true
		d.valid = append(d.valid, r.Control(name+"_valid"))
		mask := r.StreamMask(name)
		from, to := 0, len(mask)
		for mask[from] == 0 {
			from++
		}
		for mask[to-1] == 0 {
			to--
		}
		d.from, d.masks = append(d.from, from), append(d.masks, mask[from:to])
	}
}

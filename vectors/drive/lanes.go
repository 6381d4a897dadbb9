package drive

import (
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// lateCycles is for how long nothing must have been accepted, after the last item of an episode whose streams
// take their items by themselves, before streams without an item offer further ones.
const lateCycles = 256

// quietCycles is how long a block is watched after its last input before it counts as done, if it does not give one
// output for each input. It is more than any block needs from an input to the first output.
const quietCycles = 80

// lane is one input stream of the driver.
type lane struct {
	valid, ready uint64     // control bits, of input and of output records
	mask         []uint64   // bits of its fields
	from, to     int        // words that hold them
	whole        [2]int     // words from, to that hold nothing else
	at           int        // number of its oldest item not accepted; -1: none known
	item         *stim.Item // that item
	shown        bool       // valid has been high for that item, so it must stay
	met          bool       // it waits for no other lane any more
	gap          int        // cycles to wait before it is offered
	closed       bool       // gate state
	relief       *stim.Item // offered in place of the item, nil: none
}

func newLane(valid, ready uint64, mask []uint64) lane {
	l := lane{valid: valid, ready: ready, mask: mask, from: len(mask)}
	for w, m := range mask {
		if m == 0 {
			continue
		}
		l.from, l.to = min(l.from, w), w+1
		switch {
		case m != ^uint64(0):
		case l.whole[1] == w && w > 0:
			l.whole[1] = w + 1
		case l.whole[1] == 0:
			l.whole = [2]int{w, w + 1}
		}
	}
	return l
}

// put writes the lane's fields of a packed item into an input record.
func (l *lane) put(in, words []uint64) {
	for w := l.from; w < l.whole[0]; w++ {
		m := l.mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
	w := l.from
	if l.whole[1] > 0 {
		copy(in[l.whole[0]:l.whole[1]], words[l.whole[0]:l.whole[1]])
		w = l.whole[1]
	}
	for ; w < l.to; w++ {
		m := l.mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
}

// outlet is one output stream of the driver.
type outlet struct {
	ready, valid uint64 // control bits, of input and of output records
	closed       bool
}

// lanesOf returns the input and output streams of a block.
func lanesOf(l *event.Layout) (ins []lane, outs []outlet) {
	for _, p := range l.Inputs() {
		ins = append(ins, newLane(p.Valid, p.Ready, p.Mask))
	}
	for _, p := range l.Outputs() {
		outs = append(outs, outlet{ready: p.Ready, valid: p.Valid})
	}
	return ins, outs
}

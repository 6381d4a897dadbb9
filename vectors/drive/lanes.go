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
	event.Port
	whole  [2]int     // words from, to that hold nothing else
	at     int        // number of its oldest item not accepted; -1: none known
	item   *stim.Item // that item
	shown  bool       // valid has been high for that item, so it must stay
	met    bool       // it waits for no other lane any more
	gap    int        // cycles to wait before it is offered
	closed bool       // gate state
	relief *stim.Item // offered in place of the item, nil: none
}

func newLane(p event.Port) lane {
	l := lane{Port: p}
	for w := p.From; w < p.To; w++ {
		switch {
		case p.Mask[w] != ^uint64(0):
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
	for w := l.From; w < l.whole[0]; w++ {
		m := l.Mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
	w := l.From
	if l.whole[1] > 0 {
		copy(in[l.whole[0]:l.whole[1]], words[l.whole[0]:l.whole[1]])
		w = l.whole[1]
	}
	for ; w < l.To; w++ {
		m := l.Mask[w]
		in[w] = in[w]&^m | words[w]&m
	}
}

// outlet is one output stream of the driver.
type outlet struct {
	event.Port
	closed bool
}

// lanesOf returns the input and output streams of a block.
func lanesOf(l *event.Layout) (ins []lane, outs []outlet) {
	for _, p := range l.Inputs() {
		ins = append(ins, newLane(p))
	}
	for _, p := range l.Outputs() {
		outs = append(outs, outlet{Port: p})
	}
	return ins, outs
}

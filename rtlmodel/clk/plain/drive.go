package plain

import "math/rand/v2"

// Driver draws the control signals of a run: phases of different pressure on both streams, valids that are held, and
// resets in the middle of a stream and of a sweep.
type Driver[E any] struct {
	Rng  *rand.Rand
	Next func(*rand.Rand) E // draws an event

	left            int // cycles left in this phase
	valid, ready    int // percent
	reset           int // cycles of reset left
	held            bool
	ev              E
	Resets, Offered int
}

// Cycle returns the inputs of the next cycle. ready is ev_ready of the previous cycle: whether the event offered then
// was accepted.
func (d *Driver[E]) Cycle(ready bool) In[E] {
	if d.held && ready {
		d.held = false
	}
	if d.left == 0 {
		d.left = 1 + d.Rng.IntN(300)
		d.valid = []int{0, 5, 50, 95, 100, 100}[d.Rng.IntN(6)]
		d.ready = []int{0, 5, 50, 95, 100, 100}[d.Rng.IntN(6)]
		if d.Rng.IntN(8) == 0 {
			d.reset = 1 + d.Rng.IntN(3)
			d.Resets++
			if d.Rng.IntN(2) == 0 {
				d.left = 1 + d.Rng.IntN(20) // the next phase may begin with another reset, during the sweep
			}
		}
	}
	d.left--
	if d.reset > 0 {
		d.reset--
		d.held = false // a reset may withdraw an offer
		return In[E]{EvValid: d.Rng.IntN(2) == 0, RspReady: d.Rng.IntN(2) == 0, Ev: d.Next(d.Rng)}
	}
	if !d.held && d.Rng.IntN(100) < d.valid {
		d.held, d.ev = true, d.Next(d.Rng)
		d.Offered++
	}
	return In[E]{RstN: true, EvValid: d.held, Ev: d.ev, RspReady: d.Rng.IntN(100) < d.ready}
}

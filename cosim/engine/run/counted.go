package run

import (
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
)

// tally counts the comparisons that agreed in failing episodes: the transfers before the differing cycle.
type tally struct {
	play.Still
	of    *play.Player
	until uint64 // differing cycle of the episode
	on    bool   // in a failing episode
	given report.Compared
}

// Cycle counts the transfers of a cycle.
func (t *tally) Cycle(n uint64, in, out []uint64) {
	if !t.on || n-t.of.First >= t.until || in[0]&t.of.RstN == 0 {
		return
	}
	for i := range t.of.Outs {
		if o := &t.of.Outs[i]; out[0]&o.Valid != 0 && in[0]&o.Ready != 0 {
			t.given.Add(o.Compared(out))
		}
	}
}

// differing returns the number of comparisons in the differing cycle: everything that either side shows there, taken or
// not. A response that the model does not give has no fields to compare with.
func (e *lockstep) differing(f *failure) (c report.Compared) {
	if f.out.RTL != nil || f.out.Mismatch == nil {
		return c // an assertion stopped the design
	}
	w, words := f.out.Mismatch, e.play.OutWords
	n := int(w.Cycle-w.From) * words
	want, got := w.Want[n:n+words], w.Got[n:n+words]
	for i := range e.play.Outs {
		switch o := &e.play.Outs[i]; {
		case want[0]&o.Valid != 0:
			c.Add(o.Compared(want))
		case got[0]&o.Valid != 0 && o.Ends(got):
			c.Responses++
		}
	}
	return c
}

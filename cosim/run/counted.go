package run

import "github.com/goldwire/goldwire/cosim/report"

// tally counts what was compared and agreed in the episodes that fail: the transfers before the cycle that differs.
type tally struct {
	still
	of    *player
	until uint64 // cycle of the episode that differs
	on    bool   // in an episode that fails
	given report.Compared
}

func (t *tally) cycle(n uint64, in, out []uint64) {
	if !t.on || n-t.of.first >= t.until || in[0]&t.of.rstN == 0 {
		return
	}
	for i := range t.of.outs {
		if o := &t.of.outs[i]; out[0]&o.valid != 0 && in[0]&o.ready != 0 {
			t.given.Add(o.compared(out))
		}
	}
}

// compared returns what a transfer of an output stream counts as.
func (p *port) compared(out []uint64) report.Compared {
	c := report.Compared{Fields: p.fields}
	if p.ends(out) {
		c.Responses = 1
	}
	return c
}

// differing returns what was compared in the cycle that differs: what either side shows there, taken or not. Of a
// response that the model does not give there are no fields to compare with.
func (e *engine) differing(f *failure) (c report.Compared) {
	if f.out.rtl != nil || f.out.Mismatch == nil {
		return c // an assertion stopped the design
	}
	w, words := f.out.Mismatch, e.play.outWords
	n := int(w.Cycle-w.From) * words
	want, got := w.Want[n:n+words], w.Got[n:n+words]
	for i := range e.play.outs {
		switch o := &e.play.outs[i]; {
		case want[0]&o.valid != 0:
			c.Add(o.compared(want))
		case got[0]&o.valid != 0 && o.ends(got):
			c.Responses++
		}
	}
	return c
}

// Package casefiletest checks directed cases in tests: that the functional model of a block gives what they demand.
package casefiletest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// Hold plays every case on the functional model, which newApplier returns on packed words, and compares what the
// contract says, as the case states it, with what the model does.
func Hold(t *testing.T, b *event.Block, cases []casefile.Case,
	place func(c *casefile.Case, params map[string]int) []casefile.Placed,
	newApplier func(o *stim.Options) func(in, out []uint64)) {
	require.NotEmpty(t, cases)
	lay := event.NewLayout(b)
	data := lay.Out.Slot("rsp", "data")
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			checks := 0
			o, err := stim.Options{Seed: 1, Params: c.Params}.Filled(b)
			require.NoError(t, err)
			apply := newApplier(&o)
			out := make([]uint64, lay.Out.Words)
			for i, p := range place(&c, o.Params) {
				apply(p.Words, out)
				for _, w := range p.Want {
					checks++
					if got := w.Get(out); got != w.Value {
						f := b.Stream("rsp").Field(w.Name)
						t.Errorf("%s, event %d: %s: want %s, got %s", p.At, i, w.Name, b.Format(f, w.Value),
							b.Format(f, got))
					}
				}
				for _, w := range p.Read {
					checks++
					if got := w.Get([]uint64{data.Get(out)}); got != w.Value {
						t.Errorf("at the end, event %d: state %s: want %d, got %d", i, w.Name, w.Value, got)
					}
				}
			}
			require.NotZero(t, checks, "the case expects nothing")
		})
	}
}

package txstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
)

// newApplier returns the functional model of txstate on packed words.
func newApplier(o *stim.Options) func(in, out []uint64) {
	cfg := model.DefaultConfig()
	n, depth := o.Params["NumPdcs"], o.Params["Depth"]
	st := make([]model.State, n*depth)
	return func(in, out []uint64) {
		var ev txstate.Event
		var rsp txstate.Response
		txstate.UnpackEvent(in, &ev)
		var s *model.State
		if int(ev.PDC) < n {
			s = &st[int(ev.PDC)*depth+int(ev.PSN)%depth]
		}
		model.Apply(&cfg, s, &ev, &rsp)
		txstate.PackResponse(&rsp, out)
	}
}

// TestDirectedCasesHold plays every case on the functional model and compares what the contract says, as the case
// states it, with what the model does.
func TestDirectedCasesHold(t *testing.T) {
	b := txstate.Schema()
	lay := event.NewLayout(b)
	data := lay.Out.Slot("rsp", "data")
	for _, c := range text() {
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

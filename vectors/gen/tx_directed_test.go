package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// newApplier returns the functional model of txstate on packed words.
func newTxApplier(o *Options) func(in, out []uint64) {
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

// TestTxDirectedCasesHold plays every case on the functional model and compares what the contract says, as the case states
// it, with what the model does.
func TestTxDirectedCasesHold(t *testing.T) {
	b := txstate.Schema()
	lay := event.NewLayout(b)
	data := lay.Out.Slot("rsp", "data")
	for _, c := range txText() {
		t.Run(c.name, func(t *testing.T) {
			checks := 0
			o, err := Options{Seed: 1, Params: c.params}.Filled(b)
			require.NoError(t, err)
			apply := newTxApplier(&o)
			out := make([]uint64, lay.Out.Words)
			for i, p := range placeTx(&c, o.Params) {
				apply(p.words, out)
				for _, w := range p.want {
					checks++
					if got := w.get(out); got != w.value {
						f := b.Stream("rsp").Field(w.name)
						t.Errorf("%s, event %d: %s: want %s, got %s", p.at, i, w.name, b.Format(f, w.value), b.Format(f, got))
					}
				}
				for _, w := range p.read {
					checks++
					if got := w.get([]uint64{data.Get(out)}); got != w.value {
						t.Errorf("at the end, event %d: state %s: want %d, got %d", i, w.name, w.value, got)
					}
				}
			}
			require.NotZero(t, checks, "the case expects nothing")
		})
	}
}

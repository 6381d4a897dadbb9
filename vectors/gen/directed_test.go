package gen

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	cccmodel "github.com/goldwire/goldwire/rtlmodel/ccc"
	txmodel "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// applier is the functional model of a block on packed words.
type applier func(in, out []uint64)

func newApplier(t *testing.T, block string, o *Options) applier {
	t.Helper()
	if block == ccc.BlockName {
		spec := cccmodel.Spec{NumContexts: o.Params["NumContexts"], NumPdcs: o.Params["NumPdcs"], NumProfiles: o.Params["NumProfiles"]}
		cfg := spec.Config()
		st := make([]cccmodel.State, spec.NumContexts)
		return func(in, out []uint64) {
			var ev ccc.Event
			var rsp ccc.Response
			ccc.UnpackEvent(in, &ev)
			var s *cccmodel.State
			if int(ev.Ctx) < len(st) {
				s = &st[ev.Ctx]
			}
			cccmodel.Apply(&cfg, s, &ev, &rsp)
			ccc.PackResponse(&rsp, out)
		}
	}
	cfg := txmodel.DefaultConfig()
	n, depth := o.Params["NumPdcs"], o.Params["Depth"]
	st := make([]txmodel.State, n*depth)
	return func(in, out []uint64) {
		var ev txstate.Event
		var rsp txstate.Response
		txstate.UnpackEvent(in, &ev)
		var s *txmodel.State
		if int(ev.PDC) < n {
			s = &st[int(ev.PDC)*depth+int(ev.PSN)%depth]
		}
		txmodel.Apply(&cfg, s, &ev, &rsp)
		txstate.PackResponse(&rsp, out)
	}
}

func schemaOf(block string) *event.Block {
	if block == ccc.BlockName {
		return ccc.Schema()
	}
	return txstate.Schema()
}

// TestDirectedCasesHold plays every case on the functional model and compares
// what the contract says, as the case states it, with what the model does.
func TestDirectedCasesHold(t *testing.T) {
	for _, block := range streamBlocks {
		b := schemaOf(block)
		lay := event.NewLayout(b)
		data := lay.Out.Slot("rsp", "data")
		text, place := cccText, placeCCC
		if block == txstate.BlockName {
			text, place = txText, placeTx
		}
		for _, c := range text() {
			t.Run(block+"/"+c.name, func(t *testing.T) {
				checks := 0
				o, err := Options{Seed: 1, Params: c.params}.Filled(b)
				require.NoError(t, err)
				apply := newApplier(t, block, &o)
				out := make([]uint64, lay.Out.Words)
				for i, p := range place(&c, o.Params) {
					apply(p.words, out)
					for _, w := range p.want {
						checks++
						if got := w.get(out); got != w.value {
							t.Errorf("%s, event %d: %s: want %s, got %s", p.at, i, w.name, show(b, w.name, w.value), show(b, w.name, got))
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
}

func show(b *event.Block, name string, v uint64) string {
	if f := b.Stream("rsp").Field(name); f != nil {
		return b.Format(f, v)
	}
	return fmt.Sprint(v)
}

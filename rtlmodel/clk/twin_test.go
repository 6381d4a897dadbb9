package clk_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/clk/plain"
)

// TestStreamMatchesTwins compares Stream with the plain and the structural implementation, cycle by cycle.
func TestStreamMatchesTwins(t *testing.T) {
	type ev struct {
		key   uint32
		class clk.Class
		id    uint32
	}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		timing := clk.Timing{
			Latency: clk.Cycle(2 + rng.IntN(40)),
			Stall:   clk.Cycle(1 + rng.IntN(40)),
			InDepth: 2,
			Credits: 1 << rng.IntN(7),
			Sweep:   rng.IntN(40),
		}
		keys := 1 + rng.IntN(40)
		id := uint32(0)
		drive := plain.Driver[ev]{Rng: rng, Next: func(r *rand.Rand) ev {
			id++
			e := ev{uint32(r.IntN(keys)), clk.Keyed, id}
			if r.IntN(12) == 0 {
				e.class = clk.Class(r.IntN(3))
			}
			return e
		}}
		slow := plain.Block[ev, uint32]{
			Timing:  timing,
			Order:   func(e ev) (uint32, clk.Class) { return e.key, e.class },
			Apply:   func(e ev) uint32 { return e.id },
			OnReset: func() {},
		}
		var fast clk.Stream[uint32, uint32]
		fast.Init(timing)
		hw := clk.NewStructural(timing)

		ready, responses := false, 0
		for c := range 4000 {
			in := drive.Cycle(ready)
			want := slow.Cycle(in)
			hwReady, hwValid, hwID := hw.Cycle(in.RstN, in.EvValid, in.RspReady, in.Ev.key, in.Ev.class, in.Ev.id)
			require.Equal(t, want, plain.Out[uint32]{EvReady: hwReady, RspValid: hwValid, Rsp: hwID},
				"structural: seed %d cycle %d %+v", seed, c, timing)

			var got plain.Out[uint32]
			if !in.RstN {
				fast.TickReset()
			} else {
				got.EvReady, got.RspValid = fast.Ready(), fast.Valid()
				if got.RspValid {
					got.Rsp = *fast.Response()
				}
				if e, rsp, ok := fast.Issue(); ok {
					*rsp = *e
				}
				if in.EvValid && got.EvReady {
					*fast.Accept() = clk.Entry[uint32]{Key: in.Ev.key, Class: in.Ev.class, Payload: in.Ev.id}
				}
				if in.RspReady && got.RspValid {
					fast.Take()
					responses++
				}
				fast.Tick()
			}
			require.Equal(t, want, got, "seed %d cycle %d %+v", seed, c, timing)
			ready = got.EvReady
		}
		require.NotZero(t, responses, "seed %d gave no response", seed)
	}
}

package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// BenchmarkLockstep is everything that a run does in Go per cycle: driver, model, digest, handshakes, coverage and the
// judge of frames. `make pgo` takes its profile.
func BenchmarkLockstep(b *testing.B) {
	for _, name := range block.Blocks() {
		b.Run(name, func(b *testing.B) {
			kind, err := block.Lookup(name)
			require.NoError(b, err)
			params, err := (&Config{Block: name, Source: "fabric:permutation"}).Values()
			require.NoError(b, err)
			src, err := kind.Stimulus.Open("fabric:permutation", stim.Options{Seed: 1, Events: 10_000, Params: params})
			require.NoError(b, err)
			defer src.Close()
			l := event.NewLayout(kind.Schema)
			played := func(ep *stim.Episode, watched bool) *play.Player {
				model, err := play.NewModel(kind, params)
				require.NoError(b, err)
				p := play.New(kind.Schema, l, model)
				if watched {
					all, err := watch.New(watch.Spec{Block: kind.Schema, Layout: l, Params: params})
					require.NoError(b, err)
					all.Watch(p)
				}
				in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
				for p.Begin(ep); p.More(in); {
					p.Cycle(in, out)
					p.Digest(out)
				}
				require.NoError(b, p.Broken())
				return p
			}
			ep, ok := src.Next()
			require.True(b, ok)
			rec := play.NewRecording(ep)
			cycles := played(ep, false).Cycles
			for b.Loop() {
				require.Equal(b, cycles, played(rec.Episode(name), true).Cycles)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(uint64(b.N)*cycles), "ns/cycle")
		})
	}
}

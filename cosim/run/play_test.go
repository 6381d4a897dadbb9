package run

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/score"
)

// BenchmarkLockstep is all that a run does in Go for a cycle: driver, twin, digest, handshakes, coverage and the judge
// of frames. `make pgo` takes its profile.
func BenchmarkLockstep(b *testing.B) {
	for _, block := range cover.Blocks() {
		b.Run(block, func(b *testing.B) {
			x := &benchmark{BenchConfig: BenchConfig{Block: block, Source: "fabric:permutation", Seed: 1, Events: 10_000},
				samples: map[string][]float64{}}
			require.NoError(b, x.prepare(context.Background()))
			require.Len(b, x.recs, 1)
			e := &engine{cfg: Config{Block: block, FloatOff: true}, params: x.params, kind: x.kind,
				judge: score.NewJudge(x.kind.Schema)}
			for b.Loop() {
				watch, err := newWatchers(e)
				require.NoError(b, err)
				p, err := x.player(watch.observers()...)
				require.NoError(b, err)
				p.begin(x.recs[0].episode(block))
				in, out := make([]uint64, p.inWords), make([]uint64, p.outWords)
				for p.more(in) {
					p.cycle(in, out)
					p.sum = p.rule.Digest(p.sum, out)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*x.cycles), "ns/cycle")
		})
	}
}

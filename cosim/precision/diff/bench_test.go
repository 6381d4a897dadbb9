package diff

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkMeasure measures on recorded events.
func BenchmarkMeasure(b *testing.B) {
	ctx := context.Background()
	rec, err := Record(ctx, Spec{Source: "fabric:incast32", Seed: 1, Events: 100_000})
	if err != nil {
		b.Fatal(err)
	}
	for _, spec := range []Spec{{Modes: []Mode{Step}, Against: Float64}, {Modes: []Mode{Step}, NoCauses: true},
		{Modes: []Mode{Step}}, {Modes: []Mode{Free}}} {
		b.Run(fmt.Sprintf("%s/%s/causes=%v", spec.Modes[0], spec.Against, !spec.NoCauses), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rec.Replay(ctx, spec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(rec.Len())/b.Elapsed().Seconds(), "events/s")
		})
	}
}

package fabric

import (
	"context"
	"testing"
)

// BenchmarkRun reports packet-hops (packets that come to a switch queue) per
// second of wall time for each preset.
func BenchmarkRun(b *testing.B) {
	for _, name := range PresetNames() {
		b.Run(name, func(b *testing.B) {
			spec := Presets()[name]
			hops := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				r, err := Run(context.Background(), spec)
				if err != nil {
					b.Fatal(err)
				}
				hops += r.Counters.PktHops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "pkthops/s")
		})
	}
}

package fabric

import (
	"context"
	"testing"

	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// BenchmarkRun reports packet-hops (packets that come to a switch queue) per
// second of wall time and the peak resident memory of the process, for presets
// of growing size: run one at a time, as the peak is that of the process.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{
		"stimulus/incast32", "stimulus/permutation", "fattree128/permutation", "htsim/permutation-400g",
		"fattree1024/permutation", "fattree8192/permutation",
	} {
		b.Run(name, func(b *testing.B) {
			p, err := presets.Lookup(name)
			if err != nil {
				b.Fatal(err)
			}
			if testing.Short() && p.Spec.Hosts() > 1024 {
				b.Skip("large")
			}
			hops := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				r, err := Run(context.Background(), p.Spec)
				if err != nil {
					b.Fatal(err)
				}
				hops += r.Counters.PktHops
			}
			b.ReportMetric(float64(hops)/b.Elapsed().Seconds(), "pkthops/s")
			b.ReportMetric(result.PeakRSSMB(), "rss_mb")
		})
	}
}

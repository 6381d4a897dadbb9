package client

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkReplay reports cycles per second of each transport and the ratio to a native replay of the same
// vectors in the same process, measured right before.
func BenchmarkReplay(b *testing.B) {
	const n = 400_000
	in, want := traffic(30, n)
	file := filepath.Join(b.TempDir(), "v.bin")
	for _, tr := range []Transport{Unix, TCP, Shm} {
		b.Run(string(tr), func(b *testing.B) {
			s := open(b, func(o *Options) { o.Transport = tr })
			require.NoError(b, WriteVectors(file, s.bin, in, want))
			native, err := s.Bench(file, 5)
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, s.Restart(1))
				require.NoError(b, s.Replay(in, want))
				res, err := s.Finish()
				require.NoError(b, err)
				require.Nil(b, res.Mismatch)
			}
			speed := float64(n) * float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(speed, "cycles/s")
			b.ReportMetric(speed/native.CyclesPerSecond(), "of-native")
		})
	}
}

// BenchmarkStep reports the time of one cycle per call.
func BenchmarkStep(b *testing.B) {
	in, want := traffic(31, 1000)
	file := filepath.Join(b.TempDir(), "v.bin")
	for _, tr := range []Transport{Unix, TCP, Shm} {
		b.Run(string(tr), func(b *testing.B) {
			s := open(b, func(o *Options) { o.Transport = tr })
			require.NoError(b, WriteVectors(file, s.bin, in, want))
			native, err := s.Bench(file, 100)
			require.NoError(b, err)
			require.NoError(b, s.Restart(1))
			out := make([]uint64, 2)
			i := 0
			for b.Loop() {
				if err := s.Step(in[i*3:i*3+3], out); err != nil {
					b.Fatal(err)
				}
				i = (i + 1) % 1000
			}
			speed := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(speed, "cycles/s")
			b.ReportMetric(speed/native.CyclesPerSecond(), "of-native")
		})
	}
}

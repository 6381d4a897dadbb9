package stim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGates(t *testing.T) {
	r := Seeded(1, "", "gates", 0)
	for _, c := range []struct {
		g          Gate
		low, share float64
	}{{Gate{}, 0, 0}, {Density(64), 0.22, 0.28}, {Density(252), 0.96, 0.995}, {Bursts(10, 30), 0.68, 0.82},
		{Bursts(1, 100000), 0.98, 1}} {
		closed, n := false, 0
		for range 200000 {
			closed = c.g.Step(closed, uint16(r.U64()))
			if closed {
				n++
			}
		}
		got := float64(n) / 200000
		require.GreaterOrEqual(t, got, c.low, "%+v", c.g)
		require.LessOrEqual(t, got, c.share, "%+v", c.g)
		require.InDelta(t, 1-got, c.g.Share(), 0.02, "%+v", c.g)
	}
}

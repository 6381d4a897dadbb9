package units

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPerByte(t *testing.T) {
	for gbps, want := range map[Gbps]PerByte{400: {20, 1}, 8000: {1, 1}, 3200: {5, 2}, 425: {320, 17}, 106.25: {1280, 17},
		1.000001: {8_000_000_000, 1_000_001}, 25.78125: {10_240, 33}, 100_000: {2, 25}} {
		require.True(t, gbps.Valid())
		require.Equal(t, want, gbps.PerByte(), "%v", gbps)
	}
	for _, gbps := range []Gbps{0, -1, 0.999999, 100_000.5, 106.2500001, Gbps(math.NaN()), Gbps(math.Inf(1))} {
		require.False(t, gbps.Valid(), "%v", gbps)
	}
}

// TestExactTimes: times and bytes are those of exact fractions, rounded as documented.
func TestExactTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := (Gbps(rapid.Int64Range(1e6, 1e11).Draw(t, "kbps")) / 1e6).PerByte()
		n := rapid.Int64Range(0, 1<<40).Draw(t, "n")
		one := big.NewRat(b.Num, b.Den)
		floor := func(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }
		require.Equal(t, floor(new(big.Rat).Mul(one, new(big.Rat).SetInt64(n))), int64(b.Time(n)))
		fit := new(big.Rat).Quo(new(big.Rat).SetInt64(n), one)
		require.Equal(t, floor(fit), b.Bytes(Picos(n)))
		up := floor(fit)
		if !fit.IsInt() {
			up++
		}
		require.Equal(t, up, b.Spanning(Picos(n)))
	})
}

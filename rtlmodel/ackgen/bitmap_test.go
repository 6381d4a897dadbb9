package ackgen

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// The bitmap against a list of bits, for each bit and each place of a window.
func TestBitmap(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for round := range 300 {
		var b bitmap
		var bits [port.Seen]bool
		fill := []int{0, 1, 10, 50, 90, 99, 100}[round%7]
		for d := range int32(port.Seen) {
			if bits[d] = rng.IntN(100) < fill; bits[d] {
				b.set(d)
			}
		}
		count := 0
		for _, on := range bits {
			count += int(truth[on])
		}
		require.Equal(t, count, b.ones())
		require.Equal(t, count == 0, b.empty())
		above := false
		for d := int32(port.Seen - 1); d >= 0; d-- {
			require.Equal(t, bits[d], b.has(d))
			require.Equal(t, above, b.above(d), "%d", d)
			above = above || bits[d]
		}
		for d := int32(-70); d < 260; d++ {
			want := uint64(0)
			for j := range int32(64) {
				if at := d + j; at < 0 || at < port.Seen && bits[at] {
					want |= 1 << j
				}
			}
			require.Equal(t, want, b.window(d), "%d", d)
		}
		require.Equal(t, ^uint64(0), b.window(-32769))
		require.Zero(t, b.window(32766))

		n := 0
		for n < port.Seen && bits[n] {
			n++
		}
		require.Equal(t, uint32(n), b.advance())
		for d := range port.Seen {
			require.Equal(t, d+n < port.Seen && bits[min(d+n, port.Seen-1)], b.has(int32(d)))
		}
	}
}

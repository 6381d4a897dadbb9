package gen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// drain returns the number of events of a source and a digest of their words.
func drain(t *testing.T, src Source, words int) (n int, digest uint64) {
	t.Helper()
	buf := make([]uint64, words)
	for {
		ep, ok := src.Next()
		if !ok {
			break
		}
		for ep.Next(buf) {
			n++
			for _, w := range buf {
				digest = (digest ^ w) * 0x100000001b3
				digest ^= digest >> 29
			}
		}
	}
	require.NoError(t, src.Err())
	return n, digest
}

func wordsOf(block string) int {
	if block == BlockCCC {
		return 8
	}
	return 3
}

func TestSourcesAreDeterministicAndWhole(t *testing.T) {
	for _, block := range Blocks() {
		for _, source := range []string{"random", "fabric:permutation", "fabric:incast32"} {
			t.Run(block+"/"+source, func(t *testing.T) {
				const events = 20000
				run := func(seed uint64) (int, uint64) {
					src, err := Open(block, source, Options{Seed: seed, Events: events})
					require.NoError(t, err)
					defer src.Close()
					return drain(t, src, wordsOf(block))
				}
				n, a := run(7)
				require.Equal(t, events, n)
				_, b := run(7)
				require.Equal(t, a, b, "same seed, other stimulus")
				_, c := run(8)
				require.NotEqual(t, a, c, "another seed, same stimulus")
			})
		}
	}
}

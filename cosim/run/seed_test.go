package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every episode of a run, and every run, starts from other registers.
func TestModelSeedsDiffer(t *testing.T) {
	seen := map[uint32]string{}
	for seed := range uint64(20) {
		for n := range 200 {
			name := fmt.Sprintf("random/%d", n)
			s := modelSeed(seed, name)
			require.NotZero(t, s)
			if other, dup := seen[s]; dup {
				t.Logf("seed %d %s and %s share %#x", seed, name, other, s)
			}
			seen[s] = name
		}
	}
	require.Greater(t, len(seen), 3990, "of 4000")
	require.Equal(t, modelSeed(7, "random/3"), modelSeed(7, "random/3"))
}

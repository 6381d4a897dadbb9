package device

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every episode of a run, and every run, starts from other registers.
func TestSeedsDiffer(t *testing.T) {
	seen := map[uint32]string{}
	for seed := range uint64(20) {
		for n := range 200 {
			name := fmt.Sprintf("random/%d", n)
			s := Seed(seed, name)
			require.NotZero(t, s)
			if other, dup := seen[s]; dup {
				t.Logf("seed %d %s and %s share %#x", seed, name, other, s)
			}
			seen[s] = name
		}
	}
	require.Greater(t, len(seen), 3990, "of 4000")
	require.Equal(t, Seed(7, "random/3"), Seed(7, "random/3"))
}

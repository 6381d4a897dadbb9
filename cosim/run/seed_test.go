package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
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

// The digest covers every compared bit and nothing else.
func TestDigesterCoversWhatIsCompared(t *testing.T) {
	l := event.NewLayout(ccc.Schema())
	digest := func(rec []uint64) wire.Digest {
		d := digester{layout: l}
		d.add(rec)
		return d.sum
	}
	base := make([]uint64, ccc.OutWords)
	for i := range l.Out.Slots {
		s := &l.Out.Slots[i]
		rec := append([]uint64(nil), base...)
		s.Set(rec, 1)
		require.Equal(t, digest(base), digest(rec), "%s without valid", s.Field.Name)
		valid := append([]uint64(nil), base...)
		valid[0] |= ccc.OutRspValid
		rec[0] |= ccc.OutRspValid
		require.NotEqual(t, digest(valid), digest(rec), s.Field.Name)
	}
}

package swift

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWindowSorts: whatever is added, dropped and asked for, the newest samples come sorted.
func TestWindowSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var w window
	var past []sample
	grew, most := 0, 0
	for i := range 20_000 {
		s := sample{float64(i), float64(r.IntN(9))} // many are equal
		w.add(s.at, s.delay)
		past = append(past, s)
		for r.IntN(3) == 0 && len(past) > 1 {
			w.drop()
			past = past[1:]
		}
		for len(past) > 40 {
			w.drop()
			past = past[1:]
		}
		require.Equal(t, len(past), w.kept())
		require.Equal(t, past[0].at, w.oldest())
		n := 1 + r.IntN(len(past))
		if n > most+1 {
			grew++
		}
		most = n
		var want []float64
		for _, x := range past[len(past)-n:] {
			want = append(want, x.delay)
		}
		slices.Sort(want)
		require.Equal(t, want, w.newest(n))
	}
	require.Greater(t, grew, 100)
	require.Less(t, cap(w.past), 200, "what is dropped is forgotten")
}

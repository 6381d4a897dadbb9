package traffic

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConvergeList: one message from each sender to the last host, stagger apart.
func TestConvergeList(t *testing.T) {
	require.Equal(t, []Message{
		{Src: 0, Dst: 3, Bytes: 5, Start: 0, Conn: 0},
		{Src: 1, Dst: 3, Bytes: 5, Start: 10, Conn: 1},
		{Src: 2, Dst: 3, Bytes: 5, Start: 20, Conn: 2},
	}, Converge(3, 5, 10))
}

// TestAllToAllWaits: a host's first two of two begin at once, each later one when
// the one two before is delivered.
func TestAllToAllWaits(t *testing.T) {
	list := AllToAll(5, 7, 2)
	require.Len(t, list, 20)
	for i, m := range list {
		shift := int32(i%4 + 1)
		require.Equal(t, int32(i/4), m.Src)
		require.Equal(t, (m.Src+shift)%5, m.Dst)
		if shift <= 2 {
			require.Empty(t, m.After, "%d", i)
		} else {
			require.Equal(t, []int32{int32(i) - 2}, m.After)
		}
	}
}

// TestRandomPlaces: elephants and servers sit at random hosts: over some runs each
// place is anyone's.
func TestRandomPlaces(t *testing.T) {
	r := rng()
	large, first := map[int32]int{}, map[int32]int{}
	const n = 200
	for range n {
		m, err := Elephants(r, 10, 4, 2, 1)
		require.NoError(t, err)
		for _, x := range m[:4] {
			large[x.Src]++
		}
		m, err = HSDP(r, 40, 4, 1)
		require.NoError(t, err)
		first[m[0].Src/4]++
		next := map[int32]int32{}
		for _, x := range m {
			next[x.Src/4] = x.Dst / 4
		}
		at := int32(0)
		for range 10 {
			at = next[at]
		}
		require.Zero(t, at, "a ring of all ten servers")
	}
	require.Len(t, large, 10)
	require.Len(t, first, 10)
	for _, k := range large {
		require.InDelta(t, n*4/10, k, n/5)
	}
}

// TestPoissonGaps: the gaps are exponential: their deviation is their mean, and half
// of them are shorter than ln 2 of it.
func TestPoissonGaps(t *testing.T) {
	c, err := LoadCDF("ali_storage_2019")
	require.NoError(t, err)
	m := Poisson(rng(), 32, 20_000, c, 0.4, 100)
	gaps := make([]float64, 0, len(m))
	sum, squares, last := 0.0, 0.0, int64(0)
	for _, x := range m {
		g := float64(x.Start - last)
		last = x.Start
		gaps = append(gaps, g)
		sum += g
		squares += float64(g * g)
	}
	mean := sum / float64(len(gaps))
	require.InEpsilon(t, 1, math.Sqrt(squares/float64(len(gaps))-float64(mean*mean))/mean, 0.03)
	slices.Sort(gaps)
	require.InEpsilon(t, math.Ln2, gaps[len(gaps)/2]/mean, 0.03)
}

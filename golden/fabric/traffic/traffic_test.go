package traffic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func rng() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// wellFormed requires what every list of messages must be.
func wellFormed(t *testing.T, list []Message, hosts int) {
	t.Helper()
	ends, conns := map[int32][2]int32{}, int32(0)
	for i, m := range list {
		require.NotEqual(t, m.Src, m.Dst)
		require.True(t, m.Src >= 0 && int(m.Src) < hosts && m.Dst >= 0 && int(m.Dst) < hosts)
		require.Positive(t, m.Bytes)
		if e, ok := ends[m.Conn]; ok {
			require.Equal(t, e, [2]int32{m.Src, m.Dst})
		}
		ends[m.Conn] = [2]int32{m.Src, m.Dst}
		conns = max(conns, m.Conn+1)
		for _, a := range m.After {
			require.Less(t, int(a), i)
		}
	}
	require.Len(t, ends, int(conns), "no gaps")
}

func TestShapes(t *testing.T) {
	m := Mixture(rng(), 10, []int64{1, 2, 3})
	wellFormed(t, m, 10)
	require.Equal(t, int64(2), m[4].Bytes)

	m, err := Elephants(rng(), 20, 4, 900, 100)
	require.NoError(t, err)
	wellFormed(t, m, 20)
	require.Len(t, m, 20)
	in := map[int32]bool{}
	for i, x := range m {
		require.Equal(t, i < 4, x.Mark)
		require.False(t, in[x.Dst], "a permutation")
		in[x.Dst] = true
	}
	_, err = Elephants(rng(), 5, 4, 1, 1)
	require.ErrorContains(t, err, "elephants: 4 of 5 hosts")

	m = AllToAll(6, 7, 2)
	wellFormed(t, m, 6)
	require.Len(t, m, 30)
	pairs := map[[2]int32]bool{}
	for _, x := range m {
		pairs[[2]int32{x.Src, x.Dst}] = true
	}
	require.Len(t, pairs, 30)

	wellFormed(t, Converge(3, 5, 10), 4)
}

// TestRingMovesEveryChunk plays an all-gather: at the end every rank has every
// rank's chunk, and none arrives before it could be sent.
func TestRingMovesEveryChunk(t *testing.T) {
	ring := rng().Perm(7)
	list := Ring(ring, 5, 6)
	wellFormed(t, list, 7)
	has := map[int32]map[int]bool{}
	newest := map[int32]int{}
	for _, h := range ring {
		has[int32(h)] = map[int]bool{h: true}
		newest[int32(h)] = h
	}
	for step := range 6 {
		moved := map[int32]int{}
		for _, m := range list[step*7:][:7] {
			moved[m.Dst] = newest[m.Src]
			if step > 0 {
				require.Len(t, m.After, 1)
				require.Equal(t, m.Src, list[m.After[0]].Dst, "what it passes on came from before it")
			}
		}
		for h, chunk := range moved {
			newest[h] = chunk
			has[h][chunk] = true
		}
	}
	for _, h := range ring {
		require.Len(t, has[int32(h)], 7)
	}
}

func TestHSDP(t *testing.T) {
	m, err := HSDP(rng(), 128, 8, 10)
	require.NoError(t, err)
	wellFormed(t, m, 128)
	require.Len(t, m, 128)
	for i, x := range m {
		require.Equal(t, x.Src%8, x.Dst%8, "GPU %d keeps its place in the server", i)
		require.NotEqual(t, x.Src/8, x.Dst/8)
	}
	_, err = HSDP(rng(), 10, 4, 1)
	require.ErrorContains(t, err, "ring: 4 GPUs per server on 10 hosts")
}

// TestTables: the means are those published with the tables.
func TestTables(t *testing.T) {
	require.Equal(t, []string{"ali_storage_2019", "fb_hadoop", "google_rpc_2008", "websearch"}, TableNames())
	for name, mean := range map[string]float64{
		"websearch": 1_711_250, "fb_hadoop": 120_420.8, "ali_storage_2019": 40_869.8, "google_rpc_2008": 2_891.6,
	} {
		c, err := LoadCDF(name)
		require.NoError(t, err)
		require.InEpsilon(t, mean, c.Mean(), 1e-4, name)
		r, sum := rng(), 0.0
		const n = 400_000
		for range n {
			b := c.Draw(r)
			require.GreaterOrEqual(t, b, int64(1))
			sum += float64(b)
		}
		require.InEpsilon(t, mean, sum/n, 0.06, name) // the tails are long
	}
	_, err := LoadCDF("nothing")
	require.ErrorContains(t, err, `flow-size table "nothing": no such file, nor one of ali_storage_2019`)
	for text, want := range map[string]string{
		"h\n1,x":             "line 2",
		"h\n1,50\n2,NaN":     "line 3",
		"h\n1,-5\n2,100":     "line 2",
		"h\n5,10\n4,100":     "line 3: sizes and shares must not fall",
		"h\n1,50\n2,99":      "the last at 100 percent",
		"h\n1,50\n-1,100":    "line 3",
		"size_bytes,cdf\n\n": "two lines or more",
	} {
		_, err := parseCDF(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
}

// TestPoissonLoad: the arrivals fill the share of the links that was asked for.
func TestPoissonLoad(t *testing.T) {
	c, err := LoadCDF("ali_storage_2019")
	require.NoError(t, err)
	m := Poisson(rng(), 32, 50_000, c, 0.4, 100)
	wellFormed(t, m, 32)
	require.Len(t, m, 50_000)
	from := make([]float64, 32)
	bytes := int64(0)
	for i := range m {
		bytes += m[i].Bytes
		from[m[i].Src]++
		require.True(t, i == 0 || m[i].Start >= m[i-1].Start)
	}
	load := float64(bytes) * 8000 / float64(m[len(m)-1].Start) / (32 * 100)
	require.InEpsilon(t, 0.4, load, 0.05)
	for _, n := range from {
		require.InEpsilon(t, 50_000.0/32, n, 0.1)
	}
}

func TestMatrix(t *testing.T) {
	text := "Nodes 4\nConnections 2\n\n0->3 id 1 start 0 size 2000000\n# a comment\n2->3 id 7 start 1.5 size 10\n"
	m, err := ParseMatrix(strings.NewReader(text), "us", 8)
	require.NoError(t, err)
	require.Equal(t, []Message{
		{Src: 0, Dst: 3, Bytes: 2_000_000, ID: 1, Conn: 0},
		{Src: 2, Dst: 3, Bytes: 10, Start: 1_500_000, ID: 7, Conn: 1},
	}, m)
	m, err = ParseMatrix(strings.NewReader("Nodes 4\nConnections 1\n0->3 id 1 start 2500 size 1"), "", 8)
	require.NoError(t, err)
	require.Equal(t, int64(2500), m[0].Start, "picoseconds unless said otherwise")
	for text, want := range map[string]string{
		"Nodes 9\n":                                        "line 1: nodes 9: want 2 to the topology's 8 hosts",
		"Nodes 4\nConnections 2\n0->1 size 1":              "1 connections, the header says 2",
		"Nodes 4\nConnections 1\n0->4 size 1":              "line 3: 0->4: beyond Nodes 4",
		"Nodes 4\nConnections 1\n0-1 size 1":               "want src->dst",
		"Nodes 4\nConnections 1\n0->1 size":                "want src->dst",
		"Nodes 4\nConnections 1\n1->1 size 5":              "line 3: 1->1: a host does not send to itself",
		"\n":                                               "empty; want Nodes N",
		"Nodes 4\n0->1 size 5":                             "1 connections, and no line Connections 1",
		"Nodes 4\nConnections 1\n0->1 speed 5":             "speed: want id, start or size",
		"Nodes 4\nConnections 1\n0->1 start 5":             "0->1: no size",
		"0->1 size 5":                                      "line 1: \"0->1 size 5\": want Nodes N first",
		"Nodes 4\nNodes 4":                                 "line 2: Nodes: given before",
		"Nodes 4\nConnections 1\nConnections 1":            "line 3: Connections: given before",
		"Nodes 4\nConnections 1\n0->1 size 5 size 6":       "size 6: given before on the line",
		"Nodes 4\nConnections 1\n0->1 size 1.5":            "size 1.5: want a whole number",
		"Nodes 4\nConnections 1\n0->1 id 3e9 size 1":       "id 3e9: want a whole number",
		"Nodes 4\nConnections 1\n0->1 start 2e15 size 1":   "start 2e15: want",
		"Nodes 4\nConnections 1\n0->1 start 1.1e15 size 1": "start 1.1e15",
		"Nodes 4\nConnections 1\n0->1 start -5 size 100":   "start -5",
	} {
		_, err := ParseMatrix(strings.NewReader(text), "ps", 8)
		require.ErrorContains(t, err, want)
	}
	_, err = ParseMatrix(strings.NewReader(text), "h", 8)
	require.ErrorContains(t, err, `unit "h"`)
	_, err = LoadMatrix("/nonexistent.cm", "", 8)
	require.ErrorContains(t, err, "connection matrix:")
	_, err = LoadMatrix("/dev/null", "", 8)
	require.ErrorContains(t, err, "/dev/null: it is no regular file")
}

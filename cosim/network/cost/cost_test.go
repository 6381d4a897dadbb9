package cost

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

const root = "../../.."

// ask answers a question about small workloads.
func ask(t *testing.T, q *Question) *Answer {
	t.Helper()
	a, err := Ask(t.Context(), q, []uint64{1, 2, 3}, root, nil)
	require.NoError(t, err)
	require.Len(t, a.Points, len(q.Cases))
	return a
}

// find returns a question with other values and cases, and without area.
func find(t *testing.T, name string, values []int, cases ...Case) *Question {
	q, err := Find([]string{name})
	require.NoError(t, err)
	q[0].Values, q[0].Cases, q[0].RTL = values, cases, ""
	return &q[0]
}

var (
	oneMessage = Case{"one message", incast, []string{"mtu=4160", "incast=1", "flow.bytes=4096"}}
	cut        = Case{"a run that is cut short", incast, []string{"mtu=4160", "incast=1", "max_time.us=2"}}
)

// TestSlowerPipeline: a longer pipeline costs a message on a new connection as many cycles more, of a nanosecond, in
// each of its five passes, whatever the seed, but for a few that jobs of txpdc wait for each other. An equal one costs
// nothing.
func TestSlowerPipeline(t *testing.T) {
	a := ask(t, find(t, "ack-pipeline", []int{20, 20, 21, 80}, oneMessage))
	row := a.Points[0]
	same := effect(&row[0], &row[1], means)
	require.True(t, same.Same)
	require.Zero(t, same.Diff)
	require.Equal(t, "no packet differs", same.String())
	for i, cycles := range []float64{1, 60} {
		e := effect(&row[0], &row[2+i], means)
		require.InDelta(t, 5*cycles/1000, e.Diff, 0.02, "us")
		require.InDelta(t, 0, e.Scatter, 1e-9)
		require.False(t, e.Within() || e.Same)
	}
	require.Contains(t, a.Headline(), "most with 80 in place of 20, one message: mean +")
}

// TestFewerEntries: entries for half of what a round trip brings halve the rate of a flow that takes one; those that no
// connection fills change no packet.
func TestFewerEntries(t *testing.T) {
	long := Case{"one flow", incast, []string{"incast=1", "flow.bytes=4e6", "link.gbps=800"}}
	a := ask(t, find(t, "txstate-entries", []int{4096, 1024, 128}, long, oneMessage))
	require.True(t, effect(&a.Points[0][0], &a.Points[0][1], means).Same)
	require.True(t, effect(&a.Points[1][0], &a.Points[1][2], means).Same)
	// 979 packets take 7.65 rounds of 128 packets and 12 us. Without a bound they take 40 us, and the round trip. The
	// third sender sits at the switch of its receiver, where 128 packets are more than a round trip's.
	few, base := a.Points[0][2].Mean, a.Points[0][0].Mean
	for seed := range 2 {
		require.InDelta(t, 40+12, base[seed], 2)
		require.InDelta(t, 7.65*12, few[seed], 12)
	}
	require.InDelta(t, base[2], few[2], 1e-9)
}

// TestEffect: a difference is that of the same seed, and twice its standard deviation is scatter.
func TestEffect(t *testing.T) {
	base := &Point{Mean: []float64{10, 20, 30}, digests: []uint64{1, 2, 3}}
	for _, x := range []struct {
		mean    []float64
		digests []uint64
		text    string
	}{
		{[]float64{11, 21, 31}, []uint64{4, 5, 6}, "+1.000 ± 0.000, +5.0 %"},
		{[]float64{9, 19, 29}, []uint64{4, 5, 6}, "-1.000 ± 0.000, -5.0 %"},
		{[]float64{12, 20, 31}, []uint64{4, 5, 6}, "+1.000 ± 1.000, within scatter"},
		{[]float64{14, 23, 32}, []uint64{4, 5, 6}, "+3.000 ± 1.000, +15.0 %"},
		{[]float64{10, 20, 30}, []uint64{4, 5, 6}, "+0.000 ± 0.000, within scatter"},
		{[]float64{10, 20, 30}, []uint64{1, 2, 3}, "no packet differs"},
		{[]float64{10, 20, 31}, []uint64{1, 2, 4}, "+0.333 ± 0.577, within scatter"},
	} {
		require.Equal(t, x.text, effect(base, &Point{Mean: x.mean, digests: x.digests}, means).String())
	}
}

// TestNothingCompared: what cannot be compared is an error, not an answer.
func TestNothingCompared(t *testing.T) {
	for want, x := range map[string]struct {
		values []int
		c      Case
		seeds  []uint64
	}{
		"2 seeds: want at least 3":                    {[]int{20, 40}, oneMessage, []uint64{1, 2}},
		"1 of 1 flows are unfinished":                 {[]int{20}, cut, nil},
		"nic.pipeline = 256: want from 0":             {[]int{256}, oneMessage, nil},
		"no such setting":                             {[]int{20}, Case{"wrong", incast, []string{"incasts=1"}}, nil},
		"elephants: has no effect: workload = incast": {[]int{20}, Case{"idle", incast, []string{"elephants=4"}}, nil},
	} {
		q := find(t, "ack-pipeline", x.values, x.c)
		seeds := x.seeds
		if seeds == nil {
			seeds = []uint64{1, 2, 3}
		}
		a, err := Ask(t.Context(), q, seeds, root, nil)
		require.ErrorContains(t, err, want)
		require.Nil(t, a)
	}
	q := find(t, "ack-pipeline", []int{20, 40}, oneMessage)
	q.Control = "nscc-fixed" // reads no pipeline
	_, err := Ask(t.Context(), q, []uint64{1, 2, 3}, root, nil)
	require.ErrorContains(t, err, "no host is a NIC in hardware")
}

// TestArea: memory is that of the table and of the response FIFO, a deeper table has wider addresses, and a Yosys that
// breaks or is absent gives a reason.
func TestArea(t *testing.T) {
	q, err := Find([]string{"txstate-entries"})
	require.NoError(t, err)
	q[0].Values = []int{port.MinDepth, 128, 1024}
	t.Run("counted", func(t *testing.T) {
		if _, err := exec.LookPath("yosys"); err != nil {
			t.Skip("yosys is not on PATH: area was not counted")
		}
		all, err := q[0].areas(t.Context(), root)
		require.NoError(t, err)
		const entry = 1 + 32 + 48 + 2
		for i := 1; i < len(all); i++ {
			a, b := all[i-1], all[i]
			require.Equal(t, (b.Value-a.Value)*port.DefaultNumPdcs*entry, b.Bits-a.Bits)
			require.Greater(t, b.FlipFlops, a.FlipFlops)
			require.Greater(t, b.Gates, a.Gates)
			require.Less(t, b.Gates, 2*a.Gates, "the table stays a memory")
		}
		q[0].Param = "Depht"
		_, err = q[0].areas(t.Context(), root)
		require.ErrorContains(t, err, "area of txstate with Depht = 2")
	})
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err = q[0].areas(t.Context(), root)
	require.EqualError(t, err, "area is not counted: yosys is not installed; make tools installs it")
	fake := "#!/bin/sh\n[ \"$1\" != -V ] || { echo Yosys 0.23; exit; }\n" +
		`for f in memories cells; do echo '{"design": {"num_memory_bits": 8}}' >$f.json; done` + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "yosys"), []byte(fake), 0o777))
	_, err = q[0].areas(t.Context(), root)
	require.ErrorContains(t, err, "something was not counted")
}

// TestQuestions: each question has a base, and its settings change something under its control.
func TestQuestions(t *testing.T) {
	for _, q := range All() {
		require.Greater(t, len(q.Values), 1)
		for i := range q.Cases {
			c := &q.Cases[i]
			require.True(t, strings.HasPrefix(q.sets(c, "7")[len(q.sets(c, "7"))-1], q.Setting+"=7"))
		}
	}
	_, err := Find([]string{"ack"})
	require.ErrorContains(t, err, "unknown question")
	_, err = Find([]string{"txstate-entries", "txstate-entries"})
	require.ErrorContains(t, err, "keep one")
}

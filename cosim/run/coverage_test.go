package run_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/gen"
)

// twin is a cycle-true model of a block.
type twin interface {
	Cycle(in, out []uint64)
}

// newTwin returns the model of a block at its default parameters and empty input and output records.
func newTwin(tb testing.TB, block string) (m twin, in, out []uint64) {
	tb.Helper()
	k, err := dut.Lookup(block)
	require.NoError(tb, err)
	params, err := k.Params(nil)
	require.NoError(tb, err)
	m, err = k.NewTwin(params)
	require.NoError(tb, err)
	l := layoutOf(tb, block)
	return m, make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
}

func layoutOf(tb testing.TB, block string) *event.Layout {
	k, err := dut.Lookup(block)
	require.NoError(tb, err)
	return event.NewLayout(k.Schema)
}

// covered are the blocks with stimulus, a model and coverage.
func covered() (out []string) {
	for _, b := range gen.Blocks() {
		if slices.Contains(cover.Blocks(), b) && slices.Contains(dut.Blocks(), b) {
			out = append(out, b)
		}
	}
	return out
}

// cover1 runs a source through the model and the collector.
func cover1(tb testing.TB, c *cover.Collector, block, source string, seed uint64, events int) {
	tb.Helper()
	src, err := gen.Open(block, source, gen.Options{Seed: seed, Events: events})
	require.NoError(tb, err)
	defer src.Close()
	m, in, out := newTwin(tb, block)
	d := gen.NewDriver(layoutOf(tb, block))
	for {
		ep, ok := src.Next()
		if !ok {
			break
		}
		d.Begin(ep)
		for d.Drive(in) {
			m.Cycle(in, out)
			d.Observe(out)
			c.Cycle(in, out)
			if m, ok := m.(interface{ InUse() (credits, queued int) }); ok && (block == "ccc" || block == "txstate") {
				credits, queued := m.InUse()
				if c1, q1 := c.InUse(); c1 != credits || q1 != queued {
					tb.Fatalf("%v: the collector has %d credits in use and %d events queued, the model %d and %d", d, c1, q1, credits,
						queued)
				}
			}
			if d.Cycles() > 40_000_000 {
				tb.Fatalf("does not end: %v", d)
			}
		}
	}
	require.NoError(tb, src.Err())
}

// TestDirectedAndRandomReachEveryBin is the claim of the package: all directed
// cases and a modest number of random events hit every reachable bin.
func TestDirectedAndRandomReachEveryBin(t *testing.T) {
	for _, block := range covered() {
		t.Run(block, func(t *testing.T) {
			total, err := cover.New(block, nil)
			require.NoError(t, err)
			for _, run := range []struct {
				source string
				seed   uint64
				events int
			}{{"directed", 1, 0}, {"random", 1, 100000}, {"random", 2, 100000}} {
				c, err := cover.New(block, nil)
				require.NoError(t, err)
				cover1(t, c, block, run.source, run.seed, run.events)
				require.Zero(t, c.Differences(), "%s: the collector lost track of the state: %s", run.source, c.Difference())
				require.NoError(t, total.Merge(c))
			}
			r := total.Report()
			t.Logf("%d events in %d cycles", total.Events, total.Cycles)
			if testing.Verbose() || len(r.Missed) > 0 {
				require.NoError(t, r.Write(os.Stdout))
			}
			require.Empty(t, r.Missed)
			require.Empty(t, r.Impossible, "bins hit against their proof")
			require.LessOrEqual(t, 20*r.Unreachable, r.Bins, "more than 5 % of the bins are called unreachable")
		})
	}
}

// The collector of the port keeps track at every size, and its proofs hold there.
func TestSwitchCoverageAtEverySize(t *testing.T) {
	for _, params := range []map[string]int{{"NumPorts": 1, "Depth": 2, "Slots": 2},
		{"NumPorts": 64, "Depth": 2, "Slots": 2},
		{"NumPorts": 3, "Depth": 4, "Slots": 64}} {
		c, err := cover.New("switchport", params)
		require.NoError(t, err)
		require.NoError(t, c.CheckProofs())
		k, err := dut.Lookup("switchport")
		require.NoError(t, err)
		for _, source := range []string{"directed", "random"} {
			src, err := gen.Open("switchport", source, gen.Options{Seed: 5, Events: 4000, Params: params})
			require.NoError(t, err)
			m, err := k.NewTwin(params)
			require.NoError(t, err)
			l := layoutOf(t, "switchport")
			d, in, out := gen.NewDriver(l), make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				d.Begin(ep)
				for d.Drive(in) {
					m.Cycle(in, out)
					d.Observe(out)
					c.Cycle(in, out)
				}
				require.Zero(t, c.Differences(), "%v, %s: %s", params, ep.Name, c.Difference())
			}
			src.Close()
		}
		require.Empty(t, c.Report().Impossible)
	}
}

// recorded is a stretch of cycles of a run.
func recorded(tb testing.TB, block string, events int) (in, out [][]uint64, accepted int) {
	tb.Helper()
	src, err := gen.Open(block, "random", gen.Options{Seed: 3, Events: events})
	require.NoError(tb, err)
	m, i, o := newTwin(tb, block)
	d := gen.NewDriver(layoutOf(tb, block))
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		d.Begin(ep)
		for d.Drive(i) {
			m.Cycle(i, o)
			d.Observe(o)
			in, out = append(in, append([]uint64(nil), i...)), append(out, append([]uint64(nil), o...))
		}
		accepted += d.Accepted()
	}
	return in, out, accepted
}

func TestCoverageDoesNotAllocate(t *testing.T) {
	for _, block := range covered() {
		in, out, _ := recorded(t, block, 3000)
		c, err := cover.New(block, nil)
		require.NoError(t, err)
		require.Zero(t, testing.AllocsPerRun(1, func() {
			for i := range in {
				c.Cycle(in[i], out[i])
			}
		}), block)
	}
}

func BenchmarkCoverage(b *testing.B) {
	for _, block := range covered() {
		b.Run(block, func(b *testing.B) {
			in, out, accepted := recorded(b, block, 1500)
			c, err := cover.New(block, nil)
			require.NoError(b, err)
			for b.Loop() {
				for i := range in {
					c.Cycle(in[i], out[i])
				}
			}
			per := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(per/float64(accepted), "ns/event")
			b.ReportMetric(per/float64(len(in)), "ns/cycle")
		})
	}
}

package run_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// model is a cycle-true model of a block.
type model interface {
	Cycle(in, out []uint64)
}

// newModel returns the model of a block at its default parameters and empty input and output records.
func newModel(tb testing.TB, name string) (m model, in, out []uint64) {
	tb.Helper()
	k, err := block.Lookup(name)
	require.NoError(tb, err)
	params, err := k.Schema.Values(nil)
	require.NoError(tb, err)
	m, err = k.NewModel(params)
	require.NoError(tb, err)
	l := layoutOf(tb, name)
	return m, make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
}

func layoutOf(tb testing.TB, name string) *event.Layout {
	k, err := block.Lookup(name)
	require.NoError(tb, err)
	return event.NewLayout(k.Schema)
}

// cover1 runs a source through the model and the collector.
func cover1(tb testing.TB, c *cover.Collector, name, source string, seed uint64, events int) {
	tb.Helper()
	src, err := block.Open(name, source, stim.Options{Seed: seed, Events: events})
	require.NoError(tb, err)
	defer src.Close()
	m, in, out := newModel(tb, name)
	d := drive.NewDriver(layoutOf(tb, name))
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
			if m, ok := m.(interface{ InUse() (credits, queued int) }); ok && (name == "ccc" || name == "txstate") {
				credits, queued := m.InUse()
				if c1, q1, ok := c.InUse(); !ok || c1 != credits || q1 != queued {
					tb.Fatalf("%v: the collector has %d credits in use and %d events queued, the model %d and %d", d, c1, q1,
						credits, queued)
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
	t.Parallel()
	for _, name := range block.Blocks() {
		t.Run(name, func(t *testing.T) {
			total, err := block.NewCollector(name, nil)
			require.NoError(t, err)
			for _, run := range []struct {
				source string
				seed   uint64
				events int
			}{{"directed", 1, 0}, {"random", 1, 100000}, {"random", 2, 100000}} {
				c, err := block.NewCollector(name, nil)
				require.NoError(t, err)
				cover1(t, c, name, run.source, run.seed, run.events)
				require.Zero(t, c.Differences(), "%s: the collector lost track of the state: %s", run.source, c.Difference())
				require.NoError(t, total.Merge(c))
			}
			r := total.Report()
			t.Logf("%d cycles", total.Cycles)
			if testing.Verbose() || len(r.Missed) > 0 {
				require.NoError(t, r.Write(os.Stdout))
			}
			require.Empty(t, r.Missed)
			require.Empty(t, r.Impossible, "bins hit against their proof")
			require.LessOrEqual(t, 20*r.Unreachable, r.Bins, "more than 5 % of the bins are called unreachable")
		})
	}
}

// The collector of the port works at every size, and its proofs hold there.
func TestSwitchCoverageAtEverySize(t *testing.T) {
	t.Parallel()
	for _, params := range []map[string]int{{"NumPorts": 1, "Depth": 2, "Slots": 2}, {"NumPorts": 64, "Depth": 2,
		"Slots": 2},
		{"NumPorts": 3, "Depth": 4, "Slots": 64}} {
		c, err := block.NewCollector("switchport", params)
		require.NoError(t, err)
		require.NoError(t, c.CheckProofs())
		k, err := block.Lookup("switchport")
		require.NoError(t, err)
		for _, source := range []string{"directed", "random"} {
			src, err := block.Open("switchport", source, stim.Options{Seed: 5, Events: 2000, Params: params})
			require.NoError(t, err)
			m, err := k.NewModel(params)
			require.NoError(t, err)
			l := layoutOf(t, "switchport")
			d, in, out := drive.NewDriver(l), make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
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
func recorded(tb testing.TB, name string, events int) (in, out [][]uint64, accepted int) {
	tb.Helper()
	src, err := block.Open(name, "random", stim.Options{Seed: 3, Events: events})
	require.NoError(tb, err)
	m, i, o := newModel(tb, name)
	d := drive.NewDriver(layoutOf(tb, name))
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
	for _, name := range block.Blocks() {
		in, out, _ := recorded(t, name, 3000)
		c, err := block.NewCollector(name, nil)
		require.NoError(t, err)
		require.Zero(t, testing.AllocsPerRun(1, func() {
			for i := range in {
				c.Cycle(in[i], out[i])
			}
		}), name)
	}
}

func BenchmarkCoverage(b *testing.B) {
	for _, name := range block.Blocks() {
		b.Run(name, func(b *testing.B) {
			in, out, accepted := recorded(b, name, 1500)
			c, err := block.NewCollector(name, nil)
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

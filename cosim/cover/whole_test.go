package cover_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	cccmodel "github.com/goldwire/goldwire/rtlmodel/ccc"
	txmodel "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/gen"
)

// twin is a cycle-true model of a block.
type twin interface {
	Reset()
	Cycle(in, out []uint64)
}

// newTwin returns the model of a block at its default parameters and the words
// of its input and output records.
func newTwin(tb testing.TB, block string) (m twin, in, out []uint64) {
	tb.Helper()
	if block == "ccc" {
		m, err := cccmodel.New(cccmodel.DefaultSpec())
		require.NoError(tb, err)
		return m, make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	}
	t, err := txmodel.New(txmodel.DefaultSpec())
	require.NoError(tb, err)
	return t, make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords)
}

// play runs a source through the model and the collector.
func play(tb testing.TB, c *cover.Collector, block, source string, seed uint64, events int) {
	tb.Helper()
	src, err := gen.Open(block, source, gen.Options{Seed: seed, Events: events})
	require.NoError(tb, err)
	defer src.Close()
	m, in, out := newTwin(tb, block)
	d := gen.NewDriver(len(in))
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
	for _, block := range cover.Blocks() {
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
				play(t, c, block, run.source, run.seed, run.events)
				require.Zero(t, c.Differences(), "%s: the collector lost track of the state", run.source)
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

func TestProofsHold(t *testing.T) {
	for _, p := range []struct {
		block  string
		params map[string]int
	}{{"ccc", nil}, {"txstate", nil}, {"ccc", map[string]int{"NumContexts": 65536}}, {"txstate", map[string]int{"NumPdcs": 65536, "Depth": 2}}} {
		c, err := cover.New(p.block, p.params)
		require.NoError(t, err)
		require.NoError(t, c.CheckProofs())
		for _, u := range c.Unreachable() {
			require.NotEmpty(t, u.Why, u.Bin)
		}
	}
}

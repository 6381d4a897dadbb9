package loop

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// rows is the block as a table sees it, without a clock.
type rows struct {
	cfg    rtlccc.Config
	states []rtlccc.State
	reads  int
}

func (r *rows) do(ev *ccc.Event, rsp *ccc.Response) error {
	if ev.Kind == ccc.KindRead {
		r.reads++
	}
	rtlccc.Apply(&r.cfg, &r.states[ev.Ctx], ev, rsp)
	return taken(ev, rsp)
}

func (r *rows) finish() (total, error) { return total{}, nil }

func (r *rows) close() {}

// A context that is read out and loaded again has every bit of its state back.
func TestSwapKeepsEveryStateWord(t *testing.T) {
	spec := rtlccc.DefaultSpec()
	hw := &rows{cfg: spec.Config(), states: make([]rtlccc.State, spec.NumContexts)}
	table, err := newTable(2)
	require.NoError(t, err)
	table.hw = hw
	rng := rand.New(rand.NewPCG(1, 1))
	contexts := make([]rtl, 5)
	want := make([]rtlccc.State, len(contexts))
	for i := range contexts {
		c := &contexts[i]
		c.row = -1
		require.NoError(t, table.admit(c))
		c.opened = true
		for a := range c.words { // a state with every word drawn
			c.words[a] = rng.Uint64()
			if a == 0 {
				c.words[a] = rng.Uint64() & 0x37 // profile 0
			}
		}
		require.NoError(t, table.load(c))
		want[i] = hw.states[c.row]
		require.NotZero(t, want[i].Words.Cwnd)
	}
	require.NotEqual(t, want[0], want[1])
	for range 100 {
		i := rng.IntN(len(contexts))
		require.NoError(t, table.admit(&contexts[i]))
		require.Equal(t, want[i], hw.states[contexts[i].row], "context %d", i)
	}
	require.Positive(t, table.swaps)
	require.EqualValues(t, table.swaps*stateLen, hw.reads)
}

package cover

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// echo follows a block whose output stream puts out what its input stream took, in order.
type echo struct {
	Streams
	Disagreement
	in, out *event.Slot
	value   Cross
	taken   []uint64
}

func (w *echo) Define(p *Plan, b *event.Block, _ map[string]int) {
	l := event.NewLayout(b)
	w.in, w.out = l.In.Slot("a", "x"), l.Out.Slot("b", "x")
	w.Streams.Define(p, b, 0)
	w.value = p.Add("value", Labels("0 1 2_or_more"))
	p.Exclude(w.value.At1(1), "the field is even", func() error {
		for x := 0; x < 256; x += 2 {
			if x == 1 {
				return fmt.Errorf("%d", x)
			}
		}
		return nil
	})
}

func (w *echo) Cycle(hits Hits, in, out []uint64) {
	w.Streams.Cycle(hits, in[0], out[0])
	if w.Moved(1) {
		got := w.out.Get(out)
		hits[w.value.At1(int(min(got, 2)))]++
		if len(w.taken) == 0 || w.taken[0] != got {
			w.Differ("%d after %v", got, w.taken)
		}
		w.taken = w.taken[min(1, len(w.taken)):]
	}
	if w.Moved(0) {
		w.taken = append(w.taken, w.in.Get(in))
	}
}

func (w *echo) Reset(hits Hits, _ []uint64) {
	w.Streams.Reset(hits)
	w.taken = nil
}

// The collector of a block that nobody has heard of: its watcher is all that is handed in.
func TestCollectorOfAnyBlock(t *testing.T) {
	b := portsOf(t, "in a, out b")
	l := event.NewLayout(b)
	block := Block{Schema: func() *event.Block { return b }, Watcher: func() Watcher { return &echo{} }}
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	cycle := func(c *Collector, rst bool, take, give int) {
		clear(in)
		clear(out)
		if rst {
			in[0] |= l.In.Control("rst_n") | l.In.Control("b_ready")
		}
		if take >= 0 {
			in[0], out[0] = in[0]|l.In.Control("a_valid"), out[0]|l.Out.Control("a_ready")
			l.In.Slot("a", "x").Set(in, uint64(take))
		}
		if give >= 0 {
			out[0] |= l.Out.Control("b_valid")
			l.Out.Slot("b", "x").Set(out, uint64(give))
		}
		c.Cycle(in, out)
	}
	fresh, one := New(block, nil), New(block, nil)
	cycle(one, true, 6, -1)
	require.NoError(t, fresh.Merge(one))
	n, ok := fresh.Hits("a_valid_ready/1.1")
	require.True(t, ok)
	require.EqualValues(t, 1, n, "what is counted apart is merged too")

	sound, wrong := New(block, nil), New(block, nil)
	for _, c := range []*Collector{sound, wrong} {
		cycle(c, false, -1, -1)
		cycle(c, true, 6, -1)
		cycle(c, true, 0, 6)
		cycle(c, false, -1, -1) // forgets the 0
		cycle(c, true, 4, -1)
	}
	cycle(sound, true, -1, 4)
	cycle(wrong, true, -1, 1)
	require.Zero(t, sound.Differences(), sound.Difference())
	require.EqualValues(t, 1, wrong.Differences())
	require.Equal(t, "1 after [4]", wrong.Difference())
	require.Empty(t, sound.Report().Impossible)
	require.Equal(t, []string{"value/1"}, wrong.Report().Impossible)
	require.Contains(t, sound.Report().Missed, "value/0", "it was forgotten")
	require.NoError(t, sound.CheckProofs())
	_, _, ok = sound.InUse()
	require.False(t, ok)

	require.NoError(t, sound.Merge(wrong))
	n, ok = sound.Hits("value/2_or_more")
	require.True(t, ok)
	require.EqualValues(t, 3, n)
	require.EqualValues(t, 12, sound.Cycles)
	var table bytes.Buffer
	require.NoError(t, sound.Report().Write(&table))
	require.Contains(t, table.String(), "hit although proved unreachable: value/1\n")
	other := New(Block{Schema: func() *event.Block { return portsOf(t, "in a, out b, out c") },
		Watcher: block.Watcher}, nil)
	require.ErrorContains(t, sound.Merge(other), "does not merge")
}

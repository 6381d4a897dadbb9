package guide

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// parents returns random episodes of a block as cases.
func parents(t *testing.T, b *block.Block, lay *event.Layout, params map[string]int, n int) (out []corpus.Case) {
	t.Helper()
	src, err := b.Stimulus.Open("random", stim.Options{Seed: 5, Params: params})
	require.NoError(t, err)
	for range n {
		ep, ok := src.Next()
		require.True(t, ok)
		rec := play.NewRecording(ep)
		it := stim.Item{}
		for {
			it.Words = make([]uint64, lay.In.Words)
			if !ep.NextItem(&it) {
				break
			}
		}
		out = append(out, corpus.Case{Name: rec.Name, Seed: rec.Seed, Drive: rec.Drive, Items: rec.Items})
	}
	return out
}

// A changed case has what the text can hold and the drivers can play: whole packets, pairs of two streams, resets in
// order, and no event that the schema forbids and its parents did not have. Its parents stay as they were.
func TestMutationsAreSound(t *testing.T) {
	for _, b := range block.All() {
		params, err := b.Schema.Values(nil)
		require.NoError(t, err)
		lay := event.NewLayout(b.Schema)
		m, err := newMutator(b.Schema, lay, params, 1)
		require.NoError(t, err)
		all := parents(t, b, lay, params, 4)
		legal := true
		for i := range all {
			for k := range all[i].Items {
				legal = legal && m.legal.Item(&all[i].Items[k])
			}
		}
		before := copied(all)
		for n := range 200 {
			c := m.window(&all[n%4])
			require.NotEmpty(t, c.Items)
			for range 3 {
				c = m.mutate(&c, &all[(n+1)%4])
				require.NotEmpty(t, c.Items)
			}
			require.LessOrEqual(t, len(m.packets(c.Items)), longest)
			open := map[int]bool{}
			for i := range c.Items {
				it := &c.Items[i]
				if last := m.ends[it.Lane]; last != nil {
					open[it.Lane] = last.Get(it.Words) == 0
				}
				if it.Pair {
					require.NotEqual(t, c.Items[i-1].Lane, it.Lane)
					require.Equal(t, c.Items[i-1].Wait, it.Wait)
				}
				require.True(t, !legal || m.legal.Item(it), "%s: a change made an event that the schema forbids", b.Name())
			}
			for lane, begun := range open {
				require.False(t, begun, "%s: a packet of stream %d has no end", b.Name(), lane)
			}
			require.NotEmpty(t, c.Drive.Resets)
			require.Zero(t, c.Drive.Resets[0].After, "the first reset brings the block up")
			for i, r := range c.Drive.Resets[1:] {
				require.GreaterOrEqual(t, r.After, c.Drive.Resets[i].After)
			}
		}
		require.Equal(t, before, all)
	}
}

func copied(all []corpus.Case) []corpus.Case {
	out := append([]corpus.Case(nil), all...)
	for i := range out {
		out[i].Items = append([]stim.Item(nil), all[i].Items...)
		for k := range out[i].Items {
			out[i].Items[k] = all[i].Items[k].Clone()
		}
		out[i].Drive.Resets = append([]stim.Reset(nil), all[i].Drive.Resets...)
	}
	return out
}

package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// With several input streams two devices that keep the same time run in the same cycles, stalls included, and agree
// where an answer depends on what meets in a cycle; two that do not are told of the order of the events alone. Each
// episode is played once in the end, whatever was taken from it before.
func TestPlayAgainst(t *testing.T) {
	b := meetingBlock(t)
	l := event.NewLayout(b)
	items := make([]stim.Item, 300)
	for i := range items {
		items[i] = stim.Item{Lane: i % 2, Words: make([]uint64, 1)}
		if i%2 == 1 {
			l.In.Slot("give", "n").Set(items[i].Words, uint64(i%7))
		}
	}
	play := func(slow, refSlow int, wrong uint64) (Outcome, int, []stim.Item) {
		dev, ref := &meeting{l: l, slow: slow}, &meeting{l: l, slow: refSlow}
		ref.wrong = wrong
		peer := NewPeer(t.Context(), ref, DefaultSpec(b))
		restarts := 0
		var seen []stim.Item
		ep := stim.Recorded("test/0", b.Name, 1, stim.DriveSpec{ByLane: true, Resets: []stim.Reset{{Low: 2}}}, items)
		ep.Tap = func(it *stim.Item) { seen = append(seen, it.Clone()) }
		out, err := PlayAgainst(t.Context(), dev, peer, peer, ep, DefaultSpec(b), func() error {
			restarts++
			require.NoError(t, dev.Restart(1))
			return peer.Restart(1)
		})
		require.NoError(t, err)
		return out, restarts, seen
	}
	for _, c := range []struct{ slow, ref, restarts int }{{1, 1, 1}, {3, 3, 1}, {3, 1, 2}, {1, 3, 2}} {
		out, restarts, seen := play(c.slow, c.ref, 0)
		require.Nil(t, out.Finding, "%+v", c)
		require.EqualValues(t, 150, out.Responses)
		require.Equal(t, c.restarts, restarts, "%+v", c)
		require.Len(t, seen, 300, "each item is shown once")
	}
	for _, slow := range []int{1, 3} {
		out, _, _ := play(slow, 1, 40)
		require.NotNil(t, out.Finding)
		require.Equal(t, Wrong, out.Finding.Kind)
	}
}

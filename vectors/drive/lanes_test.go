package drive

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

const laneSchema = `block: pair
title: two in, one out
streams:
  - {name: a, dir: in, fields: [{name: x, width: 16}]}
  - {name: b, dir: in, fields: [{name: x, width: 16}]}
  - {name: y, dir: out, fields: [{name: v, width: 16}]}
`

func parsed(t testing.TB, text string) *event.Block {
	b, err := event.Parse([]byte(text))
	require.NoError(t, err)
	return b
}

// takes drives an episode into a block that takes what ready allows of each stream, and returns what it took by
// stream and the items that the driver asked for.
func takes(t *testing.T, ep *stim.Episode, b *event.Block,
	ready func(taken [2]int, cycle int) [2]bool) (took [2][]uint64, asked []stim.Item) {
	t.Helper()
	l := event.NewLayout(b)
	ep.Tap = func(it *stim.Item) { asked = append(asked, it.Clone()) }
	d := NewDriver(l)
	d.Begin(ep)
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	for cycle := 0; d.Drive(in); cycle++ {
		require.Less(t, cycle, 200_000, "%s", d)
		clear(out)
		open := ready([2]int{len(took[0]), len(took[1])}, cycle)
		for i, s := range []string{"a", "b"} {
			if !open[i] {
				continue
			}
			out[0] |= l.Out.Control(s + "_ready")
			if in[0]&inRstN != 0 && in[0]&l.In.Control(s+"_valid") != 0 {
				took[i] = append(took[i], l.In.Slot(s, "x").Get(in))
			}
		}
		d.Observe(out)
	}
	return took, asked
}

// A cycle that the driver did not drive moves nothing, though the inputs that it drew last would have moved in it.
func TestCyclesOfOthersMoveNothing(t *testing.T) {
	b := parsed(t, laneSchema)
	l := event.NewLayout(b)
	item := stim.Item{Words: make([]uint64, l.In.Words)}
	for _, byLane := range []bool{false, true} {
		d := NewDriver(l)
		d.Begin(stim.Recorded("one", b.Name, 1, stim.DriveSpec{ByLane: byLane}, []stim.Item{item}))
		in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
		out[0] = l.Out.Control("a_ready") | l.Out.Control("b_ready")
		for !d.Drained() {
			require.True(t, d.Drive(in))
			d.Observe(out)
		}
		for range 3 {
			d.Observe(out)
			require.True(t, d.Drained())
			require.Equal(t, 1, d.Accepted())
		}
	}
}

// Each stream goes on by itself: a block that takes a hundred of one stream for one of the other gets them, what a
// stream offers does not depend on what is taken of the other, and the episode made of the recorded items is the same.
func TestStreamsGoOnByThemselves(t *testing.T) {
	b := parsed(t, laneSchema)
	first := func() *stim.Episode {
		src, err := schema.Open(b, "random/7", stim.Options{Seed: 9})
		require.NoError(t, err)
		ep, ok := src.Next()
		require.True(t, ok)
		ep.Drive.Resets = ep.Drive.Resets[:1] // what is taken before another one counts, too
		return ep
	}
	hungry := func(taken [2]int, _ int) [2]bool {
		return [2]bool{taken[0] < 100*(taken[1]+1), taken[0] >= 100*(taken[1]+1)}
	}
	n := first().Len
	alike, _ := takes(t, first(), b, func([2]int, int) [2]bool { return [2]bool{true, true} })
	require.Equal(t, n, len(alike[0])+len(alike[1]))
	require.Greater(t, len(alike[0]), n/5)
	require.Greater(t, len(alike[1]), n/5)

	took, asked := takes(t, first(), b, hungry)
	require.GreaterOrEqual(t, len(took[0])+len(took[1]), n)
	require.Equal(t, 100*len(took[1]), 100*(len(took[0])/100), "what is offered is taken in the end")
	for i := range took {
		k := min(len(took[i]), len(alike[i]))
		require.Equal(t, alike[i][:k], took[i][:k], "stream %d", i)
	}
	require.True(t, slices.ContainsFunc(asked, func(it stim.Item) bool { return it.Late }), "more than the episode has")
	ep := first()
	again, _ := takes(t, stim.Recorded(ep.Name, ep.Block, ep.Seed, ep.Drive, asked), b, hungry)
	require.Equal(t, took, again)
	// And so is one that gives what was asked for and goes on.
	ep = first()
	it := stim.Item{Words: make([]uint64, 1)}
	require.True(t, ep.NextOf(asked[0].Lane, false, &it))
	again, _ = takes(t, stim.Again(ep, asked[:1]), b, hungry)
	require.Equal(t, took, again)
}

// A stream of half the weight offers half as much to a block that takes everything, and one of weight 0 nothing.
func TestStreamWeights(t *testing.T) {
	b := parsed(t, laneSchema+"stimulus:\n  events: [4000, 4000]\n  streams: [{name: a, weight: 2}]\n")
	count := func(b *event.Block) (a, bs int) {
		src, err := schema.Open(b, "random/3", stim.Options{Seed: 1})
		require.NoError(t, err)
		ep, _ := src.Next()
		ep.Drive.Idle, ep.Drive.IdleMore = stim.Gate{}, nil
		ep.Drive.Resets = ep.Drive.Resets[:1]
		took, _ := takes(t, ep, b, func([2]int, int) [2]bool { return [2]bool{true, true} })
		return len(took[0]), len(took[1])
	}
	x, y := count(b)
	require.InDelta(t, 2, float64(x)/float64(y), 0.2)
	x, y = count(parsed(t, laneSchema+"stimulus:\n  events: [400, 400]\n  streams: [{name: b, weight: 0}]\n"))
	require.Equal(t, []int{400, 0}, []int{x, y})
}

package fabric

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// spy is a block whose items have one word.
var spy = &event.Block{Name: "spy", Streams: []event.Stream{{Name: "ev", Dir: event.In}}}

// spied is an episode as read from a feed of departures.
type spied struct {
	name  string
	drive stim.DriveSpec
	words []uint64
}

// departures is a block of 8 ports that gets one configuration event, then each departure.
func departures(begun *int) SwitchBlock {
	return SwitchBlock{Schema: spy, Ports: 8, Begin: func(f *Feed) func(*PortEvent) {
		*begun++
		if w := f.Put(0, 0, false); w != nil {
			w[0] = f.Rand.U64()
		}
		return func(e *PortEvent) {
			if e.Kind == net.PortDepart {
				if w := f.Put(0, 0, false); w != nil {
					w[0] = uint64(e.PSN)<<32 | uint64(e.Flow)<<8 | uint64(e.Port)
				}
			}
		}
	}}
}

// feedOf returns a feed whose first simulation shows at most this many events.
func feedOf(t *testing.T, b SwitchBlock, spec settings.Spec, events, only, most int) *Feed {
	t.Helper()
	f, err := newFeed(b, "permutation", spec, &stim.Options{Seed: spec.Seed, Events: events})
	require.NoError(t, err)
	f.tour.only, f.tour.most = only, most
	f.start(f.run)
	t.Cleanup(f.Close)
	return f
}

func take(t *testing.T, f *Feed) (out []spied) {
	t.Helper()
	it := stim.Item{Words: make([]uint64, 1)}
	for ep, ok := f.Next(); ok; ep, ok = f.Next() {
		s := spied{name: ep.Name, drive: ep.Drive}
		for ep.NextItem(&it) {
			s.words = append(s.words, it.Words[0])
		}
		out = append(out, s)
	}
	return out
}

func permutation(t *testing.T, seed uint64) settings.Spec {
	t.Helper()
	spec, err := Switch.Spec("permutation", seed)
	require.NoError(t, err)
	return spec
}

// A source that ends before it has delivered the requested number of events has an error, whatever the cause.
func TestFeedGivesEveryEventOrAnError(t *testing.T) {
	n := 0
	none := SwitchBlock{Schema: spy, Ports: 8,
		Begin: func(*Feed) func(*PortEvent) { return func(*PortEvent) {} }}
	f := feedOf(t, none, permutation(t, 1), 10, -1, 5000)
	require.Empty(t, take(t, f), "an episode without an event is none")
	require.ErrorContains(t, f.Err(), "source fabric:permutation: simulation 0: no packet comes to")

	broken := permutation(t, 1)
	broken.MTU = -1
	f = feedOf(t, departures(&n), broken, 10, -1, 5000)
	require.Empty(t, take(t, f))
	require.ErrorContains(t, f.Err(), "fabric run: ")

	// Two rounds and a bit of a third.
	for _, events := range []int{1, 2, 1500, 7000} {
		f = feedOf(t, departures(&n), permutation(t, 1), events, -1, 8000)
		total := 0
		for _, ep := range take(t, f) {
			require.NotEmpty(t, ep.words)
			total += len(ep.words)
		}
		require.NoError(t, f.Err())
		require.Equal(t, events, total)
	}
}

// Each switch is an episode, each simulation draws its own traffic, and a shorter run is a prefix of a longer one. An
// episode alone equals that episode of the run.
func TestFeedEpisodes(t *testing.T) {
	begun := 0
	long := take(t, feedOf(t, departures(&begun), permutation(t, 1), 6000, -1, 8000))
	require.Equal(t, begun, len(long))
	require.Greater(t, len(long), 80, "more than one simulation")
	var names []string
	for _, ep := range long {
		names = append(names, ep.name)
	}
	require.Equal(t, "fabric:permutation/0", names[0])
	require.Contains(t, names, "fabric:permutation/79", "the last core switch")
	second := slices.Index(names, "fabric:permutation/80")
	require.Positive(t, second)
	require.Equal(t, names, slices.Compact(slices.Clone(names)))
	require.NotEqual(t, long[0].words[1:], long[second].words[1:])
	require.NotEqual(t, long[0].words[0], long[1].words[0], "the contents of each episode are drawn for it")

	short := take(t, feedOf(t, departures(&begun), permutation(t, 1), 1500, -1, 8000))
	last := len(short) - 1
	require.Greater(t, last, 3)
	require.Equal(t, long[:last], short[:last])
	require.Equal(t, long[last].words[:len(short[last].words)], short[last].words)

	for _, number := range []int{0, 3, 79, 80} {
		in := &long[slices.Index(names, fmt.Sprintf("fabric:permutation/%d", number))]
		alone := take(t, feedOf(t, departures(&begun), permutation(t, 1), 6000, number, 8000))
		require.Len(t, alone, 1)
		require.Equal(t, in.name, alone[0].name)
		require.Equal(t, in.drive, alone[0].drive)
		require.Equal(t, in.words, alone[0].words[:len(in.words)])
	}
}

// Closing a source ends its simulations, even while nobody reads.
func TestFeedCloses(t *testing.T) {
	n := 0
	f := feedOf(t, departures(&n), permutation(t, 1), 1<<30, -1, 8000)
	_, ok := f.Next()
	require.True(t, ok)
	f.Close()
}

// The part must be a number, and an episode without packets is an error.
func TestFeedOfOneEpisode(t *testing.T) {
	n := 0
	_, err := NewFeed(departures(&n), "permutation", permutation(t, 1), &stim.Options{Seed: 1, Events: 10}, "x")
	require.ErrorContains(t, err, "episode must be a number, as in fabric:permutation/17")
	_, err = NewFeed(departures(&n), "permutation", permutation(t, 1), &stim.Options{Seed: 1}, "")
	require.ErrorContains(t, err, "events = 0 sets no end")
	incast, err := Switch.Spec("incast32", 1)
	require.NoError(t, err)
	idle := 0
	f := feedOf(t, departures(&n), incast, 4000, -1, 3000)
	seen := map[string]bool{}
	for _, ep := range take(t, f) {
		seen[ep.name] = true
	}
	require.NoError(t, f.Err())
	for seen["fabric:permutation/"+string(rune('0'+idle))] && idle < 9 {
		idle++
	}
	require.Less(t, idle, 9, "a switch that no packet of the incast passes")
	f = feedOf(t, departures(&n), incast, 4000, idle, 3000)
	require.Empty(t, take(t, f))
	require.ErrorContains(t, f.Err(), "no packet comes to")
}

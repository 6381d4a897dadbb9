package block_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/cache"
)

// taken is one episode as a model sees it: its head, its items with their times, and what the model answers.
type taken struct {
	ep    stim.Episode
	items []stim.Item
	times [][2]int64
	out   []uint64
}

// onModel plays a source on the block's model.
func onModel(t *testing.T, b *block.Block, params map[string]int, src stim.Source) (all []taken) {
	t.Helper()
	l := event.NewLayout(b.Schema)
	d := drive.NewDriver(l)
	in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		x := taken{ep: *ep}
		x.ep.Items, x.ep.Times = nil, nil
		ep.Tap = func(it *stim.Item) {
			x.items = append(x.items, it.Clone())
			if now, tx, ok := ep.Picos(); ok {
				x.times = append(x.times, [2]int64{now, tx})
			}
		}
		model, err := b.NewModel(params)
		require.NoError(t, err)
		for d.Begin(ep); d.Drive(in); {
			model.Cycle(in, out)
			d.Observe(out)
			x.out = append(x.out, out...)
		}
		all = append(all, x)
	}
	require.NoError(t, src.Err())
	return all
}

// TestCacheGivesWhatWasMade plays every source of a simulated network on every block: made without a cache, made with
// one, and read from it where it is kept.
func TestCacheGivesWhatWasMade(t *testing.T) {
	kept := cache.New(t.TempDir())
	for _, b := range block.All() {
		for i := range b.Stimulus.Sources {
			source := b.Stimulus.Sources[i].Name
			if !strings.HasPrefix(source, "fabric:") {
				continue
			}
			t.Run(b.Name()+"/"+source, func(t *testing.T) {
				params, err := b.Schema.Values(b.Sizes.Fabric)
				require.NoError(t, err)
				events := 1000
				if b.Bench.Events > 0 && b.Bench.Events < 20_000 {
					events = 300 // packets of many beats
				}
				o := stim.Options{Seed: 1, Events: events, Params: params}
				src, err := b.Stimulus.Open(source, o)
				require.NoError(t, err)
				want := onModel(t, b, params, src)
				src.Close()
				small := !slices.ContainsFunc(b.Schema.Streams, func(s event.Stream) bool { return s.Field("last") != nil })
				for _, second := range []bool{false, true} {
					src, err := kept.Open(b.Stimulus, source, o)
					require.NoError(t, err)
					got := onModel(t, b, params, src)
					src.Close()
					_, read := src.Made()
					if small {
						require.Equal(t, second, read)
					} else { // of packets it depends on their size
						require.False(t, read && !second)
					}
					require.Len(t, got, len(want))
					for i := range want {
						require.Equal(t, want[i], got[i], "episode %d", i)
					}
				}
			})
		}
	}
}

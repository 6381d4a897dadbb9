package block_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
)

// streamBlocks are the blocks with one stream of events and one of responses.
var streamBlocks = []string{ccc.BlockName, txstate.BlockName}

// drain returns the number of events of a source and a digest of all that it
// gives: names, drive and words.
func drain(t testing.TB, src stim.Source, words int) (n int, digest uint64) {
	t.Helper()
	buf := make([]uint64, words)
	mix := func(w uint64) {
		digest = (digest ^ w) * 0x9e3779b97f4a7c15
		digest ^= digest >> 29
	}
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		for _, c := range fmt.Sprint(ep.Name, ep.Block, ep.Seed, ep.Drive) {
			mix(uint64(c))
		}
		for ep.Next(buf) {
			n++
			for _, w := range buf {
				mix(w)
			}
		}
	}
	require.NoError(t, src.Err())
	return n, digest
}

func wordsOf(blk string) int {
	if blk == ccc.BlockName {
		return ccc.EventWords
	}
	return txstate.EventWords
}

func TestSourcesAreDeterministicAndWhole(t *testing.T) {
	for _, blk := range streamBlocks {
		for _, source := range []string{"random", "fabric:permutation", "fabric:incast32", "directed"} {
			t.Run(blk+"/"+source, func(t *testing.T) {
				const events = 20000
				run := func(seed uint64) (int, uint64) {
					src, err := block.Open(blk, source, stim.Options{Seed: seed, Events: events})
					require.NoError(t, err)
					defer src.Close()
					return drain(t, src, wordsOf(blk))
				}
				n, a := run(7)
				if source != "directed" {
					require.Equal(t, events, n)
				}
				_, b := run(7)
				require.Equal(t, a, b, "same seed, other stimulus")
				_, c := run(8)
				require.NotEqual(t, a, c, "another seed, same stimulus")
			})
		}
	}
}

// A name opens one source, so that no two directed cases of a block have the same.
func TestSourceNamesAreUnique(t *testing.T) {
	for _, b := range block.All() {
		seen, cases := map[string]bool{}, 0
		for _, name := range b.Stimulus.Names() {
			require.False(t, seen[name], "%s: %s is there twice", b.Name(), name)
			seen[name] = true
			if strings.HasPrefix(name, "directed/") {
				cases++
			}
		}
		require.Positive(t, cases, b.Name())
	}
}

// TestRandomEpisodesStandAlone opens single episodes of a run by name and
// expects what the run gave, also where the run ended within the episode.
func TestRandomEpisodesStandAlone(t *testing.T) {
	for _, blk := range streamBlocks {
		t.Run(blk, func(t *testing.T) {
			src, err := block.Open(blk, "random", stim.Options{Seed: 5, Events: 9000})
			require.NoError(t, err)
			a, b := make([]uint64, wordsOf(blk)), make([]uint64, wordsOf(blk))
			count := 0
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				count++
				alone, err := block.Open(blk, ep.Name, stim.Options{Seed: 5})
				require.NoError(t, err)
				one, ok := alone.Next()
				require.True(t, ok)
				require.Equal(t, ep.Name, one.Name)
				require.Equal(t, ep.Seed, one.Seed)
				require.Equal(t, ep.Drive, one.Drive)
				for i := 0; ep.Next(a); i++ {
					require.True(t, one.Next(b))
					require.Equal(t, a, b, "%s event %d", ep.Name, i)
				}
				_, more := alone.Next()
				require.False(t, more)
			}
			require.Greater(t, count, 3)
		})
	}
}

func TestEventsCarryNoControlBits(t *testing.T) {
	for _, blk := range streamBlocks {
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			src, err := block.Open(blk, source, stim.Options{Seed: 2, Events: 3000})
			require.NoError(t, err)
			buf := make([]uint64, wordsOf(blk))
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				for ep.Next(buf) {
					require.Zero(t, buf[0]&7, ep.Name)
				}
			}
			src.Close()
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for _, c := range []struct {
		block, source string
		o             stim.Options
		want          string
	}{
		{"switch", "random", stim.Options{},
			`unknown block "switch": known blocks are ackgen, ackparse, `},
		{"egress", "chaos", stim.Options{},
			`source "chaos" of block egress: unknown; known sources: directed, directed/CASE, random, random/N, fabric:`},
		{"egress", "directed/trim/nope", stim.Options{}, "cases: trim/size"},
		{"egress", "random/x", stim.Options{}, "episode must be a number"},
		{"trimmer", "fabric:torus", stim.Options{Events: 1}, "fabric:incast32"},
		{"intmd", "random", stim.Options{Params: map[string]int{"NumPorts": 65}}, "NumPorts: 65 is not in 1..64"},
		{"ccc", "chaos", stim.Options{},
			`source "chaos" of block ccc: unknown; known sources: directed, directed/CASE, random, random/N, fabric:`},
		{"ccc", "directed/qa/nope", stim.Options{}, "cases: qa/fires-by-delay"},
		{"ccc", "directed/nope", stim.Options{}, "case groups: "},
		{"ccc", "fabric:torus", stim.Options{Events: 1}, "fabric:incast32"},
		{"ccc", "fabric:permutation", stim.Options{}, "events = 0"},
		{"ccc", "random/x", stim.Options{}, "episode must be a number"},
		{"ccc", "random", stim.Options{Events: -1}, "must not be negative"},
		{"ccc", "random", stim.Options{TickNs: 5}, "must be 1 or 128"},
		{"ccc", "random", stim.Options{Params: map[string]int{"NumContexts": 1}},
			"block ccc: parameter NumContexts: 1 is not in 2..65536"},
		{"ccc", "random", stim.Options{Params: map[string]int{"Depth": 4}},
			`parameter "Depth": block ccc has NumContexts, NumPdcs, NumProfiles`},
		{"txstate", "random", stim.Options{Params: map[string]int{"Depth": 48}}, "not a power of two"},
	} {
		_, err := block.Open(c.block, c.source, c.o)
		require.ErrorContains(t, err, c.want, "%s %s", c.block, c.source)
	}
}

func TestSourcesCanBeOpenedByName(t *testing.T) {
	for _, blk := range block.Blocks() {
		names := block.Sources(blk)
		require.Contains(t, names, "random")
		require.Contains(t, names, "fabric:permutation")
		seen := map[string]bool{}
		for _, name := range names {
			require.False(t, seen[name], name)
			seen[name] = true
			src, err := block.Open(blk, name, stim.Options{Events: 100})
			require.NoError(t, err, name)
			_, ok := src.Next()
			require.True(t, ok, name)
			src.Close()
		}
	}
	require.Nil(t, block.Sources("switch"))
}

// Small and large blocks: every number that an event names must fit, and the
// random source must reach the highest context.
func TestParameterExtremes(t *testing.T) {
	for _, n := range []int{2, 3, 37, 65536} {
		src, err := block.Open(ccc.BlockName, "random",
			stim.Options{Seed: 1, Events: 20000, Params: map[string]int{"NumContexts": n}})
		require.NoError(t, err)
		var ev ccc.Event
		buf := make([]uint64, ccc.EventWords)
		var hit, beyond bool
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			for ep.Next(buf) {
				ccc.UnpackEvent(buf, &ev)
				hit = hit || int(ev.Ctx) == n-1
				beyond = beyond || int(ev.Ctx) >= n
			}
		}
		require.True(t, hit, "%d contexts", n)
		require.Equal(t, n < 65536, beyond, "%d contexts", n)
	}
	for _, p := range []map[string]int{{"NumPdcs": 1, "Depth": 2}, {"NumPdcs": 3, "Depth": 4096},
		{"NumPdcs": 65536, "Depth": 2}} {
		for _, source := range []string{"random", "directed/order", "directed/timing", "directed/reset"} {
			src, err := block.Open(txstate.BlockName, source, stim.Options{Seed: 1, Events: 5000, Params: p})
			require.NoError(t, err)
			n, _ := drain(t, src, txstate.EventWords)
			require.NotZero(t, n)
		}
	}
}

func TestRandomDoesNotAllocatePerEvent(t *testing.T) {
	for _, blk := range streamBlocks {
		src, err := block.Open(blk, "random", stim.Options{Seed: 4, Events: 1 << 30})
		require.NoError(t, err)
		buf := make([]uint64, wordsOf(blk))
		var ep *stim.Episode
		events := 0
		perEpisode := testing.AllocsPerRun(200, func() {
			ep, _ = src.Next()
			for ep.Next(buf) {
				events++
			}
		})
		require.Less(t, perEpisode, 8.0, "%s: allocations per episode", blk)
		require.Greater(t, events, 200*100)
	}
}

func BenchmarkSource(b *testing.B) {
	for _, blk := range streamBlocks {
		for _, source := range []string{"random", "fabric:permutation", "fabric:incast32"} {
			b.Run(blk+"/"+source, func(b *testing.B) {
				src, err := block.Open(blk, source, stim.Options{Seed: 1, Events: 1 << 30})
				require.NoError(b, err)
				defer src.Close()
				buf := make([]uint64, wordsOf(blk))
				ep, _ := src.Next()
				b.ReportAllocs()
				for b.Loop() {
					for !ep.Next(buf) {
						ep, _ = src.Next()
					}
				}
			})
		}
	}
}

package block_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// scriptBlocks are the blocks whose random episodes are scripts.
var scriptBlocks = []string{"egress", "intmd", "switchport", "trimmer"}

// layoutOf returns the layout of a blk whose episodes are scripts.
func layoutOf(blk string) *event.Layout { return event.NewLayout(lookup(blk).Schema) }

// items returns copies of what an episode lists.
func items(ep *stim.Episode, words int) (out []stim.Item) {
	it := stim.Item{Words: make([]uint64, words)}
	for ep.NextItem(&it) {
		out = append(out, it.Clone())
	}
	return out
}

func TestScriptsAreDeterministicAndStandAlone(t *testing.T) {
	for _, blk := range scriptBlocks {
		words := layoutOf(blk).In.Words
		for _, source := range []string{"directed", "random", "fabric:permutation", "fabric:incast32", "fabric:mixed",
			"fabric:websearch"} {
			t.Run(blk+"/"+source, func(t *testing.T) {
				const events = 1000
				open := func(source string, seed uint64) stim.Source {
					src, err := block.Open(blk, source, stim.Options{Seed: seed, Events: events})
					require.NoError(t, err)
					return src
				}
				a, b, c := open(source, 7), open(source, 7), open(source, 8)
				defer a.Close()
				defer b.Close()
				defer c.Close()
				total, differ := 0, false
				for {
					ep, ok := a.Next()
					ep2, ok2 := b.Next()
					ep3, ok3 := c.Next()
					require.Equal(t, ok, ok2)
					if !ok {
						break
					}
					require.Equal(t, ep.Drive, ep2.Drive)
					name, list := ep.Name, items(ep, words)
					require.Equal(t, list, items(ep2, words), name)
					differ = differ || !ok3 || fmt.Sprint(list) != fmt.Sprint(items(ep3, words))
					n := 0
					inside := map[int]bool{}
					for _, it := range list {
						if !inside[it.Lane] {
							n++
						}
						inside[it.Lane] = it.More
					}
					total += n
					require.Empty(t, goesOn(inside), "%s: a packet has no end", name)
					if source == "random" {
						alone, err := block.Open(blk, name, stim.Options{Seed: 7})
						require.NoError(t, err)
						one, ok := alone.Next()
						require.True(t, ok)
						require.Equal(t, name, one.Name)
						whole := items(one, words)
						if total < events {
							require.Equal(t, whole, list, name)
						}
					}
				}
				require.NoError(t, a.Err())
				require.True(t, differ || source == "directed", "another seed, same stimulus")
				if source != "directed" {
					require.Equal(t, events, total)
				}
			})
		}
	}
}

func goesOn(inside map[int]bool) (out []int) {
	for lane, on := range inside {
		if on {
			out = append(out, lane)
		}
	}
	return out
}

// Scripts reach the highest port and one beyond on every size of blk.
func TestScriptsFitEveryParameter(t *testing.T) {
	for _, c := range []struct {
		blk    string
		params map[string]int
	}{
		{"egress", map[string]int{"NumPorts": 1, "Depth": 2}}, {"egress", map[string]int{"NumPorts": 64, "Depth": 4}},
		{"intmd", map[string]int{"NumPorts": 1}}, {"intmd", map[string]int{"NumPorts": 64}},
	} {
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			src, err := block.Open(c.blk, source, stim.Options{Seed: 1, Events: 2000, Params: c.params})
			require.NoError(t, err)
			n := 0
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				n += len(items(ep, layoutOf(c.blk).In.Words))
			}
			require.NotZero(t, n)
			src.Close()
		}
	}
}

func TestScriptsDoNotAllocatePerItem(t *testing.T) {
	for _, blk := range scriptBlocks {
		src, err := block.Open(blk, "random", stim.Options{Seed: 4, Events: 1 << 30})
		require.NoError(t, err)
		it := stim.Item{Words: make([]uint64, layoutOf(blk).In.Words)}
		n := 0
		one := func() {
			ep, _ := src.Next()
			for ep.NextItem(&it) {
				n++
			}
		}
		for range 60 {
			one()
		}
		per := testing.AllocsPerRun(60, one)
		require.Less(t, per, float64(n)/120/50+16, "%s: allocations per episode", blk)
	}
}

// ofNIC are the blocks of a NIC.
var ofNIC = []string{"ackgen", "ackparse", "ccc", "credit", "nic", "txpdc", "txstate"}

// TestSwitchTrafficIsForSwitches: a NIC's blocks have no source of traffic that ends, and say so.
func TestSwitchTrafficIsForSwitches(t *testing.T) {
	for _, blk := range block.Blocks() {
		for _, name := range []string{"mixed", "websearch"} {
			listed := slices.Contains(block.Sources(blk), "fabric:"+name)
			src, err := block.Open(blk, "fabric:"+name, stim.Options{Seed: 1, Events: 100})
			require.Equal(t, !slices.Contains(ofNIC, blk), listed, "%s %s", blk, name)
			if listed {
				require.NoError(t, err)
				src.Close()
				continue
			}
			require.ErrorContains(t, err, "known sources")
		}
	}
}

// lookup returns a block that there is.
func lookup(name string) *block.Block {
	b, err := block.Lookup(name)
	if err != nil {
		panic(err)
	}
	return b
}

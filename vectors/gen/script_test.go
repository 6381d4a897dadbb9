package gen

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// scriptBlocks are the blocks whose random episodes are scripts.
var scriptBlocks = []string{"egress", "intmd", "switchport", "trimmer"}

// layoutOf returns the layout of a block whose episodes are scripts.
func layoutOf(block string) *event.Layout { return event.NewLayout(suiteOf(block).Schema) }

// items returns copies of what an episode lists.
func items(ep *Episode, words int) (out []Item) {
	it := Item{Words: make([]uint64, words)}
	for ep.NextItem(&it) {
		out = append(out, it.Clone())
	}
	return out
}

func TestScriptsAreDeterministicAndStandAlone(t *testing.T) {
	for _, block := range scriptBlocks {
		words := layoutOf(block).In.Words
		for _, source := range []string{"directed", "random", "fabric:permutation", "fabric:incast32", "fabric:mixed", "fabric:websearch"} {
			t.Run(block+"/"+source, func(t *testing.T) {
				const events = 3000
				open := func(source string, seed uint64) Source {
					src, err := Open(block, source, Options{Seed: seed, Events: events})
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
						alone, err := Open(block, name, Options{Seed: 7})
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

// Scripts reach the highest port and one beyond on every size of block.
func TestScriptsFitEveryParameter(t *testing.T) {
	for _, c := range []struct {
		block  string
		params map[string]int
	}{
		{"egress", map[string]int{"NumPorts": 1, "Depth": 2}}, {"egress", map[string]int{"NumPorts": 64, "Depth": 4}},
		{"intmd", map[string]int{"NumPorts": 1}}, {"intmd", map[string]int{"NumPorts": 64}},
	} {
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			src, err := Open(c.block, source, Options{Seed: 1, Events: 2000, Params: c.params})
			require.NoError(t, err)
			n := 0
			for ep, ok := src.Next(); ok; ep, ok = src.Next() {
				n += len(items(ep, layoutOf(c.block).In.Words))
			}
			require.NotZero(t, n)
			src.Close()
		}
	}
}

func TestScriptsDoNotAllocatePerItem(t *testing.T) {
	for _, block := range scriptBlocks {
		src, err := Open(block, "random", Options{Seed: 4, Events: 1 << 30})
		require.NoError(t, err)
		it := Item{Words: make([]uint64, layoutOf(block).In.Words)}
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
		require.Less(t, per, float64(n)/120/50+16, "%s: allocations per episode", block)
	}
}

// TestSwitchTrafficIsForSwitches: a NIC's blocks have no source of traffic that ends, and say so.
func TestSwitchTrafficIsForSwitches(t *testing.T) {
	for _, block := range Blocks() {
		for _, name := range []string{"mixed", "websearch"} {
			listed := slices.Contains(Sources(block), "fabric:"+name)
			src, err := Open(block, "fabric:"+name, Options{Seed: 1, Events: 100})
			require.Equal(t, block != "ccc" && block != "txstate", listed, "%s %s", block, name)
			if listed {
				require.NoError(t, err)
				src.Close()
				continue
			}
			require.ErrorContains(t, err, "known sources")
		}
	}
}

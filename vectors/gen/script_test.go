package gen

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
	egressmodel "github.com/goldwire/goldwire/rtlmodel/egress"
	trimmermodel "github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	egressevent "github.com/goldwire/goldwire/vectors/event/egress"
)

// layoutOf returns the layout of a block whose episodes are scripts.
func layoutOf(block string) *event.Layout { return event.NewLayout(suites[block].schema) }

// items returns copies of what an episode lists.
func items(ep *Episode, words int) (out []Item) {
	it := Item{Words: make([]uint64, words)}
	for ep.NextItem(&it) {
		out = append(out, it.Clone())
	}
	return out
}

func TestScriptsAreDeterministicAndStandAlone(t *testing.T) {
	for block := range suites {
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

// TestDriverKeepsEveryStreamInOrder plays scripts on the models and checks what the driver owes to each port:
// an offered item stays as it is until it is taken, a stream's items come in order and each once, and an item
// waits for what it must wait for.
func TestDriverKeepsEveryStreamInOrder(t *testing.T) {
	egress, err := egressmodel.New(egressmodel.Spec{NumPorts: 4, Depth: 64})
	require.NoError(t, err)
	models := map[string]cycler{BlockEgress: egress, BlockTrimmer: trimmermodel.New()}
	for block, m := range models {
		l := layoutOf(block)
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			t.Run(block+"/"+source, func(t *testing.T) {
				src, err := Open(block, source, Options{Seed: 9, Events: 4000})
				require.NoError(t, err)
				defer src.Close()
				in, out, before := make([]uint64, l.In.Words), make([]uint64, l.Out.Words), make([]uint64, l.In.Words)
				d := NewDriver(l)
				for ep, ok := src.Next(); ok; ep, ok = src.Next() {
					var list []Item
					ep.Tap = func(it *Item) { list = append(list, it.Clone()) }
					taken := map[int]int{} // by stream: place in the list of its last item taken
					offered := make([]bool, len(d.ins))
					d.Begin(ep)
					for d.Drive(in) {
						m.Cycle(in, out)
						for i := range d.ins {
							s := &d.ins[i]
							if offered[i] {
								require.NotZero(t, in[0]&s.valid, "%v: valid fell", d)
								for w, mask := range s.mask {
									require.Equal(t, before[w]&mask, in[w]&mask, "%v: payload moved", d)
								}
							}
							valid := in[0]&s.valid != 0
							accepted := valid && in[0]&inRstN != 0 && out[0]&s.ready != 0
							if valid && !offered[i] {
								it, at := next(list, i, taken)
								require.NotNil(t, it, "%v: nothing to offer", d)
								for w, mask := range s.mask {
									require.Equal(t, it.Words[w]&mask, in[w]&mask, "%v: stream %d", d, i)
								}
								for k := range d.ins {
									if it.Wait>>k&1 != 0 && k != i {
										if other, n := next(list, k, taken); other != nil {
											limit := at
											if it.Pair {
												limit--
											}
											require.GreaterOrEqual(t, n, limit, "%v: stream %d has not waited for %d", d, i, k)
										}
									}
								}
							}
							offered[i] = valid && !accepted
						}
						for i := range d.ins {
							if in[0]&inRstN != 0 && in[0]&d.ins[i].valid != 0 && out[0]&d.ins[i].ready != 0 {
								_, at := next(list, i, taken)
								taken[i] = at + 1
							}
						}
						d.Observe(out)
						copy(before, in)
						require.Less(t, d.Cycles(), uint64(10_000_000), "%v: does not end", d)
					}
					require.Equal(t, len(list), d.Accepted(), ep.Name)
					for i := range d.ins {
						it, _ := next(list, i, taken)
						require.Nil(t, it, "%s: stream %d has something left", ep.Name, i)
					}
				}
				require.NoError(t, src.Err())
			})
		}
	}
}

// next returns a stream's first item not taken yet, and its place.
func next(list []Item, lane int, taken map[int]int) (*Item, int) {
	for n := taken[lane]; n < len(list); n++ {
		if list[n].Lane == lane {
			return &list[n], n
		}
	}
	return nil, len(list)
}

// Scripts reach the highest port and one beyond on every size of block.
func TestScriptsFitEveryParameter(t *testing.T) {
	for _, c := range []struct {
		block  string
		params map[string]int
	}{
		{BlockEgress, map[string]int{"NumPorts": 1, "Depth": 2}}, {BlockEgress, map[string]int{"NumPorts": 64, "Depth": 4}},
		{BlockIntmd, map[string]int{"NumPorts": 1}}, {BlockIntmd, map[string]int{"NumPorts": 64}},
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
	for block := range suites {
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
			require.Equal(t, block != BlockCCC && block != BlockTxstate, listed, "%s %s", block, name)
			if listed {
				require.NoError(t, err)
				src.Close()
				continue
			}
			require.ErrorContains(t, err, "known sources")
		}
	}
}

// TestSwitchIsFedBeyondOneRun: traffic that ends is drawn anew, for as long as events are asked for, and other draws
// follow.
func TestSwitchIsFedBeyondOneRun(t *testing.T) {
	spec, err := FabricSpec(BlockEgress, "mixed", 1)
	require.NoError(t, err)
	spec.Sizes = []int64{4000, 20000}
	src, err := EgressOfFabric(spec, Options{Seed: 1, Events: 5000})
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	n, queued := 0, 0
	var enq egressevent.Enq
	for _, it := range items(ep, egressevent.InWords) {
		n++
		egressevent.UnpackEnq(it.Words, &enq)
		switch {
		case it.Lane == laneDeq:
			queued--
			require.GreaterOrEqual(t, queued, 0, "item %d: a departure before its arrival", n)
		case enq.Kind == egressevent.KindEnq:
			queued++
		}
	}
	require.NoError(t, src.Err())
	require.Equal(t, 5000, n)

	spec.Workload, spec.Flows, spec.CDF, spec.Load = settings.Poisson, 1, "websearch", 0.5
	none, err := EgressOfFabric(spec, Options{Seed: 1, Events: 5000, Params: map[string]int{"NumPorts": 1}})
	require.NoError(t, err)
	defer none.Close()
	ep, _ = none.Next()
	items(ep, egressevent.InWords)
	require.ErrorContains(t, none.Err(), "no packet comes to")
}

// TestEgressRulesThatDoNotFit names what egress cannot do.
func TestEgressRulesThatDoNotFit(t *testing.T) {
	for want, edit := range map[string]func(*settings.Spec){
		"whole packets":   func(s *settings.Spec) { s.WholePackets = true },
		"in bytes":        func(s *settings.Spec) { s.KMinBytes = 1000 },
		"several rates":   func(s *settings.Spec) { s.TierGbps[0] = 800 },
		"at the tail":     func(s *settings.Spec) { s.TrimRule = settings.TrimEither },
		"PFC or DRR":      func(s *settings.Spec) { s.DRR[2] = 4096 },
		"data or probes":  func(s *settings.Spec) { s.Recovery = settings.RecoverSLEEK },
		"DROP_LOW = 9000": func(s *settings.Spec) { s.Trim, s.DropAt = false, 9000 },
	} {
		spec := settings.DefaultSpec()
		edit(&spec)
		_, err := EgressRules(spec)
		require.ErrorContains(t, err, want)
	}
}

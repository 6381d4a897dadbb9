package drive

import (
	"testing"

	"github.com/stretchr/testify/require"

	egressmodel "github.com/goldwire/goldwire/rtlmodel/egress"
	trimmermodel "github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	stimegress "github.com/goldwire/goldwire/vectors/stim/egress"
	stimtrimmer "github.com/goldwire/goldwire/vectors/stim/trimmer"
)

// TestDriverKeepsEveryStreamInOrder plays scripts on the models and checks what the driver owes to each port:
// an offered item stays as it is until it is taken, a stream's items come in order and each once, and an item
// waits for what it must wait for.
func TestDriverKeepsEveryStreamInOrder(t *testing.T) {
	egress, err := egressmodel.New(egressmodel.Spec{NumPorts: 4, Depth: 64})
	require.NoError(t, err)
	for suite, m := range map[*stim.Suite]cycler{&stimegress.Suite: egress, &stimtrimmer.Suite: trimmermodel.New()} {
		l := event.NewLayout(suite.Schema)
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			t.Run(suite.Schema.Name+"/"+source, func(t *testing.T) {
				src, err := suite.Open(source, stim.Options{Seed: 9, Events: 4000})
				require.NoError(t, err)
				defer src.Close()
				in, out, before := make([]uint64, l.In.Words), make([]uint64, l.Out.Words), make([]uint64, l.In.Words)
				d := NewDriver(l)
				for ep, ok := src.Next(); ok; ep, ok = src.Next() {
					var list []stim.Item
					ep.Tap = func(it *stim.Item) { list = append(list, it.Clone()) }
					taken := map[int]int{} // by stream: place in the list of its last item taken
					offered := make([]bool, len(d.ins))
					d.Begin(ep)
					for d.Drive(in) {
						m.Cycle(in, out)
						for i := range d.ins {
							s := &d.ins[i]
							if offered[i] {
								require.NotZero(t, in[0]&s.Valid, "%v: valid fell", d)
								for w, mask := range s.Mask {
									require.Equal(t, before[w]&mask, in[w]&mask, "%v: payload moved", d)
								}
							}
							valid := in[0]&s.Valid != 0
							accepted := valid && in[0]&inRstN != 0 && out[0]&s.Ready != 0
							if valid && !offered[i] {
								it, at := next(list, i, taken)
								require.NotNil(t, it, "%v: nothing to offer", d)
								for w, mask := range s.Mask {
									require.Equal(t, it.Words[w]&mask, in[w]&mask, "%v: stream %d", d, i)
								}
								for k := range d.ins {
									if it.Wait>>k&1 != 0 && k != i {
										if other, n := next(list, k, taken); other != nil {
											limit := at
											if it.Pair {
												limit--
											}
											require.GreaterOrEqual(t, n, limit, "%v: stream %d has not waited for %d",
												d, i, k)
										}
									}
								}
							}
							offered[i] = valid && !accepted
						}
						for i := range d.ins {
							if in[0]&inRstN != 0 && in[0]&d.ins[i].Valid != 0 && out[0]&d.ins[i].Ready != 0 {
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
func next(list []stim.Item, lane int, taken map[int]int) (*stim.Item, int) {
	for n := taken[lane]; n < len(list); n++ {
		if list[n].Lane == lane {
			return &list[n], n
		}
	}
	return nil, len(list)
}

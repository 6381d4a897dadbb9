package kernel

import (
	"container/heap"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/units"
)

// heapQueue is the plain twin of the wheel: a binary heap on (time, insertion).
type heapQueue struct {
	items []heapItem
	seq   int
}

type heapItem struct {
	Event
	seq int
}

func (h *heapQueue) Len() int { return len(h.items) }
func (h *heapQueue) Less(i, j int) bool {
	a, b := h.items[i], h.items[j]
	return a.At < b.At || a.At == b.At && a.seq < b.seq
}
func (h *heapQueue) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *heapQueue) Push(x any)    { h.items = append(h.items, x.(heapItem)) }
func (h *heapQueue) Pop() any {
	x := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return x
}
func (h *heapQueue) push(at units.Picos, arg int32) {
	heap.Push(h, heapItem{Event{At: at, Arg: arg}, h.seq})
	h.seq++
}

// TestWheelAgainstHeap drives both queues with the same schedule; delays reach
// from ties to several super-turns of the wheel.
func TestWheelAgainstHeap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		width := uint(rapid.IntRange(0, 12).Draw(rt, "width"))
		w, h := NewWheel(width), &heapQueue{}
		turn := uint(nearBits) + width
		now, n := units.Picos(0), int32(0)
		steps := rapid.IntRange(1, 300).Draw(rt, "steps")
		for range steps {
			burst := rapid.IntRange(0, 60).Draw(rt, "burst")
			reach := uint(rapid.IntRange(0, int(turn)+farBits+3).Draw(rt, "reach"))
			salt := rapid.Uint64().Draw(rt, "salt")
			for i := range burst {
				at := now + units.Picos(scramble(salt+uint64(i))&(1<<reach-1))
				w.Push(at, 0, n)
				h.push(at, n)
				n++
			}
			for range rapid.IntRange(0, 60).Draw(rt, "pops") {
				if at, ok := w.NextAt(); ok && salt&1 == 0 {
					require.Equal(rt, h.items[0].At, at)
					require.Equal(rt, salt&2 != 0, w.Ready(at+units.Picos(salt>>1&1)))
				}
				got, ok := w.Pop()
				if h.Len() == 0 {
					require.False(rt, ok)
					break
				}
				want := heap.Pop(h).(heapItem)
				require.True(rt, ok)
				require.Equal(rt, want.Event, got)
				now = got.At
			}
		}
		for h.Len() > 0 {
			got, ok := w.Pop()
			require.True(rt, ok)
			require.Equal(rt, heap.Pop(h).(heapItem).Event, got)
		}
		_, ok := w.Pop()
		require.False(rt, ok)
	})
}

// BenchmarkQueue holds a number of events pending and replaces the earliest by
// one up to 2 us later: the load that a network puts on its kernel.
func BenchmarkQueue(b *testing.B) {
	const spread = 2_000_000
	for _, pending := range []struct {
		name string
		n    int
	}{{"1k", 1 << 10}, {"16k", 1 << 14}, {"256k", 1 << 18}} {
		width := uint(13) // about four events to a slot, as in a run
		for n := pending.n; n > 1<<10; n >>= 1 {
			width--
		}
		b.Run("wheel/"+pending.name, func(b *testing.B) {
			r := rand.NewPCG(1, 1)
			w := NewWheel(width)
			for range pending.n {
				w.Push(units.Picos(r.Uint64()%spread), 0, 0)
			}
			for b.Loop() {
				e, _ := w.Pop()
				w.Push(e.At+units.Picos(r.Uint64()%spread), 0, 0)
			}
		})
		b.Run("heap/"+pending.name, func(b *testing.B) {
			r := rand.NewPCG(1, 1)
			h := &heapQueue{}
			for range pending.n {
				h.push(units.Picos(r.Uint64()%spread), 0)
			}
			for b.Loop() {
				e := heap.Pop(h).(heapItem)
				h.push(e.At+units.Picos(r.Uint64()%spread), 0)
			}
		})
	}
}

// scramble is a cheap function of every bit of its argument.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	return x ^ x>>27
}

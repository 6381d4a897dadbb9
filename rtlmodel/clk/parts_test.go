package clk

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRegReadsOldWritesNew(t *testing.T) {
	var a, b Reg[int]
	a.Reset(1)
	b.Reset(2)
	a.Set(b.Get()) // a swap needs no temporary
	b.Set(a.Get())
	require.Equal(t, [2]int{1, 2}, [2]int{a.Get(), b.Get()})
	a.Tick()
	b.Tick()
	require.Equal(t, [2]int{2, 1}, [2]int{a.Get(), b.Get()})
	a.Tick()
	require.Equal(t, 2, a.Get(), "a register without a Set keeps its value")
}

func TestDelay(t *testing.T) {
	for _, n := range []int{1, 2, 7} {
		var d Delay[int]
		d.Init(n)
		for c := range 30 {
			want := c - n + 1 // entered as c+1 in cycle c
			if want < 1 || want%3 == 0 {
				want = 0
			}
			require.Equal(t, want, d.Out(), "depth %d cycle %d", n, c)
			if (c+1)%3 != 0 {
				d.In(c + 1)
			}
			d.Tick()
		}
		d.In(5)
		d.Reset()
		for range n + 1 {
			require.Zero(t, d.Out())
			d.Tick()
		}
	}
}

func TestFIFO(t *testing.T) {
	var f FIFO[int]
	f.Init(2)
	*f.Push() = 1
	require.Zero(t, f.Len(), "a push counts from the next cycle on")
	f.Tick()
	*f.Push() = 2
	require.Equal(t, 1, *f.Front())
	f.Tick()
	require.True(t, f.Full())
	f.Pop()
	require.True(t, f.Full(), "a pop makes room in the next cycle")
	require.Panics(t, func() { f.Push() })
	f.Tick()
	require.Equal(t, 2, *f.Front())
	*f.Push() = 3
	f.Pop()
	require.Panics(t, func() { f.Push() }, "one push a cycle")
	require.Panics(t, func() { f.Pop() }, "one pop a cycle")
	f.Tick()
	require.Equal(t, 1, f.Len())
	require.Equal(t, 3, *f.Front())
	f.Reset()
	require.Zero(t, f.Len())
	require.Panics(t, func() { f.Pop() })
	require.Panics(t, func() { f.Init(3) })
}

func TestRAMSweep(t *testing.T) {
	var r RAM[int]
	r.Init(3)
	fill := func() {
		for i := range r.Len() {
			*r.Row(i) = 9
		}
	}
	fill()
	for i := range 3 {
		require.False(t, r.Swept())
		require.Equal(t, 9, *r.Row(i))
		r.Tick()
		require.Zero(t, *r.Row(i))
	}
	require.True(t, r.Swept())
	fill()
	r.Tick()
	require.Equal(t, 9, *r.Row(0), "a finished sweep writes nothing")
	r.StartSweep()
	r.Tick()
	r.StartSweep()
	require.False(t, r.Swept())
	require.Equal(t, 9, *r.Row(1))
}

func TestInterlockLimits(t *testing.T) {
	var l Interlock
	require.Panics(t, func() { l.Init(0) })
	require.Panics(t, func() { l.Init(256) })
	l.Init(255)
	for c := range Cycle(2000) { // one key, issued as often as allowed
		at := l.Earliest(c, 9, Keyed)
		require.Equal(t, (c+254)/255*255, at)
		if at == c {
			l.Issue(c, 9, Keyed)
		}
	}
	require.Equal(t, Cycle(255*7+255), l.Earliest(2000, 0, Exclusive))
	l.Reset()
	require.Equal(t, Cycle(2000), l.Earliest(2000, 0, Exclusive))
	require.Equal(t, Cycle(2000), l.Earliest(2000, 9, Keyed))
}

// The counters of recent issues are decremented when an issue expires and cleared at a reset. They are narrow, so a
// leak would soon let a blocked event through.
func TestInterlockForgets(t *testing.T) {
	var l Interlock
	l.Init(4)
	for c := Cycle(0); c < 4*1000; c += 4 {
		require.Equal(t, c, l.Earliest(c, 9, Keyed))
		l.Issue(c, 9, Keyed)
		require.Equal(t, c+4, l.Earliest(c+1, 9, Keyed))
	}
	l.Reset()
	for range 1000 {
		require.Equal(t, Cycle(5000), l.Earliest(5000, 9, Keyed))
		l.Issue(5000, 9, Keyed)
		require.Equal(t, Cycle(5004), l.Earliest(5001, 9, Keyed))
		l.Reset()
	}
	require.Zero(t, l.count)
}

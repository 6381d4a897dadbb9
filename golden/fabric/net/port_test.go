package net

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/settings"
)

func TestTrimAtTheThreshold(t *testing.T) {
	for _, lastHop := range []bool{false, true} {
		b := newBench(t, lastHop, nil)
		bdp := b.spec.BDP()
		want := bdp
		if lastHop {
			want = settings.Scaled(1.5, bdp)
		}
		b.fill(ClassLow)
		require.Equal(t, want, b.p.Q[ClassLow].bytes)
		require.Zero(t, b.count.Trims, "a full queue is not over its limit")

		i := b.put(ClassLow, 4096)
		k := *b.Pool.At(i)
		require.Equal(t, uint64(1), b.count.Trims)
		require.Equal(t, uint8(ClassMedium), k.Class)
		require.Equal(t, int32(64), k.Size)
		require.Equal(t, int32(4096), k.Nominal)
		require.NotZero(t, k.Flags&FlagTrimmed)
		require.Equal(t, lastHop, k.Flags&FlagLastHop != 0)
		require.Equal(t, int64(64), b.p.Q[ClassMedium].bytes)

		for b.count.TrimDrops == 0 {
			b.put(ClassLow, 4096)
		}
		require.Equal(t, bdp/64*64, b.p.Q[ClassMedium].bytes)
		require.Zero(t, b.count.DataDrops)
	}
}

func TestDropTail(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.Trim = false })
	b.fill(ClassLow)
	require.Equal(t, 5*b.spec.BDP(), b.p.Q[ClassLow].bytes)
	live := b.Pool.live
	b.put(ClassLow, 4096)
	require.Equal(t, uint64(1), b.count.DataDrops)
	require.Zero(t, b.count.Trims)
	require.Equal(t, live, b.Pool.live, "a dropped packet goes back to the pool")

	b.fill(ClassHigh)
	require.Equal(t, b.spec.BDP(), b.p.Q[ClassHigh].bytes)
	b.put(ClassHigh, 64)
	require.Equal(t, uint64(1), b.count.CtlDrops)
}

// Data that is not to be trimmed is dropped by a full queue that trims other data.
func TestNoTrim(t *testing.T) {
	b := newBench(t, false, func(s *settings.Spec) { s.TrimRule = settings.TrimEither })
	b.fill(ClassLow)
	full := b.p.Q[ClassLow].bytes
	for range 50 {
		i := b.Pool.Alloc()
		*b.Pool.At(i) = Packet{Kind: PacketData, Class: ClassLow, Size: 4096, Nominal: 4096, NoTrim: true}
		b.enqueue(b.pi, i)
	}
	require.Equal(t, uint64(50), b.count.DataDrops)
	require.Zero(t, b.count.Trims)
	require.Equal(t, full, b.p.Q[ClassLow].bytes)
	b.put(ClassLow, 4096)
	require.Equal(t, uint64(1), b.count.Trims, "other data is trimmed still")
	b.Pool.At(b.p.Q[ClassLow].Tail).NoTrim = true
	for range 50 {
		b.put(ClassLow, 4096)
	}
	require.True(t, b.Pool.At(b.p.Q[ClassLow].Tail).NoTrim, "nor does one that comes later take its place")
}

func TestStrictPriority(t *testing.T) {
	b := newBench(t, false, nil)
	low, low2 := b.put(ClassLow, 4096), b.put(ClassLow, 4096)
	medium := b.put(ClassMedium, 64)
	high := b.put(ClassHigh, 64)
	var order []int32
	for range 4 {
		b.wheel.Advance(b.p.FreeAt)
		b.wake(b.pi)
	}
	for {
		e, ok := b.wheel.Pop()
		if !ok {
			break
		}
		if e.Kind == evArrive {
			order = append(order, e.Arg)
		}
	}
	require.Equal(t, []int32{high, medium, low, low2}, order)
}

// TestMark: nothing up to kmin, always above kmax, half-way in half the cases;
// counted on the bytes left behind.
func TestMark(t *testing.T) {
	share := func(b *bench, behind int64) float64 {
		const n = 20_000
		marked := 0
		b.p.Q[ClassLow].bytes = behind
		for range n {
			k := Packet{Class: ClassLow}
			b.mark(b.p, &k)
			if k.Flags&FlagCE != 0 {
				marked++
			}
		}
		return float64(marked) / n
	}
	b := newBench(t, false, nil)
	bdp := b.spec.BDP()
	kmin, kmax := settings.Scaled(0.2, bdp), settings.Scaled(0.8, bdp)
	require.Zero(t, share(b, 0))
	require.Zero(t, share(b, kmin))
	require.InDelta(t, 0.25, share(b, kmin+(kmax-kmin)/4), 0.015)
	require.InDelta(t, 0.5, share(b, (kmin+kmax)/2), 0.015)
	require.InDelta(t, 1, share(b, kmax), 1e-9)
	require.InDelta(t, 1, share(b, kmax+1), 1e-9)

	b = newBench(t, false, func(s *settings.Spec) { s.ECN = settings.ECNDeterministic })
	require.Zero(t, share(b, bdp/2))
	require.InDelta(t, 1, share(b, bdp/2+1), 1e-9)

	b = newBench(t, false, func(s *settings.Spec) { s.ECN = settings.ECNOff })
	require.Zero(t, share(b, 10*bdp))
}

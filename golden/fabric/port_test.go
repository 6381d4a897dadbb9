package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
)

// bench is a built network in which one switch port is kept from transmitting,
// so that its queues can be filled by hand.
type bench struct {
	*sim
	pi int32
	p  *port
}

func newBench(t *testing.T, lastHop bool, edit func(*Spec)) *bench {
	spec := DefaultSpec()
	spec.K = 4
	if edit != nil {
		edit(&spec)
	}
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	for i := len(s.hosts); i < len(s.ports); i++ {
		if p := &s.ports[i]; p.lastHop == lastHop {
			p.waking = true
			return &bench{s, int32(i), p}
		}
	}
	t.Fatal("no such port")
	return nil
}

func (b *bench) put(class uint8, size int32) int32 {
	i := b.pool.alloc()
	kind := pkData
	if class == classHigh {
		kind = pkAck
	}
	b.pool.pkts[i] = packet{kind: kind, class: class, size: size, nominal: size, psn: uint32(i)}
	b.enqueue(b.pi, i)
	return i
}

// fill puts packets into class until the next of 4096 bytes would not fit, then
// one that fits exactly.
func (b *bench) fill(class uint8) {
	q := &b.p.q[class]
	for q.bytes+4096 <= b.p.limit[class] {
		b.put(class, 4096)
	}
	if rest := b.p.limit[class] - q.bytes; rest > 0 {
		b.put(class, int32(rest))
	}
}

func TestTrimAtTheThreshold(t *testing.T) {
	for _, lastHop := range []bool{false, true} {
		b := newBench(t, lastHop, nil)
		bdp := b.spec.BDP()
		want := bdp
		if lastHop {
			want = scaled(1.5, bdp)
		}
		b.fill(classLow)
		require.Equal(t, want, b.p.q[classLow].bytes)
		require.Zero(t, b.count.Trims, "a full queue is not over its limit")

		i := b.put(classLow, 4096)
		k := b.pool.pkts[i]
		require.Equal(t, uint64(1), b.count.Trims)
		require.Equal(t, uint8(classMedium), k.class)
		require.Equal(t, int32(64), k.size)
		require.Equal(t, int32(4096), k.nominal)
		require.NotZero(t, k.flags&flagTrimmed)
		require.Equal(t, lastHop, k.flags&flagLastHop != 0)
		require.Equal(t, int64(64), b.p.q[classMedium].bytes)

		for b.count.TrimDrops == 0 {
			b.put(classLow, 4096)
		}
		require.Equal(t, bdp/64*64, b.p.q[classMedium].bytes)
		require.Zero(t, b.count.DataDrops)
	}
}

func TestDropTail(t *testing.T) {
	b := newBench(t, false, func(s *Spec) { s.Trim = false })
	b.fill(classLow)
	require.Equal(t, 5*b.spec.BDP(), b.p.q[classLow].bytes)
	live := b.pool.live
	b.put(classLow, 4096)
	require.Equal(t, uint64(1), b.count.DataDrops)
	require.Zero(t, b.count.Trims)
	require.Equal(t, live, b.pool.live, "a dropped packet goes back to the pool")

	b.fill(classHigh)
	require.Equal(t, b.spec.BDP(), b.p.q[classHigh].bytes)
	b.put(classHigh, 64)
	require.Equal(t, uint64(1), b.count.CtlDrops)
}

func TestStrictPriority(t *testing.T) {
	b := newBench(t, false, nil)
	low, low2 := b.put(classLow, 4096), b.put(classLow, 4096)
	medium := b.put(classMedium, 64)
	high := b.put(classHigh, 64)
	var order []int32
	for range 4 {
		b.now = b.p.freeAt
		b.wake(b.pi)
	}
	for {
		e, ok := b.wheel.pop()
		if !ok {
			break
		}
		if e.kind == evArrive {
			order = append(order, e.arg)
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
		b.p.q[classLow].bytes = behind
		for range n {
			k := packet{class: classLow}
			b.mark(b.p, &k)
			if k.flags&flagCE != 0 {
				marked++
			}
		}
		return float64(marked) / n
	}
	b := newBench(t, false, nil)
	bdp := b.spec.BDP()
	kmin, kmax := scaled(0.2, bdp), scaled(0.8, bdp)
	require.Zero(t, share(b, 0))
	require.Zero(t, share(b, kmin))
	require.InDelta(t, 0.25, share(b, kmin+(kmax-kmin)/4), 0.015)
	require.InDelta(t, 0.5, share(b, (kmin+kmax)/2), 0.015)
	require.InDelta(t, 1, share(b, kmax), 1e-9)
	require.InDelta(t, 1, share(b, kmax+1), 1e-9)

	b = newBench(t, false, func(s *Spec) { s.ECN = ECNDeterministic })
	require.Zero(t, share(b, bdp/2))
	require.InDelta(t, 1, share(b, bdp/2+1), 1e-9)

	b = newBench(t, false, func(s *Spec) { s.ECN = ECNOff })
	require.Zero(t, share(b, 10*bdp))
}

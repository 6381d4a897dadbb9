package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/units"
)

// arrivals feeds data packets to connection 0 of a built network.
type arrivals struct {
	*sim
	t    *testing.T
	base uint32
}

func newArrivals(t *testing.T) *arrivals {
	s, err := build(DefaultSpec(), cc.FixedWindow(0))
	require.NoError(t, err)
	return &arrivals{s, t, s.rx[0].cum}
}

// data hands over the packet i of the flow and returns the answer, or nil.
func (a *arrivals) data(i uint32, flags uint8) *packet {
	before := a.count.CtlSent
	a.onData(&packet{
		kind: pkData, psn: a.base + i, flags: flags, dst: a.tx[0].dst,
		size: 4096, nominal: 4096, entropy: uint16(i),
	})
	if a.count.CtlSent == before {
		return nil
	}
	require.Equal(a.t, before+1, a.count.CtlSent)
	h := a.tx[0].dst
	// The first answer is on the link already; later ones wait behind it.
	if q := &a.ports[h].q[classHigh]; !q.empty() {
		return &a.pool.pkts[q.tail]
	}
	return &a.pool.pkts[len(a.pool.pkts)-1]
}

func TestAckRules(t *testing.T) {
	a := newArrivals(t)
	k := a.data(0, 0)
	require.NotNil(t, k, "first packet")
	require.Equal(t, a.base+1, k.cum)
	require.Equal(t, uint32(16), cc.RcvdUnits(k.rcvd))
	require.Nil(t, a.data(1, 0))
	require.Nil(t, a.data(2, 0))
	require.Nil(t, a.data(3, 0))
	k = a.data(4, 0)
	require.NotNil(t, k, "16 KiB")
	require.Equal(t, a.base+5, k.cum)
	require.Equal(t, uint32(5*16), cc.RcvdUnits(k.rcvd))

	require.Nil(t, a.data(5, 0))
	k = a.data(6, flagCE)
	require.NotNil(t, k, "CE")
	require.NotZero(t, k.flags&flagCE)
	require.Nil(t, a.data(7, 0))
	k = a.data(7, flagRetx)
	require.NotNil(t, k, "duplicate")
	require.NotZero(t, k.flags&flagRetx)
	require.Equal(t, uint32(8*16), cc.RcvdUnits(k.rcvd), "a duplicate adds no bytes")
	require.Equal(t, uint64(1), a.count.Duplicates)

	k = a.data(10, flagAR)
	require.NotNil(t, k, "request")
	require.Equal(t, a.base+8, k.cum)
	require.Equal(t, a.base+8, k.sackBase)
	require.Equal(t, uint64(0b100), k.sack)
	require.Equal(t, uint16(10), k.entropy)
	require.NotNil(t, a.data(9, 0), "below a request")
	require.Nil(t, a.data(11, 0))
	k = a.data(8, 0)
	require.NotNil(t, k, "below a request")
	require.Equal(t, a.base+12, k.cum)

	k = a.data(100, flagAR)
	require.Equal(t, a.base+100-63, k.sackBase, "the bitmap ends at the referenced packet")
	require.Equal(t, uint64(1)<<63, k.sack)
}

func TestTrimmedIsRefused(t *testing.T) {
	a := newArrivals(t)
	a.data(0, 0)
	k := a.data(1, flagTrimmed|flagCE|flagRetx)
	require.Equal(t, pkNack, k.kind)
	require.Equal(t, cc.ReasonTrimmed, k.reason)
	require.Equal(t, a.base+1, k.psn)
	require.Equal(t, uint8(flagCE|flagRetx), k.flags)
	k = a.data(1, flagTrimmed|flagLastHop)
	require.Equal(t, cc.ReasonTrimmedLastHop, k.reason)
	require.Equal(t, a.base+1, a.rx[0].cum, "a trimmed packet delivers nothing")

	require.Nil(t, a.data(1, 0))
	k = a.data(1, flagTrimmed)
	require.Equal(t, pkAck, k.kind, "the data is there: no reason to send it again")
}

// TestReceiverBitmap compares ring and bitmap with a set of PSNs.
func TestReceiverBitmap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		start := rapid.Uint32().Draw(rt, "start")
		a := newArrivalsAt(t, start)
		r := &a.rx[0]
		got := map[uint32]bool{}
		for range rapid.IntRange(1, 300).Draw(rt, "packets") {
			psn := r.cum + uint32(rapid.IntRange(0, 127).Draw(rt, "ahead"))
			require.Equal(rt, got[psn], r.has(psn))
			a.onData(&packet{kind: pkData, psn: psn, dst: a.tx[0].dst, size: 4096, nominal: 4096})
			got[psn] = true
			require.False(rt, got[r.cum])
			require.True(rt, r.cum == start || got[r.cum-1])
			base := r.cum
			if d := psn - r.cum; int32(d) > 63 {
				base = psn - 63
			}
			b := r.sack(base)
			for i := range uint32(64) {
				require.Equal(rt, got[base+i], b>>i&1 == 1, "bit %d", i)
			}
		}
		require.Equal(rt, uint64(len(got))*4096, r.bytes)
	})
}

func newArrivalsAt(t *testing.T, start uint32) *arrivals {
	spec := DefaultSpec()
	spec.K = 4
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	s.rx[0].cum = start
	return &arrivals{s, t, start}
}

// TestLowestMarked compares the bitmap search with a walk over the ring.
func TestLowestMarked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		una := rapid.Uint32().Draw(rt, "una")
		words := rapid.SampledFrom([]int{2, 8}).Draw(rt, "words")
		p := txPDC{marked: make([]uint64, words), mask: uint32(words*64 - 1), una: una}
		lowest := p.mask
		for _, d := range rapid.SliceOfN(rapid.Uint32Range(0, p.mask), 1, 20).Draw(rt, "marks") {
			slot := (una + d) & p.mask
			p.marked[slot>>6] |= 1 << (slot & 63)
			lowest = min(lowest, d)
		}
		require.Equal(rt, una+lowest, p.lowestMarked())
	})
}

// TestSprayCoversAllPaths: every turn of a connection uses each entropy once.
func TestSprayCoversAllPaths(t *testing.T) {
	a := newArrivals(t)
	turns := map[[64]uint16]bool{}
	for range 5 {
		seen := map[uint16]bool{}
		var order [64]uint16
		for i := range order {
			order[i] = a.tx[0].lb.Next(0)
			seen[order[i]] = true
		}
		require.Len(t, seen, 64)
		turns[order] = true
	}
	require.Greater(t, len(turns), 1, "the mask is drawn anew")
}

// TestSlowHost: the penalty grows with the memory in use and ends with it.
func TestSlowHost(t *testing.T) {
	a := newArrivals(t)
	h := a.tx[0].dst
	n := &a.hosts[h]
	n.slow, n.restore, n.drainTime = true, true, 1000
	// A BDP is the receiver's link times the context's base RTT.
	for base, bdp := range map[units.Picos]int64{a.baseRTT: a.spec.BDP(), 4 * units.Microsecond: 200_000} {
		ctx := &cccState{ownValues: ownValues{base: base}}
		for _, c := range []struct {
			memory int64
			pend   uint8
		}{{0, 0}, {bdp / 4, 0}, {bdp/4 + 1, 1}, {bdp, 127}, {9 * bdp, 127}} {
			n.memory, n.drained = c.memory, a.now
			var k packet
			a.flowControl(ctx, h, &k)
			require.Equal(t, c.pend, k.pend, "%d bytes", c.memory)
			require.NotZero(t, k.flags&flagRestore)
		}
	}
	n.memory, n.drained = 500, a.now
	a.now += 499_999
	a.drain(n)
	require.Equal(t, int64(1), n.memory)
	a.now++
	a.drain(n)
	require.Zero(t, n.memory)
}

// TestMinPktAdd: small packets count for 1 KiB each towards the ACK, and for what
// they are in rcvd_bytes.
func TestMinPktAdd(t *testing.T) {
	for least, want := range map[int64]uint32{1 << 10: 16, 0: 64} {
		spec := DefaultSpec()
		spec.AckMinAdd = least
		s, err := build(spec, cc.FixedWindow(0))
		require.NoError(t, err)
		a := &arrivals{s, t, s.rx[0].cum}
		require.NotNil(t, a.data(0, 0), "the first packet")
		a.rx[0].bytes = 0
		for i := uint32(1); ; i++ {
			before := a.count.CtlSent
			a.onData(&packet{kind: pkData, psn: a.base + i, dst: a.tx[0].dst, size: 256, nominal: 256})
			if a.count.CtlSent > before {
				require.Equal(t, want, i)
				require.Equal(t, uint64(want)*256, a.rx[0].bytes)
				break
			}
		}
	}
	require.Equal(t, int64(1<<10), DefaultSpec().AckMinAdd)
}

package transport

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// arrivals feeds data packets to connection 0 of a built network.
type arrivals struct {
	*Sim
	t    *testing.T
	base uint32
}

func newArrivals(t *testing.T) *arrivals {
	s, err := Build(settings.DefaultSpec(), Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	return arrivalsOf(t, s, s.tx[0].first)
}

// arrivalsOf returns those of connection 0, which is open from a PSN on.
func arrivalsOf(t *testing.T, s *Sim, base uint32) *arrivals {
	require.True(t, receiver{s.Hosts}.open(&net.Packet{PSN: base, Span: 1}))
	return &arrivals{s, t, base}
}

// data hands over the packet i of the flow and returns the answer, or nil.
func (a *arrivals) data(i uint32, flags uint8) *net.Packet {
	before := a.count.CtlSent
	receiver{a.Hosts}.onData(&net.Packet{
		Kind: net.PacketData, PSN: a.base + i, Flags: flags, Dst: a.tx[0].dst,
		Size: 4096, Nominal: 4096, Entropy: uint16(i),
	})
	if a.count.CtlSent == before {
		return nil
	}
	require.Equal(a.t, before+1, a.count.CtlSent)
	h := a.tx[0].dst
	// The first answer is on the link already; later ones wait behind it.
	if q := &a.net.Ports[h].Q[net.ClassHigh]; !q.Empty() {
		return a.net.Pool.At(q.Tail)
	}
	return a.net.Pool.At(int32(a.net.Pool.Len() - 1))
}

func TestAckRules(t *testing.T) {
	a := newArrivals(t)
	k := a.data(0, 0)
	require.NotNil(t, k, "first packet")
	require.Equal(t, a.base+1, k.Cum)
	require.Equal(t, uint32(16), cc.RcvdUnits(k.Rcvd))
	require.Nil(t, a.data(1, 0))
	require.Nil(t, a.data(2, 0))
	require.Nil(t, a.data(3, 0))
	k = a.data(4, 0)
	require.NotNil(t, k, "16 KiB")
	require.Equal(t, a.base+5, k.Cum)
	require.Equal(t, uint32(5*16), cc.RcvdUnits(k.Rcvd))

	require.Nil(t, a.data(5, 0))
	k = a.data(6, net.FlagCE)
	require.NotNil(t, k, "CE")
	require.NotZero(t, k.Flags&net.FlagCE)
	require.Nil(t, a.data(7, 0))
	k = a.data(7, net.FlagRetx)
	require.NotNil(t, k, "duplicate")
	require.NotZero(t, k.Flags&net.FlagRetx)
	require.Equal(t, uint32(8*16), cc.RcvdUnits(k.Rcvd), "a duplicate adds no bytes")
	require.Equal(t, uint64(1), a.count.Duplicates)

	k = a.data(10, net.FlagAR)
	require.NotNil(t, k, "request")
	require.Equal(t, a.base+8, k.Cum)
	require.Equal(t, a.base+8, k.SackBase)
	require.Equal(t, uint64(0b100), k.Sack)
	require.Equal(t, uint16(10), k.Entropy)
	require.NotNil(t, a.data(9, 0), "below a request")
	require.Nil(t, a.data(11, 0))
	k = a.data(8, 0)
	require.NotNil(t, k, "below a request")
	require.Equal(t, a.base+12, k.Cum)

	k = a.data(100, net.FlagAR)
	require.Equal(t, a.base+100-63, k.SackBase, "the bitmap ends at the referenced packet")
	require.Equal(t, uint64(1)<<63, k.Sack)
}

func TestTrimmedIsRefused(t *testing.T) {
	a := newArrivals(t)
	a.data(0, 0)
	k := a.data(1, net.FlagTrimmed|net.FlagCE|net.FlagRetx)
	require.Equal(t, net.PacketNack, k.Kind)
	require.Equal(t, cc.ReasonTrimmed, k.Reason)
	require.Equal(t, a.base+1, k.PSN)
	require.Equal(t, uint8(net.FlagCE|net.FlagRetx), k.Flags)
	k = a.data(1, net.FlagTrimmed|net.FlagLastHop)
	require.Equal(t, cc.ReasonTrimmedLastHop, k.Reason)
	require.Equal(t, a.base+1, a.rx[0].cum, "a trimmed packet delivers nothing")

	require.Nil(t, a.data(1, 0))
	k = a.data(1, net.FlagTrimmed)
	require.Equal(t, net.PacketAck, k.Kind, "the data is there: no reason to send it again")
}

// TestBeyondTheRangeIsRefused: a PSN out of the receiver's range is answered by NACK PSN_OOR, trimmed or not, and
// changes nothing. It is taken when the range has come to it.
func TestBeyondTheRangeIsRefused(t *testing.T) {
	s, err := Build(settings.DefaultSpec(), Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	s.spec.MPR = 3
	a := arrivalsOf(t, s, s.tx[0].first)
	for _, flags := range []uint8{0, net.FlagAR, net.FlagCE | net.FlagRetx, net.FlagTrimmed,
		net.FlagTrimmed | net.FlagLastHop} {
		k := a.data(3, flags)
		require.Equal(t, net.PacketNack, k.Kind)
		require.Equal(t, cc.ReasonOutOfRange, k.Reason)
		require.Equal(t, a.base+3, k.PSN)
		require.Equal(t, flags&(net.FlagCE|net.FlagRetx), k.Flags)
	}
	require.Equal(t, []uint64{3, 2, 0}, []uint64{a.count.OutOfRange, a.count.TrimsArrived, a.count.Delivered})
	require.NotNil(t, a.data(0, 0), "the first packet")
	require.False(t, a.rx[0].asking)
	require.Nil(t, a.data(3, 0), "in range now")
	require.Equal(t, net.PacketNack, a.data(4, 0).Kind)
	k := a.data(3, 0)
	require.Equal(t, net.PacketAck, k.Kind, "a duplicate")
	require.Equal(t, []uint32{a.base + 1, 0b100, 2 * 4096}, []uint32{k.Cum, uint32(k.Sack), k.Rcvd})
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
			receiver{a.Hosts}.onData(&net.Packet{Kind: net.PacketData, PSN: psn, Dst: a.tx[0].dst, Size: 4096, Nominal: 4096})
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
	spec := settings.DefaultSpec()
	spec.K = 4
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	return arrivalsOf(t, s, start)
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
	n.slow, n.restore, n.drainTime = true, true, units.PerByte{Num: 1000, Den: 1}
	// A BDP is the receiver's link times the context's base RTT.
	for base, bdp := range map[units.Picos]int64{a.baseRTT: a.spec.BDP(), 4 * units.Microsecond: 200_000} {
		ctx := &cccState{ownValues: ownValues{base: base}}
		for _, c := range []struct {
			memory int64
			pend   uint8
		}{{0, 0}, {bdp / 4, 0}, {bdp/4 + 1, 1}, {bdp, 127}, {9 * bdp, 127}} {
			n.memory, n.drained = c.memory, a.Now()
			var k net.Packet
			receiver{a.Hosts}.flowControl(ctx, h, &k)
			require.Equal(t, c.pend, k.Pend, "%d bytes", c.memory)
			require.NotZero(t, k.Flags&net.FlagRestore)
		}
	}
	n.memory, n.drained = 500, a.Now()
	a.wheel.Advance(a.Now() + 499_999)
	receiver{a.Hosts}.drain(n)
	require.Equal(t, int64(1), n.memory)
	a.wheel.Advance(a.Now() + 1)
	receiver{a.Hosts}.drain(n)
	require.Zero(t, n.memory)
}

// TestMinPktAdd: small packets count for 1 KiB each towards the ACK, and for what
// they are in rcvd_bytes.
func TestMinPktAdd(t *testing.T) {
	for least, want := range map[int64]uint32{1 << 10: 16, 0: 64} {
		spec := settings.DefaultSpec()
		spec.AckMinAdd = least
		s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
		require.NoError(t, err)
		a := arrivalsOf(t, s, s.tx[0].first)
		require.NotNil(t, a.data(0, 0), "the first packet")
		a.rx[0].bytes = 0
		for i := uint32(1); ; i++ {
			before := a.count.CtlSent
			k := net.Packet{Kind: net.PacketData, PSN: a.base + i, Dst: a.tx[0].dst, Size: 256, Nominal: 256}
			receiver{a.Hosts}.onData(&k)
			if a.count.CtlSent > before {
				require.Equal(t, want, i)
				require.Equal(t, uint64(want)*256, a.rx[0].bytes)
				break
			}
		}
	}
	require.Equal(t, int64(1<<10), settings.DefaultSpec().AckMinAdd)
}

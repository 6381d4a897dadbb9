package ackgen

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	pa "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// What refuses data comes in the order of the contract: each list of causes gives its first.
func TestOrderOfRefusals(t *testing.T) {
	type cause struct {
		nack port.NackCode
		make func(w *world, f *plain.Packet)
	}
	const dscp = 33
	causes := []cause{
		{port.NackCodePDCModeMismatch, func(w *world, f *plain.Packet) { w.load(0, w.slow.pdc[0].word(0)^4) }},
		{0, func(w *world, f *plain.Packet) { w.load(port.WordSeen0, 1<<5) }}, // a duplicate
		{port.NackCodePSNOor, func(w *world, f *plain.Packet) { w.set(port.RegMpr, 5) }},
		{port.NackCodeClosing, func(w *world, f *plain.Packet) { w.load(port.WordRefuse, 2) }},
		{port.NackCodeTrimmed, func(w *world, f *plain.Packet) { f.Class = dscp << 2; w.set(port.RegTrimmed, dscp) }},
		{port.NackCodeTrimmedLasthop, func(w *world, f *plain.Packet) {
			f.Class = dscp << 2
			w.set(port.RegTrimmedLasthop, dscp)
		}},
		{port.NackCodeRodOoo, func(w *world, f *plain.Packet) {}},
	}
	for set := range 1 << len(causes) {
		w := newWorld(t, port.RegTrimmed, 1, port.RegTrimmedLasthop, 2)
		w.pds(data(3, fSyn, 99, 7, 0))
		f := plain.Packet{PDS: data(3, 0, 105, 7, 1)}
		first := -1
		for i, c := range causes {
			if set>>i&1 == 1 {
				if c.make(w, &f); first < 0 {
					first = i
				}
			}
		}
		ind, _ := w.send(f)
		switch {
		case first == 1:
			require.Equal(t, port.VerdictDuplicate, ind.Verdict, "%07b", set)
		case first < 0:
			require.Equal(t, port.NackCodeRodOoo, ind.NackCode, "%07b", set)
		default:
			require.Equal(t, causes[first].nack, ind.NackCode, "%07b", set)
		}
	}
}

// A host that refuses takes what is missing below something that has arrived.
func TestRefuse(t *testing.T) {
	for _, tc := range []struct {
		seen    int // the bit that is 1
		d       uint32
		refused bool
	}{{-1, 0, true}, {5, 0, false}, {5, 4, false}, {5, 6, true}, {255, 0, false}, {255, 126, false}, {64, 63, false},
		{63, 64, true}, {64, 65, true}, {64, 0, false}} {
		w := opened(t, 100)
		w.load(port.WordRefuse, 2)
		if tc.seen >= 0 {
			w.load(port.WordSeen0+uint32(tc.seen/32), 1<<(tc.seen%32))
		}
		ind, rec := w.put(0, 100+tc.d)
		if tc.refused {
			w.refused(port.NackCodeClosing, 1, ind, rec)
		} else {
			require.Equal(t, port.VerdictAccepted, ind.Verdict, "%+v", tc)
		}
	}
}

// Ordered data comes in order.
func TestInOrder(t *testing.T) {
	w := newWorld(t)
	w.pds(data(3, fSyn, math.MaxUint32, 7, 0))
	ind, rec := w.pds(data(14, 0, 1, 7, 1))
	w.refused(port.NackCodeRodOoo, 1, ind, rec)
	for psn := range uint32(3) {
		ind, _ = w.pds(data(14, 0, psn, 7, 1))
		require.Equal(t, port.VerdictAccepted, ind.Verdict)
		require.Equal(t, psn, w.state().Cack)
	}
}

// cack goes over all that has arrived in a row, and seen follows.
func TestAdvance(t *testing.T) {
	for _, n := range []int{1, 2, 31, 32, 63, 64, 65, 127, 128, 129, 192, 255} { // bits 1 to n have arrived
		for _, gap := range []int{0, 1, 70} { // then one beyond a gap
			w := opened(t, 1<<32-70)
			for k := 1; k < 256; k++ {
				if k <= n || gap > 0 && k == n+gap+1 {
					w.r.pdcs.rows.Row(0).seen.set(int32(k))
					w.slow.pdc[0].seen[k] = true
				}
			}
			w.put(0, 1<<32-70)
			x := w.state()
			require.Equal(t, uint32(n+1-71), x.Cack, "%d %d", n, gap)
			want := [3]uint32{}
			if gap > 0 && n+gap+1 < 256 {
				want[gap/32] = 1 << (gap % 32)
			}
			require.Equal(t, want, [3]uint32{x.Seen0, x.Seen1, x.Seen2}, "%d %d", n, gap)
		}
	}
	w := opened(t, 100) // bit 0 of seen was loaded: it is as if that had arrived
	w.load(port.WordSeen0, 0b1011)
	ind, _ := w.put(0, 100)
	require.Equal(t, port.VerdictDuplicate, ind.Verdict)
	w.put(0, 102)
	require.Equal(t, [2]uint32{103, 0}, [2]uint32{w.state().Cack, w.state().Seen0})
}

// Random order of arrival: what is cumulative and what is in the bitmap is what came, across 2^32.
func TestArrivals(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		const first = 1<<32 - 150
		w := opened(t, first, port.RegMpr, 255)
		came := map[uint32]bool{}
		for len(came) < 300 {
			u := w.state().Cack + 1
			d := uint32(rng.IntN(30))
			ind, rec := w.put(fAr, u+d)
			require.Equal(t, came[u+d], ind.Verdict == port.VerdictDuplicate)
			came[u+d] = true
			for u = first; came[u]; u++ {
			}
			require.Equal(t, u-1, rec.PSN)
			require.Equal(t, u, rec.SackBase)
			ooo := 0
			for k := range uint32(64) {
				require.Equal(t, came[u+k], rec.SackBitmap>>k&1 == 1)
				if came[u+k] {
					ooo++
				}
			}
			require.Equal(t, uint16(ooo), rec.Ooo)
		}
	}
}

// Each cause to acknowledge new data, and none without one.
func TestAcknowledge(t *testing.T) {
	quiet := []uint32{port.RegControl, 0, port.RegTrigger, 1 << 20, port.RegMinAdd, 0, port.RegNominal, 0}
	for _, tc := range []struct {
		name string
		make func(w *world) (port.Ind, pa.Rec)
		want bool
	}{
		{"nothing", func(w *world) (port.Ind, pa.Rec) { return w.put(0, 100) }, false},
		{"not started", func(w *world) (port.Ind, pa.Rec) {
			w.load(0, w.slow.pdc[0].word(0)&^8)
			return w.put(0, 100)
		}, true},
		{"ar", func(w *world) (port.Ind, pa.Rec) { return w.put(fAr, 100) }, true},
		{"ce, without its bit", func(w *world) (port.Ind, pa.Rec) {
			return w.send(plain.Packet{Class: 3, PDS: data(2, 0, 100, 7, 1)})
		}, false},
		{"ce, with it", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegControl, 2)
			return w.send(plain.Packet{Class: 3, PDS: data(2, 0, 100, 7, 1)})
		}, true},
		{"ect", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegControl, 2)
			return w.send(plain.Packet{Class: 2, PDS: data(2, 0, 100, 7, 1)})
		}, false},
		{"ce of an earlier packet", func(w *world) (port.Ind, pa.Rec) {
			w.load(0, w.slow.pdc[0].word(0)|32)
			w.set(port.RegControl, 2)
			return w.put(0, 100)
		}, true},
		{"syn, without its bit", func(w *world) (port.Ind, pa.Rec) { return w.pds(data(2, fSyn, 100, 7, 1)) }, false},
		{"syn, with it", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegControl, 4)
			return w.pds(data(2, fSyn, 100, 7, 1))
		}, true},
		{"no syn, with it", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegControl, 4)
			return w.put(0, 100)
		}, false},
		{"one byte below the trigger", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegTrigger, 21) // 8 of UDP and 12
			return w.put(0, 100)
		}, false},
		{"the trigger", func(w *world) (port.Ind, pa.Rec) {
			w.set(port.RegTrigger, 20)
			return w.put(0, 100)
		}, true},
		{"asked for a later one", func(w *world) (port.Ind, pa.Rec) {
			w.load(0, w.slow.pdc[0].word(0)|16, port.WordAsked, 101)
			return w.put(0, 100)
		}, true},
		{"asked for this one", func(w *world) (port.Ind, pa.Rec) {
			w.load(0, w.slow.pdc[0].word(0)|16, port.WordAsked, 100)
			return w.put(0, 100)
		}, false},
		{"asked is old", func(w *world) (port.Ind, pa.Rec) {
			w.load(port.WordAsked, 101)
			return w.put(0, 100)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := opened(t, 100, quiet...)
			ind, rec := tc.make(w)
			require.Equal(t, port.VerdictAccepted, ind.Verdict)
			require.Equal(t, tc.want, ind.Answered)
			x := w.state()
			require.True(t, x.Started)
			require.Equal(t, uint32(40), x.Rcvd)
			if tc.want {
				require.Equal(t, pa.PdsTypeAckCc, rec.PdsType)
				require.Zero(t, x.Pending)
				require.False(t, x.Ce)
			} else {
				require.Equal(t, uint32(20), x.Pending)
			}
		})
	}
}

// Whose PSN is asked for, and until when.
func TestAsking(t *testing.T) {
	for _, tc := range []struct {
		name   string
		asking bool
		asked  uint32
		make   func(w *world)
		want   bool
		is     uint32
	}{
		{"ar in order: at once below the window", false, 0, func(w *world) { w.put(fAr, 100) }, false, 100},
		{"ar beyond a gap", false, 0, func(w *world) { w.put(fAr, 102) }, true, 102},
		{"ar beyond what is asked", true, 102, func(w *world) { w.put(fAr, 103) }, true, 103},
		{"ar below what is asked", true, 105, func(w *world) { w.put(fAr, 103) }, true, 105},
		{"no ar", false, 0, func(w *world) { w.put(0, 103) }, false, 0},
		{"what is asked arrives", true, 101, func(w *world) { w.put(0, 100) }, false, 101},
		{"it does not yet", true, 102, func(w *world) { w.put(0, 100) }, true, 102},
		{"a duplicate changes nothing", true, 99, func(w *world) { w.put(fAr, 99) }, true, 99},
		{"nor does a NACK", false, 0, func(w *world) { w.put(fAr, 300) }, false, 0},
		{"ACK_REQ of the lowest", false, 0, func(w *world) { w.cp(ackReq, 0, 100, 0) }, true, 101},
		{"ACK_REQ below", false, 0, func(w *world) { w.cp(ackReq, 0, 99, 0) }, false, 0},
		{"ACK_REQ of 255", false, 0, func(w *world) { w.cp(ackReq, 0, 355, 0) }, true, 356},
		{"ACK_REQ of 256", false, 0, func(w *world) { w.cp(ackReq, 0, 356, 0) }, false, 0},
		{"ACK_REQ below what is asked", true, 200, func(w *world) { w.cp(ackReq, 0, 199, 0) }, true, 200},
		{"ACK_REQ beyond what is asked", true, 200, func(w *world) { w.cp(ackReq, 0, 200, 0) }, true, 201},
		{"a probe asks nothing", false, 0, func(w *world) { w.cp(probe, fAr, 100, 0) }, false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := opened(t, 100)
			if tc.asking {
				w.load(0, w.slow.pdc[0].word(0)|16)
			}
			w.load(port.WordAsked, tc.asked)
			tc.make(w)
			require.Equal(t, tc.want, w.state().Asking)
			require.Equal(t, tc.is, w.state().Asked)
		})
	}
	w := opened(t, 0xFFFFFFFE) // across 2^32
	w.cp(ackReq, 0, 1, 0)
	require.Equal(t, uint32(2), w.state().Asked)
	for _, psn := range []uint32{0xFFFFFFFE, 0xFFFFFFFF, 0, 1} {
		ind, _ := w.put(0, psn)
		require.True(t, ind.Answered)
		require.Equal(t, psn != 1, w.state().Asking)
	}
	ind, _ := w.put(0, 2)
	require.False(t, ind.Answered)
}

// Bytes: what counts, what is counted at least, where the numbers end.
func TestBytes(t *testing.T) {
	for _, f := range []plain.Packet{{}, {Native: true}, {V6: true}, {V6: true, Native: true, Padding: 30},
		{Options: 40}} {
		w := newWorld(t, port.RegNominal, 200, port.RegMinAdd, 0)
		f.PDS = append(data(2, fSyn, 5, 7, 0), make([]byte, 300)...)
		want := uint32(312 + 8 + 200)
		if f.Native {
			want -= 4
		}
		_, rec := w.send(f)
		require.Equal(t, want, w.state().Rcvd)
		require.Equal(t, (want+255)/256, rec.RcvdBytes)
	}
	for _, tc := range []struct {
		was, min        uint32
		rcvd            uint32
		pending, onWire uint32
	}{
		{0, 0, 60, 60, 1}, {0, 59, 60, 60, 1}, {0, 60, 60, 60, 1}, {0, 61, 60, 61, 1}, {196, 0, 256, 256, 1},
		{197, 0, 257, 257, 2}, {1<<32 - 61, 0, 1<<32 - 1, 1<<32 - 1, 0}, {1<<32 - 60, 0, 0, 1<<32 - 1, 0},
		{1<<32 - 59, 0, 1, 1<<32 - 1, 1}, {1<<32 - 1, 65535, 59, 1<<32 - 1, 1},
		{1<<32 - 60 - 256, 0, 1<<32 - 256, 1<<32 - 256, 0xFFFFFF},
	} {
		w := opened(t, 100, port.RegTrigger, 0, port.RegMinAdd, tc.min)
		w.load(port.WordRcvd, tc.was)
		_, rec := w.put(0, 100)
		require.Equal(t, tc.rcvd, w.state().Rcvd, "%+v", tc)
		require.Equal(t, tc.onWire, rec.RcvdBytes, "%+v", tc)

		w = opened(t, 100, port.RegTrigger, math.MaxUint32, port.RegMinAdd, tc.min)
		w.load(port.WordPending, tc.was)
		ind, _ := w.put(0, 100)
		if tc.pending == math.MaxUint32 {
			require.True(t, ind.Answered, "%+v", tc)
			tc.pending = 0
		}
		require.Equal(t, tc.pending, w.state().Pending, "%+v", tc)
	}
}

// What each control packet is answered with.
func TestControl(t *testing.T) {
	for _, ctl := range []int{ackReq, probe} {
		for _, d := range []int{-200, -1, 0, 5, 400} {
			w := opened(t, 100)
			w.load(port.WordSeen0, 0b10)
			before := w.state()
			ind, rec := w.send(plain.Packet{Class: 3, PDS: cp(ctl, fRetx, uint32(100+d), 7, 1, 90)})
			require.Equal(t, map[int]port.Verdict{ackReq: port.VerdictAsked, probe: port.VerdictProbed}[ctl], ind.Verdict)
			require.Equal(t, pa.PdsTypeAckCc, rec.PdsType)
			require.True(t, rec.Probe && rec.Retx && rec.M)
			require.Equal(t, uint16(0xABCD), rec.Opaque)
			require.Equal(t, [2]uint32{99, 0}, [2]uint32{rec.PSN, w.state().Pending})
			after := w.state()
			after.Asking, after.Asked, after.Pending = false, 0, before.Pending
			after.Asks, after.Probes, after.AckCcs, after.Frames = before.Asks, before.Probes, before.AckCcs, before.Frames
			require.Equal(t, before, after)
		}
	}
}

// A CLOSE takes the PSN after the last packet, and nothing may be missing.
func TestClose(t *testing.T) {
	for _, plainAcks := range []uint32{0, 8} {
		w := opened(t, 100, port.RegControl, plainAcks)
		w.put(0, 101)
		for _, psn := range []uint32{99, 100, 101, 102} {
			ind, rec := w.send(plain.Packet{Class: 3, PDS: cp(closes, 0, psn, 7, 1, 0)})
			w.refused(port.NackCodePktNotRcvd, 1, ind, rec)
			require.True(t, rec.M, "of the packet")
			require.False(t, w.state().Ce, "a NACK changes nothing")
		}
		w.put(0, 100)
		w.load(port.WordAsked, 3, port.WordPending, 5)
		ind, rec := w.send(plain.Packet{Class: 3, PDS: cp(closes, 0, 102, 7, 1, 0)})
		require.Equal(t, port.Ind{Verdict: port.VerdictClosed, Pdcid: 1, PSN: 102, Answered: true}, ind)
		require.Equal(t, map[uint32]pa.PdsType{0: pa.PdsTypeAckCc, 8: pa.PdsTypeAck}[plainAcks], rec.PdsType)
		require.True(t, rec.M && !rec.Probe)
		require.Equal(t, [2]uint32{102, 102}, [2]uint32{rec.PSN, rec.AckPSN})
		x := w.state()
		require.False(t, x.Valid || x.Ce)
		require.Equal(t, []uint32{102, 0, 3}, []uint32{x.Cack, x.Pending, x.Asked})
		require.Equal(t, uint16(7), x.Spdcid)
		ind, rec = w.cp(closes, 0, 102, 0)
		w.refused(port.NackCodeInvDpdcid, 0, ind, rec)
		ind, _ = w.pds(data(2, fSyn, 103, 7, 0))
		require.True(t, ind.Opened)
	}
}

// The plain form: data and a CLOSE, with bit 3 of CONTROL and nothing beyond a gap.
func TestForms(t *testing.T) {
	for control := uint32(0); control < 16; control += 2 {
		for seen := range uint32(2) {
			w := opened(t, 100, port.RegControl, control)
			w.load(port.WordSeen7, seen<<31)
			want := pa.PdsTypeAckCc
			if control >= 8 && seen == 0 {
				want = pa.PdsTypeAck
			}
			_, rec := w.put(fAr, 100)
			require.Equal(t, want, rec.PdsType)
			_, rec = w.put(0, 100)
			require.Equal(t, want, rec.PdsType, "of a duplicate")
			_, rec = w.cp(ackReq, 0, 100, 0)
			require.Equal(t, pa.PdsTypeAckCc, rec.PdsType)
			_, rec = w.cp(probe, 0, 100, 0)
			require.Equal(t, pa.PdsTypeAckCc, rec.PdsType)
			acks := map[bool]uint32{true: 2}[want == pa.PdsTypeAck] + control/8 // with that of the first packet
			require.Equal(t, [2]uint32{acks, 5 - acks}, [2]uint32(w.r.counters[port.WordAcks:]))
		}
	}
}

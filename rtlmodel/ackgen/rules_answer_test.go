package ackgen

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	pa "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Where the bitmap begins, and what is in it: PSNs from cack on, near and far, across 2^32.
func TestSackBase(t *testing.T) {
	for _, first := range []uint32{1000, 0, 1<<32 - 40, 1 << 31} {
		for _, tc := range []struct {
			name string
			ctl  int // 0: a duplicate or new data
			d    int64
			base int64 // from u on
			want int64
		}{
			{"a duplicate", 0, -5, 0, 0},
			{"data, in order", 0, 0, 0, 0},
			{"data, 63 beyond", 0, 63, 0, 0},
			{"data, 64 beyond", 0, 64, 0, 1},
			{"data, 127 beyond", 0, 127, 0, 64},
			{"ACK_REQ, 64 beyond", ackReq, 64, 777, 1},
			{"ACK_REQ, far", ackReq, 32767 + 62, 0, 32766},
			{"ACK_REQ, too far", ackReq, 32767 + 63, 0, 0},
			{"ACK_REQ, below", ackReq, -70000, 0, 0},
			{"a probe, its base", probe, 64, -3, -3},
			{"a probe, beyond", probe, 0, 200, 200},
			{"a probe, lowest", probe, 0, -32769, -32769},
			{"a probe, below that", probe, 0, -32770, 0},
			{"a probe, highest", probe, 0, 32766, 32766},
			{"a probe, above that", probe, 0, 32767, 0},
			{"a probe, opposite", probe, 0, 1 << 31, 0},
		} {
			w := opened(t, first)
			w.load(port.WordSeen0, 0b100, port.WordSeen2, 1, port.WordSeen7, 1<<31)
			arrived := map[int64]bool{2: true, 64: true, 255: true}
			var ind port.Ind
			var rec pa.Rec
			psn := first + uint32(tc.d)
			switch u := w.state().Cack + 1; tc.ctl {
			case 0:
				ind, rec = w.put(fAr, psn)
				arrived[tc.d] = true
				if tc.d == 0 { // u moves
					arrived = map[int64]bool{1: true, 63: true, 254: true}
				}
			default:
				ind, rec = w.cp(tc.ctl, 0, psn, u+uint32(tc.base))
			}
			require.True(t, ind.Answered)
			u := w.state().Cack + 1
			require.Equal(t, u-1, rec.PSN)
			require.Equal(t, u+uint32(tc.want), rec.SackBase, "%s, %#x", tc.name, first)
			for j := range int64(64) {
				require.Equal(t, tc.want+j < 0 || arrived[tc.want+j], rec.SackBitmap>>j&1 == 1, "%s, %d", tc.name, j)
			}
		}
	}
}

// psn - cack is 0 where it does not fit.
func TestAckOffset(t *testing.T) {
	for d, want := range map[uint32]uint32{0: 0, 1: 1, 1<<32 - 1: 1<<32 - 1, 1<<32 - 32768: 1<<32 - 32768,
		1<<32 - 32769: 0, 1<<31 + 1: 0, 1<<32 - 60000: 0} {
		w := opened(t, 100)
		_, rec := w.put(fAr, 99+d)
		if d == 1 { // it becomes cumulative
			want = 0
		}
		require.Equal(t, w.state().Cack+want, rec.AckPSN, "%d", d)
		require.False(t, rec.Probe)
	}
	w := opened(t, 100)
	_, rec := w.put(fAr, 105)
	require.Equal(t, [2]uint32{99, 105}, [2]uint32{rec.PSN, rec.AckPSN})
}

// Service time is in whole ticks, 1 to 65535.
func TestServiceTime(t *testing.T) {
	for _, tc := range []struct {
		came, now Instant
		want      uint16
	}{
		{Instant{5, 0}, Instant{5, 3}, 1}, {Instant{5, 3}, Instant{6, 2}, 1}, {Instant{5, 3}, Instant{6, 3}, 1},
		{Instant{5, 3}, Instant{7, 2}, 1}, {Instant{5, 3}, Instant{7, 3}, 2}, {Instant{5, 0}, Instant{65539, 9}, 65534},
		{Instant{5, 0}, Instant{65540, 0}, 65535}, {Instant{5, 1}, Instant{65540, 0}, 65534},
		{Instant{5, 0}, Instant{65541, 0}, 65535}, {Instant{5, 1}, Instant{65541, 0}, 65535},
		{Instant{5, 0}, Instant{1 << 30, 0}, 65535}, {Instant{1<<32 - 2, 1}, Instant{1, 1}, 3},
		{Instant{1<<32 - 2, 1}, Instant{1, 0}, 2}, {Instant{6, 0}, Instant{5, 0}, 65535},
	} {
		w := opened(t, 100)
		w.came, w.now = tc.came, tc.now
		_, rec := w.put(fAr, 100)
		require.Equal(t, tc.want, rec.ServiceTime, "%+v", tc)
	}
}

// What the registers and the host's words put into an answer, and the marks.
func TestFlags(t *testing.T) {
	w := opened(t, 100, port.RegMpr, 77, port.RegPressure, 0xA5, port.RegAckDscp, 0x2A)
	_, rec := w.put(fAr, 100)
	require.Equal(t, []any{uint8(0), uint8(0), uint8(77), true, uint8(0x25), uint8(0x2A), uint8(0), uint8(0)},
		[]any{rec.CcType, rec.CcFlags, rec.Mpr, rec.RC, rec.RcvCwndPend, rec.Dscp, rec.ECN, rec.Next})
	require.False(t, rec.M || rec.Retx || rec.Probe || rec.Epsn)
	require.Zero(t, rec.Req)
	w.load(port.WordWantClose, 1)
	_, rec = w.put(fRetx|fAr, 101)
	require.True(t, rec.Retx)
	require.Equal(t, uint8(2), rec.Req)

	// ce gathers until it is told: in a duplicate, in new data that is not acknowledged, in a CP.
	marked := func(pds []byte) pa.Rec {
		_, rec := w.send(plain.Packet{Class: 3, PDS: pds})
		return rec
	}
	w.set(port.RegControl, 0)
	require.Equal(t, pa.Rec{}, marked(data(2, 0, 102, 7, 1)))
	require.True(t, w.state().Ce)
	_, rec = w.put(0, 103)
	require.Equal(t, pa.Rec{}, rec)
	_, rec = w.put(0, 103)
	require.True(t, rec.M)
	_, rec = w.put(0, 103)
	require.False(t, rec.M)
	require.True(t, marked(data(2, 0, 103, 7, 1)).M)
	require.True(t, marked(cp(ackReq, 0, 103, 7, 1, 0)).M)
	require.True(t, marked(cp(probe, 0, 103, 7, 1, 0)).M)
	require.False(t, w.state().Ce)
	rec = marked(data(2, fRetx, 900, 7, 1)) // a NACK has the packet's own
	require.True(t, rec.M && rec.Retx && !rec.Nt)
	require.False(t, w.state().Ce)
	w.load(0, w.slow.pdc[0].word(0)|32)
	_, rec = w.put(0, 900)
	require.False(t, rec.M)
	require.True(t, w.state().Ce)
}

// The frame of an answer: addresses go back, tags and entropy stay.
func TestFrameOfAnAnswer(t *testing.T) {
	f := plain.Packet{Tags: []uint16{0x88A8, 0x8100}, Options: 8, Class: 3, PDS: data(2, fSyn, 5, 7, 0)}
	b := f.Bytes()
	w := newWorld(t, port.RegUdpPort, 4793)
	_, _, a := w.frame(b)
	require.Equal(t, "020000000001020000000002"+"88a82000"+"81002001"+"0800", hexOf(a[:22]))
	require.Equal(t, "45b8003c000040004011"+"25f7"+"0a0000020a000001", hexOf(a[22:42]))
	require.Equal(t, "c35a12b90028", hexOf(a[42:48]))
	require.Len(t, a, 42+8+32)

	f = plain.Packet{V6: true, Native: true, PDS: data(2, 0, 5, 7, 1)}
	b = f.Bytes()
	b[56], b[57] = 0x12, 0x34 // reserved words do not come back
	_, _, a = w.frame(b)
	require.Equal(t, "02000000000102000000000286dd"+"6b8000000014fd40"+"fd09000100020003000400050006ffee"+
		"fd000001000200030004000500060007"+"c35a0000", hexOf(a[:58]))
	require.Equal(t, "50000f0000000005000000070000000"+"0", hexOf(a[58:74]))
	require.Len(t, a, 74)
	f = plain.Packet{Native: true, PDS: data(2, 0, 5, 7, 2)}
	_, _, a = w.frame(f.Bytes())
	require.Len(t, a, 60, "14 + 20 + 4 + 16, padded")
	require.Equal(t, "000000000000", hexOf(a[54:]))
}

// A checksum of 0 is written as ones.
func TestChecksumOfAnAnswer(t *testing.T) {
	for v6, at := range map[bool]int{false: 40, true: 60} {
		w := newWorld(t)
		f := plain.Packet{V6: v6, PDS: data(2, 0, 0, 7, 1)}
		_, _, a := w.frame(f.Bytes())
		f.PDS = data(2, 0, uint32(be16(a, at)), 7, 1) // the NACK repeats psn, so that the sum is all ones
		_, _, a = w.frame(f.Bytes())
		require.Equal(t, uint16(0xFFFF), be16(a, at))
	}
}

func hexOf(b []byte) string { return fmt.Sprintf("%x", b) }

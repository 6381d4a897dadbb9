package ackgen

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	pa "github.com/goldwire/goldwire/vectors/event/ackparse"
)

const (
	ackReq = 1
	closes = 4
	probe  = 6
)

// The window that holds every header is ackparse's, and the reasons of the shared steps have the order of the counters.
func TestSharedSteps(t *testing.T) {
	require.Equal(t, pa.Window, port.Window)
	for i, name := range plainReasons {
		require.Equal(t, name, Reason(port.WordFrames+i).String())
		require.Equal(t, i == 0, Reason(port.WordFrames+i).Passed())
	}
	require.Equal(t, "Reason(34)", Reason(34).String())
	require.Equal(t, "Reason(0)", Reason(0).String())
	require.False(t, Reason(0).Passed())
}

// Steps 9 to 13, on both sides of each threshold, and which of two comes first. Steps 1 to 8 are ackparse's.
func TestDecision(t *testing.T) {
	put := func(b []byte, at int, v ...byte) []byte { copy(b[at:], v); return b }
	ctl := func(n, flags int) []byte { return cp(n, flags, 5, 7, 1, 0) }
	for _, tc := range []struct {
		name string
		pds  []byte
		want string
	}{
		{"8: port", nil, "PORT"},
		{"10: RUD of 11", data(2, 0, 5, 7, 1)[:11], "SHORT"},
		{"10: RUD of 12", data(2, 0, 5, 7, 1), "PASSED"},
		{"10: ROD of 11", data(3, 0, 5, 7, 1)[:11], "SHORT"},
		{"10: ROD of 12", data(3, 0, 5, 7, 1), "PASSED"},
		{"10: RUD_CC of 15", data(13, 0, 5, 7, 1)[:15], "SHORT"},
		{"10: RUD_CC of 16", data(13, 0, 5, 7, 1), "PASSED"},
		{"10: ROD_CC of 15", data(14, 0, 5, 7, 1)[:15], "SHORT"},
		{"10: ROD_CC of 16", data(14, 0, 5, 7, 1), "PASSED"},
		{"10: CP of 15", ctl(6, 0)[:15], "SHORT"},
		{"10: CP of 16", ctl(6, 0), "PASSED"},
		{"10: SHORT comes before CTL_TYPE", ctl(0, 0)[:15], "SHORT"},
		{"10: SHORT comes before PDCID", data(2, 0, 5, 0, 1)[:11], "SHORT"},
		{"11: CTL_TYPE comes before PDCID", put(ctl(2, 0), 8, 0, 0), "CTL_TYPE"},
		{"11: next_hdr 15 of data", data(2, 15<<7, 5, 7, 1), "PASSED"},
		{"12: spdcid 0", data(2, 0, 5, 0, 1), "PDCID"},
		{"12: spdcid 0 with syn", data(2, fSyn, 5, 0, 1), "PDCID"},
		{"12: spdcid 0x100", data(2, 0, 5, 0x100, 1), "PASSED"},
		{"12: dpdcid 0", data(13, 0, 5, 7, 0), "PDCID"},
		{"12: dpdcid 0x100", data(13, 0, 5, 7, 0x100), "PASSED"},
		{"12: dpdcid 0 of a CP", cp(6, 0, 5, 7, 0, 9), "PDCID"},
		{"12: every flag but syn", data(2, 0x7F-fSyn, 5, 7, 0), "PDCID"},
		{"12: nothing at dpdcid's place with syn", data(2, fSyn, 5, 7, 0), "PASSED"},
		{"12: a CP with syn", cp(6, fSyn, 5, 7, 0, 9), "PASSED"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := plain.Packet{PDS: tc.pds}
			if tc.pds == nil {
				f.PDS, f.Port = data(2, 0, 5, 0, 0), 4791
			}
			reason, _, _ := newWorld(t).frame(f.Bytes())
			require.Equal(t, tc.want, reason)
			f.Padding = 40 // does not help
			reason, _, _ = newWorld(t).frame(f.Bytes())
			require.Equal(t, tc.want, reason)
		})
	}
	for kind := range 32 {
		b := put(data(13, 0, 5, 7, 1), 0, byte(kind<<3|1))
		reason, _, _ := newWorld(t).frame((&plain.Packet{PDS: b}).Bytes())
		want := map[int]string{2: "PASSED", 3: "PASSED", 13: "PASSED", 14: "PASSED", 11: "CTL_TYPE"}[kind]
		if want == "" {
			want = "TYPE"
		}
		require.Equal(t, want, reason, "type %d", kind)
		reason, _, _ = newWorld(t).frame((&plain.Packet{PDS: b[:2]}).Bytes()) // TYPE comes before SHORT
		require.Equal(t, map[bool]string{true: "TYPE", false: "SHORT"}[want == "TYPE"], reason)
	}
	for n := range 16 {
		reason, _, _ := newWorld(t).frame((&plain.Packet{PDS: ctl(n, 0)}).Bytes())
		require.Equal(t, n == 1 || n == 4 || n == 6, reason == "PASSED", "ctl_type %d", n)
		require.True(t, reason == "PASSED" || reason == "CTL_TYPE")
	}
}

// refused checks a NACK: of ind, and on the wire.
func (w *world) refused(nack port.NackCode, pdcid uint16, ind port.Ind, rec pa.Rec) {
	w.t.Helper()
	require.Equal(w.t, port.VerdictRefused, ind.Verdict)
	require.Equal(w.t, nack, ind.NackCode)
	require.Equal(w.t, pdcid, ind.Pdcid)
	require.True(w.t, ind.Answered)
	require.Equal(w.t, pa.PdsTypeNack, rec.PdsType)
	require.Equal(w.t, uint8(nack), rec.NackCode)
	require.Equal(w.t, pdcid, rec.Spdcid)
	require.Equal(w.t, ind.PSN, rec.PSN)
	require.Zero(w.t, [2]uint32{uint32(rec.VendorCode), rec.Payload})
}

// Without syn a PDC is named by its number and has to be the packet's.
func TestNamedPDC(t *testing.T) {
	w := opened(t, 100)
	for _, dpdcid := range []uint16{2, 4, 5, 0x101, 0xFFFF} {
		ind, rec := w.pds(data(2, 0, 100, 7, dpdcid))
		w.refused(port.NackCodeInvDpdcid, 0, ind, rec)
		require.Equal(t, uint16(7), rec.Dpdcid)
	}
	ind, rec := w.pds(data(2, 0, 100, 8, 1))
	w.refused(port.NackCodePDCHdrMismatch, 0, ind, rec)
	b := from(plain.Packet{PDS: data(2, 0, 100, 7, 1)}, 9)
	_, ind, _ = w.frame(b)
	require.Equal(t, port.NackCodePDCHdrMismatch, ind.NackCode)
	ind, rec = w.send(plain.Packet{V6: true, PDS: data(2, 0, 100, 7, 1)})
	w.refused(port.NackCodePDCHdrMismatch, 0, ind, rec)
	w.load(port.WordSrc3, 1) // 128 bits are compared, of IPv4 too
	ind, rec = w.put(0, 100)
	w.refused(port.NackCodePDCHdrMismatch, 0, ind, rec)
	w.load(port.WordSrc3, 0)
	ind, _ = w.put(0, 100)
	require.Equal(t, port.VerdictAccepted, ind.Verdict)
	w.load(port.WordIpv6, w.slow.pdc[0].word(0)|2)
	ind, rec = w.put(0, 100)
	w.refused(port.NackCodePDCHdrMismatch, 0, ind, rec)
}

// With syn the lowest PDC of the key is found, else the lowest that is free is opened.
func TestOpening(t *testing.T) {
	w := newWorld(t)
	ind, rec := w.pds(cp(probe, fSyn, 100, 7, 0, 0))
	require.Equal(t, port.Ind{Verdict: port.VerdictEarly, PSN: 100}, ind)
	require.Equal(t, pa.Rec{}, rec)
	for i := range uint16(4) {
		ind, _ = w.pds(data(2, fSyn|fRetx, 100+uint32(i), 7+i, i<<12|3))
		require.Equal(t, port.Ind{Verdict: port.VerdictAccepted, Pdcid: i + 1, PSN: 100 + uint32(i), Opened: true,
			Answered: true}, ind)
		x := w.r.Words(int(i))
		require.Equal(t, []uint32{97 + uint32(i), 96 + uint32(i), 8}, []uint32{x.Start, x.Cack, x.Seen0})
	}
	ind, rec = w.pds(data(2, fSyn, 100, 99, 0))
	w.refused(port.NackCodeNoPDC, 0, ind, rec)
	ind, _ = w.pds(cp(probe, fSyn, 100, 99, 0, 0))
	require.Equal(t, port.VerdictEarly, ind.Verdict)
	ind, _ = w.pds(cp(probe, fSyn, 100, 9, 1, 0)) // 100 - 1 is where PDC 3 began
	require.Equal(t, uint16(3), ind.Pdcid)
	require.Equal(t, port.VerdictProbed, ind.Verdict)
	ind, _ = w.pds(data(2, fSyn, 101, 9, 2))
	require.Equal(t, port.VerdictAccepted, ind.Verdict)
	require.False(t, ind.Opened)
	for _, start := range []uint16{1, 3} {
		for _, b := range [][]byte{data(2, fSyn, 101, 9, start), data(3, fSyn, 101, 9, start),
			cp(closes, fSyn, 101, 9, start, 0)} {
			before := w.r.Words(2)
			ind, rec = w.pds(b)
			w.refused(port.NackCodeNewStartPSN, 3, ind, rec)
			after := w.r.Words(2)
			for addr := range port.WordFrames {
				require.Equal(t, before.Word(addr), after.Word(addr))
			}
		}
	}

	// Two PDCs of one key: the lower one, while it is valid. A start of 12 bits less, modulo 2^32.
	w.ask(port.Cfg{Kind: port.KindLoad, PDC: 3, Addr: 0, Data: w.slow.pdc[2].word(0)})
	w.ask(port.Cfg{Kind: port.KindLoad, PDC: 3, Addr: port.WordStart, Data: 1<<32 - 4094})
	ind, _ = w.pds(data(2, fSyn, 102, 9, 3))
	require.Equal(t, uint16(3), ind.Pdcid)
	w.ask(port.Cfg{Kind: port.KindLoad, PDC: 2, Addr: 0, Data: w.slow.pdc[2].word(0) - 1})
	ind, _ = w.pds(data(2, fSyn, 1, 9, 0xF000|4095))
	require.Equal(t, uint16(4), ind.Pdcid)
	require.NotEqual(t, port.NackCodeNewStartPSN, ind.NackCode)
	ind, _ = w.pds(data(2, fSyn, 1, 98, 4095)) // and the lowest free one is PDC 3 now
	require.Equal(t, uint16(3), ind.Pdcid)
	require.Equal(t, port.NackCodePSNOor, ind.NackCode, "4095 is beyond MPR, and the PDC is open all the same")
	require.True(t, ind.Opened)
	require.Equal(t, uint32(1<<32-4094), w.r.Words(2).Start)
	require.Equal(t, uint32(5), w.r.counters[port.WordOpens])
}

// Each word of a PDC that is opened is set, whatever it held.
func TestOpeningClears(t *testing.T) {
	w := newWorld(t)
	for addr := range uint32(port.WordFrames) {
		w.load(addr, 0xFFFFFFFE)
	}
	w.set(port.RegMpr, 1)
	ind, _ := w.send(plain.Packet{V6: true, PDS: data(3, fSyn, 5, 7, 2)}) // ROD, PSN_OOR
	require.Equal(t, port.NackCodePSNOor, ind.NackCode)
	x := w.state()
	want := port.Words{Valid: true, Ipv6: true, Rod: true, Spdcid: 7, Start: 3, Cack: 2,
		Src0: 0x00060007, Src1: 0x00040005, Src2: 0x00020003, Src3: 0xFD000001}
	for addr := range port.WordFrames {
		require.Equal(t, want.Word(addr), x.Word(addr), "word %d", addr)
	}
}

// Ordered packets and unordered ones do not mix. A control packet has its own bit.
func TestMode(t *testing.T) {
	for _, rod := range []bool{false, true} {
		kinds := map[bool][2]int{false: {2, 13}, true: {3, 14}}
		flag := map[bool]int{true: fRod}
		w := newWorld(t)
		w.pds(data(kinds[rod][0], fSyn, 5, 7, 0))
		require.Equal(t, rod, w.state().Rod)
		for _, b := range [][]byte{data(kinds[!rod][0], 0, 6, 7, 1), data(kinds[!rod][1], 0, 6, 7, 1),
			data(kinds[!rod][0], fSyn, 6, 7, 1), cp(probe, flag[!rod], 6, 7, 1, 0), cp(closes, flag[!rod], 6, 7, 1, 0)} {
			ind, rec := w.pds(b)
			w.refused(port.NackCodePDCModeMismatch, 1, ind, rec)
		}
		ind, _ := w.pds(data(kinds[rod][1], fRod, 6, 7, 1)) // y[5] of data does not count
		require.Equal(t, port.VerdictAccepted, ind.Verdict)
		ind, _ = w.pds(cp(probe, flag[rod], 6, 7, 1, 0))
		require.Equal(t, port.VerdictProbed, ind.Verdict)
	}
}

// What becomes of data by its distance from u, for PSNs on both sides of 0 and of 2^31.
func TestWindow(t *testing.T) {
	for _, first := range []uint32{100, 0, 1, 1<<32 - 64, 1<<32 - 1, 1 << 31, 1<<31 - 64} {
		for _, mpr := range []int{1, 2, 64, 65, 128, 255} {
			for _, tc := range []struct {
				d    int64
				want port.NackCode
				dup  bool
			}{
				{-1, 0, true}, {-64, 0, true}, {-1 << 31, 0, true}, {0, 0, false}, {int64(mpr) - 1, 0, false},
				{int64(mpr), port.NackCodePSNOor, false}, {63, 0, false}, {64, 0, false}, {127, 0, false}, {254, 0, false},
				{255, port.NackCodePSNOor, false}, {256, port.NackCodePSNOor, false},
				{1<<31 - 1, port.NackCodePSNOor, false},
			} {
				if tc.d >= int64(mpr) {
					tc.want = port.NackCodePSNOor
				}
				w := opened(t, first, port.RegMpr, uint32(mpr))
				ind, rec := w.put(0, first+uint32(tc.d))
				where := fmt.Sprintf("u %#x, MPR %d, d %d", first, mpr, tc.d)
				switch {
				case tc.want != 0:
					w.refused(tc.want, 1, ind, rec)
				case tc.dup:
					require.Equal(t, port.VerdictDuplicate, ind.Verdict, where)
					require.Equal(t, first-1, rec.PSN)
				default:
					require.Equal(t, port.VerdictAccepted, ind.Verdict, where)
					require.Equal(t, tc.d == 0, w.state().Cack == first, where)
					ind, _ = w.put(0, first+uint32(tc.d))
					require.Equal(t, port.VerdictDuplicate, ind.Verdict, where)
				}
			}
		}
	}
}

// A bit of seen beyond MPR is a duplicate all the same; d = 256 has none.
func TestDuplicateBeyondMPR(t *testing.T) {
	w := opened(t, 100, port.RegMpr, 1)
	w.load(port.WordSeen7, 1<<31, port.WordSeen1, 1)
	for d, dup := range map[uint32]bool{255: true, 254: false, 256: false, 32: true, 33: false, 31: false} {
		ind, _ := w.put(0, 100+d)
		require.Equal(t, dup, ind.Verdict == port.VerdictDuplicate, "d %d", d)
		require.Equal(t, !dup, ind.NackCode == port.NackCodePSNOor, "d %d", d)
	}
}

package packets

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// The judge of these tests is golden/packet/uet, which is written from the published layouts, without the code that
// makes the frames of stimulus.

// uetSizes are the bytes of the headers of UET, by type, with the states of CCX packets as long as the judge takes
// them.
var uetSizes = map[uint8]int{
	2: 12, 3: 12, 4: 8, 5: 8, 6: 4, 7: 12, 8: 32, 9: 40, 10: 16, 11: 16, 12: 24, 13: 16, 14: 16,
}

// drawn returns a frame of a type, in any form, without a header of UET yet.
func drawn(r *stim.Rand, kind uint8) frame.Frame {
	f := frame.Draw(r, []uint8{kind})
	if r.One(3) {
		f.Native, f.Proto = true, uet.DefaultSpec().Protocol
		f.NoSum, f.BadSum, f.Ones = false, false, false
	}
	return f
}

// checkLayers compares the layers below UET, and what the judge says of checksums, with the description of a frame.
func checkLayers(t *testing.T, f *frame.Frame, b []byte, p *uet.Packet) {
	t.Helper()
	l := p.Lower
	require.Len(t, l.Tags, f.Tags)
	require.Equal(t, f.V6, l.Version == 6)
	require.Equal(t, f.TOS, l.DSCP<<2|l.ECN)
	require.Equal(t, f.Native, l.Native)
	require.Equal(t, f.SrcPort, l.Entropy)
	require.Equal(t, f.L2(), l.IPStart)
	require.Equal(t, f.UDP(), l.L4Start)
	require.Equal(t, f.NoSum && !f.Native, l.NoSum)
	require.Len(t, p.Padding, f.Pad)
	require.EqualValues(t, f.UET, p.Type)
	has := func(text string) bool { return slices.Contains(p.Complaints, text) }
	require.Equal(t, f.BadHead && !f.V6, has(fmt.Sprintf("byte %d: the IPv4 header checksum is wrong", f.L2()+10)))
	require.Equal(t, f.BadSum, has(fmt.Sprintf("byte %d: the UDP checksum is wrong", f.UDP()+6)))
	spare := f.Native && (b[f.UDP()+2] != 0 || b[f.UDP()+3] != 0)
	require.Equal(t, spare, has(fmt.Sprintf("byte %d: reserved bits of the entropy header are set", f.UDP()+2)))
}

// TestTheJudgeReadsEveryType: every type of UET decodes in every form of a frame.
func TestTheJudgeReadsEveryType(t *testing.T) {
	r := stim.Seeded(1, "uet", "types", 0)
	seen := map[uet.Type]int{}
	for _, kind := range slices.Sorted(maps.Keys(uetSizes)) {
		size := uetSizes[kind]
		for range 100 {
			f := drawn(&r, kind)
			f.Body, f.Pad = size+r.N(40), r.N(2)*r.N(30)
			b := f.Bytes(&r, nil)
			p, err := uet.Decode(uet.DefaultSpec(), b)
			require.NoError(t, err, "%+v: %x", f, b)
			checkLayers(t, &f, b, p)
			require.Len(t, p.Payload, f.Body-size)
			seen[p.Type]++
			f.Body = size - 1 // and not in a header that is a byte too short
			_, err = uet.Decode(uet.DefaultSpec(), f.Bytes(&r, nil))
			require.ErrorContains(t, err, fmt.Sprintf("%d of %d bytes", size-1, size))
		}
	}
	require.Len(t, seen, 13)
}

// TestTheJudgeReadsEveryPDS: each field of an acknowledgement, a NACK or a control packet is on the wire what it was
// drawn to be.
func TestTheJudgeReadsEveryPDS(t *testing.T) {
	spec := uet.DefaultSpec()
	r := stim.Seeded(1, "uet", "pds", 0)
	for _, kind := range []uint8{frame.Ack, frame.AckCC, frame.AckCCX, frame.Nack, frame.Control, frame.NackCCX} {
		for range 500 {
			state := map[uint8]int{frame.AckCCX: spec.AckCCX, frame.NackCCX: spec.NackCCX}[kind]
			pds, f := frame.DrawPDS(&r, kind, state), drawn(&r, kind)
			f.WithPDS(&pds)
			f.Ones = false // it changes bytes of the header
			f.Body += r.N(20)
			b := f.Bytes(&r, nil)
			p, err := uet.Decode(spec, b)
			require.NoError(t, err, "%+v: %x", f, b)
			checkLayers(t, &f, b, p)
			require.Len(t, p.Payload, f.Body-uetSizes[kind])
			got := *p
			got.Lower, got.Payload, got.Padding, got.Fields, got.Complaints = uet.Lower{}, nil, nil, nil, nil
			require.Equal(t, carried(&pds), got, "%x", pds.Bytes())
			spare := map[uint8]uint8{frame.Nack: 0x47, frame.NackCCX: 0x47, frame.Control: 0x43}[kind]
			if spare == 0 {
				spare = 0x01
			}
			require.Equal(t, pds.Flags&spare != 0, slices.ContainsFunc(p.Complaints, func(c string) bool {
				return strings.HasPrefix(c, fmt.Sprintf("byte %d: reserved bits", p.Lower.UETStart+1))
			}), "%x: %v", pds.Bytes(), p.Complaints)
			for i, change := range []func(h *frame.PDS){
				func(h *frame.PDS) { h.Next ^= 1 }, func(h *frame.PDS) { h.Flags ^= 0x10 },
				func(h *frame.PDS) { h.Short ^= 1 << r.N(16) }, func(h *frame.PDS) { h.PSN ^= 1 << r.N(32) },
				func(h *frame.PDS) { h.SPDCID ^= 1 << r.N(16) }, func(h *frame.PDS) { h.DPDCID ^= 1 << r.N(16) },
			} {
				other := pds
				change(&other)
				require.NotEqual(t, carried(&other), got, "change %d", i)
			}
		}
	}
}

// carried returns what the judge must find in a header.
func carried(h *frame.PDS) uet.Packet {
	flag := func(mask uint8) bool { return h.Flags&mask != 0 }
	p := uet.Packet{Type: uet.Type(h.Type), NextHdr: uet.NextHdr(h.Next)}
	switch h.Type {
	case frame.Nack, frame.NackCCX:
		p.Nack = &uet.NackHdr{M: flag(0x20), Retx: flag(0x10), NT: flag(0x08), Code: uet.NackCode(h.Short >> 8),
			VendorCode: uint8(h.Short), PSN: h.PSN, SPDCID: h.SPDCID, DPDCID: h.DPDCID, Payload: h.Payload, State: h.State}
		return p
	case frame.Control:
		p.NextHdr = 0
		p.Control = &uet.Control{CtlType: uet.CtlType(h.Next), IsROD: flag(0x20), Retx: flag(0x10), AR: flag(0x08),
			Syn: flag(0x04), ProbeOpaque: h.Short, PSN: h.PSN, SPDCID: h.SPDCID, Payload: h.Payload}
		if flag(0x04) {
			p.Control.PDCInfo, p.Control.PSNOffset = uint8(h.DPDCID>>12), h.DPDCID&0xfff
		} else {
			p.Control.DPDCID = h.DPDCID
		}
		return p
	}
	a := &uet.AckHdr{EPSN: flag(0x40), M: flag(0x20), Retx: flag(0x10), P: flag(0x08),
		Request: uet.AckRequest(h.Flags >> 1 & 3), CackPSN: h.PSN, SPDCID: h.SPDCID, DPDCID: h.DPDCID}
	p.Ack = a
	if flag(0x08) {
		a.ProbeOpaque = h.Short
	} else {
		a.AckPSNOffset = int16(h.Short)
	}
	if h.Type == frame.Ack {
		return p
	}
	a.CC = &uet.AckCCHdr{CCType: uet.CCType(h.CCType), CCFlags: h.CCFlags, MPR: h.MPR, SackPSNOffset: int16(h.SACKOffset),
		SackBitmap: h.SACK}
	if h.Type == frame.AckCCX {
		a.CC.State = h.State
		return p
	}
	state := binary.BigEndian.Uint64(h.State)
	switch h.CCType {
	case 0:
		a.CC.NSCC = &uet.NSCCState{ServiceTime: uint16(state >> 48), RC: state>>47&1 == 1,
			RcvCwndPend: uint8(state >> 40 & 127), RcvdBytes: uint32(state >> 16 & 0xffffff), OOO: uint16(state)}
	case 1:
		a.CC.Credit = &uet.CreditState{Credit: uint32(state >> 40), OOO: uint16(state)}
	}
	return p
}

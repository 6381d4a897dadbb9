package uet

import (
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// uetAt is the offset of the UET prologue in the frames of wrapped.
const uetAt = 14 + 20 + 8

// wrapped returns a frame that carries b over UDP and IPv4, without a UDP checksum.
func wrapped(t testing.TB, b []byte) []byte {
	t.Helper()
	head := unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00
		45 b8 00 00 00 00 40 00 40 11 00 00 0a 00 00 01 0a 00 00 02
		c0 01 12 b9 00 00 00 00`)
	f := append(head, b...)
	ip, udp := len(f)-14, len(f)-34
	f[16], f[17], f[38], f[39] = byte(ip>>8), byte(ip), byte(udp>>8), byte(udp)
	setIPv4Sum(f[14:34])
	return f
}

// setIPv4Sum writes the header checksum of RFC 791.
func setIPv4Sum(ip []byte) {
	ip[10], ip[11] = 0, 0
	sum := 0
	for i := 0; i < len(ip); i += 2 {
		sum += int(ip[i])<<8 | int(ip[i+1])
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	ip[10], ip[11] = byte(^sum>>8), byte(^sum)
}

// The hand-made packets, one of each type, with what they contain.
var packets = []struct {
	name, hex string
	want      Packet
	payload   string
}{
	{
		"request, resent, wants an ACK", "1198 fffe 00000064 0007 0009 aabb",
		Packet{Type: RudReq, NextHdr: 3, Request: &Request{
			Retx: true, AR: true, ClearPSNOffset: -2, PSN: 100, SPDCID: 7, DPDCID: 9}}, "aabb",
	},
	{
		"first request of a connection", "118c 0000 00000105 0007 1005",
		Packet{Type: RudReq, NextHdr: 3, Request: &Request{
			AR: true, Syn: true, PSN: 0x105, SPDCID: 7, PDCInfo: 1, PSNOffset: 5}}, "",
	},
	{
		"ordered request", "1880 0000 ffffffff ffff 0001",
		Packet{Type: RodReq, NextHdr: 1, Request: &Request{PSN: 0xffffffff, SPDCID: 0xffff, DPDCID: 1}}, "",
	},
	{
		"request with credit target", "6988 0001 00000003 0001 0002 2a00abcd 55",
		Packet{Type: RudCCReq, NextHdr: 3, Request: &Request{AR: true, ClearPSNOffset: 1, PSN: 3, SPDCID: 1, DPDCID: 2,
			CC: &RequestCC{CCCID: 0x2a, CreditTarget: 0xabcd}}}, "55",
	},
	{
		"ordered first request with credit target", "7104 0000 00000fff 0001 0fff ffffffff",
		Packet{Type: RodCCReq, NextHdr: 2, Request: &Request{Syn: true, PSN: 0xfff, SPDCID: 1, PSNOffset: 0xfff,
			CC: &RequestCC{CCCID: 0xff, CreditTarget: 0xffffff}}}, "",
	},
	{
		"RUDI request", "2080 0000 deadbeef 01",
		Packet{Type: RudiReq, NextHdr: 1, Rudi: &Rudi{PktID: 0xdeadbeef}}, "01",
	},
	{
		"RUDI response", "2a01 0000 00000001",
		Packet{Type: RudiResp, NextHdr: 4, Rudi: &Rudi{Flags: 1, PktID: 1}}, "",
	},
	{
		"UUD", "3080 0000 77",
		Packet{Type: UUD, NextHdr: 1, Uud: &Uud{}}, "77",
	},
	{
		"ACK, CE seen, asks to clear", "3822 fffd 00000010 0009 0007",
		Packet{Type: Ack, Ack: &AckHdr{M: true, Request: RequestClear, AckPSNOffset: -3, CackPSN: 16, SPDCID: 9, DPDCID: 7}},
		"",
	},
	{
		"ACK of a probe, asks to close", "381c beef 00000010 0009 0007",
		Packet{Type: Ack, Ack: &AckHdr{Retx: true, P: true, Request: RequestClose, ProbeOpaque: 0xbeef, CackPSN: 16,
			SPDCID: 9, DPDCID: 7}}, "",
	},
	{
		"ACK with NSCC state",
		"4000 0001 000000ff 0009 0007 00 80 fff0 8000000000000001 0010 85 000123 0002",
		Packet{Type: AckCC, Ack: &AckHdr{AckPSNOffset: 1, CackPSN: 0xff, SPDCID: 9, DPDCID: 7, CC: &AckCCHdr{MPR: 128,
			SackPSNOffset: -16, SackBitmap: 1<<63 | 1,
			NSCC: &NSCCState{ServiceTime: 16, RC: true, RcvCwndPend: 5, RcvdBytes: 0x123, OOO: 2}}}}, "",
	},
	{
		"ACK with credit",
		"4000 0000 00000001 0009 0007 12 ff 0001 0000000000000006 0abcde 000000 ffff 494e",
		Packet{Type: AckCC, Ack: &AckHdr{CackPSN: 1, SPDCID: 9, DPDCID: 7, CC: &AckCCHdr{CCType: StateCredit, CCFlags: 2,
			MPR: 255, SackPSNOffset: 1, SackBitmap: 6, Credit: &CreditState{Credit: 0xabcde, OOO: 0xffff}}}}, "494e",
	},
	{
		"ACK with a long state",
		"4800 0000 00000001 0009 0007 00 00 0000 0000000000000000 000102030405060708090a0b0c0d0e0f",
		Packet{Type: AckCCX, Ack: &AckHdr{CackPSN: 1, SPDCID: 9, DPDCID: 7, CC: &AckCCHdr{
			State: []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}}}, "",
	},
	{
		"NACK without a connection", "5028 01 00 00000064 0000 0007 11223344",
		Packet{Type: Nack, Nack: &NackHdr{M: true, NT: true, Code: 1, PSN: 100, DPDCID: 7, Payload: 0x11223344}}, "",
	},
	{
		"NACK with a state", "6010 0b ff ffffffff 0009 0007 00000000 1011121314151617",
		Packet{Type: NackCCX, Nack: &NackHdr{Retx: true, Code: 11, VendorCode: 255, PSN: 0xffffffff, SPDCID: 9, DPDCID: 7,
			State: []byte{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17}}}, "",
	},
	{
		"probe", "5b28 1234 00000200 0007 0009 000001c0",
		Packet{Type: CP, Control: &Control{CtlType: Probe, IsROD: true, AR: true, ProbeOpaque: 0x1234, PSN: 0x200, SPDCID: 7,
			DPDCID: 9, Payload: 0x1c0}}, "",
	},
	{
		"credit request of a new connection", "5c14 0000 00000200 0007 1003 00ffffff",
		Packet{Type: CP, Control: &Control{CtlType: CreditReq, Retx: true, Syn: true, PSN: 0x200, SPDCID: 7, PDCInfo: 1,
			PSNOffset: 3, Payload: 0xffffff}}, "",
	},
}

func TestEachType(t *testing.T) {
	seen := map[Type]bool{}
	for _, c := range packets {
		t.Run(c.name, func(t *testing.T) {
			p, err := Decode(DefaultSpec(), wrapped(t, unhex(t, c.hex)))
			require.NoError(t, err)
			require.Empty(t, p.Complaints)
			require.Equal(t, unhex(t, c.payload), p.Payload)
			p.Lower, p.Payload, p.Padding, p.Fields = Lower{}, nil, nil, nil
			require.Equal(t, c.want, *p)
			seen[p.Type] = true
		})
	}
	for kind := RudReq; kind < typeCount; kind++ {
		require.True(t, seen[kind], "no packet of type %v", kind)
	}
}

func TestEachControlPacket(t *testing.T) {
	for i, name := range []string{"NOOP", "ACK_REQ", "CLEAR", "CLEAR_REQ", "CLOSE", "CLOSE_REQ", "PROBE", "CREDIT",
		"CREDIT_REQ", "NEGOTIATION"} {
		b := unhex(t, "0000 0000 00000001 0001 0002 00000000")
		b[0], b[1] = byte((11<<11|i<<7)>>8), byte(i<<7)
		p, err := Decode(DefaultSpec(), wrapped(t, b))
		require.NoError(t, err)
		require.Empty(t, p.Complaints)
		require.EqualValues(t, i, p.Control.CtlType)
		require.Equal(t, name, p.Control.CtlType.String())
	}
}

func TestNames(t *testing.T) {
	for code, name := range map[NackCode]string{1: "TRIMMED", 2: "TRIMMED_LASTHOP", 3: "TRIMMED_ACK", 4: "NO_PDC",
		5: "NO_CCC", 6: "NO_BITMAP", 7: "NO_PKT_BUFFER", 8: "NO_GTD_DEL", 9: "NO_SES_MSG", 10: "NO_RESOURCE",
		0x0b: "PSN_OOR", 0x0d: "ROD_OOO", 0x0e: "INV_DPDCID", 0x0f: "PDC_HDR_MISMATCH", 0x10: "CLOSING",
		0x11: "CLOSING_IN_ERR", 0x12: "PKT_NOT_RCVD", 0x13: "GTD_RESP_UNAVAIL", 0x14: "ACK_WITH_DATA", 0x15: "INVALID_SYN",
		0x16: "PDC_MODE_MISMATCH", 0x17: "NEW_START_PSN", 0x18: "RCVD_SES_PROCG", 0x19: "UNEXP_EVENT",
		0x1a: "RCVR_INFER_LOSS", 0xfd: "experimental 0xfd", 0xfe: "experimental 0xfe", 0xff: "experimental 0xff"} {
		require.True(t, code.Known())
		require.Equal(t, name, code.String())
	}
	known := 0
	for code := range 256 {
		if NackCode(code).Known() {
			known++
		}
	}
	require.Equal(t, 28, known)
	require.Equal(t, "nack_code 0x0c", NackCode(12).String())
	require.Equal(t, "RUDI_RESP", RudiResp.String())
	require.Equal(t, "ROD_CC_REQ", RodCCReq.String())
	require.Equal(t, "type 0x0f", Type(15).String())
	require.Equal(t, "response with data", NextHdr(5).String())
}

// The numbers that follow from several fields.
func TestDerivedNumbers(t *testing.T) {
	of := func(text string) *Packet {
		p, err := Decode(DefaultSpec(), wrapped(t, unhex(t, text)))
		require.NoError(t, err)
		return p
	}
	require.EqualValues(t, 0x100, of("118c 0000 00000105 0007 1005").Request.StartPSN())
	require.True(t, of("118c 0000 00000105 0007 1005").Request.UseRsvPDC())
	require.False(t, of("118c 0000 00000105 0007 e005").Request.UseRsvPDC())
	require.EqualValues(t, uint32(0xfffffffe), of("118c 0000 00000003 0007 1005").Request.StartPSN())
	require.EqualValues(t, 0x1fd, of("5c14 0000 00000200 0007 1003 00ffffff").Control.StartPSN())
	require.EqualValues(t, 13, of("3800 fffd 00000010 0009 0007").Ack.AckPSN())
	require.EqualValues(t, 2, of("3800 0003 ffffffff 0009 0007").Ack.AckPSN())
	// The last byte of the bitmap has the PSNs next to the base.
	a := of("4000 0000 00000100 0009 0007 00 00 fff0 8000000000000105 0001 00 000000 0000").Ack
	require.Equal(t, []uint32{0xf0, 0xf2, 0xf8, 0xf0 + 63}, a.Sacked())
	a = of("4000 0000 fffffff0 0009 0007 00 00 000f 0000000000000003 0001 00 000000 0000").Ack
	require.Equal(t, []uint32{0xffffffff, 0}, a.Sacked())
}

// A whole frame, with both checksums.
func TestWholeFrame(t *testing.T) {
	f := unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00
		45 20 00 2a 00 01 40 00 3f 11 27 a0 0a 00 00 01 0a 00 00 02
		c0 01 12 b9 00 16 4b ac
		11 8c 00 00 00 00 01 05 00 07 10 05 aa bb 00 00 00 00`)
	p, err := Decode(DefaultSpec(), f)
	require.NoError(t, err)
	require.Empty(t, p.Complaints)
	require.Equal(t, Lower{Version: 4, DSCP: 8, TTL: 63, Src: netip.MustParseAddr("10.0.0.1"),
		Dst: netip.MustParseAddr("10.0.0.2"), Entropy: 0xc001, DstPort: 4793, IPStart: 14, L4Start: 34, UETStart: 42,
		end: 56}, p.Lower)
	require.Equal(t, RudReq, p.Type)
	require.Equal(t, []byte{0xaa, 0xbb}, p.Payload)
	require.Equal(t, make([]byte, 4), p.Padding)
}

func TestComplaints(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"reserved, request, high", "1140 0000 00000001 0001 0001", "reserved bits"},
		{"reserved, request, low", "1101 0000 00000001 0001 0001", "reserved bits"},
		{"request without spdcid", "1100 0000 00000001 0000 0001", "spdcid is 0"},
		{"request without dpdcid", "1100 0000 00000001 0001 0000", "dpdcid is 0"},
		{"syn without spdcid", "1104 0000 00000001 0000 0001", "spdcid is 0"},
		{"pdc_info", "1104 0000 00000001 0001 2001", "pdc_info is 0x2"},
		{"next_hdr", "1380 0000 00000001 0001 0001", "next_hdr 7"},
		{"RUDI", "2080 0001 00000001", "reserved bits"},
		{"ACK without spdcid", "3800 0000 00000001 0000 0001", "spdcid is 0"},
		{"ACK without dpdcid", "3800 0000 00000001 0001 0000", "dpdcid is 0"},
		{"epsn", "3840 0000 00000001 0001 0001", "flag 0x40"},
		{"ACK, reserved", "3801 0000 00000001 0001 0001", "reserved bits"},
		{"ACK, request", "3806 0000 00000001 0001 0001", "request 3"},
		{"cc_type", "4000 0000 00000001 0001 0001 20 00 0000 0000000000000000 0000 00 000000 0000", "cc_type 2"},
		{"service_time", "4000 0000 00000001 0001 0001 00 00 0000 0000000000000000 0000 00 000000 0000", "service_time"},
		{"credit", "4000 0000 00000001 0001 0001 10 00 0000 0000000000000000 000000 000001 0000", "reserved bits"},
		{"NACK, code", "5000 0c 00 00000001 0001 0001 00000000", "nack_code 0x0c"},
		{"NACK, no code", "5000 00 00 00000001 0001 0001 00000000", "nack_code 0x00"},
		{"NACK, reserved, high", "5040 01 00 00000001 0001 0001 00000000", "reserved bits"},
		{"NACK, reserved, low", "5004 01 00 00000001 0001 0001 00000000", "reserved bits"},
		{"CP, ctl_type", "5d00 0000 00000001 0001 0001 00000000", "ctl_type 10"},
		{"CP, reserved", "5802 0000 00000001 0001 0001 00000000", "reserved bits"},
		{"CP without spdcid", "5800 0000 00000001 0000 0001 00000000", "spdcid is 0"},
		{"CP without dpdcid", "5800 0000 00000001 0001 0000 00000000", "dpdcid is 0"},
		{"CP, pdc_info", "5804 0000 00000001 0001 8000 00000000", "pdc_info is 0x8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Decode(DefaultSpec(), wrapped(t, unhex(t, c.hex)))
			require.NoError(t, err)
			require.Len(t, p.Complaints, 1)
			require.Contains(t, p.Complaints[0], c.want)
			require.False(t, p.Sound())
		})
	}
	spec := DefaultSpec()
	spec.EPSN = true
	p, err := Decode(spec, wrapped(t, unhex(t, "3840 0000 00000001 0001 0001")))
	require.NoError(t, err)
	require.Empty(t, p.Complaints)
}

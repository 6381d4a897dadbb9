package ackparse

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// goldens are frames written by hand, with their records as the contract has them; at least one of each type.
var goldens = []struct {
	name, frame string
	want        port.Rec
}{
	{"an ACK, padded; retx, clear and close", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 02
		00 28 00 01 00 00 40 11 5f b5 0a 01 02 03 0a 04
		05 06 c1 23 12 b9 00 14 60 17 38 16 00 02 00 00
		10 00 12 34 56 78 00 00 00 00 00 00`,
		port.Rec{PdsType: port.PdsTypeAck, ECN: 2, Src: [2]uint64{0x0A010203}, Entropy: 0xC123,
			Retx: true, Req: 3, PSN: 0x1000, AckPSN: 0x1002, Spdcid: 0x1234, Dpdcid: 0x5678}},
	{"an ACK_CC of type NSCC with probe, tagged; its bitmap begins below psn", `
		02 00 00 00 00 02 02 00 00 00 00 01 81 00 a0 64
		08 00 45 b9 00 3c 00 01 00 00 40 11 5e ea 0a 01
		02 03 0a 04 05 06 c1 23 12 b9 00 28 d3 fa 41 e8
		be ef ff ff ff f0 00 07 00 09 05 40 ff fc 80 00
		00 00 00 00 00 0f 01 90 a5 00 10 00 00 03`,
		port.Rec{PdsType: port.PdsTypeAckCc, ECN: 1, Dscp: 46, Src: [2]uint64{0x0A010203}, Entropy: 0xC123,
			Next: 3, Epsn: true, M: true, Probe: true, Opaque: 0xBEEF, PSN: 0xFFFFFFF0, Spdcid: 7, Dpdcid: 9,
			CcFlags: 5, Mpr: 64, SackBase: 0xFFFFFFEC, SackBitmap: 0x800000000000000F,
			ServiceTime: 400, RC: true, RcvCwndPend: 0x25, RcvdBytes: 0x1000, Ooo: 3}},
	{"a native ACK_CC of type CREDIT over IPv6; ack_psn is before 0", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 60 41
		23 45 00 24 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c0 01 00 00 40 00 ff ff 00 00
		00 00 00 07 00 09 1f 02 00 10 00 00 00 00 00 00
		00 01 ab cd ef 11 22 33 ff ff`,
		port.Rec{PdsType: port.PdsTypeAckCc, Native: true, Ipv6: true, Dscp: 1,
			Src: [2]uint64{1, 0x20010DB800000000}, Entropy: 0xC001, PSN: 0, AckPSN: 0xFFFFFFFF, Spdcid: 7, Dpdcid: 9,
			CcType: 1, CcFlags: 15, Mpr: 2, SackBase: 16, SackBitmap: 1, Credit: 0xABCDEF, Ooo: 0xFFFF}},
	{"a native ACK_CCX after IPv4 options; the greatest and the least offset; one byte follows", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 46 00
		00 45 00 01 00 00 40 fd 5b ac 0a 01 02 03 0a 04
		05 06 01 01 01 01 c0 02 00 00 4c 80 7f ff 00 00
		00 01 00 07 00 09 27 08 80 00 01 23 45 67 89 ab
		cd ef 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d
		0e 0f 99`,
		port.Rec{PdsType: port.PdsTypeAckCcx, Native: true, Src: [2]uint64{0x0A010203}, Entropy: 0xC002,
			Next: 9, PSN: 1, AckPSN: 0x8000, Spdcid: 7, Dpdcid: 9, CcType: 2, CcFlags: 7, Mpr: 8, SackBase: 0xFFFF8001,
			SackBitmap: 0x0123456789ABCDEF, State: [3]uint64{0x0706050403020100, 0x0F0E0D0C0B0A0908}, Rest: 1}},
	{"a NACK without a PDC over IPv6, two tags", `
		02 00 00 00 00 02 02 00 00 00 00 01 88 a8 00 01
		81 00 00 02 86 dd 6f e1 23 45 00 18 11 40 20 01
		0d b8 00 00 00 00 00 00 00 00 00 00 00 01 20 01
		0d b8 00 00 00 00 00 00 00 00 00 00 00 02 c1 23
		12 b9 00 18 de 48 51 38 03 44 00 01 00 00 00 00
		00 09 de ad be ef`,
		port.Rec{PdsType: port.PdsTypeNack, Ipv6: true, ECN: 2, Dscp: 63,
			Src: [2]uint64{1, 0x20010DB800000000}, Entropy: 0xC123, Next: 2, M: true, Retx: true, Nt: true,
			NackCode: 3, VendorCode: 0x44, PSN: 0x10000, Dpdcid: 9, Payload: 0xDEADBEEF}},
	{"a CP without a UDP checksum", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 03
		00 2c 00 01 00 00 40 11 5f b0 0a 01 02 03 0a 04
		05 06 c1 23 12 b9 00 18 00 00 5c a8 12 34 00 00
		00 2a 00 07 00 09 00 00 00 05`,
		port.Rec{PdsType: port.PdsTypeCp, ECN: 3, Src: [2]uint64{0x0A010203}, Entropy: 0xC123, Next: 9,
			Isrod: true, Ar: true, Opaque: 0x1234, PSN: 42, Spdcid: 7, Dpdcid: 9, Payload: 5}},
	{"a native CP with syn", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 03
		00 28 00 01 00 00 40 fd 5e c8 0a 01 02 03 0a 04
		05 06 c0 03 00 00 59 14 ab cd 00 00 00 2a 00 07
		50 03 ff ff ff ff`,
		port.Rec{PdsType: port.PdsTypeCp, Native: true, ECN: 3, Src: [2]uint64{0x0A010203}, Entropy: 0xC003,
			Next: 2, Retx: true, Syn: true, Opaque: 0xABCD, PSN: 42, Spdcid: 7, PDCInfo: 5, PSNOffset: 3,
			Payload: 0xFFFFFFFF}},
	{"a NACK_CCX over IPv6; two bytes follow", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 60 11
		23 45 00 22 11 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c1 23 12 b9 00 22 4c 95 61 10
		0e 00 80 00 00 00 00 07 00 00 00 00 00 01 3f 11
		22 33 44 55 66 77 88 99`,
		port.Rec{PdsType: port.PdsTypeNackCcx, Ipv6: true, ECN: 1, Src: [2]uint64{1, 0x20010DB800000000},
			Entropy: 0xC123, Next: 2, Retx: true, NackCode: 0x0E, PSN: 0x80000000, Spdcid: 7, Payload: 1, CcType: 3,
			State: [3]uint64{0x776655443322113F}, Rest: 2}},
}

func TestGoldenFrames(t *testing.T) {
	met := map[port.PdsType]bool{}
	for _, tc := range goldens {
		t.Run(tc.name, func(t *testing.T) {
			frame, err := hex.DecodeString(strings.Join(strings.Fields(tc.frame), ""))
			require.NoError(t, err)
			cfg := DefaultConfig()
			var rec port.Rec
			require.True(t, Parse(&cfg, frame, &rec).Passed())
			require.Equal(t, tc.want, rec)
			hold(t, &cfg, frame)
			tc.want.Tag = 0x89ABCDEF
			_, recs, _ := newBench(t).run(plain.BeatsOf(rubbish, frame, tc.want.Tag), 1, 30)
			require.Equal(t, []port.Rec{tc.want}, recs)
			met[rec.PdsType] = true
		})
	}
	require.Len(t, met, port.NumPdsTypes)
}

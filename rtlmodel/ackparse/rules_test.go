package ackparse

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

func poke(b []byte, at int, v ...byte) []byte { copy(b[at:], v); return b }

// judged returns the verdict with the registers after reset, except those that are set.
func judged(t *testing.T, frame []byte, set ...uint32) Verdict {
	cfg := DefaultConfig()
	for i := 0; i < len(set); i += 2 {
		cfg[set[i]] = set[i+1]
	}
	v, _ := hold(t, &cfg, frame)
	return v
}

// Each step of the decision, on both sides of its threshold, and which of two steps comes first. Expected verdicts are
// the contract's names.
func TestDecision(t *testing.T) {
	build := func(f plain.Packet) []byte {
		if f.PDS == nil {
			f.PDS = append(sample(typeAck), 1, 2, 3)
		}
		return f.Bytes()
	}
	v4 := func() []byte { return build(plain.Packet{}) }
	v6 := func() []byte { return build(plain.Packet{V6: true}) }
	native := func() []byte { return build(plain.Packet{Native: true}) }
	tagged := func(tags ...uint16) []byte { return build(plain.Packet{Tags: tags}) }
	options := func(n int) []byte { return build(plain.Packet{Options: n}) }
	mended := func(b []byte) []byte { plain.Mend(b); return b }
	of := func(kind int) []byte { return sample(kind) }
	pds := func(b []byte) []byte { return build(plain.Packet{PDS: b}) }
	summed := func(v6 bool) []byte { return build(plain.Packet{V6: v6, Checksum: true}) }
	// in IPv4 total length and in UDP length, with the header checksum right
	lengths := func(total, udp byte) []byte { return mended(poke(poke(v4(), 16, 0, total), 38, 0, udp)) }
	nativeTotal := func(total byte) []byte { return mended(poke(native(), 16, 0, total)) }

	for _, tc := range []struct {
		name  string
		frame []byte
		want  string
	}{
		{"1: nothing", nil, "TRUNCATED"},
		{"1: 13 bytes", v4()[:13], "TRUNCATED"},
		{"1: 14 bytes, type unknown", make([]byte, 14), "ETHERTYPE"},
		{"2: C tag", tagged(0x8100), "ACK"},
		{"2: S and C tag", tagged(0x88A8, 0x8100), "ACK"},
		{"2: C and S tag", tagged(0x8100, 0x88A8), "ACK"},
		{"2: tag cut", tagged(0x8100)[:17], "TRUNCATED"},
		{"2: tag whole, IP cut", tagged(0x8100)[:18], "TRUNCATED"},
		{"2: second tag cut", tagged(0x8100, 0x8100)[:21], "TRUNCATED"},
		{"2: second tag whole, type unknown", poke(tagged(0x8100, 0x8100)[:22], 20, 0), "ETHERTYPE"},
		{"3: three tags", tagged(0x88A8, 0x8100, 0x8100), "ETHERTYPE"},
		{"3: ARP", poke(v4(), 12, 0x08, 0x06), "ETHERTYPE"},
		{"3: another tag", tagged(0x9100), "ETHERTYPE"},

		{"4: IPv4 cut at 33", v4()[:33], "TRUNCATED"},
		{"4: IPv4 version", poke(v4(), 14, 0x65), "HEADER"},
		{"4: IPv4 version before its length", poke(v4(), 14, 0x65)[:33], "TRUNCATED"},
		{"4: IHL 4", poke(v4(), 14, 0x44), "HEADER"},
		{"4: IHL 0", poke(v4(), 14, 0x40), "HEADER"},
		{"4: IHL 15", options(40), "ACK"},
		{"4: IHL 15, options cut", options(40)[:73], "TRUNCATED"},
		{"4: IHL 15, options whole: the sum is right, the rest is missing", options(40)[:74], "TRUNCATED"},
		{"4: header sum", poke(v4(), 22, 63), "IP_SUM"},
		{"4: header sum in the options", poke(options(40), 73, 0), "IP_SUM"},
		{"4: IP_SUM comes before LENGTH", poke(v4(), 16, 0, 19), "IP_SUM"},
		{"4: IP_SUM comes before TRUNCATED", poke(v4(), 16, 0xFF), "IP_SUM"},
		{"4: total below header", mended(poke(v4(), 16, 0, 19)), "LENGTH"},
		{"4: total 0", mended(poke(v4(), 16, 0, 0)), "LENGTH"},
		{"4: total beyond the frame", v4()[:len(v4())-1], "TRUNCATED"},
		{"4: TRUNCATED comes before FRAGMENT", mended(poke(v4(), 20, 0x20))[:len(v4())-1], "TRUNCATED"},
		{"4: MF", mended(poke(v4(), 20, 0x20)), "FRAGMENT"},
		{"4: offset", mended(poke(v4(), 21, 1)), "FRAGMENT"},
		{"4: highest bit of the offset", mended(poke(v4(), 20, 0x10)), "FRAGMENT"},
		{"4: DF and the reserved bit", mended(poke(v4(), 20, 0xC0)), "ACK"},
		{"4: FRAGMENT comes before PROTOCOL", mended(poke(poke(v4(), 20, 0x20), 23, 6)), "FRAGMENT"},
		{"4: IPv6", v6(), "ACK"},
		{"4: IPv6 cut at 53", v6()[:53], "TRUNCATED"},
		{"4: IPv6 cut before its version", poke(v6(), 14, 0x40)[:53], "TRUNCATED"},
		{"4: IPv6 version", poke(v6(), 14, 0x40), "HEADER"},
		{"4: IPv6 beyond the frame", v6()[:len(v6())-1], "TRUNCATED"},
		{"4: IPv6 TRUNCATED comes before FRAGMENT", poke(v6(), 20, 44)[:len(v6())-1], "TRUNCATED"},
		{"4: IPv6 fragment", poke(v6(), 20, 44), "FRAGMENT"},
		{"4: hop by hop", poke(v6(), 20, 0), "EXTENSION"},
		{"4: routing", poke(v6(), 20, 43), "EXTENSION"},
		{"4: ESP", poke(v6(), 20, 50), "EXTENSION"},
		{"4: AH", poke(v6(), 20, 51), "EXTENSION"},
		{"4: destination options", poke(v6(), 20, 60), "EXTENSION"},
		{"4: mobility", poke(v6(), 20, 135), "EXTENSION"},
		{"4: the numbers of IPv6's extensions in IPv4", mended(poke(v4(), 23, 44)), "PROTOCOL"},
		{"4: padding", build(plain.Packet{Padding: 20}), "ACK"},

		{"5: TCP", mended(poke(v4(), 23, 6)), "PROTOCOL"},
		{"5: ICMPv6", poke(v6(), 20, 58), "PROTOCOL"},
		{"5: native", native(), "ACK"},
		{"5: native, IPv6", build(plain.Packet{Native: true, V6: true}), "ACK"},
		{"5: 254", mended(poke(native(), 23, 254)), "PROTOCOL"},
		{"5: PROTOCOL comes before LENGTH", mended(poke(lengths(29, 9), 23, 6)), "PROTOCOL"},

		{"6: UDP length one more", mended(poke(v4(), 39, v4()[39]+1)), "LENGTH"},
		{"6: UDP length one less", mended(poke(v4(), 39, v4()[39]-1)), "LENGTH"},
		{"6: UDP payload of 1", lengths(29, 9), "LENGTH"},
		{"6: UDP payload of 2", lengths(30, 10), "SHORT"},
		{"6: no UDP payload", lengths(20, 0), "LENGTH"},
		{"6: native payload of 5", nativeTotal(25), "LENGTH"},
		{"6: native payload of 6", nativeTotal(26), "SHORT"},
		{"6: no native payload", nativeTotal(20), "LENGTH"},
		{"6: LENGTH comes before UDP_SUM", poke(poke(v4(), 39, 0), 40, 1), "LENGTH"},

		{"7: a checksum", summed(false), "ACK"},
		{"7: a checksum, IPv6", summed(true), "ACK"},
		{"7: a wrong one", poke(summed(false), 41, summed(false)[41]+1), "UDP_SUM"},
		{"7: the last byte, odd", poke(summed(false), len(summed(false))-1, 0), "UDP_SUM"},
		{"7: a source address", mended(poke(summed(false), 29, 9)), "ACK"},
		{"7: a source address, IPv6", poke(summed(true), 37, 9), "UDP_SUM"},
		{"7: UDP_SUM comes before PORT", poke(summed(true), 56, 0), "UDP_SUM"},
		{"7: UDP_SUM comes before TYPE", poke(summed(true), 62, 0), "UDP_SUM"},

		{"8: other port", build(plain.Packet{Port: 4791}), "PORT"},
		{"8: PORT comes before TYPE", build(plain.Packet{Port: 1, PDS: []byte{0, 0}}), "PORT"},
		{"8: native has no port", build(plain.Packet{Native: true, Port: 1}), "ACK"},

		{"9: type 6", pds(header(6, 0, 0, 60)), "TYPE"},
		{"9: type 13", pds(header(13, 0, 0, 60)), "TYPE"},
		{"9: TYPE comes before SHORT", pds([]byte{6 << 3, 0}), "TYPE"},

		{"10: ACK of 11", pds(of(typeAck)[:11]), "SHORT"},
		{"10: ACK of 12", pds(of(typeAck)), "ACK"},
		{"10: ACK_CC of 31", pds(of(typeAckCC)[:31]), "SHORT"},
		{"10: ACK_CC of 32", pds(of(typeAckCC)), "ACK_CC"},
		{"10: ACK_CCX of 39", pds(of(typeAckCCX)[:39]), "SHORT"},
		{"10: ACK_CCX of 40", pds(of(typeAckCCX)), "ACK_CCX"},
		{"10: NACK of 15", pds(of(typeNack)[:15]), "SHORT"},
		{"10: NACK of 16", pds(of(typeNack)), "NACK"},
		{"10: CP of 15", pds(of(typeCP)[:15]), "SHORT"},
		{"10: CP of 16", pds(of(typeCP)), "CP"},
		{"10: NACK_CCX of 23", pds(of(typeNackCCX)[:23]), "SHORT"},
		{"10: NACK_CCX of 24", pds(of(typeNackCCX)), "NACK_CCX"},
		{"10: padding does not help", build(plain.Packet{PDS: of(typeAck)[:11], Padding: 20}), "SHORT"},
		{"10: SHORT comes before CC_TYPE", pds(poke(of(typeAckCC), 12, 0x20)[:31]), "SHORT"},
		{"10: SHORT comes before PDCID", pds(poke(of(typeAck), 8, 0, 0)[:11]), "SHORT"},

		{"11: cc_type 1", pds(poke(of(typeAckCC), 12, 0x1F)), "ACK_CC"},
		{"11: cc_type 2", pds(poke(of(typeAckCC), 12, 0x20)), "CC_TYPE"},
		{"11: cc_type 15", pds(poke(of(typeAckCC), 12, 0xF0)), "CC_TYPE"},
		{"11: cc_type 15 in an ACK_CCX", pds(poke(of(typeAckCCX), 12, 0xF0)), "ACK_CCX"},
		{"11: cc_type 15 in a NACK_CCX", pds(poke(of(typeNackCCX), 16, 0xF0)), "NACK_CCX"},
		{"11: CC_TYPE comes before PDCID", pds(poke(poke(of(typeAckCC), 12, 0x20), 8, 0, 0)), "CC_TYPE"},
		{"11: ctl_type 9", pds(header(typeCP, 9, 0, 16)), "CP"},
		{"11: ctl_type 10", pds(header(typeCP, 10, 0, 16)), "CTL_TYPE"},
		{"11: ctl_type 15", pds(header(typeCP, 15, 0, 16)), "CTL_TYPE"},
		{"11: next_hdr 15 in an ACK", pds(header(typeAck, 15, 0, 12)), "ACK"},
		{"11: CTL_TYPE comes before PDCID", pds(poke(header(typeCP, 10, 0, 16), 8, 0, 0)), "CTL_TYPE"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, judged(t, tc.frame).String()) })
	}

	// Step 12 for each type: without spdcid, without dpdcid, and both with half a PDCID.
	for kind, want := range map[int][2]string{
		typeAck: {"PDCID", "PDCID"}, typeAckCC: {"PDCID", "PDCID"}, typeAckCCX: {"PDCID", "PDCID"},
		typeNack: {"NACK", "NACK"}, typeNackCCX: {"NACK_CCX", "NACK_CCX"}, typeCP: {"PDCID", "PDCID"},
	} {
		require.Equal(t, want[0], judged(t, pds(poke(of(kind), 8, 0, 0))).String())
		require.Equal(t, want[1], judged(t, pds(poke(of(kind), 10, 0, 0))).String())
		require.True(t, judged(t, pds(poke(of(kind), 8, 0, 1, 1, 0))).Passed())
		require.True(t, judged(t, pds(poke(of(kind), 8, 1, 0, 0, 1))).Passed())
	}
	const syn = 4
	require.Equal(t, "CP", judged(t, pds(poke(header(typeCP, 3, syn, 16), 10, 0, 0))).String())
	require.Equal(t, "PDCID", judged(t, pds(poke(header(typeCP, 3, syn, 16), 8, 0, 0))).String())
	require.Equal(t, "PDCID", judged(t, pds(poke(header(typeCP, 3, 0x7F-syn, 16), 10, 0, 0))).String())
}

// Each register, at its thresholds.
func TestRegisters(t *testing.T) {
	build := func(f plain.Packet) []byte {
		if f.PDS == nil {
			f.PDS = sample(typeAck)
		}
		return f.Bytes()
	}
	pds := func(kind, n int) []byte { return build(plain.Packet{PDS: header(kind, 3, 0, n)}) }
	other := build(plain.Packet{Port: 4791})
	native := build(plain.Packet{Native: true})
	proto := func(n byte, f plain.Packet) []byte {
		b := build(f)
		at := f.L2() + 9
		if f.V6 {
			at = f.L2() + 6
		}
		b[at] = n
		if !f.V6 {
			f.Repair(b)
		}
		return b
	}
	for _, tc := range []struct {
		name  string
		frame []byte
		set   []uint32
		want  string
	}{
		{"UDP_PORT", other, []uint32{port.RegUdpPort, 4791}, "ACK"},
		{"UDP_PORT is not the reset's any more", build(plain.Packet{}), []uint32{port.RegUdpPort, 4791}, "PORT"},
		{"NATIVE 254", native, []uint32{port.RegNative, 254}, "PROTOCOL"},
		{"NATIVE 1", proto(1, plain.Packet{Native: true}), []uint32{port.RegNative, 1}, "ACK"},
		{"NATIVE 17: UDP", build(plain.Packet{}), []uint32{port.RegNative, 17}, "ACK"},
		{"NATIVE 17: no native", native, []uint32{port.RegNative, 17}, "PROTOCOL"},
		{"NATIVE 44, IPv4", proto(44, plain.Packet{Native: true}), []uint32{port.RegNative, 44}, "ACK"},
		{"NATIVE 44, IPv6", proto(44, plain.Packet{Native: true, V6: true}), []uint32{port.RegNative, 44}, "FRAGMENT"},
		{"NATIVE 60, IPv6", proto(60, plain.Packet{Native: true, V6: true}), []uint32{port.RegNative, 60}, "EXTENSION"},
		{"CONTROL: no checksum", build(plain.Packet{}), []uint32{port.RegControl, 1}, "UDP_SUM"},
		{"CONTROL: no checksum, IPv6", build(plain.Packet{V6: true}), []uint32{port.RegControl, 1}, "UDP_SUM"},
		{"CONTROL: a checksum", build(plain.Packet{Checksum: true}), []uint32{port.RegControl, 1}, "ACK"},
		{"CONTROL: native", native, []uint32{port.RegControl, 1}, "ACK"},
		{"CONTROL comes before PORT", other, []uint32{port.RegControl, 1}, "UDP_SUM"},
		{"ACK_STATE 0", pds(typeAckCCX, 24), []uint32{port.RegAckState, 0}, "ACK_CCX"},
		{"ACK_STATE 0, one byte less", pds(typeAckCCX, 23), []uint32{port.RegAckState, 0}, "SHORT"},
		{"ACK_STATE 20", pds(typeAckCCX, 44), []uint32{port.RegAckState, 20}, "ACK_CCX"},
		{"ACK_STATE 20, one byte less", pds(typeAckCCX, 43), []uint32{port.RegAckState, 20}, "SHORT"},
		{"NACK_STATE 1", pds(typeNackCCX, 17), []uint32{port.RegNackState, 1}, "NACK_CCX"},
		{"NACK_STATE 1, one byte less", pds(typeNackCCX, 16), []uint32{port.RegNackState, 1}, "SHORT"},
		{"NACK_STATE 16", pds(typeNackCCX, 32), []uint32{port.RegNackState, 16}, "NACK_CCX"},
		{"NACK_STATE 16, one byte less", pds(typeNackCCX, 31), []uint32{port.RegNackState, 16}, "SHORT"},
		{"ACK_STATE is not of a NACK_CCX", pds(typeNackCCX, 24), []uint32{port.RegAckState, 20}, "NACK_CCX"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, judged(t, tc.frame, tc.set...).String()) })
	}
}

// A UDP checksum of ones is one; a sum of an odd number of bytes has a zero byte at the end.
func TestChecksum(t *testing.T) {
	for n := range 4 {
		f := plain.Packet{Checksum: true, PDS: append(sample(typeAck), make([]byte, 4+n)...)}
		b := f.Bytes()
		c := be16(b, 40)
		poke(f.PDS, 14, byte(c>>8), byte(c)) // adding the checksum to the sum makes it all ones
		b = f.Bytes()
		require.Equal(t, uint16(0xFFFF), be16(b, 40))
		require.Equal(t, "ACK", judged(t, b).String())
		require.Equal(t, "ACK", judged(t, poke(b, 40, 0, 0)).String(), "no checksum")
		require.Equal(t, "UDP_SUM", judged(t, b, port.RegControl, 1).String())
	}
	f := plain.Packet{Checksum: true, PDS: append(sample(typeAck), 0xAB), Padding: 1}
	b := f.Bytes()
	require.Equal(t, "ACK", judged(t, b).String(), "the padding after an odd length does not count")
}

// A zero IPv4 header checksum is not an exception, and 0xFFFF stands for it.
func TestHeaderSum(t *testing.T) {
	f := plain.Packet{PDS: sample(typeAck)}
	b := f.Bytes()
	poke(b, 18, 0, 0) // the id takes what the checksum had
	f.Repair(b)
	c := be16(b, 24)
	poke(b, 18, byte(c>>8), byte(c), b[20], b[21], b[22], b[23], 0, 0)
	require.Equal(t, "ACK", judged(t, b).String())
	require.Equal(t, "ACK", judged(t, poke(b, 24, 0xFF, 0xFF)).String())
	require.Equal(t, "IP_SUM", judged(t, poke(b, 24, 0, 1)).String())
}

func TestConfigure(t *testing.T) {
	for _, tc := range []struct {
		name string
		ev   port.Cfg
		ok   bool
		data uint32
	}{
		{"kind 0", port.Cfg{Kind: 0}, false, 0},
		{"kind 5", port.Cfg{Kind: 5}, false, 0},
		{"kind 15", port.Cfg{Kind: 15}, false, 0},
		{"READ 21", port.Cfg{Kind: port.KindRead, Addr: 21, Data: 5}, true, 13},
		{"READ 22", port.Cfg{Kind: port.KindRead, Addr: 22}, false, 0},
		{"LOAD 21", port.Cfg{Kind: port.KindLoad, Addr: 21, Data: 1 << 31}, true, 0},
		{"LOAD 22", port.Cfg{Kind: port.KindLoad, Addr: 22}, false, 0},
		{"LOAD 31", port.Cfg{Kind: port.KindLoad, Addr: 31}, false, 0},
		{"CFG_READ 4", port.Cfg{Kind: port.KindCfgRead, Addr: 4, Data: 5}, true, 8},
		{"CFG_READ 5", port.Cfg{Kind: port.KindCfgRead, Addr: 5}, false, 0},
		{"CFG_WRITE 5", port.Cfg{Kind: port.KindCfgWrite, Addr: 5}, false, 0},
		{"UDP_PORT takes low bits", port.Cfg{Kind: port.KindCfgWrite, Addr: 0, Data: 0xFFFF8001}, true, 0},
		{"NATIVE takes low bits", port.Cfg{Kind: port.KindCfgWrite, Addr: 1, Data: 0xFFFFFF81}, true, 0},
		{"CONTROL takes its low bit", port.Cfg{Kind: port.KindCfgWrite, Addr: 2, Data: 0xFFFFFFFF}, true, 0},
		{"ACK_STATE 0", port.Cfg{Kind: port.KindCfgWrite, Addr: 3, Data: 0}, true, 0},
		{"ACK_STATE 20", port.Cfg{Kind: port.KindCfgWrite, Addr: 3, Data: 20}, true, 0},
		{"ACK_STATE 21", port.Cfg{Kind: port.KindCfgWrite, Addr: 3, Data: 21}, false, 0},
		{"ACK_STATE with a high bit", port.Cfg{Kind: port.KindCfgWrite, Addr: 3, Data: 1<<31 | 8}, false, 0},
		{"NACK_STATE 0", port.Cfg{Kind: port.KindCfgWrite, Addr: 4, Data: 0}, false, 0},
		{"NACK_STATE 1", port.Cfg{Kind: port.KindCfgWrite, Addr: 4, Data: 1}, true, 0},
		{"NACK_STATE 16", port.Cfg{Kind: port.KindCfgWrite, Addr: 4, Data: 16}, true, 0},
		{"NACK_STATE 17", port.Cfg{Kind: port.KindCfgWrite, Addr: 4, Data: 17}, false, 0},
		{"NACK_STATE with a high bit", port.Cfg{Kind: port.KindCfgWrite, Addr: 4, Data: 1<<16 | 8}, false, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, counters := DefaultConfig(), Counters{21: 13}
			cfg0, counters0 := cfg, counters
			rsp := port.Cfgr{Data: 9, Refused: true}
			configure(&cfg, &counters, &tc.ev, &rsp)
			require.Equal(t, port.Cfgr{Kind: tc.ev.Kind, Refused: !tc.ok, Data: tc.data}, rsp)
			if tc.ok && tc.ev.Kind == port.KindCfgWrite {
				cfg0[tc.ev.Addr] = tc.ev.Data & (1<<port.RegInfo[tc.ev.Addr].Width - 1)
			}
			if tc.ok && tc.ev.Kind == port.KindLoad {
				counters0[21] = tc.ev.Data
			}
			require.Equal(t, cfg0, cfg)
			require.Equal(t, counters0, counters)
		})
	}
}

// Verdicts are the addresses of the counters, in the order of the contract.
func TestVerdicts(t *testing.T) {
	for i, name := range plainNames[1:] {
		require.Equal(t, name, Verdict(i+1).String())
		require.Equal(t, i+1 >= 16, Verdict(i+1).Passed())
	}
	require.False(t, Verdict(0).Passed())
	require.Equal(t, "Verdict(22)", Verdict(22).String())
}

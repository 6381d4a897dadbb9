package trimmer

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

// contractExample is the example packet of contract.md, before and after the block.
func contractExample(t *testing.T) (in, out []byte) {
	in = unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 22
		00 80 00 01 40 00 40 11 26 48 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 6c 9c 4e 10 00 00 00 00 00
		00 64 00 07 00 09 00 01 02 03 04 05 06 07 08 09`)
	for i := 10; len(in) < 142; i++ {
		in = append(in, byte(i))
	}
	out = unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 42
		00 32 00 01 40 00 40 11 26 76 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 1e f4 68 10 00 00 00 00 00
		00 64 00 07 00 09 00 01 02 03 04 05 06 07 08 09`)
	return in, out
}

func TestContractExample(t *testing.T) {
	in, want := contractExample(t)
	cfg := DefaultConfig()
	out, res := Trim(&cfg, in, Side{Trim: true, Len: 142})
	require.Equal(t, Result{Trimmed: true, Size: 64}, res)
	require.Equal(t, want, out)
}

// request returns a RUD_REQ with 200 bytes after the type.
func request(f frames.Frame) frames.Frame {
	f.UETType = 2
	if f.Body == nil {
		f.Body = make([]byte, 200)
	}
	return f
}

func poke(b []byte, at int, v ...byte) []byte { copy(b[at:], v); return b }

func TestDecision(t *testing.T) {
	v4 := func() []byte { f := request(frames.Frame{}); return f.Bytes() }
	v6 := func() []byte { f := request(frames.Frame{V6: true}); return f.Bytes() }
	tagged := func(tags ...uint16) []byte { f := request(frames.Frame{Tags: tags}); return f.Bytes() }
	build := func(f frames.Frame) []byte { return f.Bytes() }
	body := func(n int) []byte { f := request(frames.Frame{Body: make([]byte, n)}); return f.Bytes() }
	options := func(n int) []byte { f := request(frames.Frame{Options: n}); return f.Bytes() }
	for _, tc := range []struct {
		name  string
		frame []byte
		cause port.Cause
	}{
		{"nothing", nil, port.CauseTruncated},
		{"13 bytes", v4()[:13], port.CauseTruncated},
		{"14 bytes, type unknown", make([]byte, 14), port.CauseEthertype},
		{"ARP", poke(v4(), 12, 0x08, 0x06), port.CauseEthertype},
		{"C tag", tagged(0x8100), port.CauseNone},
		{"S and C tag", tagged(0x88A8, 0x8100), port.CauseNone},
		{"three tags", tagged(0x88A8, 0x8100, 0x8100), port.CauseEthertype},
		{"tag cut", tagged(0x8100)[:17], port.CauseTruncated},
		{"tag whole, IP cut", tagged(0x8100)[:18], port.CauseTruncated},
		{"second tag cut", tagged(0x8100, 0x8100)[:21], port.CauseTruncated},
		{"IPv4 cut at 33", v4()[:33], port.CauseTruncated},
		{"IPv4 version", poke(v4(), 14, 0x65), port.CauseHeader},
		{"IPv4 version before its length", poke(v4(), 14, 0x65)[:33], port.CauseTruncated},
		{"IPv4 IHL 4", poke(v4(), 14, 0x44), port.CauseHeader},
		{"IPv4 IHL 15, options cut", options(40)[:73], port.CauseTruncated},
		{"IPv4 IHL 15", options(40), port.CauseNone},
		{"IPv4 total below header", poke(v4(), 16, 0, 19), port.CauseLength},
		{"IPv4 total of the header alone", poke(v4(), 16, 0, 20), port.CauseLength},
		{"IPv4 total beyond the frame", v4()[:len(v4())-1], port.CauseTruncated},
		{"TRUNCATED comes before FRAGMENT", poke(v4(), 20, 0x20)[:len(v4())-1], port.CauseTruncated},
		{"MF", poke(v4(), 20, 0x20), port.CauseFragment},
		{"offset", poke(v4(), 21, 1), port.CauseFragment},
		{"DF and the reserved bit", poke(v4(), 20, 0xC0), port.CauseNone},
		{"FRAGMENT comes before PROTOCOL", poke(poke(v4(), 20, 0x20), 23, 6), port.CauseFragment},
		{"TCP", poke(v4(), 23, 6), port.CauseProtocol},
		{"IPv6", v6(), port.CauseNone},
		{"IPv6 cut at 53", v6()[:53], port.CauseTruncated},
		{"IPv6 version", poke(v6(), 14, 0x40), port.CauseHeader},
		{"IPv6 beyond the frame", v6()[:len(v6())-1], port.CauseTruncated},
		{"IPv6 fragment", poke(v6(), 20, 44), port.CauseFragment},
		{"hop by hop", poke(v6(), 20, 0), port.CauseExtension},
		{"routing", poke(v6(), 20, 43), port.CauseExtension},
		{"ESP", poke(v6(), 20, 50), port.CauseExtension},
		{"AH", poke(v6(), 20, 51), port.CauseExtension},
		{"destination options", poke(v6(), 20, 60), port.CauseExtension},
		{"mobility", poke(v6(), 20, 135), port.CauseExtension},
		{"ICMPv6", poke(v6(), 20, 58), port.CauseProtocol},
		{"UDP length one off", poke(v4(), 39, v4()[39]+1), port.CauseLength},
		{"IP payload of 9", poke(poke(v4(), 16, 0, 29), 38, 0, 9), port.CauseLength},
		{"IP payload of 10: SHORT", poke(poke(v4(), 16, 0, 30), 38, 0, 10), port.CauseShort},
		{"LENGTH comes before PORT", poke(poke(v4(), 39, 0), 36, 0), port.CauseLength},
		{"other port", build(request(frames.Frame{UDPPort: 4791})), port.CausePort},
		{"PORT comes before TYPE", build(frames.Frame{UDPPort: 1, UETType: 7}), port.CausePort},
		{"ACK", build(frames.Frame{UETType: 7}), port.CauseType},
		{"type 1", build(frames.Frame{UETType: 1}), port.CauseType},
		{"TYPE comes before SHORT", build(frames.Frame{UETType: 15}), port.CauseType},
		{"IP ends at 65", body(65 - 44), port.CauseNone},
		{"IP ends at 64", body(64 - 44), port.CauseShort},
		{"padding does not help", append(body(64-44), make([]byte, 100)...), port.CauseShort},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := DefaultConfig()
			side := Side{Trim: true, Len: uint16(len(tc.frame))}
			out, res := Trim(&cfg, tc.frame, side)
			require.Equal(t, tc.cause, res.Cause)
			require.Equal(t, tc.cause == port.CauseNone, res.Trimmed)
			if !res.Trimmed {
				require.Equal(t, string(tc.frame), string(out), "untouched")
			}
			side.Trim = false
			out, res = Trim(&cfg, tc.frame, side)
			require.Equal(t, Result{}, res)
			require.Equal(t, string(tc.frame), string(out))
		})
	}
	for u := range uint8(32) {
		f := request(frames.Frame{})
		f.UETType = u
		cfg := DefaultConfig()
		_, res := Trim(&cfg, f.Bytes(), Side{Trim: true})
		require.Equal(t, u == 2 || u == 3 || u == 13 || u == 14, res.Trimmed, "UET type %d", u)
	}
}

func TestSize(t *testing.T) {
	for _, tc := range []struct {
		name          string
		frame         frames.Frame
		trim, minimum uint32
		want          int
	}{
		{"TRIM_SIZE", frames.Frame{}, 128, 64, 128},
		{"MIN_SIZE", frames.Frame{}, 64, 100, 100},
		{"the headers", frames.Frame{}, 0, 0, 34 + 24},
		{"the headers, longest", frames.Frame{Tags: []uint16{0x88A8, 0x8100}, Options: 40}, 64, 64, 82 + 24},
		{"the headers, IPv6", frames.Frame{V6: true}, 64, 64, 54 + 24},
		{"odd", frames.Frame{UDPChecksum: true}, 101, 0, 101},
		{"most", frames.Frame{Body: make([]byte, 1000)}, 256, 0, 256},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := DefaultConfig()
			cfg[port.RegTrimSize], cfg[port.RegMinSize] = tc.trim, tc.minimum
			f := request(tc.frame)
			in := f.Bytes()
			out, res := Trim(&cfg, in, Side{Trim: true, Len: uint16(len(in))})
			require.Equal(t, Result{Trimmed: true, Size: tc.want}, res)
			require.Len(t, out, tc.want)
			// A trimmed packet is the packet that a host would build with the shorter body.
			f.Class = f.Class&3 | 16<<2
			f.Body = f.Body[:tc.want-f.H()-10]
			require.Equal(t, f.Bytes(), out)
		})
	}
}

func TestLenIsBelievedPastFourBeats(t *testing.T) {
	cfg := DefaultConfig()
	f := request(frames.Frame{Body: make([]byte, 257-44)})
	in := f.Bytes()
	require.Len(t, in, 257)
	for _, tc := range []struct {
		frame []byte
		len   uint16
		cause port.Cause
	}{
		{in, 257, port.CauseNone},
		{in, 256, port.CauseTruncated},
		{in, 65535, port.CauseNone},
		{in[:256], 257, port.CauseTruncated},
	} {
		_, res := Trim(&cfg, tc.frame, Side{Trim: true, Len: tc.len})
		require.Equal(t, tc.cause, res.Cause, "%d bytes, len %d", len(tc.frame), tc.len)
	}
}

func TestMarking(t *testing.T) {
	cfg := DefaultConfig()
	v6 := frames.Frame{V6: true, Class: 0xA9, FlowLabel: 0xABCDE}
	frag := request(frames.Frame{Class: 2})
	for _, tc := range []struct {
		name   string
		frame  []byte
		marked bool
	}{
		{"not capable", request4(0x20), false},
		{"ECT(1)", request4(0x21), true},
		{"ECT(0)", request4(0x22), true},
		{"CE already", request4(0x23), false},
		{"IPv6", v6.Bytes(), true},
		{"fragment", poke(frag.Bytes(), 20, 0x20), true},
		{"TCP", poke(frag.Bytes(), 23, 6), true},
		{"total length below the header", poke(frag.Bytes(), 16, 0, 1), true},
		{"frame cut behind the header", frag.Bytes()[:34], true},
		{"header cut", frag.Bytes()[:33], false},
		{"IHL 4", poke(frag.Bytes(), 14, 0x44), false},
		{"ARP", poke(frag.Bytes(), 12, 8, 6), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, res := Trim(&cfg, tc.frame, Side{CE: true})
			require.Equal(t, Result{Marked: tc.marked}, res)
			require.Len(t, out, len(tc.frame))
			_, res = Trim(&cfg, tc.frame, Side{})
			require.False(t, res.Marked, "ce = 0")
		})
	}
	f := frames.Frame{Class: 0x22, UDPChecksum: true, UETType: 7, Body: make([]byte, 30), Padding: 9}
	out, _ := Trim(&cfg, f.Bytes(), Side{CE: true})
	f.Class = 0x23
	require.Equal(t, f.Bytes(), out, "only class and header checksum change")
	out, _ = Trim(&cfg, v6.Bytes(), Side{CE: true})
	v6.Class = 0xAB
	require.Equal(t, v6.Bytes(), out)
}

func request4(class uint8) []byte {
	f := request(frames.Frame{Class: class})
	return f.Bytes()
}

func TestRewriting(t *testing.T) {
	cfg := DefaultConfig()
	for _, v6 := range []bool{false, true} {
		f := request(frames.Frame{V6: v6, Class: 0xFD, FlowLabel: 0xFFFFF, UDPChecksum: true})
		in := f.Bytes()
		size := max(64, f.H()+24)
		want := func(class uint8) []byte {
			w := f
			w.Class, w.Body = class, f.Body[:size-f.H()-10]
			return w.Bytes()
		}
		out, _ := Trim(&cfg, in, Side{Trim: true, Len: 300})
		require.Equal(t, want(16<<2|1), out, "ECN stays")
		out, _ = Trim(&cfg, in, Side{Trim: true, Len: 300, LastHop: true, CE: true})
		require.Equal(t, want(18<<2|3), out, "last hop, marked as well")

		// A wrong UDP checksum is correct afterwards, an absent one stays absent, and a wrong IPv4 checksum stays wrong
		// by the same amount.
		out, _ = Trim(&cfg, poke(f.Bytes(), f.H()+6, 0x12, 0x34), Side{Trim: true, Len: 300})
		require.Equal(t, want(16<<2|1), out)
		out, _ = Trim(&cfg, poke(f.Bytes(), f.H()+6, 0, 0), Side{Trim: true, Len: 300})
		require.Equal(t, poke(want(16<<2|1), f.H()+6, 0, 0), out)
	}
	f := request(frames.Frame{Class: 1})
	in := f.Bytes()
	in[25]++
	out, _ := Trim(&cfg, in, Side{Trim: true, Len: 300})
	require.NotZero(t, frames.Checksum(out[14:34]))
	in[25]--
	out, _ = Trim(&cfg, in, Side{Trim: true, Len: 300})
	require.Zero(t, frames.Checksum(out[14:34]))
}

// A UDP checksum of 0 after trimming is written as 0xFFFF.
func TestChecksumZeroIsAllOnes(t *testing.T) {
	cfg := DefaultConfig()
	f := request(frames.Frame{UDPChecksum: true})
	out, _ := Trim(&cfg, f.Bytes(), Side{Trim: true})
	c := be16(out, 40)
	in := f.Bytes()
	putBE16(in, 50, c) // adding the checksum to the sum makes it all ones
	out, _ = Trim(&cfg, in, Side{Trim: true})
	require.Equal(t, uint16(0xFFFF), be16(out, 40))
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
		{"READ 13", port.Cfg{Kind: port.KindRead, Addr: 13}, true, 13},
		{"READ 14", port.Cfg{Kind: port.KindRead, Addr: 14}, false, 0},
		{"LOAD 13", port.Cfg{Kind: port.KindLoad, Addr: 13, Data: 1 << 31}, true, 0},
		{"LOAD 14", port.Cfg{Kind: port.KindLoad, Addr: 14}, false, 0},
		{"CFG_READ 4", port.Cfg{Kind: port.KindCfgRead, Addr: 4}, true, 18},
		{"CFG_READ 5", port.Cfg{Kind: port.KindCfgRead, Addr: 5}, false, 0},
		{"CFG_WRITE 5", port.Cfg{Kind: port.KindCfgWrite, Addr: 5}, false, 0},
		{"TRIM_SIZE 256", port.Cfg{Kind: port.KindCfgWrite, Addr: 0, Data: 256}, true, 0},
		{"TRIM_SIZE 257", port.Cfg{Kind: port.KindCfgWrite, Addr: 0, Data: 257}, false, 0},
		{"MIN_SIZE 256", port.Cfg{Kind: port.KindCfgWrite, Addr: 1, Data: 256}, true, 0},
		{"MIN_SIZE with a high bit", port.Cfg{Kind: port.KindCfgWrite, Addr: 1, Data: 1<<31 | 64}, false, 0},
		{"the others take low bits", port.Cfg{Kind: port.KindCfgWrite, Addr: 3, Data: 0xFFFFFFC1}, true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg, counters := DefaultConfig(), Counters{13: 13}
			cfg0, counters0 := cfg, counters
			rsp := port.Cfgr{Data: 9, Refused: true}
			configure(&cfg, &counters, &tc.ev, &rsp)
			require.Equal(t, port.Cfgr{Kind: tc.ev.Kind, Refused: !tc.ok, Data: tc.data}, rsp)
			if !tc.ok {
				require.Equal(t, cfg0, cfg)
				require.Equal(t, counters0, counters)
			}
			if tc.ok && tc.ev.Kind == port.KindCfgWrite {
				require.Equal(t, tc.ev.Data&(1<<port.RegInfo[tc.ev.Addr].Width-1), cfg[tc.ev.Addr])
			}
			if tc.ok && tc.ev.Kind == port.KindLoad {
				require.Equal(t, tc.ev.Data, counters[13])
			}
		})
	}
}

// A size decided elsewhere is used within the limits of the contract, and no register has an effect.
func TestToldSize(t *testing.T) {
	cfg := DefaultConfig()
	cfg[port.RegTrimSize], cfg[port.RegMinSize], cfg[port.RegUdpPort] = 200, 250, 1
	f := frames.Frame{UETType: 2, Body: make([]byte, 300)}
	in := f.Bytes()
	h, e := f.H(), len(in)
	for _, tc := range []struct {
		told, size int
		cause      port.Cause
	}{
		{1, h + 24, port.CauseNone}, {h + 23, h + 24, port.CauseNone}, {h + 24, h + 24, port.CauseNone},
		{h + 25, h + 25, port.CauseNone},
		{255, 255, port.CauseNone}, {256, 256, port.CauseNone}, {257, 256, port.CauseNone}, {511, 256, port.CauseNone},
		{0, 0, port.CausePort},
	} {
		_, res := Trim(&cfg, in, Side{Trim: true, Len: uint16(e), TrimSize: uint16(tc.told)})
		require.Equal(t, Result{Trimmed: tc.cause == 0, Cause: tc.cause, Size: tc.size}, res, "told %d", tc.told)
	}
	short := frames.Frame{UETType: 2, Body: make([]byte, 40)}
	b := short.Bytes()
	_, res := Trim(&cfg, b, Side{Trim: true, TrimSize: uint16(len(b) - 1)})
	require.Equal(t, len(b)-1, res.Size)
	_, res = Trim(&cfg, b, Side{Trim: true, TrimSize: uint16(len(b))})
	require.Equal(t, port.CauseShort, res.Cause)
	_, res = Trim(&cfg, b, Side{TrimSize: 64})
	require.Equal(t, Result{}, res, "not looked at when trim = 0")
}

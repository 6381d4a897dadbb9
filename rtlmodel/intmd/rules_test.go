package intmd

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

const exampleEntry = 0x4123456003F803F4

// contractExample is the example packet of contract.md, before and after the block.
func contractExample(t *testing.T) (in, out []byte) {
	in = unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 b8
		00 44 00 01 40 00 40 11 25 ee 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 30 7b 99 40 00 00 00 00 00
		00 64 00 07 00 09 00 00 00 00 00 00 00 00 00 00
		00 00 00 10 00 00 00 64 00 00 49 4e 00 05 12 fa
		00 03`)
	out = unhex(t, `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 b8
		00 4c 00 01 40 00 40 11 25 e6 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 38 ec 19 40 00 00 00 00 00
		00 64 00 07 00 09 00 00 00 00 00 00 00 00 00 00
		00 00 00 10 00 00 00 64 00 00 49 4e 01 05 12 fa
		00 03 41 23 45 60 03 f8 03 f4`)
	return in, out
}

func TestContractExample(t *testing.T) {
	in, want := contractExample(t)
	cfg := DefaultConfig()
	out, res := Insert(&cfg, 4, in, Side{Len: 82, InPort: 2, OutPort: 9}, func(p int) uint64 {
		require.Equal(t, 2, p)
		return exampleEntry
	})
	require.Equal(t, Result{Inserted: true, Hops: 1, Sort: Ack, Index: 2}, res)
	require.Equal(t, want, out)

	tb := NewTable(4)
	tb.SetTime(0x123456)
	require.True(t, tb.Report(&port.Cnt{Port: 2, Op: port.OpSet, TxBytes: 130048, Qlen: 81000}))
	tb.Tick(&cfg)
	require.Equal(t, uint64(exampleEntry), tb.Entry(2))
}

func insert(t *testing.T, cfg Config, frame []byte, side Side) ([]byte, Result) {
	side.Len = uint16(len(frame))
	before := string(frame)
	out, res := Insert(&cfg, 4, frame, side, func(p int) uint64 { return exampleEntry })
	require.Equal(t, before, string(frame))
	if !res.Inserted {
		require.Equal(t, before, string(out), "untouched")
		require.Zero(t, res.Hops)
	}
	return out, res
}

func TestDecision(t *testing.T) {
	with := func(kind, h, hmax uint8, n int) []byte {
		f := frames.Frame{UETType: kind, Body: frames.Telemetry(kind, h, hmax, n)}
		return f.Bytes()
	}
	cut := func(kind, h, hmax uint8, n int) []byte { // n bytes less
		f := frames.Frame{UETType: kind, Body: frames.Telemetry(kind, h, hmax, 0)}
		f.Body = f.Body[:len(f.Body)-n]
		return f.Bytes()
	}
	poke := func(b []byte, at int, v ...byte) []byte { copy(b[at:], v); return b }
	const g = 34 + 8 + 12 // of an ACK
	for _, tc := range []struct {
		name  string
		frame []byte
		side  Side
		regs  []uint32
		cause port.Cause
	}{
		{"ACK", with(7, 0, 1, 0), Side{}, nil, port.CauseNone},
		{"ACK by input port", with(7, 0, 1, 0), Side{InPort: 3, OutPort: 4}, nil, port.CauseNone},
		{"ACK, input port out of range", with(7, 0, 1, 0), Side{InPort: 4}, nil, port.CauseRange},
		{"request by output port", with(2, 0, 1, 0), Side{InPort: 4, OutPort: 3}, []uint32{port.RegMode, 3}, port.CauseNone},
		{"request, output port out of range", with(14, 0, 1, 0), Side{OutPort: 4}, []uint32{port.RegMode, 3},
			port.CauseRange},
		{"requests are off after reset", with(2, 0, 1, 0), Side{}, nil, port.CauseOff},
		{"other version", poke(with(7, 0, 1, 0), g+4, 0x22), Side{}, nil, port.CauseMalformed},
		{"other entry length", poke(with(7, 0, 1, 0), g+4, 0x13), Side{}, nil, port.CauseMalformed},
		{"wrong complement", poke(with(7, 0, 1, 0), g+5, 1), Side{}, nil, port.CauseMalformed},
		{"ABSENT comes before MALFORMED", poke(with(7, 0, 1, 0), g, 0, 0, 0, 0, 0, 0), Side{}, nil, port.CauseAbsent},
		{"MALFORMED comes before LENGTH", poke(cut(7, 3, 5, 1), g+5, 1), Side{}, nil, port.CauseMalformed},
		{"nothing", nil, Side{}, nil, port.CauseTruncated},
		{"type 9", poke(with(7, 0, 1, 0), 42, 9<<3), Side{}, nil, port.CauseType},
		{"the low bits of the type byte", poke(with(7, 0, 1, 0), 42, 7<<3|7), Side{}, nil, port.CauseNone},
		{"ACKs off", with(7, 0, 1, 0), Side{}, []uint32{port.RegMode, 2}, port.CauseOff},
		{"ACKs alone", with(8, 0, 1, 0), Side{}, []uint32{port.RegMode, 1}, port.CauseNone},
		{"data off", with(13, 0, 1, 0), Side{}, []uint32{port.RegMode, 1}, port.CauseOff},
		{"data alone", with(3, 0, 1, 0), Side{}, []uint32{port.RegMode, 2}, port.CauseNone},
		{"OFF comes before ABSENT", poke(with(7, 0, 1, 0), g, 0), Side{}, []uint32{port.RegMode, 0}, port.CauseOff},
		{"no magic", poke(with(7, 0, 1, 0), g, 0), Side{}, nil, port.CauseAbsent},
		{"other magic", poke(with(7, 0, 1, 0), g, 0xAB, 0xCD), Side{}, []uint32{port.RegMagic, 0xABCD}, port.CauseNone},
		{"no room for an INT header", cut(7, 0, 1, 1), Side{}, nil, port.CauseAbsent},
		{"entries claimed are there", with(7, 3, 5, 0), Side{}, nil, port.CauseNone},
		{"entries claimed are not there", cut(7, 3, 5, 1), Side{}, nil, port.CauseLength},
		{"LENGTH comes before NO_ROOM", cut(7, 3, 3, 1), Side{}, nil, port.CauseLength},
		{"h = hmax", with(7, 3, 3, 0), Side{}, nil, port.CauseNoRoom},
		{"h above hmax", with(7, 3, 2, 0), Side{}, nil, port.CauseMalformed},
		{"h = hmax = 0", with(7, 0, 0, 0), Side{}, nil, port.CauseNoRoom},
		{"h = 254", with(7, 254, 255, 0), Side{}, nil, port.CauseNone},
		{"exactly MAX_FRAME", with(7, 0, 1, 0), Side{}, []uint32{port.RegMaxFrame, g + 8 + 8}, port.CauseNone},
		{"over MAX_FRAME", with(7, 0, 1, 0), Side{}, []uint32{port.RegMaxFrame, g + 8 + 7}, port.CauseNoRoom},
		{"padding is not in MAX_FRAME", append(with(7, 0, 1, 0), make([]byte, 30)...), Side{},
			[]uint32{port.RegMaxFrame, g + 8 + 8}, port.CauseNone},
		{"NO_ROOM comes before RANGE", with(7, 1, 1, 0), Side{InPort: 9}, nil, port.CauseNoRoom},
		{"fragment", poke(with(7, 0, 1, 0), 20, 0x20), Side{}, nil, port.CauseFragment},
		{"TCP", poke(with(7, 0, 1, 0), 23, 6), Side{}, nil, port.CauseProtocol},
		{"other port", poke(with(7, 0, 1, 0), 36, 1), Side{}, nil, port.CausePort},
		{"its own port register", poke(with(7, 0, 1, 0), 36, 0, 9), Side{}, []uint32{port.RegUdpPort, 9}, port.CauseNone},
		{"ARP", poke(with(7, 0, 1, 0), 13, 6), Side{}, nil, port.CauseEthertype},
		{"IPv4 version", poke(with(7, 0, 1, 0), 14, 0x55), Side{}, nil, port.CauseHeader},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := DefaultConfig()
			for i := 0; i < len(tc.regs); i += 2 {
				cfg[tc.regs[i]] = tc.regs[i+1]
			}
			out, res := insert(t, cfg, tc.frame, tc.side)
			require.Equal(t, tc.cause, res.Cause)
			require.Equal(t, tc.cause == port.CauseNone, res.Inserted)
			if res.Inserted {
				require.Len(t, out, len(tc.frame)+8)
			}
		})
	}
}

// The output is the frame that a host would build with the longer body, for each UET header and with the parts before
// it at their shortest and longest.
func TestInsertion(t *testing.T) {
	for _, kind := range []uint8{2, 3, 7, 8, 13, 14} {
		for _, f := range []frames.Frame{
			{}, {V6: true, UDPChecksum: true}, {UDPChecksum: true},
			{Tags: []uint16{0x88A8, 0x8100}, Options: 40, UDPChecksum: true},
			{Tags: []uint16{0x8100}, V6: true, UDPChecksum: true, Padding: 7},
		} {
			for _, h := range []uint8{0, 1, 6, 200} {
				f.UETType, f.Body = kind, frames.Telemetry(kind, h, 255, 21)
				cfg := DefaultConfig()
				cfg[port.RegMode] = 3
				out, res := insert(t, cfg, f.Bytes(), Side{})
				require.Equal(t, h+1, res.Hops)
				at := frames.UETHeader(kind) - 2 + 8 + 8*int(h)
				f.Body[frames.UETHeader(kind)] = h + 1
				longer := append([]byte(nil), f.Body[:at]...)
				longer = binary.BigEndian.AppendUint64(longer, exampleEntry)
				f.Body = append(longer, f.Body[at:]...)
				require.Equal(t, f.Bytes(), out, "type %d, %d hops, %+v", kind, h, f)
			}
		}
	}
}

func TestFrameEndsBeforeTheEntries(t *testing.T) {
	cfg := DefaultConfig()
	f := frames.Frame{UETType: 7, UDPChecksum: true, Body: frames.Telemetry(7, 20, 255, 100)}
	whole := f.Bytes()
	at := 34 + 8 + 12 + 8 + 160 // I
	entry := func(int) uint64 { return exampleEntry }
	want, _ := Insert(&cfg, 4, whole, Side{Len: uint16(len(whole))}, entry)
	for n, grows := range map[int]bool{129: false, at - 1: false, at: true, at + 1: true} {
		out, res := Insert(&cfg, 4, whole[:n], Side{Len: uint16(len(whole))}, entry)
		require.True(t, res.Inserted, "len lies, and is believed")
		require.Equal(t, want[:min(n, at)], out[:min(n, at)], "the headers change all the same")
		if grows {
			require.Equal(t, want[:n+8], out)
		} else {
			require.Len(t, out, n)
		}
	}
	_, res := Insert(&cfg, 4, whole[:128], Side{Len: uint16(len(whole))}, entry)
	require.Equal(t, port.CauseTruncated, res.Cause, "two beats: len is not looked at")
}

func TestChecksums(t *testing.T) {
	cfg := DefaultConfig()
	f := frames.Frame{UETType: 7, UDPChecksum: true, Body: frames.Telemetry(7, 0, 5, 0)}
	in := f.Bytes()
	binary.BigEndian.PutUint16(in[40:], 0)
	out, _ := insert(t, cfg, in, Side{})
	require.Zero(t, be16(out, 40), "none stays none")

	in = f.Bytes()
	in[24]++ // a wrong header checksum stays wrong
	out, _ = insert(t, cfg, in, Side{})
	require.NotZero(t, frames.Checksum(out[14:34]))

	// Choose N so that the new checksum is 0; at present N is 3.
	out, _ = insert(t, cfg, f.Bytes(), Side{})
	f.Body = frames.Telemetry(7, 0, 5, 0)
	binary.BigEndian.PutUint16(f.Body[16:], 3+be16(out, 40))
	out, _ = insert(t, cfg, f.Bytes(), Side{})
	require.Equal(t, uint16(0xFFFF), be16(out, 40))
}

func TestTable(t *testing.T) {
	entry := func(b, ts, tx, ql uint64) uint64 { return b<<60 | ts<<36 | tx<<16 | ql }
	cfg := DefaultConfig()
	tb := NewTable(3)
	require.Zero(t, tb.Entry(0), "reset")
	tb.Tick(&cfg)
	for p := range 3 {
		require.Equal(t, entry(4, 0, 0, 0), tb.Entry(p), "rate 4 from the first tick on")
	}
	set := func(op port.Op, tx, ql uint32) {
		require.True(t, tb.Report(&port.Cnt{Port: 1, Op: op, TxBytes: tx, Qlen: ql}))
	}
	for _, tc := range []struct {
		name   string
		op     port.Op
		tx, ql uint32
		want   [2]uint64
	}{
		{"below a quantum", port.OpSet, 127, 79, [2]uint64{0, 0}},
		{"a quantum", port.OpSet, 128, 80, [2]uint64{1, 1}},
		{"added", port.OpAdd, 128, 80, [2]uint64{2, 2}},
		{"taken away", port.OpAdd, 1<<32 - 128, 1<<32 - 80, [2]uint64{1, 1}},
		{"set", port.OpSet, 1<<27 - 1, 5242799, [2]uint64{1<<20 - 1, 65534}},
		{"txBytes wraps, qLen at its top", port.OpSet, 1 << 27, 5242800, [2]uint64{0, 65535}},
		{"qLen saturates", port.OpSet, 1<<27 + 128, 5242880, [2]uint64{1, 65535}},
		{"most", port.OpSet, 1<<32 - 1, 1<<32 - 1, [2]uint64{1<<20 - 1, 65535}},
		{"modulo 2^32", port.OpAdd, 1, 1, [2]uint64{0, 0}},
	} {
		set(tc.op, tc.tx, tc.ql)
		ts := uint64(tb.Time())
		tb.Tick(&cfg)
		require.Equal(t, entry(4, ts, tc.want[0], tc.want[1]), tb.Entry(1), tc.name)
	}
	require.False(t, tb.Report(&port.Cnt{Port: 3}))

	// The table divides as the contract does, at every quantum and its neighbours.
	for q := uint64(0); q < 1<<32; q += 80 * 13 {
		for _, x := range []uint64{q - q%80, q - q%80 + 79, q} {
			want := uint64(65535)
			if x < 5242880 {
				want = min(((x>>4)*838861)>>22, 65535)
			}
			require.Equal(t, want, min(x/80, 65535))
		}
		if q > 6_000_000 {
			q += 80 << 20
		}
	}
}

func TestPeriodAndClock(t *testing.T) {
	cfg := DefaultConfig()
	cfg[port.RegPeriod], cfg[port.RegStep] = 3, 1<<16+1<<15 // 1.5 ns
	tb := NewTable(1)
	var stamps []uint64
	for range 9 {
		tb.Tick(&cfg)
		stamps = append(stamps, tb.Entry(0)>>36&0xFFFFFF)
	}
	require.Equal(t, []uint64{0, 0, 3, 3, 3, 7, 7, 7, 12}, stamps, "cycles 2, 5 and 8: 3, 7.5 and 12 ns")
	cfg[port.RegPeriod] = 1
	tb.Tick(&cfg)
	require.Equal(t, uint64(13), tb.Entry(0)>>36&0xFFFFFF)
	cfg[port.RegPeriod] = 100
	for range 50 {
		tb.Tick(&cfg)
	}
	cfg[port.RegPeriod] = 20 // a shorter period ends at once
	now := tb.Time()
	tb.Tick(&cfg)
	require.Equal(t, uint64(now), tb.Entry(0)>>36&0xFFFFFF)

	tb.SetTime(1<<24 - 1)
	tb.Tick(&cfg)
	require.Zero(t, tb.Time(), "wraps; the fraction is what is left")
	tb.SetTime(1<<24 + 5)
	require.Equal(t, uint32(5), tb.Time())
	tb.SetRate(0, 0xFFFFFFF7)
	cfg[port.RegPeriod] = 0
	tb.Tick(&cfg)
	require.Equal(t, uint64(7), tb.Entry(0)>>60)
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	_, err := New(Spec{0})
	require.EqualError(t, err, "intmd: NumPorts 0: want 1 to 64")
	_, err = New(Spec{65})
	require.EqualError(t, err, "intmd: NumPorts 65: want 1 to 64")
}

package run_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
)

// wirePacket is a packet at rx or tx: its bytes and the record of its first beat.
type wirePacket struct {
	bytes []byte
	first []uint64
	began uint64 // cycle of the first beat's transfer since the last reset
}

// packetTap assembles the beats of one stream.
type packetTap struct {
	valid, ready     uint64
	in               bool
	data, keep, last *event.Slot
	open             *wirePacket
	done             []*wirePacket
}

func newPacketTap(l *event.Layout, stream string, in bool) *packetTap {
	r := &l.Out
	t := &packetTap{in: in, valid: l.Out.Control(stream + "_valid"), ready: l.In.Control(stream + "_ready")}
	if in {
		r = &l.In
		t.valid, t.ready = l.In.Control(stream+"_valid"), l.Out.Control(stream+"_ready")
	}
	t.data, t.keep, t.last = r.Slot(stream, "data"), r.Slot(stream, "keep"), r.Slot(stream, "last")
	return t
}

func (t *packetTap) cycle(n uint64, in, out []uint64) {
	v, r := in, out
	if !t.in {
		v, r = out, in
	}
	if v[0]&t.valid == 0 || r[0]&t.ready == 0 {
		return
	}
	if t.open == nil {
		t.open = &wirePacket{first: append([]uint64(nil), v...), began: n}
	}
	var beat [64]byte
	for k := range 8 {
		binary.LittleEndian.PutUint64(beat[8*k:], v[t.data.Word+k])
	}
	count := 64
	if t.last.Get(v) != 0 {
		count = 0
		for keep := t.keep.Get(v); keep&1 != 0; keep >>= 1 {
			count++
		}
	}
	t.open.bytes = append(t.open.bytes, beat[:count]...)
	if t.last.Get(v) != 0 {
		t.done = append(t.done, t.open)
		t.open = nil
	}
}

func (t *packetTap) reset() { t.open, t.done = nil, nil }

// playPackets plays a source through a block's model and calls pair with every outgoing packet and the incoming one
// that it came from. It calls every, if set, with every cycle since the last reset.
func playPackets(t *testing.T, name, source string, seed uint64, events int,
	every func(n uint64, in, out []uint64, reset bool), pair func(from, to *wirePacket)) {
	t.Helper()
	src, err := block.Open(name, source, stim.Options{Seed: seed, Events: events})
	require.NoError(t, err)
	defer src.Close()
	m, in, out := newModel(t, name)
	l := layoutOf(t, name)
	d := drive.NewDriver(l)
	rx, tx := newPacketTap(l, "rx", true), newPacketTap(l, "tx", false)
	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
		d.Begin(ep)
		rx.reset()
		tx.reset()
		n := uint64(0)
		for d.Drive(in) {
			m.Cycle(in, out)
			d.Observe(out)
			reset := in[0]&1 == 0
			if every != nil {
				every(n, in, out, reset)
			}
			if reset {
				rx.reset()
				tx.reset()
				n = 0
				continue
			}
			rx.cycle(n, in, out)
			tx.cycle(n, in, out)
			n++
			for len(tx.done) > 0 && len(rx.done) > 0 {
				pair(rx.done[0], tx.done[0])
				rx.done, tx.done = rx.done[1:], tx.done[1:]
			}
			if len(tx.done) > 0 && rx.open == nil {
				t.Fatalf("%s: a packet that nobody sent", ep.Name)
			}
		}
		require.Empty(t, rx.done, "%s: packets that never came out", ep.Name)
	}
	require.NoError(t, src.Err())
}

var packetSources = []struct {
	source string
	events int
}{{"directed", 0}, {"random", 30000}, {"fabric:incast32", 10000}, {"fabric:permutation", 10000},
	{"fabric:mixed", 10000}, {"fabric:websearch", 5000}}

// TestTrimmerOutputIsSound has an independent packet library judge every packet from the trimmer, and reads back a
// capture of all of them.
func TestTrimmerOutputIsSound(t *testing.T) {
	t.Parallel()
	for _, src := range packetSources {
		t.Run(src.source, func(t *testing.T) {
			if src.source == "directed" {
				launchtest.Long(t, "random packets")
			}
			file := filepath.Join(t.TempDir(), "trimmed.pcap")
			f, err := os.Create(file)
			require.NoError(t, err)
			w, err := packet.NewPcap(f)
			require.NoError(t, err)
			trimmed, untouched, sound := 0, 0, 0
			var rx trimmer.Rx
			var tx trimmer.Tx
			playPackets(t, "trimmer", src.source, 1, src.events, nil, func(from, to *wirePacket) {
				trimmer.UnpackRx(from.first, &rx)
				trimmer.UnpackTx(to.first, &tx)
				require.Equal(t, rx.Tag, tx.Tag)
				a, b := packet.Judge(from.bytes), packet.Judge(to.bytes)
				if a.Sound() {
					sound++
					require.True(t, b.Sound(), "%x\n%x\n%+v", from.bytes, to.bytes, b)
				}
				switch {
				case b.Err != nil || !b.IPv4 && !b.IPv6: // no header that the library reads
				case tx.Marked:
					require.EqualValues(t, 3, b.Class&3)
					require.NotZero(t, a.Class&3)
				default:
					require.Equal(t, a.Class&3, b.Class&3)
				}
				if !tx.Trimmed {
					untouched++
					require.Equal(t, !tx.Marked, bytes.Equal(from.bytes, to.bytes))
					return
				}
				code := map[bool]uint8{false: 16, true: 18}[rx.LastHop]
				if src.source != "random" && src.source != "directed" {
					require.Equal(t, code, b.Class>>2)
				}
				trimmed++
				require.NoError(t, w.Write(to.bytes, int64(to.began)))
				requireTrimmed(t, from, to, &a, &b)
			})
			require.NotZero(t, trimmed)
			require.NotZero(t, untouched)
			require.NoError(t, f.Close())
			require.Equal(t, trimmed, readPcap(t, file))
			t.Logf("%d trimmed, %d untouched, %d of them sound before", trimmed, untouched, sound)
		})
	}
}

// requireTrimmed checks a trimmed packet against the one it was cut from.
func requireTrimmed(t *testing.T, from, to *wirePacket, a, b *packet.Verdict) {
	t.Helper()
	what := fmt.Sprintf("%x\n%x", from.bytes, to.bytes)
	require.NoError(t, b.Err, what)
	require.True(t, b.UDP && b.UDPSum && b.Lengths, what)
	require.Equal(t, a.HeaderSum, b.HeaderSum, what)
	require.Equal(t, a.NoUDPSum, b.NoUDPSum, what)
	require.Less(t, len(to.bytes), len(from.bytes))
	require.Equal(t, len(to.bytes)-b.UDPStart, b.UDPLen, "nothing behind the datagram: %s", what)
	require.Equal(t, [...]any{a.Tags, a.IPv4, a.IPv6, a.Src, a.Dst, a.UDPStart, a.FlowLabel, a.HopOrTTL, a.Identity,
		a.Options, a.Addresses},
		[...]any{b.Tags, b.IPv4, b.IPv6, b.Src, b.Dst, b.UDPStart, b.FlowLabel, b.HopOrTTL, b.Identity, b.Options,
			b.Addresses}, what)
	require.True(t, bytes.HasPrefix(a.Payload, b.Payload), what)
	require.Equal(t, from.bytes[:a.IPStart], to.bytes[:b.IPStart], what)
}

// readPcap counts the packets of a capture. Each must be sound, except for an IPv4 checksum that was wrong before.
func readPcap(t *testing.T, file string) (n int) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	r, err := pcapgo.NewReader(f)
	require.NoError(t, err)
	for {
		b, _, err := r.ReadPacketData()
		if err == io.EOF {
			return n
		}
		require.NoError(t, err)
		v := packet.Judge(b)
		require.NoError(t, v.Err)
		require.True(t, v.UDPSum && v.Lengths)
		n++
	}
}

// tableShadow keeps the exact sums of counter reports by cycle, as far back as a packet can refer to.
type tableShadow struct {
	ports int
	up    bool
	now   uint64 // cycles since the block came up
	tx    [][]uint64
	queue [][]uint64
	cnt   intmd.Cnt
	next  struct {
		cnt intmd.Cnt
		ok  bool
	}
}

// history is how many cycles a shadow remembers.
const history = 1 << 14

func newTableShadow(ports int) *tableShadow {
	s := &tableShadow{ports: ports}
	for range ports {
		s.tx, s.queue = append(s.tx, make([]uint64, history)), append(s.queue, make([]uint64, history))
	}
	return s
}

// cycle takes one cycle. A report accepted now counts from two cycles later on.
func (s *tableShadow) cycle(_ uint64, in, out []uint64, reset bool) {
	if reset {
		s.up, s.now, s.next.ok = false, 0, false
		for p := range s.ports {
			clear(s.tx[p])
			clear(s.queue[p])
		}
		return
	}
	if !s.up {
		if s.up = out[0]&intmd.OutRxReady != 0; !s.up {
			return
		}
	}
	at, after := s.now%history, (s.now+1)%history
	for p := range s.ports {
		s.tx[p][after], s.queue[p][after] = s.tx[p][at], s.queue[p][at]
	}
	if s.next.ok && int(s.next.cnt.Port) < s.ports {
		c := &s.next.cnt
		tx, q := &s.tx[c.Port][after], &s.queue[c.Port][after]
		if c.Op == intmd.OpSet {
			*tx, *q = 0, 0
		}
		*tx, *q = *tx+uint64(c.TxBytes), uint64(uint32(*q+uint64(c.Qlen)))
	}
	if s.next.ok = in[0]&intmd.InCntValid != 0 && out[0]&intmd.OutCntReady != 0; s.next.ok {
		intmd.UnpackCnt(in, &s.next.cnt)
	}
	s.now++
}

// TestTelemetryIsSoundAndExact has the packet library judge every packet from intmd, and compares the telemetry that a
// sender decodes from it with the exact counters at its time stamp.
func TestTelemetryIsSoundAndExact(t *testing.T) {
	t.Parallel()
	for _, src := range packetSources {
		t.Run(src.source, func(t *testing.T) {
			if src.source == "directed" {
				launchtest.Long(t, "random packets")
			}
			exact := src.source != "directed" && src.source != "random" // the others move clock and period
			shadow := newTableShadow(4)
			inserted, untouched, sound := 0, 0, 0
			var rx intmd.Rx
			var tx intmd.Tx
			playPackets(t, "intmd", src.source, 1, src.events, shadow.cycle, func(from, to *wirePacket) {
				intmd.UnpackRx(from.first, &rx)
				intmd.UnpackTx(to.first, &tx)
				a, b := packet.Judge(from.bytes), packet.Judge(to.bytes)
				if a.Sound() {
					sound++
					require.True(t, b.Sound(), "%x\n%x\n%+v", from.bytes, to.bytes, b)
				}
				if !tx.Inserted {
					untouched++
					require.Equal(t, from.bytes, to.bytes)
					return
				}
				inserted++
				require.Equal(t, a.HeaderSum, b.HeaderSum)
				require.Equal(t, a.UDPSum && !a.NoUDPSum, b.UDPSum && !b.NoUDPSum)
				if !a.Lengths {
					return // len lied; the frame ends early
				}
				require.True(t, b.Lengths)
				require.Len(t, to.bytes, len(from.bytes)+8)
				before, err := packet.ReadTelemetry(a.Payload, binary.BigEndian.Uint16(a.Payload[hopsAt(a.Payload)-2:]))
				require.NoError(t, err)
				after, err := packet.ReadTelemetry(b.Payload, binary.BigEndian.Uint16(b.Payload[hopsAt(b.Payload)-2:]))
				require.NoError(t, err)
				require.Equal(t, before.Hops+1, after.Hops)
				require.Equal(t, tx.Hops, after.Hops)
				require.Equal(t, [2]any{before.Room, before.Flows}, [2]any{after.Room, after.Flows})
				require.True(t, slices.Equal(before.Entries, after.Entries[:before.Hops]))
				if !exact {
					return
				}
				port := rx.InPort
				if kind := a.Payload[0] >> 3; kind != 7 && kind != 8 {
					port = rx.OutPort
				}
				e := packet.DecodeEntry(after.Entries[before.Hops])
				// One cycle is 1 ns: the time stamp names the cycle, in the part of the run remembered.
				at := shadow.now - (shadow.now-uint64(e.TS))&(1<<24-1)
				require.Less(t, shadow.now-at, uint64(history), "time stamp %d at cycle %d", e.TS, shadow.now)
				q := shadow.queue[port][at%history]
				require.True(t, e.Queue <= q && q < e.Queue+packet.QueueQuantum || e.Saturated, "queue %d, decoded %d", q, e.Queue)
				sent := shadow.tx[port][at%history] & (1<<27 - 1)
				require.True(t, e.TxBytes <= sent && sent < e.TxBytes+packet.TxQuantum, "sent %d, decoded %d", sent, e.TxBytes)
				if exact {
					require.Equal(t, 400.0, e.GbitPerS)
				}
			})
			require.NotZero(t, inserted)
			t.Logf("%d with an entry, %d untouched, %d of them sound before", inserted, untouched, sound)
		})
	}
}

// hopsAt returns the offset of the hop count in a UDP payload.
func hopsAt(payload []byte) int {
	return map[byte]int{2: 12, 3: 12, 7: 12, 8: 32, 13: 16, 14: 16}[payload[0]>>3] + 2
}

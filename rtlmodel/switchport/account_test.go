package switchport

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// traffic records what passed the ports of a block between a reset and a drain.
type traffic struct {
	in    []header
	bytes []int
	notes []port.Note
	grs   []port.Gr
	out   [][]byte
	tx    []port.Tx
}

// play sends n packets through gates with the given shares of open cycles, in 16ths, and drains the block. If a frame
// is long enough, its source address holds its number.
func (x *traffic) play(b *bench, rng *rand.Rand, n int, idle, stall [4]int) {
	ports := b.m.Spec().NumPorts
	var beats []port.Rx
	var rx *port.Rx
	var grant *port.Grant
	var now []byte
	open := func(share int) bool { return rng.IntN(16) < share }
	stuck := 0
	for queued := 0; ; stuck++ {
		require.Less(b.tb, stuck, 20000, "never drained: %d of %d noted, %d answered", len(x.notes), n, len(x.grs))
		if rx == nil && open(idle[0]) {
			if len(beats) == 0 && len(x.in) < n {
				h := header{id: uint32(len(x.in)), port: uint8(rng.IntN(ports)), inPort: uint8(rng.IntN(ports)),
					cls:       port.Cls(rng.IntN(3)),
					trimmable: rng.IntN(4) > 0, ect: rng.IntN(2) == 0, lastHop: rng.IntN(2) == 0}
				if rng.IntN(40) == 0 {
					h.cls = 3
				}
				frame := frames.DrawTelemetry(rng)
				if rng.IntN(100) == 0 {
					frame = make([]byte, 64*port.SlotBeats+rng.IntN(100))
				}
				if len(frame) >= 12 {
					binary.BigEndian.PutUint32(frame[8:], h.id)
				}
				x.in, x.bytes = append(x.in, h), append(x.bytes, len(frame))
				beats = beatsOf(rng, frame, h)
			}
			if len(beats) > 0 {
				rx, beats = &beats[0], beats[1:]
			}
		}
		// Grants go to random ports; once all packets are in, or when nothing moves, they come without a wait.
		if grant == nil && (open(idle[1]) || len(x.in) == n || stuck > 200) {
			grant = &port.Grant{Port: uint8(rng.IntN(ports))}
		}
		ctl := uint64(high)
		for i, ready := range []uint64{port.InTxReady, port.InNoteReady, port.InGrReady, port.InCfgrReady} {
			if open(stall[i]) {
				ctl |= ready
			}
		}
		b.cycle(rx, grant, nil, ctl)
		s := &b.seen
		if s.rxReady && rx != nil {
			rx, stuck = nil, 0
		}
		if s.grantReady {
			grant = nil
		}
		if s.noteValid && ctl&port.InNoteReady != 0 {
			x.notes, stuck = append(x.notes, s.note), 0
			if s.note.Verdict == port.VerdictAdmit || s.note.Verdict == port.VerdictTrim {
				queued++
			}
		}
		if s.grValid && ctl&port.InGrReady != 0 && !s.gr.Empty {
			x.grs, stuck = append(x.grs, s.gr), 0
		}
		if s.txValid && ctl&port.InTxReady != 0 {
			now = append(now, frameBytes(s.tx.Data, s.tx.Keep, s.tx.Last)...)
			if s.tx.Last {
				x.out, x.tx, now, stuck = append(x.out, now), append(x.tx, s.tx), nil, 0
			}
		}
		if len(x.notes) == n && len(x.grs) == queued && len(x.out) == queued && b.m.SlotsInUse() == 0 {
			return
		}
	}
}

// TestEveryPacketIsAccountedFor draws sizes, thresholds, gates and packets: every packet that came in has left, was
// dropped or was refused; the counters of egress agree, class by class, including trims; and the packets queued in one
// class of one port leave in the order in which they were queued.
func TestEveryPacketIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		spec := Spec{NumPorts: rapid.IntRange(1, 5).Draw(t, "ports"), Depth: 2 << rapid.IntRange(0, 5).Draw(t, "depth"),
			Slots: 2 << rapid.IntRange(0, 5).Draw(t, "slots")}
		share := rapid.IntRange(2, 16)
		var idle, stall [4]int
		for i := range stall {
			idle[i], stall[i] = share.Draw(t, "idle"), share.Draw(t, "stall")
		}
		b := newBench(t, spec)
		for _, reg := range []uint8{pe.RegTrim, pe.RegTrimLasthop, pe.RegDropLow, pe.RegDropMed, pe.RegDropHigh,
			pe.RegShared} {
			b.write(port.TargetEgress, reg, rapid.Uint32Range(0, 8000).Draw(t, "limit"))
		}
		b.write(port.TargetEgress, pe.RegSched, rapid.Uint32Range(0, 3).Draw(t, "sched"))
		const n = 120
		var x traffic
		x.play(b, rng, n, idle, stall)

		var admitted, trimmed, dropped, refused int
		var want [5][3]pe.Words
		queue := map[[2]uint8][]uint32{}
		for i, note := range x.notes {
			h := x.in[i]
			require.Equal(t, h.port, note.Port)
			low, q := &want[note.Port][0], &want[note.Port][note.Cls]
			if note.Trimmed {
				low.Trims++
				require.Equal(t, port.ClsLow, h.cls)
				require.True(t, h.trimmable)
				require.Equal(t, port.ClsMedium, note.Cls)
			}
			switch {
			case note.Refused:
				refused++
				require.True(t, h.cls == 3 || x.bytes[i] > 64*port.SlotBeats, "packet %d", i)
				continue
			case note.Verdict == port.VerdictDrop:
				dropped++
				q.Drops++
				continue
			case note.Verdict == port.VerdictTrim:
				trimmed++
			default:
				admitted++
				require.Equal(t, h.cls, note.Cls)
				require.EqualValues(t, x.bytes[i], note.Len)
			}
			q.EnqPkts++
			q.EnqBytes += uint32(note.Len)
			k := [2]uint8{note.Port, uint8(note.Cls)}
			queue[k] = append(queue[k], h.id)
		}
		require.Equal(t, n, admitted+trimmed+dropped+refused)
		require.Len(t, x.out, admitted+trimmed)
		cut := 0
		for i, g := range x.grs {
			k := [2]uint8{g.Port, uint8(g.Cls)}
			require.NotEmpty(t, queue[k])
			require.Equal(t, queue[k][0], g.Id, "class %d of port %d: out of order", g.Cls, g.Port)
			queue[k] = queue[k][1:]
			if len(x.out[i]) >= 12 && x.bytes[g.Id] >= 12 {
				require.Equal(t, g.Id, binary.BigEndian.Uint32(x.out[i][8:]), "packet %d at tx", i)
			}
			require.Equal(t, g.Port, x.tx[i].Port)
			if g.Trimmed {
				cut++
			} else {
				grown := 0
				if x.tx[i].Inserted {
					grown = 8
				}
				require.Contains(t, []int{x.bytes[g.Id], x.bytes[g.Id] + grown}, len(x.out[i]))
			}
			q := &want[g.Port][g.Cls]
			q.DeqPkts++
			q.DeqBytes += uint32(g.Len)
			if g.Ce {
				q.Marks++
			}
		}
		require.Equal(t, trimmed, cut)
		for p := range spec.NumPorts {
			for c := range 3 {
				got := b.m.Egress().Queues().Words(p, c)
				w := want[p][c]
				require.Equal(t, [9]uint32{w.EnqPkts, w.EnqBytes, w.DeqPkts, w.DeqBytes, w.Trims, w.Drops, w.Marks, 0, 0},
					[9]uint32{got.EnqPkts, got.EnqBytes, got.DeqPkts, got.DeqBytes, got.Trims, got.Drops, got.Marks, got.Bytes,
						got.Packets},
					"port %d class %d", p, c)
			}
		}
	})
}

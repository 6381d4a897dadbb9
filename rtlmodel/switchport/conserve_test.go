package switchport

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/intmd"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// frameBytes returns the valid bytes of beats; keep marks those of the last beat.
func frameBytes(data [8]uint64, keep uint64, last bool) (b []byte) {
	n := 64
	if last {
		n = bits.TrailingZeros64(^keep)
	}
	for k := range n {
		b = append(b, byte(data[k/8]>>(8*(k%8))))
	}
	return b
}

// TestConservation sends drawn packets through the block, drains it and checks the rules of contract.md for a drained
// block. Every packet at tx must equal, byte by byte, the result of the whole-frame functions with the answer of its
// grant; the table entry is taken from the packet itself.
func TestConservation(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 51))
		spec := Spec{NumPorts: 1 + rng.IntN(6), Depth: 4 << rng.IntN(4), Slots: 4 << rng.IntN(5)}
		b := newBench(t, spec)
		for _, w := range [][2]uint32{
			{pe.RegTrim, uint32(rng.IntN(4000))}, {pe.RegTrimLasthop, uint32(rng.IntN(4000))},
			{pe.RegECNMode, uint32(rng.IntN(4))}, {pe.RegKMin, uint32(rng.IntN(1000))}, {pe.RegKMax, uint32(rng.IntN(4000))},
			{pe.RegSched, uint32(rng.IntN(4))}, {pe.RegShared, uint32(3000 + rng.IntN(10000))},
		} {
			b.write(port.TargetEgress, uint8(w[0]), w[1])
		}
		type sent struct {
			frame []byte
			h     header
		}
		var (
			packets []sent
			beats   []port.Rx
			notes   []port.Note
			grs     []port.Gr
			outs    [][]byte
			txs     []port.Tx
			now     []byte
			grant   *port.Grant
			rx      *port.Rx
			turn    int
		)
		const n = 300
		for c := 0; ; c++ {
			require.Less(t, c, 60000, "never drained")
			if rx == nil && rng.IntN(10) > 0 {
				if len(beats) == 0 && len(packets) < n {
					h := header{
						id: uint32(len(packets)), port: uint8(rng.IntN(spec.NumPorts)), inPort: uint8(rng.IntN(spec.NumPorts)),
						cls: port.Cls(rng.IntN(20) % 3), trimmable: rng.IntN(3) > 0, ect: rng.IntN(2) == 0, lastHop: rng.IntN(2) == 0,
					}
					if rng.IntN(30) == 0 {
						h.port = uint8(spec.NumPorts)
					}
					frame := frames.DrawTelemetry(rng)
					packets = append(packets, sent{frame, h})
					beats = beatsOf(rng, frame, h)
				}
				if len(beats) > 0 {
					rx, beats = &beats[0], beats[1:]
				}
			}
			if grant == nil && (rng.IntN(30) == 0 || len(packets) == n) {
				grant = &port.Grant{Port: uint8(turn % spec.NumPorts)}
				turn++
			}
			ctl := takes
			if rng.IntN(4) == 0 {
				ctl = high | uint64(rng.Uint32())&takes
			}
			b.cycle(rx, grant, nil, ctl)
			if b.seen.rxReady {
				rx = nil
			}
			if b.seen.grantReady {
				grant = nil
			}
			if b.seen.noteValid && ctl&port.InNoteReady != 0 {
				notes = append(notes, b.seen.note)
			}
			if b.seen.grValid && ctl&port.InGrReady != 0 && !b.seen.gr.Empty {
				grs = append(grs, b.seen.gr)
			}
			if x := b.seen.tx; b.seen.txValid && ctl&port.InTxReady != 0 {
				now = append(now, frameBytes(x.Data, x.Keep, x.Last)...)
				if x.Last {
					outs, txs, now = append(outs, now), append(txs, x), nil
				}
			}
			if len(notes) == n && len(outs) == len(grs) && b.m.SlotsInUse() == 0 {
				break
			}
		}
		queued := 0
		for i, x := range notes {
			require.Equal(t, uint32(i), x.Id, "notes come in the order of the packets")
			if x.Verdict == port.VerdictAdmit || x.Verdict == port.VerdictTrim {
				queued++
			}
		}
		require.Equal(t, queued, len(grs))
		require.Equal(t, queued, len(outs))
		require.NotZero(t, queued)
		require.Less(t, queued, n)
		for p := range spec.NumPorts {
			_, ql, _ := b.m.Intmd().Table().Live(p)
			require.Zero(t, ql, "port %d", p)
			require.Zero(t, b.m.Egress().Queues().Words(p, 0).PortBytes)
		}

		tcfg, icfg := trimmer.DefaultConfig(), intmd.DefaultConfig()
		for i, out := range outs {
			g, p := grs[i], packets[grs[i].Id]
			require.Equal(t, p.h.port, txs[i].Port)
			side := trimmer.Side{Trim: g.Trimmed, LastHop: p.h.lastHop, CE: g.Ce, Len: uint16(len(p.frame))}
			middle, _ := trimmer.Trim(&tcfg, p.frame, side)
			iside := intmd.Side{Len: uint16(len(p.frame)), InPort: p.h.inPort, OutPort: p.h.port}
			if len(middle) <= intmd.HeadBytes {
				iside.Len = uint16(len(middle))
			}
			// The entry is where the frame with an entry of ones differs from the frame with an entry of zeros.
			lookup := func(v uint64) func(int) uint64 { return func(int) uint64 { return v } }
			zeros, res := intmd.Insert(&icfg, spec.NumPorts, middle, iside, lookup(0))
			require.Equal(t, res.Inserted, txs[i].Inserted)
			require.Equal(t, res.Hops, txs[i].Hops)
			want := zeros
			if res.Inserted {
				ones, _ := intmd.Insert(&icfg, spec.NumPorts, middle, iside, lookup(^uint64(0)))
				at := len(zeros)
				for at > 0 && zeros[at-1] == ones[at-1] {
					at--
				}
				entry := uint64(0)
				for _, v := range out[at-8 : at] {
					entry = entry<<8 | uint64(v)
				}
				want, _ = intmd.Insert(&icfg, spec.NumPorts, middle, iside, lookup(entry))
			}
			require.Equal(t, string(want), string(out), "packet %d, seed %d", g.Id, seed)
		}
	}
}

package ackgen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// receive is the function of a whole frame.
func (r *plainReceiver) receive(frame []byte, came, now Instant) (reason string, ind port.Ind, x plainResult) {
	reason, q := r.decide(frame)
	r.count(reason)
	if reason != "PASSED" {
		return reason, ind, x
	}
	q.tick, q.p = int(came.Tick), int(came.Phase)
	x = r.run(&q, int(now.Tick), int(now.Phase))
	return reason, x.ind(&q, 0), x
}

// count counts the decision on a packet.
func (r *plainReceiver) count(reason string) {
	r.counter[19]++
	for i, name := range plainReasons {
		if name == reason && i > 0 {
			r.counter[19+i]++
		}
	}
}

// same compares the states of both, of PDC k, or of all where it is negative.
func same(t *testing.T, want *plainReceiver, got *Receiver, k int, where string) {
	for addr := port.WordFrames; addr < port.NumWords; addr++ {
		if want.counter[addr] != got.counters[addr] {
			require.Equal(t, want.counter[addr], got.counters[addr], "%s: counter %d", where, addr)
		}
	}
	from, to := k, min(k+1, len(want.pdc))
	if k < 0 {
		from, to = 0, len(want.pdc)
	}
	for k := from; k < to; k++ {
		w := got.Words(k)
		for addr := range port.WordFrames {
			if uint64(want.pdc[k].word(addr)) != w.Word(addr) {
				require.Equal(t, fmt.Sprintf("%#x", want.pdc[k].word(addr)), fmt.Sprintf("%#x", w.Word(addr)),
					"%s: PDC %d, word %d", where, k, addr)
			}
		}
	}
	require.Equal(t, want.reg, got.cfg[:], where)
}

// TestReceiverMatchesPlainTwin compares the functions of a packet and of a cfg event on long random runs.
func TestReceiverMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		spec := Spec{Pdcs: []int{4, 16, 32}[seed%3]}
		slow, r := newPlain(spec.Pdcs), NewReceiver(spec)
		for i := range 2500 {
			where, k := fmt.Sprintf("seed %d, event %d", seed, i), -1
			if rng.IntN(8) == 0 {
				e := drawCfg(rng, slow)
				var got port.Cfgr
				r.Configure(&e, &got)
				require.Equal(t, slow.configure(e), got, "%s %+v", where, e)
				met[fmt.Sprint(e.Kind, " ", got.Refused)]++
				k = int(e.PDC)
			} else {
				frame := draw(rng, slow)
				came := Instant{rng.Uint32(), rng.Uint32() % 8}
				now := Instant{came.Tick, rng.Uint32() % 8}
				now.Tick += []uint32{0, 1, 2, 65534, 65535, 65536, 65537, rng.Uint32()}[rng.IntN(8)]
				before := string(frame)
				name, ind, x := slow.receive(frame, came, now)
				reason, got, reply := r.Receive(frame, came, now)
				require.Equal(t, name, reason.String(), "%s %x", where, frame)
				require.Equal(t, ind, got, "%s %x", where, frame)
				require.Equal(t, x.answer, reply, "%s %x", where, frame)
				require.Equal(t, before, string(frame), "the frame is not changed")
				k = x.k
				met[name]++
				met[x.verdict+x.nack]++
				if reply != nil && x.nack == "" {
					met[fmt.Sprint("type ", reply[x.pdsAt(frame)]>>3)]++
				}
			}
			same(t, slow, r, k, where)
		}
		same(t, slow, r, -1, fmt.Sprintf("seed %d, at the end", seed))
	}
	for _, name := range metNames() {
		require.GreaterOrEqual(t, met[name], 20, "%s hardly met in %v", name, met)
	}
}

// pdsAt returns where the PDS header of an answer begins.
func (x *plainResult) pdsAt(frame []byte) int {
	h := 14
	for v := 0; v < 2 && (frame[h-2] == 0x81 || frame[h-2] == 0x88); v++ {
		h += 4
	}
	proto := x.answer[h+9]
	if x.answer[h]>>4 == 6 {
		proto = x.answer[h+6]
		h += 20
	}
	if proto == 17 {
		h += 4
	}
	return h + 24
}

func metNames() (names []string) {
	names = append(names, plainReasons...)
	for name := range plainNacks {
		names = append(names, "REFUSED"+name)
	}
	return append(names, "ACCEPTED", "DUPLICATE", "ASKED", "PROBED", "CLOSED", "EARLY", "type 7", "type 8", "READ false",
		"READ true", "LOAD false", "LOAD true", "CFG_WRITE false", "CFG_WRITE true", "CFG_READ false", "CFG_READ true")
}

func (in *plainIn) pack(rec []uint64) {
	clear(rec)
	port.PackRx(&in.rx, rec)
	port.PackCfg(&in.cfg, rec)
	rec[0] |= uint64(truth[in.rstN])*port.InRstN | uint64(truth[in.rxValid])*port.InRxValid |
		uint64(truth[in.cfgValid])*port.InCfgValid | uint64(truth[in.txReady])*port.InTxReady |
		uint64(truth[in.indReady])*port.InIndReady | uint64(truth[in.cfgrReady])*port.InCfgrReady
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	port.PackTx(&o.tx, rec)
	port.PackInd(&o.ind, rec)
	port.PackCfgr(&o.cfgr, rec)
	rec[0] |= uint64(truth[o.rxReady])*port.OutRxReady | uint64(truth[o.cfgReady])*port.OutCfgReady |
		uint64(truth[o.txValid])*port.OutTxValid | uint64(truth[o.indValid])*port.OutIndValid |
		uint64(truth[o.cfgrValid])*port.OutCfgrValid
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets in the middle of a packet, a job and a sweep.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 21))
		spec := Spec{Pdcs: []int{4, 16, 32}[seed%3]}
		m, err := New(spec)
		require.NoError(t, err)
		slow := plainBlock{plainReceiver: newPlain(spec.Pdcs)}
		var rv, cv, tr, ir, cr plain.Pressure
		var in plainIn
		var out plainOut
		var beats []port.Rx
		low, at := 0, 0 // cycles of reset left, cycle of the next one
		for c := range 6000 {
			if c == at {
				low = 1 + rng.IntN(3)
				at += low + 1 + rng.IntN([]int{2 * spec.Pdcs, 3000}[rng.IntN(2)])
			}
			if in.rstN = low == 0; low > 0 {
				low--
				out, beats = plainOut{rxReady: true, cfgReady: true}, nil
			}
			if !in.rxValid || out.rxReady {
				if len(beats) == 0 {
					beats = beatsOf(rng, draw(rng, slow.plainReceiver), rng.Uint32())
				}
				in.rxValid = rv.Draw(rng)
				in.rx = beats[0]
				if in.rxValid {
					beats = beats[1:]
				}
			}
			if !in.cfgValid || out.cfgReady {
				in.cfgValid, in.cfg = cv.Draw(rng) && rng.IntN([]int{8, 80}[seed/3%2]) == 0, drawCfg(rng, slow.plainReceiver)
			}
			in.txReady, in.indReady, in.cfgrReady = tr.Draw(rng), ir.Draw(rng), cr.Draw(rng)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			before := slow.counter
			if !in.rstN && slow.t > 0 && slow.t < spec.Pdcs {
				met["reset in a sweep"]++
			}
			if !in.rstN && slow.job != nil {
				met["reset in a job"]++
			}
			if !in.rstN && len(slow.packet) > 0 {
				met["reset in a packet"]++
			}
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			where := fmt.Sprintf("seed %d cycle %d", seed, c)
			if in.rstN && slow.t >= spec.Pdcs {
				k := rng.IntN(spec.Pdcs)
				same(t, slow.plainReceiver, m.receiver, k, where)
			}
			fifo, credits, inds, answers := m.InUse()
			require.Equal(t, [4]int{slow.q, slow.o, slow.i, slow.x}, [4]int{fifo, credits, inds, answers}, where)
			require.Equal(t, Instant{uint32(slow.tick), uint32(slow.p)}, m.time, where)
			for name, full := range map[string]bool{"no credit": slow.o == 16, "no ind": slow.i == 4,
				"no answer":   slow.x == 4,
				"no response": slow.c == 4, "no cfg FIFO": slow.qc == 2} {
				if full {
					met[name]++
				}
			}
			for name, word := range plainCounters {
				if in.rstN && slow.counter[word] == before[word]+1 {
					met[name]++
				}
			}
		}
	}
	for _, name := range []string{"reset in a sweep", "reset in a job", "reset in a packet", "no credit",
		"no ind", "no answer", "no response", "no cfg FIFO",
		"ACCEPTED", "DUPLICATE", "ASKED", "PROBED", "CLOSED", "EARLY", "REFUSED", "opens", "ACK", "ACK_CC"} {
		require.GreaterOrEqual(t, met[name], 10, "%s hardly met in %v", name, met)
	}
}

// FuzzReceive compares the function of a frame with the plain implementation on any frame, as it is and with its
// checksums set right, and the clocked model with both.
func FuzzReceive(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 9))
	drawn := newPlain(4)
	for range 300 {
		frame := draw(rng, drawn)
		drawn.receive(frame, Instant{}, Instant{})
		f.Add(frame, uint8(rng.Uint32()), uint8(rng.Uint32()), uint32(99), rng.Uint32())
	}
	f.Fuzz(func(t *testing.T, frame []byte, control, mpr uint8, cack, seen uint32) {
		w := newWorld(t, port.RegControl, uint32(control), port.RegMpr, uint32(max(mpr, 1)))
		w.load(0, 7<<16|uint32(control)>>4<<3|uint32(mpr)&6|1, port.WordSrc0, 0x0A000001, port.WordCack, cack,
			port.WordSeen0, seen, port.WordStart, 100)
		b := newBench(t, 4)
		b.m.receiver.cfg = w.r.cfg
		*b.m.receiver.pdcs.rows.Row(0) = *w.r.pdcs.rows.Row(0)
		b.m.receiver.pdcs.changed(0)
		for range 2 {
			reason, ind, answer := w.frame(frame)
			s := b.run(beatsOf(rng, frame, 7), nil, takes, 40+len(frame)/64)
			require.Equal(t, reason == "PASSED", len(s.ind) == 1)
			if len(s.ind) == 1 {
				ind.Tag = 7
				require.Equal(t, ind, s.ind[0])
			}
			require.Len(t, s.tx, (len(answer)+63)/64)
			require.Equal(t, w.r.Words(0), b.m.receiver.Words(0))
			frame = slices.Clone(frame)
			plain.Mend(frame)
		}
	})
}

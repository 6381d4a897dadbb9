package ccc

import (
	"math/rand/v2"
	"testing"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// sweepOut runs the model through reset and sweep; the model is ready in the next cycle.
func sweepOut(m *Model) {
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	m.Cycle(in[:], out[:])
	in[0] = port.InRstN | port.InRspReady
	for range m.Spec().NumContexts {
		m.Cycle(in[:], out[:])
	}
}

// benchRecords holds one event per cycle, over all contexts in rotation: opens first, then ACKs with an occasional
// SEND, in all quadrants.
func benchRecords(contexts, n int) [][port.InWords]uint64 {
	rng := rand.New(rand.NewPCG(1, 2))
	recs := make([][port.InWords]uint64, n)
	for i := range recs {
		now := uint64(1_000_000 + 40*i)
		ev := port.Event{Kind: port.KindAck, Ctx: uint16(i % contexts), Now: now, Profile: uint8(i % 8), PDC: uint8(i % 4)}
		switch {
		case i < contexts:
			ev.Kind = port.KindOpen
		case rng.IntN(4) == 0:
			ev.Kind, ev.Size = port.KindSend, 4096
		default:
			ev.RcvdBytes = uint32(16 * i / contexts)
			ev.TxValid, ev.ServiceTime = true, 1
			ev.TxTime = now - 12000 - rng.Uint64N(20000)
			ev.M = rng.IntN(3) == 0
			ev.AckedPkts = 1
		}
		port.PackEvent(&ev, recs[i][:])
		recs[i][0] |= port.InRstN | port.InEvValid | port.InRspReady
	}
	return recs
}

func benchmarkCycle(b *testing.B, contexts int) {
	m, err := New(specOf(contexts))
	if err != nil {
		b.Fatal(err)
	}
	recs := benchRecords(contexts, 1<<16)
	sweepOut(m)
	var out [port.OutWords]uint64
	cycles, accepted := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		m.Cycle(recs[cycles%len(recs)][:], out[:])
		accepted += int(out[0] & port.OutEvReady)
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
	b.ReportMetric(float64(accepted)/float64(cycles), "events/cycle")
}

func BenchmarkCycle64Contexts(b *testing.B)  { benchmarkCycle(b, 64) }
func BenchmarkCycle256Contexts(b *testing.B) { benchmarkCycle(b, 256) }

// BenchmarkCycleOneContext is the opposite case: every event waits for the one before it.
func BenchmarkCycleOneContext(b *testing.B) {
	m, _ := New(specOf(2))
	sweepOut(m)
	recs := benchRecords(1, 1<<12)
	var out [port.OutWords]uint64
	cycles := 0
	for b.Loop() {
		m.Cycle(recs[cycles%len(recs)][:], out[:])
		cycles++
	}
	b.ReportMetric(float64(cycles)/b.Elapsed().Seconds(), "cycles/s")
}

package egress

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// pressure draws a valid or ready signal, in phases of different density.
type pressure struct{ left, percent int }

func (p *pressure) draw(r *rand.Rand) bool {
	if p.left == 0 {
		p.left = 1 + r.IntN(200)
		p.percent = []int{0, 5, 50, 95, 100, 100}[r.IntN(6)]
	}
	p.left--
	return r.IntN(100) < p.percent
}

// drawEnq mostly draws packets about as large as the small limits that drawConfig sets, and occasionally any other
// event.
func drawEnq(r *rand.Rand, spec Spec) port.Enq {
	e := port.Enq{
		Port: uint8(r.IntN(spec.NumPorts)), Cls: port.Cls([]int{0, 0, 0, 0, 1, 2}[r.IntN(6)]),
		Len: uint16(r.IntN(1500)), Trimmable: r.IntN(4) > 0, Ect: r.IntN(4) > 0, LastHop: r.IntN(2) == 0,
		Id: r.Uint32(), Addr: uint8(r.IntN(32)), Data: r.Uint32(),
	}
	e.TrimSize = uint16([]int{0, 64, 64, 1 + r.IntN(300), r.IntN(1500)}[r.IntN(5)])
	switch r.IntN(30) {
	case 0:
		e.Kind = port.KindLoad
		e.Addr %= 16
		if r.IntN(3) == 0 {
			e.Data = uint32(r.IntN(4))
		}
	case 1, 2, 3:
		e.Kind = port.KindRead
		e.Addr %= 16
	case 4:
		e.Kind = port.KindCfgWrite
		e.Addr %= 22
		e.Data = drawReg(r, int(e.Addr))
	case 5:
		e.Kind = port.KindCfgRead
		e.Addr %= 22
	case 6:
		e.Kind = port.Kind(r.IntN(16))
		e.Port, e.Cls = uint8(r.Uint32()), port.Cls(r.IntN(4))
	case 7:
		e.Len = uint16(r.Uint32())
	case 8:
		e.TrimSize = uint16(r.Uint32())
	}
	return e
}

// drawReg draws a value near the thresholds of the rules for packets of about 1,000 bytes.
func drawReg(r *rand.Rand, addr int) uint32 {
	if r.IntN(20) == 0 {
		return r.Uint32() >> r.IntN(32)
	}
	switch addr {
	case port.RegTrimEn, port.RegECNMode, port.RegSched:
		return uint32(r.IntN(4))
	case port.RegQuantumLow, port.RegQuantumMed, port.RegQuantumHigh:
		return uint32(r.IntN(2500))
	case port.RegPMax:
		return uint32(r.IntN(1 << 17))
	case port.RegShared:
		return uint32(5000 + r.IntN(60000))
	case port.RegKMin, port.RegXon:
		return uint32(r.IntN(4000))
	}
	return uint32(2000 + r.IntN(8000))
}

func pack(in *plainIn, rec []uint64) {
	clear(rec)
	port.PackEnq(&in.enq, rec)
	port.PackDeq(&in.deq, rec)
	setBit(&rec[0], in.rstN, port.InRstN)
	setBit(&rec[0], in.enqValid, port.InEnqValid)
	setBit(&rec[0], in.deqValid, port.InDeqValid)
	setBit(&rec[0], in.enqrReady, port.InEnqrReady)
	setBit(&rec[0], in.deqrReady, port.InDeqrReady)
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	if o.enqrValid {
		port.PackEnqr(&o.enqr, rec)
	}
	if o.deqrValid {
		port.PackDeqr(&o.deqr, rec)
	}
	setBit(&rec[0], o.enqReady, port.OutEnqReady)
	setBit(&rec[0], o.deqReady, port.OutDeqReady)
	setBit(&rec[0], o.enqrValid, port.OutEnqrValid)
	setBit(&rec[0], o.deqrValid, port.OutDeqrValid)
}

func setBit(w *uint64, on bool, bit uint64) {
	if on {
		*w |= bit
	}
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets in the middle of a stream and of a sweep.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 11))
		spec := Spec{NumPorts: 1 + rng.IntN(5), Depth: 2 << rng.IntN(4)}
		m, err := New(spec)
		require.NoError(t, err)
		slow := plainBlock{plainQueues: plainQueues{spec: spec}}
		slow.reset()
		var ev, dv, er, dr pressure
		var in plainIn
		var out plainOut
		resets := 0
		setup := 0
		for c := range 4000 {
			if rng.IntN(900) == 0 || c == 0 {
				resets = 1 + rng.IntN(3)
			}
			in.rstN = resets == 0
			if resets > 0 {
				resets--
				setup = port.NumRegs
				if rng.IntN(8) == 0 {
					resets = 2 * rng.IntN(2) // again during the sweep
				}
				out = plainOut{enqReady: true, deqReady: true} // a reset may withdraw an offer
			}
			if !in.enqValid || out.enqReady {
				in.enqValid, in.enq = ev.draw(rng), drawEnq(rng, spec)
				if in.enqValid && in.rstN && setup > 0 && seed > 0 {
					setup--
					in.enq = port.Enq{Kind: port.KindCfgWrite, Addr: uint8(setup), Data: drawReg(rng, setup)}
				}
			}
			if !in.deqValid || out.deqReady {
				in.deqValid = dv.draw(rng)
				in.deq.Port = uint8(rng.IntN(spec.NumPorts))
				if rng.IntN(40) == 0 {
					in.deq.Port = uint8(rng.Uint32())
				}
			}
			in.enqrReady, in.deqrReady = er.draw(rng), dr.draw(rng)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			pack(&in, rec[:])
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			tally(met, &out)
		}
	}
	for _, name := range []string{
		"verdict NONE", "verdict ADMIT", "verdict TRIM", "verdict DROP", "cause LIMIT", "cause SHARED", "cause FULL",
		"cause UNTRIMMABLE",
		"trimmed and dropped", "enq refused", "deq refused", "empty", "ce", "no ce", "xoff", "xon",
		"served LOW", "served MEDIUM", "served HIGH", "trimmed served", "last hop served", "read",
	} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

func tally(met map[string]int, o *plainOut) {
	note := func(on bool, name string) {
		if on {
			met[name]++
		}
	}
	if r := &o.enqr; o.enqrValid {
		note(true, fmt.Sprint("verdict ", r.Verdict))
		note(true, fmt.Sprint("cause ", r.Cause))
		note(r.Trimmed && r.Verdict == port.VerdictDrop, "trimmed and dropped")
		note(r.Refused, "enq refused")
		note(r.Xoff, "xoff")
		note(r.Verdict != 0 && !r.Xoff, "xon")
		note(r.Kind == port.KindRead && r.Data != 0, "read")
	}
	if r := &o.deqr; o.deqrValid {
		note(r.Refused, "deq refused")
		note(r.Empty, "empty")
		if !r.Refused && !r.Empty {
			note(true, fmt.Sprint("served ", r.Cls))
			note(r.Ce, "ce")
			note(!r.Ce, "no ce")
			note(r.Trimmed, "trimmed served")
			note(r.LastHop, "last hop served")
		}
	}
}

package switchport

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	pe "github.com/goldwire/goldwire/vectors/event/egress"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// pressure draws a valid or ready signal, in phases of different density.
type pressure struct{ left, percent int }

func (p *pressure) draw(r *rand.Rand) bool {
	if p.left == 0 {
		p.left = 1 + r.IntN(300)
		p.percent = []int{0, 5, 50, 95, 100, 100}[r.IntN(6)]
	}
	p.left--
	return r.IntN(100) < p.percent
}

// beatsOf cuts a frame into beats, with the fields of the ingress side in the first beat and random data where the
// block must not look.
func beatsOf(r *rand.Rand, frame []byte, h header) (beats []port.Rx) {
	n := max(1, (len(frame)+63)/64)
	for i := range n {
		x := port.Rx{
			Keep: r.Uint64(), Last: i == n-1, Port: uint8(r.Uint32()), InPort: uint8(r.Uint32()), Cls: port.Cls(r.IntN(4)),
			Trimmable: r.IntN(2) == 0, Ect: r.IntN(2) == 0, LastHop: r.IntN(2) == 0, Id: r.Uint32(),
		}
		if i == 0 {
			x.Port, x.InPort, x.Cls, x.Id = h.port, h.inPort, h.cls, h.id
			x.Trimmable, x.Ect, x.LastHop = h.trimmable, h.ect, h.lastHop
		}
		for k := range 64 {
			v := byte(r.Uint32())
			if 64*i+k < len(frame) {
				v = frame[64*i+k]
			}
			x.Data[k/8] |= uint64(v) << (8 * (k % 8))
		}
		if x.Last {
			have := uint(len(frame) - 64*i)
			x.Keep = x.Keep<<1<<have | (1<<have - 1)
			if have == 64 {
				x.Keep = 1<<64 - 1
			}
		}
		beats = append(beats, x)
	}
	return beats
}

func drawPacket(r *rand.Rand, spec Spec) []port.Rx {
	h := header{
		id: r.Uint32(), port: uint8(r.IntN(spec.NumPorts)), inPort: uint8(r.IntN(spec.NumPorts)),
		cls:       port.Cls([]int{0, 0, 0, 0, 1, 2}[r.IntN(6)]),
		trimmable: r.IntN(3) > 0, ect: r.IntN(2) == 0, lastHop: r.IntN(2) == 0,
	}
	switch r.IntN(40) {
	case 0:
		h.port, h.cls = uint8(r.Uint32()), port.Cls(r.IntN(4))
	case 1:
		return beatsOf(r, make([]byte, 64*(142+r.IntN(5))+r.IntN(64)), h)
	}
	return beatsOf(r, frames.DrawTelemetry(r), h)
}

// drawCfg draws limits near the size of a few packets, and occasionally any other event.
func drawCfg(r *rand.Rand, spec Spec) port.Cfg {
	e := port.Cfg{
		Target: port.Target(r.IntN(4)), Kind: uint8(r.IntN(8)), Port: uint8(r.IntN(spec.NumPorts + 1)),
		Cls:  port.Cls(r.IntN(4)),
		Addr: uint8(r.IntN(22)), Data: r.Uint32(),
	}
	if r.IntN(2) > 0 {
		e.Target, e.Kind = port.TargetEgress, uint8(pe.KindCfgWrite)
		if r.IntN(2) > 0 {
			e.Addr = []uint8{pe.RegTrim, pe.RegTrimLasthop, pe.RegSched, pe.RegECNMode, pe.RegKMin}[r.IntN(5)]
		}
	}
	if e.Kind == uint8(pe.KindCfgWrite) {
		switch {
		case e.Target == port.TargetEgress && e.Addr < 16:
			e.Data = uint32(r.IntN(4000))
		case e.Target == port.TargetIntmd && e.Addr < 4: // the numbers of the packets
			e.Kind++
		}
	}
	if e.Target == port.TargetTrimmer {
		e.Kind = uint8(pt.KindCfgWrite)
		switch e.Addr = uint8(r.IntN(8)); e.Addr {
		case pt.RegTrimSize, pt.RegMinSize:
			e.Data = uint32(r.IntN(260))
		case pt.RegUdpPort:
			e.Data = 4793 + uint32(r.IntN(4)/3)
		}
	}
	return e
}

func (in *plainIn) pack(rec []uint64) {
	clear(rec)
	port.PackRx(&in.rx, rec)
	port.PackGrant(&in.grant, rec)
	port.PackCfg(&in.cfg, rec)
	for i, on := range []bool{in.rstN, in.rxValid, in.grantValid, in.cfgValid, in.txReady, in.noteReady, in.grReady,
		in.cfgrReady} {
		if on {
			rec[0] |= 1 << i
		}
	}
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	if o.txValid {
		port.PackTx(&o.tx, rec)
	}
	if o.noteValid {
		port.PackNote(&o.note, rec)
	}
	if o.grValid {
		port.PackGr(&o.gr, rec)
	}
	if o.cfgrValid {
		port.PackCfgr(&o.cfgr, rec)
	}
	for i, on := range []bool{o.rxReady, o.grantReady, o.cfgReady, o.txValid, o.noteValid, o.grValid, o.cfgrValid} {
		if on {
			rec[0] |= 1 << i
		}
	}
}

// TestModelMatchesPlainGlue compares the clocked model with the plain glue, cycle by cycle on packed records, under
// idle and back-pressure patterns and resets in the middle of a packet.
func TestModelMatchesPlainGlue(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 41))
		spec := Spec{NumPorts: []int{1, 3, 4, 9}[seed%4], Depth: []int{2, 4, 64}[seed%3],
			Slots: []int{2, 4, 8, 32, 128}[seed%5]}
		m, err := New(spec)
		require.NoError(t, err)
		slow := newPlain(spec)
		var rv, gv, cv, tr, nr, gr, cr pressure
		var in plainIn
		var out plainOut
		var beats []port.Rx
		resets := 0
		for c := range 8000 {
			if rng.IntN(2500) == 0 || c == 0 {
				resets = 1 + rng.IntN(3)
			}
			in.rstN = resets == 0
			if resets > 0 {
				resets--
				out, beats = plainOut{rxReady: true, grantReady: true, cfgReady: true}, nil
			}
			if !in.rxValid || out.rxReady {
				if len(beats) == 0 {
					beats = drawPacket(rng, spec)
				}
				in.rxValid, in.rx = rv.draw(rng), beats[0]
				if in.rxValid {
					beats = beats[1:]
				}
			}
			if !in.grantValid || out.grantReady {
				in.grantValid, in.grant.Port = gv.draw(rng), uint8(rng.IntN(spec.NumPorts))
				if rng.IntN(40) == 0 {
					in.grant.Port = uint8(rng.Uint32())
				}
			}
			if !in.cfgValid || out.cfgReady {
				in.cfgValid, in.cfg = cv.draw(rng) && rng.IntN(8) == 0, drawCfg(rng, spec)
			}
			in.txReady, in.noteReady, in.grReady, in.cfgrReady = tr.draw(rng), nr.draw(rng), gr.draw(rng), cr.draw(rng)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			if out.noteValid {
				met[fmt.Sprint("note ", out.note.Verdict, out.note.Cause, out.note.Refused)]++
			}
			if out.grValid {
				met[fmt.Sprint("gr ", out.gr.Cls, out.gr.Empty, out.gr.Refused, out.gr.Trimmed)]++
			}
			if out.txValid {
				met[fmt.Sprint("tx ", out.tx.Inserted)]++
			}
			if out.cfgrValid {
				met[fmt.Sprint("cfgr ", out.cfgr.Target, out.cfgr.Refused)]++
			}
		}
		met["packets"] += slow.packets
		met["full"] += slow.full
		met["reader first"] += slow.arbitral
		met["waits for its verdict"] += slow.waits
		met["verdict with its answer there"] += slow.justJudged
	}
	for _, name := range []string{
		"packets", "full", "reader first", "waits for its verdict", "verdict with its answer there", "note ADMIT NONE false",
		"note TRIM NONE false", "note DROP LIMIT false", "note DROP SHARED false", "note DROP FULL false",
		"note DROP UNTRIMMABLE false", "note NONE NONE true",
		"gr LOW false false false", "gr MEDIUM false false true", "gr MEDIUM false false false", "gr HIGH false false false",
		"gr LOW true false false", "gr LOW false true false", "tx true", "tx false", "cfgr EGRESS false", "cfgr EGRESS true",
		"cfgr TRIMMER false", "cfgr TRIMMER true", "cfgr INTMD false", "cfgr INTMD true", "cfgr Target(3) true",
	} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

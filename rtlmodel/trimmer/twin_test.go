package trimmer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
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

// beatsOf cuts a frame into beats, with the sideband in the first beat and random data where the block must not look.
func beatsOf(r *rand.Rand, frame []byte, side Side, tag uint32) (beats []port.Rx) {
	n := max(1, (len(frame)+63)/64)
	if len(frame)%64 == 0 && len(frame) > 0 && r.IntN(4) == 0 {
		n++ // a last beat without valid bytes
	}
	for i := range n {
		x := port.Rx{
			Keep: r.Uint64(), Last: i == n-1, Trim: r.IntN(2) == 0, LastHop: r.IntN(2) == 0, Ce: r.IntN(2) == 0,
			Len: uint16(r.Uint32()), Tag: r.Uint32(), TrimSize: uint16(r.IntN(512)),
		}
		if i == 0 {
			x.Trim, x.LastHop, x.Ce, x.Len, x.Tag, x.TrimSize = side.Trim, side.LastHop, side.CE, side.Len, tag, side.TrimSize
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

func drawPacket(r *rand.Rand) []port.Rx {
	frame := frames.Draw(r)
	side := Side{Trim: r.IntN(4) > 0, LastHop: r.IntN(2) == 0, CE: r.IntN(2) == 0, Len: uint16(len(frame))}
	if r.IntN(10) == 0 {
		side.Len = uint16(r.IntN(2 * (len(frame) + 1)))
	}
	if r.IntN(6) == 0 {
		side.Trim, side.CE = false, false
	}
	side.TrimSize = drawTrimSize(r, frame)
	return beatsOf(r, frame, side, r.Uint32())
}

// drawTrimSize draws a size decided elsewhere: none, one at the end of the headers, one from the registers, or any.
func drawTrimSize(r *rand.Rand, frame []byte) uint16 {
	switch r.IntN(6) {
	case 0:
		return uint16(r.IntN(512))
	case 1:
		return uint16(256 + r.IntN(3) - 1)
	case 2:
		return uint16(58 + r.IntN(50)) // at least the shortest headers
	case 3:
		return uint16(min(max(len(frame)+r.IntN(5)-3, 0), 511))
	}
	return 0
}

func drawCfg(r *rand.Rand) port.Cfg {
	e := port.Cfg{Kind: port.Kind(1 + r.IntN(4)), Addr: uint8(r.IntN(16)), Data: r.Uint32()}
	switch r.IntN(8) {
	case 0:
		e.Kind, e.Addr = port.Kind(r.IntN(16)), uint8(r.IntN(32))
	case 1, 2:
		e.Kind, e.Addr, e.Data = port.KindCfgWrite, uint8(r.IntN(2)), uint32(r.IntN(260))
	case 3:
		e.Kind, e.Addr, e.Data = port.KindCfgWrite, uint8(3+r.IntN(2)), r.Uint32()
	}
	if e.Kind == port.KindCfgWrite && e.Addr == port.RegUdpPort && r.IntN(20) > 0 {
		e.Data = 4793 // otherwise nothing is trimmed any more
	}
	return e
}

func (in *plainIn) pack(rec []uint64) {
	clear(rec)
	port.PackRx(&in.rx, rec)
	port.PackCfg(&in.cfg, rec)
	setBit(&rec[0], in.rstN, port.InRstN)
	setBit(&rec[0], in.rxValid, port.InRxValid)
	setBit(&rec[0], in.cfgValid, port.InCfgValid)
	setBit(&rec[0], in.txReady, port.InTxReady)
	setBit(&rec[0], in.cfgrReady, port.InCfgrReady)
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	if o.txValid {
		port.PackTx(&o.tx, rec)
	}
	if o.cfgrValid {
		port.PackCfgr(&o.cfgr, rec)
	}
	setBit(&rec[0], o.rxReady, port.OutRxReady)
	setBit(&rec[0], o.cfgReady, port.OutCfgReady)
	setBit(&rec[0], o.txValid, port.OutTxValid)
	setBit(&rec[0], o.cfgrValid, port.OutCfgrValid)
}

func setBit(w *uint64, on bool, bit uint64) {
	if on {
		*w |= bit
	}
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets in the middle of a packet.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 21))
		m := New()
		var slow plainBlock
		slow.reset()
		var rv, cv, tr, cr pressure
		var in plainIn
		var out plainOut
		var beats []port.Rx
		resets := 0
		for c := range 6000 {
			if rng.IntN(1500) == 0 || c == 0 {
				resets = 1 + rng.IntN(3)
			}
			in.rstN = resets == 0
			if resets > 0 {
				resets--
				out, beats = plainOut{rxReady: true, cfgReady: true}, nil
			}
			if !in.rxValid || out.rxReady {
				if len(beats) == 0 {
					beats = drawPacket(rng)
				}
				in.rxValid = rv.draw(rng)
				in.rx = beats[0]
				if in.rxValid {
					beats = beats[1:]
				}
			}
			if !in.cfgValid || out.cfgReady {
				in.cfgValid, in.cfg = cv.draw(rng) && rng.IntN(4) == 0, drawCfg(rng)
			}
			in.txReady, in.cfgrReady = tr.draw(rng), cr.draw(rng)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			if x := out.tx; out.txValid && in.txReady && x.Last {
				met[x.Cause.String()]++
				if x.Trimmed {
					met["trimmed"]++
				}
				if x.Marked {
					met["marked"]++
				}
				if x.Trimmed && x.Marked {
					met["both"]++
				}
			}
			if out.cfgrValid {
				met[fmt.Sprint(out.cfgr.Kind, " ", out.cfgr.Refused)]++
			}
		}
	}
	names := []string{"trimmed", "marked", "both", "READ false", "LOAD false", "LOAD true", "CFG_WRITE false",
		"CFG_WRITE true", "CFG_READ false"}
	for c := range port.Cause(port.NumCauses) {
		names = append(names, c.String())
	}
	for _, name := range names {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// TestTrimMatchesPlainTwin compares the function on whole frames, also with registers at the ends of their ranges.
func TestTrimMatchesPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	met := map[Result]int{}
	for i := range 60000 {
		frame := frames.Draw(rng)
		cfg := DefaultConfig()
		if i%2 == 0 {
			cfg[port.RegTrimSize], cfg[port.RegMinSize] = uint32(rng.IntN(257)), uint32(rng.IntN(257))
			cfg[port.RegDscpTrimmed], cfg[port.RegDscpLasthop] = uint32(rng.IntN(64)), uint32(rng.IntN(64))
		}
		side := Side{Trim: rng.IntN(5) > 0, LastHop: rng.IntN(2) == 0, CE: rng.IntN(2) == 0,
			Len:      uint16(len(frame) - rng.IntN(3)/2),
			TrimSize: drawTrimSize(rng, frame)}
		before := string(frame)
		got, res := Trim(&cfg, frame, side)
		require.Equal(t, before, string(frame), "the input is not changed")
		want, wantRes := plainTrim(cfg[:], frame, (len(frame)+63)/64, side)
		require.Equal(t, wantRes, res, "%x %+v", frame, side)
		require.Equal(t, string(want), string(got), "%x %+v", frame, side)
		met[Result{Trimmed: res.Trimmed, Marked: res.Marked, Cause: res.Cause}]++
	}
	require.GreaterOrEqual(t, len(met), 4+2*10-3, "%v", met) // TRUNCATED, ETHERTYPE and HEADER never mark
}

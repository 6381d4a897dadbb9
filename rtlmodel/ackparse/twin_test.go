package ackparse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

func drawCfg(r *rand.Rand) port.Cfg {
	e := port.Cfg{Kind: port.Kind(1 + r.IntN(4)), Addr: uint8(r.IntN(24)), Data: r.Uint32()}
	switch r.IntN(8) {
	case 0:
		e.Kind, e.Addr = port.Kind(r.IntN(16)), uint8(r.IntN(32))
	case 1, 2:
		e.Kind, e.Addr, e.Data = port.KindCfgWrite, uint8(3+r.IntN(2)), uint32(r.IntN(22))
	case 3:
		e.Kind, e.Addr = port.KindCfgWrite, uint8(r.IntN(6))
	case 4:
		e.Kind, e.Addr = port.KindCfgRead, uint8(r.IntN(6))
	}
	if e.Kind == port.KindCfgWrite && r.IntN(20) > 0 { // otherwise hardly a packet is passed on any more
		switch e.Addr {
		case port.RegUdpPort:
			e.Data = 4793
		case port.RegNative:
			e.Data = 253
		}
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
	setBit(&rec[0], in.recReady, port.InRecReady)
	setBit(&rec[0], in.cfgrReady, port.InCfgrReady)
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	if o.recValid {
		copy(rec, o.rec[:])
	}
	if o.cfgrValid {
		port.PackCfgr(&o.cfgr, rec)
	}
	setBit(&rec[0], o.rxReady, port.OutRxReady)
	setBit(&rec[0], o.cfgReady, port.OutCfgReady)
	setBit(&rec[0], o.recValid, port.OutRecValid)
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
		var rv, cv, rr, cr plain.Pressure
		var in plainIn
		var out plainOut
		var beats []port.Rx
		resets, ended := 0, 0
		for c := range 5000 {
			if rng.IntN(1500) == 0 || c == 0 {
				resets = 1 + rng.IntN(3)
			}
			in.rstN = resets == 0
			if resets > 0 {
				resets--
				out, beats, ended = plainOut{rxReady: true, cfgReady: true}, nil, 0
			}
			if !in.rxValid || out.rxReady {
				if len(beats) == 0 {
					beats = plain.BeatsOf(rng, draw(rng), rng.Uint32())
				}
				in.rxValid = rv.Draw(rng)
				in.rx = beats[0]
				if in.rxValid {
					beats = beats[1:]
				}
			}
			if !in.cfgValid || out.cfgReady {
				in.cfgValid, in.cfg = cv.Draw(rng) && rng.IntN(4) == 0, drawCfg(rng)
			}
			in.recReady, in.cfgrReady = rr.Draw(rng), cr.Draw(rng)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			require.Equal(t, slow.counter, [22]uint32(m.Counters()), "seed %d cycle %d", seed, c)
			fifo, credits := m.InUse()
			require.Equal(t, [2]int{slow.q, slow.o}, [2]int{fifo, credits}, "seed %d cycle %d", seed, c)
			for ; ended < len(slow.ended); ended++ {
				met[plainNames[slow.ended[ended].number]]++
			}
			if slow.o == 16 {
				met["no credit"]++
			}
			if out.cfgrValid {
				met[fmt.Sprint(out.cfgr.Kind, " ", out.cfgr.Refused)]++
			}
		}
	}
	names := append([]string{"no credit", "READ false", "READ true", "LOAD false", "LOAD true", "CFG_WRITE false",
		"CFG_WRITE true", "CFG_READ false", "CFG_READ true"}, plainNames[1:]...)
	for _, name := range names {
		require.GreaterOrEqual(t, met[name], 10, "%s hardly met in %v", name, met)
	}
}

// drawConfig draws registers, half of them those after reset.
func drawConfig(r *rand.Rand) Config {
	cfg := DefaultConfig()
	if r.IntN(2) == 0 {
		cfg[port.RegControl] = uint32(r.IntN(2))
		cfg[port.RegAckState], cfg[port.RegNackState] = uint32(r.IntN(21)), uint32(1+r.IntN(16))
		if r.IntN(8) == 0 {
			cfg[port.RegNative] = []uint32{17, 0, 6, 44, 58, 1}[r.IntN(6)]
		}
	}
	return cfg
}

// hold compares Parse with the plain implementation on one frame and returns the verdict and the packed record.
func hold(t *testing.T, cfg *Config, frame []byte) (Verdict, [port.OutWords]uint64) {
	before := string(frame)
	var rec port.Rec
	var got [port.OutWords]uint64
	v := Parse(cfg, frame, &rec)
	port.PackRec(&rec, got[:])
	name, want := plainParse(cfg[:], frame)
	if name != v.String() || want != got {
		require.Equal(t, name, v.String(), "%x %v", frame, cfg)
		require.Equal(t, want, got, "%s %x %v", name, frame, cfg)
	}
	require.Equal(t, before, string(frame), "the frame is not changed")
	return v, got
}

// TestParseMatchesPlainTwin compares the function on whole frames, also with registers at the ends of their ranges.
func TestParseMatchesPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	met := map[Verdict]int{}
	for range 30000 {
		cfg := drawConfig(rng)
		v, _ := hold(t, &cfg, draw(rng))
		met[v]++
	}
	for v := Verdict(1); v < port.NumWords; v++ {
		require.GreaterOrEqual(t, met[v], 50, "%v hardly met in %v", v, met)
	}
}

// FuzzParse compares Parse with the plain implementation on any frame, as it is and with its checksums set right, and
// the record that the clocked model gives.
func FuzzParse(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		cfg := drawConfig(rng)
		f.Add(draw(rng), uint16(cfg[0]), uint8(cfg[1]), uint8(cfg[2]), uint8(cfg[3]), uint8(cfg[4]))
	}
	f.Fuzz(func(t *testing.T, frame []byte, udpPort uint16, native, control, ackState, nackState uint8) {
		cfg := Config{uint32(udpPort), uint32(native), uint32(control % 2), uint32(ackState % 21),
			uint32(1 + nackState%16)}
		hold(t, &cfg, frame)
		frame = slices.Clone(frame)
		plain.Mend(frame)
		v, _ := hold(t, &cfg, frame)

		b := newBench(t)
		b.m.cfg = cfg
		_, recs, _ := b.run(plain.BeatsOf(rand.New(rand.NewPCG(1, 9)), frame, 7), 1, 30+len(frame)/64)
		require.Equal(t, v.Passed(), len(recs) == 1)
		if v.Passed() {
			var want port.Rec
			Parse(&cfg, frame, &want)
			want.Tag = 7
			require.Equal(t, want, recs[0])
		}
		want := Counters{0: 1}
		want[v] = 1
		require.Equal(t, want, b.m.Counters())
	})
}

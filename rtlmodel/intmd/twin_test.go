package intmd

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
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

// newPacket cuts a frame into beats, with the sideband in the first beat and random data where the block must not look.
func newPacket(r *rand.Rand, frame []byte, side Side) *plainPacket {
	k := &plainPacket{frame: frame, side: side}
	n := max(1, (len(frame)+63)/64)
	if len(frame)%64 == 0 && len(frame) > 0 && r.IntN(3) == 0 {
		n++ // a last beat without valid bytes
	}
	for i := range n {
		x := port.Rx{Keep: r.Uint64(), Last: i == n-1, Len: uint16(r.Uint32()), InPort: uint8(r.Uint32()),
			OutPort: uint8(r.Uint32())}
		if i == 0 {
			x.Len, x.InPort, x.OutPort = side.Len, side.InPort, side.OutPort
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
		k.beats = append(k.beats, x)
	}
	return k
}

// drawPacket draws a packet, occasionally one with a wrong len.
func drawPacket(r *rand.Rand, numPorts int) *plainPacket {
	frame := frames.DrawTelemetry(r)
	side := Side{Len: uint16(len(frame)), InPort: uint8(r.IntN(numPorts)), OutPort: uint8(r.IntN(numPorts))}
	switch r.IntN(20) {
	case 0:
		side.InPort, side.OutPort = uint8(r.Uint32()), uint8(r.Uint32())
	case 1:
		side.Len = uint16(r.IntN(2 * (len(frame) + 1)))
	case 2, 3: // cut after the head: F_act around I
		if len(frame) > 130 {
			frame = frame[:129+r.IntN(len(frame)-129)]
		}
	}
	return newPacket(r, frame, side)
}

func drawCfg(r *rand.Rand, numPorts int) port.Cfg {
	e := port.Cfg{Kind: port.Kind(1 + r.IntN(6)), Port: uint8(r.IntN(numPorts + 1)), Addr: uint8(r.IntN(20)),
		Data: r.Uint32()}
	if r.IntN(10) == 0 {
		e.Kind, e.Port, e.Addr = port.Kind(r.IntN(16)), uint8(r.Uint32()), uint8(r.IntN(32))
	}
	if e.Kind == port.KindCfgWrite {
		e.Addr %= 8
		switch e.Addr {
		case port.RegMode:
			e.Data = 3 - uint32(r.IntN(4)*r.IntN(2))
		case port.RegUdpPort, port.RegMagic:
			if r.IntN(20) > 0 {
				e.Data = uint32(port.RegInfo[e.Addr].Reset)
			}
		case port.RegMaxFrame:
			e.Data = uint32([]int{100, 200, 400, 9216, 9216}[r.IntN(5)])
		case port.RegPeriod:
			e.Data = uint32(r.IntN(6) * r.IntN(2))
		}
	}
	return e
}

func (in *plainIn) pack(rec []uint64) {
	clear(rec)
	port.PackRx(&in.rx.rx, rec)
	port.PackCnt(&in.cnt, rec)
	port.PackCfg(&in.cfg, rec)
	setBit(&rec[0], in.rstN, port.InRstN)
	setBit(&rec[0], in.rxValid, port.InRxValid)
	setBit(&rec[0], in.cntValid, port.InCntValid)
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
	setBit(&rec[0], o.cntReady, port.OutCntReady)
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
// under idle and back-pressure patterns and resets in the middle of a packet and of a sweep.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 31))
		spec := Spec{NumPorts: []int{1, 4, 7, 64}[seed%4]}
		m, err := New(spec)
		require.NoError(t, err)
		slow := plainBlock{numPorts: spec.NumPorts}
		slow.reset()
		var rv, nv, cv, tr, cr pressure
		var in plainIn
		var out plainOut
		packet, next := &plainPacket{}, 0
		resets := 0
		for c := range 6000 {
			if rng.IntN(1500) == 0 || c == 0 {
				resets = 1 + rng.IntN(3)
			}
			in.rstN = resets == 0
			if resets > 0 {
				resets--
				if rng.IntN(8) == 0 {
					resets = 2 * rng.IntN(2)
				}
				out = plainOut{rxReady: true, cntReady: true, cfgReady: true}
				packet = &plainPacket{}
				next = 0
			}
			if !in.rxValid || out.rxReady {
				if next == len(packet.beats) {
					packet, next = drawPacket(rng, spec.NumPorts), 0
				}
				in.rxValid = rv.draw(rng)
				in.rx = plainBeat{packet.beats[next], packet, next}
				if in.rxValid {
					next++
				}
			}
			if !in.cntValid || out.cntReady {
				in.cntValid = nv.draw(rng)
				in.cnt = port.Cnt{Port: uint8(rng.IntN(spec.NumPorts)), Op: port.Op(rng.IntN(2)), TxBytes: rng.Uint32(),
					Qlen: rng.Uint32() >> rng.IntN(32)}
				if rng.IntN(30) == 0 {
					in.cnt.Port = uint8(rng.Uint32())
				}
			}
			if !in.cfgValid || out.cfgReady {
				in.cfgValid, in.cfg = cv.draw(rng) && rng.IntN(4) == 0, drawCfg(rng, spec.NumPorts)
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
			}
			if out.cfgrValid {
				met[fmt.Sprint(out.cfgr.Kind, " ", out.cfgr.Refused)]++
			}
		}
		met["added"] += int(m.Counters()[port.WordAddedBeats])
		met["bad reports"] += int(m.Counters()[port.WordBadReports])
	}
	names := []string{"added", "bad reports"}
	for k := range port.Kind(port.NumKinds) {
		names = append(names, fmt.Sprint(k+1, " false"), fmt.Sprint(k+1, " true"))
	}
	for c := range port.Cause(port.NumCauses) {
		names = append(names, c.String())
	}
	for _, name := range names {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// TestInsertMatchesPlainTwin compares the function on whole frames.
func TestInsertMatchesPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	met := map[port.Cause]int{}
	cuts := 0
	for range 60000 {
		k := drawPacket(rng, 5)
		cfg := DefaultConfig()
		cfg[port.RegMode] = 3 - uint32(rng.IntN(4)*rng.IntN(2)*rng.IntN(2))
		cfg[port.RegMaxFrame] = uint32([]int{100, 9216, 9216, 9216}[rng.IntN(4)])
		entry := rng.Uint64()
		before := string(k.frame)
		got, res := Insert(&cfg, 4, k.frame, k.side, func(p int) uint64 { return entry + uint64(p) })
		require.Equal(t, before, string(k.frame), "the input is not changed")
		want := k.frame
		p := plainDecide(cfg[:], 4, k.frame, (len(k.frame)+63)/64, k.side)
		if p.cause == 0 {
			want = plainInsert(k.frame, p, entry+uint64(p.index))
			require.Equal(t, uint8(p.hops), res.Hops)
			cuts += num(len(want) == len(k.frame))
		}
		require.Equal(t, p.cause, res.Cause, "%x", k.frame)
		require.Equal(t, p.cause == 0, res.Inserted)
		require.Equal(t, string(want), string(got), "%x", k.frame)
		met[res.Cause]++
	}
	require.Len(t, met, port.NumCauses, "%v", met)
	require.NotZero(t, cuts, "a frame that ends before I")
}

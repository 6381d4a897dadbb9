package txstate

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/clk/plain"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// table is a deliberately simple implementation of contract.md: one map of existing entries, and the table of kinds
// line by line.
type table struct {
	spec  Spec
	shift uint8
	rows  map[[2]int]State // only valid entries
}

func (p *table) reset() { p.shift, p.rows = 7, map[[2]int]State{} }

func (p *table) apply(e port.Event) port.Response {
	r := port.Response{Kind: e.Kind, PDC: e.PDC, PSN: e.PSN}
	if e.Kind == 6 || e.Kind == 7 {
		r.Refused = true
		return r
	}
	if e.Kind == port.KindCfgWrite {
		p.shift = e.TimeShift
		return r
	}
	if int(e.PDC) >= p.spec.NumPdcs {
		r.NoPDC = true
		return r
	}
	at := [2]int{int(e.PDC), int(e.PSN) % p.spec.Depth}
	old, valid := p.rows[at]
	hit := valid && old.PSN == e.PSN
	put := func(count uint8) {
		p.rows[at] = State{Valid: true, PSN: e.PSN, TxTime: e.Now, RtxCount: count}
		r.TxTime, r.RtxCount = e.Now, count
	}
	switch {
	case e.Kind == port.KindSend && hit:
		r.Found = true
		put([]uint8{1, 2, 2}[old.RtxCount])
	case e.Kind == port.KindSend && !e.IsRtx:
		put(0)
		r.Evicted = valid
	case e.Kind == port.KindSend:
		put(2)
		r.Evicted, r.UnknownRtx = valid, true
	case (e.Kind == port.KindAck || e.Kind == port.KindNack) && hit:
		r.Found, r.TxTime, r.RtxCount = true, old.TxTime, old.RtxCount
		raw := int64(e.Now) - int64(old.TxTime)
		usable := true
		if e.Kind == port.KindAck {
			raw -= int64(e.ServiceTime) << p.shift
			usable = e.ServiceTime != 0 && e.ServiceTime != 0xFFFF
			delete(p.rows, at)
		}
		raw = (raw + 1<<49) % (1 << 48)
		ok := (old.RtxCount == 0 && !e.Retx) || (old.RtxCount == 1 && e.Retx)
		if ok && usable && raw >= 1 && raw <= 2147483647 {
			r.RTTValid, r.RTT = true, uint32(raw)
		}
	case e.Kind == port.KindLoad:
		r.Found = hit
		put([]uint8{0, 1, 2, 2}[e.LoadRtxCount])
		if !e.LoadValid {
			delete(p.rows, at)
		}
	case e.Kind == port.KindRead && valid:
		r.Found, r.PSN, r.TxTime, r.RtxCount = true, old.PSN, old.TxTime, old.RtxCount
	}
	return r
}

// draw returns an event on a few entries, so that PSNs match and collide.
func draw(r *rand.Rand, spec Spec, now *uint64) port.Event {
	*now = (*now + r.Uint64N(500)) & (1<<48 - 1)
	if r.IntN(100) == 0 {
		*now = r.Uint64() & (1<<48 - 1)
	}
	e := port.Event{
		Kind:         []port.Kind{0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7}[r.IntN(16)],
		PDC:          uint16(r.IntN(spec.NumPdcs + 1)),
		PSN:          uint32(r.IntN(3*spec.Depth)) - uint32(spec.Depth), // across the wrap
		Now:          *now,
		IsRtx:        r.IntN(2) == 0,
		Retx:         r.IntN(3) == 0,
		ServiceTime:  uint16(r.IntN(4)),
		LoadValid:    r.IntN(4) > 0,
		LoadRtxCount: uint8(r.IntN(4)),
		TimeShift:    uint8(r.IntN(8)),
	}
	if r.IntN(10) == 0 {
		e.ServiceTime = uint16(0xFFFF - r.IntN(2))
	}
	if e.Kind == port.KindCfgWrite && r.IntN(4) > 0 {
		e.Kind = port.KindSend
	}
	return e
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 4))
		spec := Spec{NumPdcs: 1 + rng.IntN(4), Depth: 2 << rng.IntN(4)}
		m, err := New(spec)
		require.NoError(t, err)
		fn := table{spec: spec}
		fn.reset()
		slow := plain.Block[port.Event, port.Response]{
			Timing: clk.Timing{Latency: 4, Stall: 4, InDepth: 2, Credits: 8, Sweep: spec.NumPdcs * spec.Depth},
			Order: func(e port.Event) (uint32, clk.Class) {
				if e.Kind == port.KindCfgWrite {
					return 0, clk.Exclusive
				}
				return uint32(e.PDC)<<12 | e.PSN%uint32(spec.Depth), clk.Keyed
			},
			Apply:   fn.apply,
			OnReset: fn.reset,
		}
		now := rng.Uint64()
		drive := plain.Driver[port.Event]{Rng: rng, Next: func(r *rand.Rand) port.Event { return draw(r, spec, &now) }}
		ready := false
		for c := range 6000 {
			in := drive.Cycle(ready)
			want := slow.Cycle(in)
			var rec [port.InWords]uint64
			var out, wantRec [port.OutWords]uint64
			port.PackEvent(&in.Ev, rec[:])
			setBit(&rec[0], in.RstN, port.InRstN)
			setBit(&rec[0], in.EvValid, port.InEvValid)
			setBit(&rec[0], in.RspReady, port.InRspReady)
			if want.RspValid {
				port.PackResponse(&want.Rsp, wantRec[:])
				count(met, &want.Rsp)
			}
			setBit(&wantRec[0], want.EvReady, port.OutEvReady)
			setBit(&wantRec[0], want.RspValid, port.OutRspValid)

			out[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			m.Cycle(rec[:], out[:])
			require.Equal(t, wantRec, out, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, want)
			ready = want.EvReady
		}
		require.NotZero(t, drive.Resets, "seed %d had no reset", seed)
	}
	v := reflect.TypeFor[port.Response]()
	for i := range v.NumField() {
		if f := v.Field(i); f.Type.Kind() == reflect.Bool {
			require.NotZero(t, met[f.Name], "flag %s never met", f.Name)
		}
	}
}

func count(met map[string]int, r *port.Response) {
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Bool && f.Bool() {
			met[v.Type().Field(i).Name]++
		}
	}
}

func setBit(w *uint64, on bool, bit uint64) {
	if on {
		*w |= bit
	}
}

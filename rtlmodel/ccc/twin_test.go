package ccc

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/clk"
	"github.com/goldwire/goldwire/rtlmodel/clk/plain"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// seen counts the actions and flags in the responses, so that a test can check that it met all of them.
type seen map[string]int

func (s seen) add(r *port.Response) {
	s["action "+r.Action.String()]++
	s["lb "+r.LB.String()]++
	s["state "+r.State.String()]++
	if r.Refused {
		s["refused "+r.Kind.String()]++
	}
	if r.Target != 0 {
		s["target"]++
	}
	if r.Kind == port.KindAck && !r.RTTValid {
		s["no sample "+r.Action.String()]++
	}
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Bool && f.Bool() {
			s["flag "+v.Type().Field(i).Name]++
		}
	}
}

// requireAll fails the test when an action, feedback, state or flag of the schema never occurred.
func (s seen) requireAll(t *testing.T) {
	for a := port.ActionNone; a <= port.ActionLossDec; a++ {
		require.NotZero(t, s["action "+a.String()], "action %s never met", a)
	}
	for l := port.LBNone; l <= port.LBTimeout; l++ {
		require.NotZero(t, s["lb "+l.String()], "feedback %s never met", l)
	}
	for st := port.StateIdle; st <= port.StateReady; st++ {
		require.NotZero(t, s["state "+st.String()], "state %s never met", st)
	}
	for a := port.ActionFair; a <= port.ActionQA; a++ {
		require.NotZero(t, s["no sample "+a.String()], "action %s never met without a sample", a)
	}
	for _, k := range []port.Kind{port.KindOpen, port.KindLoad, port.KindRead, port.KindAck, port.KindBind,
		port.KindCfgWrite, port.KindCfgRead, port.KindCredit, 14} {
		require.NotZero(t, s["refused "+k.String()], "%s never refused", k)
	}
	for _, k := range onContext {
		require.NotZero(t, s["floor "+k.String()], "MTU never above cwnd before %s", k)
		require.NotZero(t, s["credit "+k.String()], "%s never with credit on", k)
		require.NotZero(t, s["no window "+k.String()], "%s never with credit alone", k)
	}
	require.NotZero(t, s["target"], "no target but 0")
	v := reflect.TypeFor[port.Response]()
	for i := range v.NumField() {
		if f := v.Field(i); f.Type.Kind() == reflect.Bool {
			require.NotZero(t, s["flag "+f.Name], "flag %s never met", f.Name)
		}
	}
}

// TestApplyMatchesPlainTwin compares Apply with the plain implementation in unbounded integers.
func TestApplyMatchesPlainTwin(t *testing.T) {
	met := seen{}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		spec := drawSpec(rng, 2)
		stim := stimulus{spec: spec, wild: seed%2 == 1, now: rng.Uint64()}
		slow := plainBlock{spec: spec}
		slow.reset()
		cfg, ctx := spec.Config(), [2]State{}
		for i := range 3000 {
			ev := stim.next(rng)
			var st *State
			if ev.Ctx < 2 {
				st = &ctx[ev.Ctx]
			}
			before := ctx
			want := slow.apply(ev)
			var got port.Response
			Apply(&cfg, st, &ev, &got)
			require.Equal(t, want, got, "%+v seed %d event %d %+v\nstate %+v\nconfig %v", spec, seed, i, ev, before, cfg)
			met.add(&got)
			if st == nil || !st.Valid {
				continue
			}
			if old := before[ev.Ctx]; old.Valid && !got.Refused && uint64(old.Cwnd) < cfg.sets[st.Profile][port.RegMTU] {
				met["floor "+ev.Kind.String()]++
			}
			switch ctrl := cfg.sets[st.Profile][port.RegCtrl]; {
			case got.Refused || ctrl&ctrlCreditOn == 0:
			case ctrl&ctrlNoWindow == 0:
				met["credit "+ev.Kind.String()]++
			default:
				met["no window "+ev.Kind.String()]++
			}
			for addr := range uint8(port.NumWords) {
				if addr != uint8(i%port.NumWords) && i%64 != 0 { // one word each time, all of them occasionally
					continue
				}
				pdc := uint8(i % spec.NumPdcs)
				require.Equal(t, slow.stored(ev.Ctx, addr, pdc), st.Word(int(addr), pdc),
					"seed %d event %d %+v: word %d\nstate %+v\nconfig %v", seed, i, ev, addr, before, cfg)
			}
		}
	}
	met.requireAll(t)
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets.
func TestModelMatchesPlainTwin(t *testing.T) {
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 3))
		contexts := 2 + rng.IntN(90)
		spec := drawSpec(rng, contexts)
		m, err := New(spec)
		require.NoError(t, err)
		fn := plainBlock{spec: spec}
		fn.reset()
		slow := plain.Block[port.Event, port.Response]{
			Timing: clk.Timing{Latency: 36, Stall: 36, InDepth: 2, Credits: 64, Sweep: contexts},
			Order: func(e port.Event) (uint32, clk.Class) {
				switch e.Kind {
				case port.KindCfgWrite:
					return 0, clk.Exclusive
				case port.KindCfgRead:
					return 0, clk.Free
				}
				return uint32(e.Ctx), clk.Keyed
			},
			Apply:   fn.apply,
			OnReset: fn.reset,
		}
		stim := stimulus{spec: spec, wild: seed%4 == 3, now: rng.Uint64()}
		opened := 0
		drive := plain.Driver[port.Event]{Rng: rng, Next: func(r *rand.Rand) port.Event {
			ev := stim.next(r)
			if ev.Kind == port.KindCfgWrite && r.IntN(3) > 0 { // each of these events drains the pipeline
				ev.Kind = port.KindSend
			}
			if opened++; opened%3 == 0 || r.IntN(10) == 0 {
				ev.Kind = port.KindOpen
			}
			return ev
		}}
		ready, valids := false, 0
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
				valids++
			}
			setBit(&wantRec[0], want.EvReady, port.OutEvReady)
			setBit(&wantRec[0], want.RspValid, port.OutRspValid)

			out[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			m.Cycle(rec[:], out[:])
			require.Equal(t, wantRec, out, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, want)
			ready = want.EvReady
		}
		require.NotZero(t, valids, "seed %d gave no response", seed)
		require.NotZero(t, drive.Resets, "seed %d had no reset", seed)
	}
}

func setBit(w *uint64, on bool, bit uint64) {
	if on {
		*w |= bit
	}
}

package ccc

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision"
	"github.com/goldwire/goldwire/cosim/report"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// mixed draws a value of a width: an end, a small one, one bit, anything.
func mixed(r *rand.Rand, width int) uint64 {
	v := r.Uint64()
	switch r.IntN(6) {
	case 0:
		v = 0
	case 1:
		v = ^uint64(0) - uint64(r.IntN(4))
	case 2:
		v >>= r.IntN(64)
	case 3:
		v = uint64(r.IntN(100000))
	case 4:
		v = 1 << r.IntN(width)
	}
	return v & (1<<width - 1)
}

// anyEvent draws an event of one context, most often an ACK with a plausible sample.
func anyEvent(r *rand.Rand, slots int) ccc.Event {
	ev := ccc.Event{
		Kind: ccc.Kind(r.IntN(ccc.NumKinds)), PDC: uint8(r.IntN(slots + 1)), Profile: uint8(r.IntN(4)), Now: mixed(r, 48),
		Size: uint32(mixed(r, 32)), IsRtx: r.IntN(2) == 0, RcvdBytes: uint32(mixed(r, 24)), AckedPkts: uint16(mixed(r, 16)),
		UnmarkPkts: uint16(r.IntN(4)), UnmarkBytes: uint32(mixed(r, 32)), M: r.IntN(2) == 0, Entropy: uint16(r.Uint32()),
		TxValid: r.IntN(8) > 0, RtxCount: uint8(r.IntN(4)), Retx: r.IntN(2) == 0, ServiceTime: uint16(r.IntN(20)),
		Pend: uint8(r.IntN(2) * r.IntN(128)), RC: r.IntN(2) == 0, Reason: ccc.Reason(r.IntN(5)), Addr: uint8(r.IntN(22)),
		Data: mixed(r, 63), NoCredit: r.IntN(4) == 0, Share: uint16(mixed(r, 16)), Credit: uint32(mixed(r, 24)),
	}
	if r.IntN(2) == 0 {
		ev.Kind, ev.RtxCount, ev.Retx = ccc.KindAck, 0, false
	}
	ev.TxTime = (ev.Now - uint64(r.IntN(60000)) - uint64(ev.ServiceTime)<<7) & (1<<48 - 1)
	switch {
	case ev.Kind == ccc.KindCfgWrite && r.IntN(2) == 0 && ev.Addr < ccc.NumRegs:
		ev.Data = ccc.RegInfo[ev.Addr].Reset
	case ev.Kind == ccc.KindCfgWrite && r.IntN(2) == 0:
		ev.Addr = ccc.RegCtrl
	case ev.Kind == ccc.KindClose && r.IntN(10) > 0:
		ev.Kind = ccc.KindOpen
	case r.IntN(20) == 0:
		ev.TxTime, ev.ServiceTime = mixed(r, 48), uint16(mixed(r, 16))
	}
	return ev
}

// anyState draws a context: words at their ends, and in half of all such that rules meet.
func anyState(r *rand.Rand, st *rtlccc.State, ev *ccc.Event) {
	for addr := range ccc.NumWords {
		st.SetWord(addr, 0, mixed(r, 63))
	}
	st.Profile = uint8(r.IntN(3))
	if r.IntN(2) == 0 {
		st.Credit = int32(r.IntN(3) - 1)
		st.LastPull = (ev.Credit - uint32(r.IntN(1000))) & 0xffffff
	}
	slot := int(ev.PDC) % len(st.LastRcvd)
	st.LastRcvd[slot] = (ev.RcvdBytes - uint32(r.IntN(1000))) & 0xffffff
	if r.IntN(2) == 0 {
		st.AvgDelay = uint64(r.IntN(40000)) << 16
		st.LastDecTime = (ev.Now - uint64(r.IntN(50000))) & (1<<48 - 1)
		st.Cwnd, st.MaxWnd = 100000+uint32(r.IntN(100000)), 225000
	}
	if r.IntN(2) == 0 {
		st.QAEndtime = (ev.Now + uint64(r.IntN(60000)) - 30000) & (1<<48 - 1)
	}
}

// steps runs events from drawn states through the model and shows each to see.
func steps(seed uint64, n int, see func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response)) {
	r := rand.New(rand.NewPCG(seed, 31))
	cfg := rtlccc.Spec{NumContexts: 2, NumPdcs: 4, NumProfiles: 3}.Config()
	var st rtlccc.State
	for range n {
		ev := anyEvent(r, 4)
		if st.Valid && r.IntN(3) == 0 {
			anyState(r, &st, &ev)
		}
		old := st
		var rsp ccc.Response
		rtlccc.Apply(&cfg, &st, &ev, &rsp)
		var before, after precision.Context
		contextOf(&before, &old, ev.PDC)
		contextOf(&after, &st, ev.PDC)
		see(&before, &after, &ev, &rsp)
	}
}

// The model keeps the float reference's bounds from any state, with any registers.
func TestModelWithinFloatReference(t *testing.T) {
	n := 300_000
	if os.Getenv("GOLDWIRE_LONG") != "" {
		n = 10_000_000
	}
	s := precision.NewStep(3)
	steps(1, n, s.Event)
	d := s.Result()
	section := d.Section(d.Shown)
	o, why := section.Outcome()
	require.Equal(t, report.InBounds, o, why)
	require.Greater(t, d.Events, uint64(n)/2)
	for _, f := range d.Fields {
		switch f.Name {
		case "credit left", "last_pull", "speculating": // exact, whatever rounding excuses
			require.Equal(t, d.Events, f.Compared, f.Name)
		case "target": // of a SEND with credit
			require.Greater(t, f.Compared, d.Events/100, f.Name)
		default:
			require.Equal(t, d.Events-d.Near, f.Compared, f.Name)
		}
	}
}

// Every word and flag of the model moved beyond its bound is seen, under its own name.
func TestFloatReferenceSeesEveryField(t *testing.T) {
	names := map[string]func(w *ccc.Words, rsp *ccc.Response){
		"cwnd":             func(w *ccc.Words, _ *ccc.Response) { w.Cwnd ^= 1 << 31 },
		"max_wnd":          func(w *ccc.Words, _ *ccc.Response) { w.MaxWnd += 2 },
		"inc_bytes":        func(w *ccc.Words, _ *ccc.Response) { w.IncBytes ^= 1 << 20 },
		"avg_delay":        func(w *ccc.Words, _ *ccc.Response) { w.AvgDelay ^= 2 },
		"inflight":         func(w *ccc.Words, _ *ccc.Response) { w.Inflight ^= 1 },
		"saved_cwnd":       func(w *ccc.Words, _ *ccc.Response) { w.SavedCwnd ^= 1 },
		"base_rtt":         func(w *ccc.Words, _ *ccc.Response) { w.BaseRTT ^= 1 },
		"achieved_bytes":   func(w *ccc.Words, _ *ccc.Response) { w.AchievedBytes ^= 1 },
		"received_bytes":   func(w *ccc.Words, _ *ccc.Response) { w.ReceivedBytes ^= 1 },
		"fi_count":         func(w *ccc.Words, _ *ccc.Response) { w.FICount ^= 1 },
		"bytes_ignored":    func(w *ccc.Words, _ *ccc.Response) { w.BytesIgnored ^= 1 },
		"bytes_to_ignore":  func(w *ccc.Words, _ *ccc.Response) { w.BytesToIgnore ^= 1 },
		"qa_endtime":       func(w *ccc.Words, _ *ccc.Response) { w.QAEndtime ^= 1 },
		"last_adjust_time": func(w *ccc.Words, _ *ccc.Response) { w.LastAdjustTime ^= 1 },
		"last_dec_time":    func(w *ccc.Words, _ *ccc.Response) { w.LastDecTime ^= 1 },
		"backlog":          func(w *ccc.Words, _ *ccc.Response) { w.Backlog ^= 1 },
		"rtx_backlog":      func(w *ccc.Words, _ *ccc.Response) { w.RtxBacklog ^= 1 },
		"waiting_rtx":      func(w *ccc.Words, _ *ccc.Response) { w.WaitingRtx ^= 1 },
		"inflight_pkts":    func(w *ccc.Words, _ *ccc.Response) { w.InflightPkts ^= 1 },
		"trigger_qa":       func(w *ccc.Words, _ *ccc.Response) { w.TriggerQA = !w.TriggerQA },
		"qa_valid":         func(w *ccc.Words, _ *ccc.Response) { w.QAValid = !w.QAValid },
		"increase":         func(w *ccc.Words, _ *ccc.Response) { w.Increase = !w.Increase },
		"profile":          func(w *ccc.Words, _ *ccc.Response) { w.Profile ^= 1 },
		"last_rcvd":        func(w *ccc.Words, _ *ccc.Response) { w.LastRcvd ^= 1 },
		"credit left":      func(w *ccc.Words, _ *ccc.Response) { w.Credit ^= 1 },
		"last_pull":        func(w *ccc.Words, _ *ccc.Response) { w.LastPull ^= 1 },
		"speculating":      func(w *ccc.Words, _ *ccc.Response) { w.Speculating = !w.Speculating },
		"target":           func(_ *ccc.Words, rsp *ccc.Response) { rsp.Target ^= 2 },
		"decision":         func(_ *ccc.Words, rsp *ccc.Response) { rsp.QAWindow = !rsp.QAWindow },
		"flags":            func(_ *ccc.Words, rsp *ccc.Response) { rsp.Underflow = !rsp.Underflow },
	}
	require.Len(t, names, len(precision.NewStep(1).Result().Fields), "one fault for each value")
	for name, fault := range names {
		s := precision.NewStep(3)
		planted := 0
		steps(2, 3000, func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) {
			if ev.Kind == ccc.KindAck && before.Valid && !rsp.Refused {
				planted++
				a, r := *after, *rsp
				fault(&a.Words, &r)
				s.Event(before, &a, ev, &r)
				return
			}
			s.Event(before, after, ev, rsp)
		})
		d := s.Result()
		section := d.Section(d.Shown)
		o, _ := section.Outcome()
		require.Equal(t, report.OutOfBound, o, name)
		for _, f := range d.Fields {
			if f.Name == name {
				require.Greater(t, f.Beyond, uint64(planted)*9/10, "%s: %s", name, d.First)
			}
		}
	}
}

// What the model must not do and no rule of the reference shows: take the profile that it holds for the one that OPEN
// names, change a context by an event that it refuses, refuse an event that it should take, show another state than it
// has.
func TestFloatReferenceSeesWhatIsNoStep(t *testing.T) {
	for name, fault := range map[string]func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool{
		"profile": func(_, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindOpen && !rsp.Refused && ev.Profile != 0
			if planted {
				after.Words.Profile = 0
			}
			return planted
		},
		"leaves as it is": func(before, after *precision.Context, _ *ccc.Event, rsp *ccc.Response) bool {
			planted := before.Valid && rsp.Refused
			if planted {
				after.Words.Cwnd ^= 1
			}
			return planted
		},
		"target": func(_, _ *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindSend && ev.Share == 0 && rsp.Target != 0
			if planted {
				rsp.Target ^= 1
			}
			return planted
		},
		"spec_ended": func(_, _ *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindAck && rsp.SpecEnded
			if planted {
				rsp.SpecEnded = false
			}
			return planted
		},
		"granted": func(_, _ *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindCredit && !rsp.Refused && !rsp.NoContext
			if planted {
				rsp.Granted = !rsp.Granted
			}
			return planted
		},
		"can_send": func(_, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindCredit && !rsp.Refused && !rsp.NoContext && after.Words.Credit <= 0
			if planted {
				rsp.CanSend = true
			}
			return planted
		},
		"credit left: want": func(_, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool { // or without credit
			planted := ev.Kind == ccc.KindLoss && !rsp.Refused && !rsp.NoContext
			if planted {
				after.Words.Credit ^= 1
			}
			return planted
		},
		"a pull for a context without credit": func(_, _ *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindCredit && rsp.Refused
			if planted {
				rsp.Refused = false
			}
			return planted
		},
		"refused a pull": func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindCredit && !rsp.Refused && !rsp.NoContext
			if planted {
				rsp.Refused, *after = true, *before
			}
			return planted
		},
		"found no context": func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := before.Valid && ev.Kind == ccc.KindAck
			if planted {
				rsp.NoContext, *after = true, *before
			}
			return planted
		},
		"avg_delay of the response": func(_, _ *precision.Context, ev *ccc.Event, rsp *ccc.Response) bool {
			planted := ev.Kind == ccc.KindSend && !rsp.Refused && !rsp.NoContext
			if planted {
				rsp.AvgDelay ^= 1
			}
			return planted
		},
	} {
		s, planted := precision.NewStep(3), uint64(0)
		steps(3, 3000, func(before, after *precision.Context, ev *ccc.Event, rsp *ccc.Response) {
			if fault(before, after, ev, rsp) {
				planted++
			}
			s.Event(before, after, ev, rsp)
		})
		d := s.Result()
		require.NotZero(t, planted, name)
		require.GreaterOrEqual(t, d.Beyond, planted, name)
		require.Contains(t, d.First, name)
	}
}

// An average that no sample entered is held exactly by both sides: at its target nothing excuses another decision.
func TestFloatReferenceExcusesRoundingOnly(t *testing.T) {
	const useAvgWithoutSample, target, now = 4, 9000, 1 << 20
	cfg := rtlccc.Spec{NumContexts: 1, NumPdcs: 4, NumProfiles: 1}.Config()
	s := precision.NewStep(1)
	var st rtlccc.State
	play := func(ev ccc.Event, fault func(*ccc.Response)) {
		old := st
		var rsp ccc.Response
		rtlccc.Apply(&cfg, &st, &ev, &rsp)
		if fault != nil {
			fault(&rsp)
		}
		var before, after precision.Context
		contextOf(&before, &old, ev.PDC)
		contextOf(&after, &st, ev.PDC)
		s.Event(&before, &after, &ev, &rsp)
	}
	play(ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegCtrl, Data: useAvgWithoutSample}, nil)
	play(ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegTargetQDelay, Data: target}, nil)
	play(ccc.Event{Kind: ccc.KindOpen, Now: 1}, nil)
	st.AvgDelay = target << 16
	ack := ccc.Event{Kind: ccc.KindAck, Now: now, RcvdBytes: 4, TxValid: true, TxTime: now - 20000, RtxCount: 2,
		AckedPkts: 1, M: true}
	play(ack, nil)
	require.Zero(t, s.Result().Beyond, s.Result().First)
	ack.RcvdBytes = 8
	play(ack, func(rsp *ccc.Response) {
		require.Equal(t, ccc.ActionMD, rsp.Action)
		require.False(t, rsp.MDApplied)
		rsp.MDApplied = true
	})
	require.Contains(t, s.Result().First, "md_applied")
}

package report

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// sample is a result as a fabric run gives it; bad makes it a mismatch. All of
// its figures are drawn here, from a seed.
func sample(source string, seed uint64, bad bool) Result {
	r := Result{Block: "ccc", Source: source, Seed: seed, Params: map[string]int{"NumContexts": 64}, Tick: "1ns",
		Transport: "unix", RTL: "hdl/rtl", Events: 1000000, Cycles: 1384112, Responses: 999998,
		Compared: Compared{Responses: 999998, Fields: 22999954}, Episodes: 250,
		Digest: "5f1d7b0a93c2e4f8", EventsPerCycle: 0.7225, SchemaHash: "9a3f00c2d1b4e5f6",
		Simulator: Simulator{"Verilator", "5.006 2023-01-22", "-O3 -march=native --x-assign unique"},
		Reproduce: fmt.Sprintf("goldwire cosim --block ccc --source %s --events 1000000 --seed %d", source, seed),
		Seconds:   1.62, EventsPerS: 617283.9, CyclesPerS: 854390.1}
	r.Coverage = Coverage{Bins: 212, Hit: 209, Missed: []string{"rule/qa_fire_raises_cwnd", "stall/35",
		"state/OPEN_x_READY<&>"},
		Unreachable: []Unreachable{{"action/FAST_x_md_applied", "FAST is the quadrant of delay <= target; md_applied needs " +
			"avg > target (exhaustive over 16 cases)"},
			{"stall/0_x_same_ctx", "two events of one context issue 36 cycles apart or more (timing.md)"}},
		Groups: []CoverageGroup{{"action", 12, 12}, {"flag", 40, 40}, {"rule", 84, 83}, {"state", 44, 43}, {"stall", 32, 31}}}
	r.Float = &FloatDiff{Events: 998000, MaxRelErrCwnd: 2.41e-4, ActionFlips: 1, FlipsPer10k: 0.01, PsActionFlips: 402,
		PsFlipsPer10k:   4.03,
		PsMaxRelErrCwnd: 8.8e-4,
		Flips: []Flip{{401234, 17, "tick", "FAIR", "NOOP", "delay 9000 <= target 9000.4", 0.4},
			{512, 3, "ps", "PROP", "FAIR", "delay 999 < fast_delay 1000", 0.31}},
		ErrHist: []HistBin{{-9, 12}, {-8, 1042}, {-7, 80211}, {-6, 700123}, {-5, 150444}, {-4, 66168}}}
	r.Plots = &Plots{}
	for ctx := 0; ctx < 2; ctx++ {
		r.Plots.Contexts = append(r.Plots.Contexts, sampleSeries(ctx, seed))
	}
	for i := range 3 {
		r.Cases = append(r.Cases, Case{Name: fmt.Sprintf("episodes %d-%d", 100*i, 100*i+99), Events: 333333, Cycles: 461370})
	}
	if bad {
		r.Mismatches = 3
		r.Cases[1].Failed, r.Cases[1].Message = true, "episode 117: cycle 4211, rsp_cwnd: want 148211, got 148210"
		r.FirstMismatch = sampleMismatch()
	}
	return r
}

// sampleSeries is a window that grows, is cut when the delay passes the target,
// and grows again.
func sampleSeries(ctx int, seed uint64) Series {
	rng := rand.New(rand.NewPCG(seed, uint64(ctx)))
	s := Series{Context: ctx, Target: 9}
	cwnd, avg, t := 225000.0, 0.0, 0.0
	for range 3000 {
		t += 0.2 + 0.4*rng.Float64()
		d := max(0, (cwnd-120000)/9000+4*rng.NormFloat64()+3*math.Sin(t/90))
		avg += (d - avg) / 40
		action := "FAIR"
		switch {
		case d > 9 && avg > 9 && rng.Float64() < 0.05:
			action, cwnd = "MD", max(4096, cwnd*0.86)
		case d > 9:
			action = "NOOP"
		case d < 1:
			action, cwnd = "FAST", min(225000, cwnd+900)
		case d < 4:
			action, cwnd = "PROP", min(225000, cwnd+120)
		case rng.Float64() < 0.004:
			action, cwnd = "NACK_DEC", max(4096, cwnd-4096)
		default:
			cwnd = min(225000, cwnd+60)
		}
		s.TimeUs, s.Cwnd = append(s.TimeUs, t), append(s.Cwnd, cwnd)
		s.DelayUs, s.AvgUs, s.Action = append(s.DelayUs, d), append(s.AvgUs, avg), append(s.Action, action)
	}
	return s
}

func sampleMismatch() *Mismatch {
	m := &Mismatch{Episode: "117", Seed: 7117, Cycle: 4211, Event: "ACK ctx=5 pdc=1 now=88123 rcvd_bytes=0x1f3 m=0 " +
		"tx_time=73120 rtx_count=0",
		Fields: []Field{{Name: "rsp_cwnd", Want: "148211", Got: "148210", DiffLSB: "-1"},
			{Name: "rsp_can_send", Want: "1", Got: "0", DiffLSB: "-1"}},
		Shrunk: []string{"OPEN ctx=5 now=100", "LOAD ctx=5 addr=1 cwnd=148000 max_wnd=225000",
			"ACK ctx=5 pdc=1 now=88123 rcvd_bytes=0x1f3"}, ShrunkTo: 3,
		Wave: "build/waves/ccc-117.fst", Reproduce: "goldwire cosim --block ccc --source random --seed 7 --episode 117"}
	for c := uint64(4207); c <= 4215; c++ {
		row := Row{Cycle: c, Differ: c == 4211,
			Inputs: []Named{{"rst_n", "1"}, {"ev_valid", fmt.Sprint(c % 2)}, {"ev_kind", "ACK"}, {"ev_ctx", fmt.Sprint(c % 8)},
				{"rsp_ready", "1"}, {"ev_reason", "0"}},
			Want: []Named{{"ev_ready", "1"}, {"rsp_valid", "1"}, {"rsp_ctx", fmt.Sprint(c % 7)},
				{"rsp_cwnd", fmt.Sprint(148211 + 40*(c-4211))}, {"rsp_can_send", "1"}, {"rsp_refused", "0"}}}
		row.Got = append([]Named(nil), row.Want...)
		if row.Differ {
			row.Got[3].Value, row.Got[4].Value = "148210", "0"
		}
		m.Window = append(m.Window, row)
	}
	return m
}

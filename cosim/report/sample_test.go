package report

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// sample returns a result like that of a fabric run; bad makes it a mismatch. All its figures are drawn from a seed.
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
	r.Sections = []Section{sampleFloat(), samplePlots(seed)}
	r.Due = []string{"float"}
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

// floatData is data that can be joined over several runs.
type floatData struct {
	Error float64  `json:"max_rel_err_cwnd"`
	Flips uint64   `json:"action_flips"`
	List  []string `json:"flips"`
}

func (d *floatData) Join(other any) any {
	o := other.(*floatData)
	return &floatData{max(d.Error, o.Error), d.Flips + o.Flips, []string{}}
}

// sampleFloat returns a section with bounds, its own lines, data, a table and a histogram.
func sampleFloat() Section {
	p := Panel{Title: "events", Limit: &Limit{-3, "bound 0.001"}, Bars: []Bar{{-5, -4, 150444, false},
		{-4, -3, 66168, false}, {-3, -2, 0, true}}}
	return Section{Key: "float", Title: "Fixed point against float64", Lead: "fixed point against float64",
		Note: "Same state before each event.",
		Metrics: []Metric{
			{Name: "error", What: "relative error of cwnd", Value: 2.41e-4, Samples: 998000, Bound: AtMost(1e-3)},
			{Name: "flips", What: "action flips per 10,000", Value: 0.01, Samples: 998000, Bound: AtMost(1), Whole: true},
			{Name: "ps_error", What: "error with picosecond inputs", Value: 8.8e-4, Samples: 998000}},
		Data: &floatData{2.41e-4, 1, []string{"FAIR <> NOOP"}},
		Lines: []Line{{"fixed v. float", "within bounds"},
			{"  tick inputs", "cwnd within 0.000241 in one step (bound 0.001), 1 action flip, 0.01 in 10,000 (bound 1)"},
			{"  ps inputs", "402 action flips, 4.03 in 10,000 (bound 10), 0 further than a tick from every threshold " +
				"(bound 0); cwnd within 0.00088 (no bound)"}},
		Parts: []Part{Table{Columns: Columns("inputs", "flips"), Rows: [][]Cell{Cells("ticks", "1")}},
			Figure{X: "relative error", Decades: true, Panels: []Panel{p}}}}
}

// samplePlots returns a section with figures only: a window that grows, is cut when the delay passes the target, and
// grows again.
func samplePlots(seed uint64) Section {
	s := Section{Key: "contexts", Title: "Window, delay and actions"}
	for ctx := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, ctx))
		var cwnd, sample, avg Curve
		cut, grow := Lane{Name: "MD", Colour: "down"}, Lane{Name: "FAIR"}
		w, a, t := 225000.0, 0.0, 0.0
		for range 3000 {
			t += 0.2 + 0.4*rng.Float64()
			d := max(0, (w-120000)/9000+4*rng.NormFloat64()+3*math.Sin(t/90))
			a += (d - a) / 40
			if d > 9 && a > 9 && rng.Float64() < 0.05 {
				w = max(4096, w*0.86)
				cut.X = append(cut.X, t)
			} else {
				w = min(225000, w+60)
				grow.X = append(grow.X, t)
			}
			cwnd.X, cwnd.Y = append(cwnd.X, t), append(cwnd.Y, w)
			sample.Y, avg.Y = append(sample.Y, d), append(avg.Y, a)
		}
		sample.X, avg.X, sample.Form, sample.Name, avg.Name = cwnd.X, cwnd.X, Dots, "sample", "average"
		target := Curve{"target", []float64{0, t}, []float64{9, 9}, Dashed, "c3"}
		s.Parts = append(s.Parts, Figure{Name: fmt.Sprintf("context %d", ctx), Panels: []Panel{
			{Title: "cwnd, bytes", Log: true, Curves: []Curve{cwnd}},
			{Title: "queueing delay, µs", Curves: []Curve{sample, avg, target}},
			{Title: "action of each event", Lanes: []Lane{grow, cut}}}})
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

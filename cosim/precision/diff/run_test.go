package diff

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// few returns the number of events that suffices, or long with GOLDWIRE_LONG.
func few(n, long int) int {
	if os.Getenv("GOLDWIRE_LONG") != "" {
		return long
	}
	return n
}

func run(t *testing.T, spec Spec, set ...string) *Result {
	t.Helper()
	spec.Table = ccc.Formats()
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, spec.Table.Set(set[i], set[i+1]))
	}
	res, err := Run(context.Background(), spec)
	require.NoError(t, err)
	return res
}

func (m *Measure) signalOf(t *testing.T, name string) *Signal {
	t.Helper()
	for i := range m.Signals {
		if m.Signals[i].Name == name {
			return &m.Signals[i]
		}
	}
	require.Fail(t, "no signal", name)
	return nil
}

// At the contract's formats one event costs no more than the contract bounds it by.
func TestOneStepKeepsTheBounds(t *testing.T) {
	for _, source := range sources() {
		events := few(8000, 30_000)
		if source == "directed" {
			events = 1_000_000 // all of it: one case alone has 2^17 events
		}
		res := run(t, Spec{Source: source, Seed: 3, Events: events, Modes: []Mode{Step}, Flips: 1000})
		require.Empty(t, res.Changed)
		require.Empty(t, res.Parted)
		require.Equal(t, res.Events, res.Model, "fixed point is held against the model in every event")
		m := &res.Modes[0]
		require.Positive(t, m.Compared)
		for name, bound := range map[string]float64{
			// Integer ticks and bytes are exact, what is floored to a whole unit is less than one unit low.
			"base_rtt": 0, "inflight": 0, "achieved_bytes": 0, "received_bytes": 0, "delta": 0, "raw": 0, "since": 0,
			"service": 0, "window": 0, "fair_inc": 0, "penalty": 0, "backlog": 0, "qa_endtime": 0,
			"outlier": 0.75, "prop_inc": 1, "fast_inc": 1, "rate_wnd": 1, "gate": 1, "eta_bytes": 1,
			"ratio": 0x1p-16, "factor": 0x1p-16, "want": 1,
		} {
			s := m.signalOf(t, name)
			if name == "prop_inc" {
				bound += m.carried(t)
			}
			clamped := s.Format == "UQ64.0" && s.Saturated > 0 // which is no rounding
			if !clamped {
				require.LessOrEqual(t, s.Fixed.Max, bound, "%s: %s", source, name)
			}
		}
		for _, s := range m.Signals {
			require.Equal(t, s.Kind != "register", s.Float.Count > 0 || s.Fixed.Count == 0, "%s: %s", source, s.Name)
			require.LessOrEqual(t, s.Float.MaxRel, 1e-9, "%s: %s", source, s.Name)
		}
	}
}

// carried returns what prop_inc errs by at most where an ACK is judged by the average, in byte*byte: the floor of the
// average is its delay, and what that leaves is multiplied by ALPHA and by what the ACK acknowledges.
func (m *Measure) carried(t *testing.T) float64 {
	return m.signalOf(t, "ALPHA").Hi * m.signalOf(t, "delta").Hi * m.signalOf(t, "delay").Fixed.Max
}

// The contribution of an ACK judged by the average errs by what the delay carries into it, and by one floor.
func TestOneStepJudgedByTheAverage(t *testing.T) {
	res := run(t, Spec{Source: "directed/no-sample", Seed: 3, Events: 1_000_000, Modes: []Mode{Step}})
	m := &res.Modes[0]
	inc := m.signalOf(t, "prop_inc")
	require.Less(t, m.signalOf(t, "delay").Fixed.Max, 1.0)
	require.Zero(t, inc.Saturated)
	require.Greater(t, inc.Fixed.Max, 1.0)
	require.LessOrEqual(t, inc.Fixed.Max, 1+m.carried(t))
}

// Fewer fraction bits cost more, and the constant's own error is its format's.
func TestFewerBitsCostMore(t *testing.T) {
	spec := Spec{Source: "fabric:incast32", Seed: 1, Events: few(15_000, 30_000), Modes: Modes, Flips: 10}
	full := run(t, spec)
	less := run(t, spec, "alpha", "UQ16.10", "avg_delay", "UQ32.4")
	require.Equal(t, []Setting{
		{Name: "avg_delay", Contract: "UQ32.16,floor,none", Format: "UQ32.4,floor,none"},
		{Name: "ALPHA", Contract: "UQ16.16,nearest-even,none", Format: "UQ16.10,nearest-even,none"},
	}, less.Changed)
	require.Zero(t, less.Model, "other formats have no model")
	for i := range Modes {
		f, l := &full.Modes[i], &less.Modes[i]
		for _, name := range []string{"avg_delay", "prop_inc", "cwnd"} {
			require.Greater(t, l.signalOf(t, name).Fixed.Max, f.signalOf(t, name).Fixed.Max, name)
		}
		require.Zero(t, f.signalOf(t, "ALPHA").Fixed.Differ)
		a := l.signalOf(t, "ALPHA")
		require.Positive(t, a.Fixed.Differ)
		require.LessOrEqual(t, a.Fixed.MaxLSB, 0.5, "nearest")
		require.Positive(t, a.Inexact)
		require.GreaterOrEqual(t, l.Apart, f.Apart)
		require.Equal(t, f.signalOf(t, "cwnd").Float.Count, f.signalOf(t, "cwnd").Fixed.Count)
	}
	narrow := run(t, spec, "cwnd", "UQ17.0")
	s := narrow.Modes[0].signalOf(t, "cwnd")
	require.Positive(t, s.Saturated)
	require.Equal(t, 131071.0, s.Hi)
	require.Zero(t, s.TopBits)
	require.Positive(t, narrow.Modes[1].Apart)
	require.NotEmpty(t, narrow.Modes[1].Flips)
	require.Len(t, narrow.Modes[1].Flips, 10)
	require.Positive(t, narrow.Modes[1].Lost)
	for _, f := range narrow.Modes[1].Flips {
		require.Contains(t, []string{"fixed", "float64", "neither"}, f.Right)
		require.Equal(t, f.Right == "float64", f.Float == f.Exact && f.Fixed != f.Exact)
		require.NotEqual(t, f.Exact == f.Fixed, f.Exact != f.Fixed || f.Float == f.Exact, "a flip is a difference")
	}
}

// Narrower times, narrowed alike, decide the same as long as nothing is idle for longer than they reach; then they err,
// which shows where each party remembers for itself.
func TestNarrowTimes(t *testing.T) {
	times := func(f, source string) *Result {
		return run(t, Spec{Source: source, Seed: 1, Events: 20_000, Modes: Modes},
			"qa_endtime", f, "last_adjust_time", f, "last_dec_time", f, "since", f)
	}
	for _, m := range times("UQ24.0", "fabric:incast32").Modes {
		for _, d := range m.Decisions {
			require.True(t, d.FixedWrong == 0 || d.Name == "state" || d.Name == "can_send" || d.Name == "ack_request", d.Name)
		}
		for _, name := range []string{"qa_endtime", "last_adjust_time", "last_dec_time"} {
			require.Positive(t, m.signalOf(t, name).Fixed.Count)
			require.Zero(t, m.signalOf(t, name).Fixed.Differ, name)
		}
	}
	narrow := times("UQ17.0", "fabric:incast32")
	require.Positive(t, narrow.Modes[0].signalOf(t, "last_adjust_time").Wrapped)
	require.Zero(t, narrow.Modes[0].Apart, "the state in fixed point has forgotten already")
	require.Positive(t, narrow.Modes[1].Apart)
}

// A run repeats to the byte, its JSON can be read back, and its text is at most 100 columns wide.
func TestReports(t *testing.T) {
	spec := Spec{Source: "random", Seed: 2, Events: 20_000, Modes: Modes, Flips: 50}
	var first []byte
	for range 2 {
		res := run(t, spec, "avg_delay", "UQ32.2", "GAMMA", "UQ0.4")
		var text, js, html bytes.Buffer
		require.NoError(t, res.WriteText(&text))
		require.NoError(t, report.EncodeJSON(&js, res))
		require.NoError(t, res.WriteHTML(&html))
		var back Result
		require.NoError(t, json.Unmarshal(js.Bytes(), &back))
		require.Equal(t, *res, back)
		if first == nil {
			first = js.Bytes()
		}
		require.Equal(t, first, js.Bytes())
		for _, line := range strings.Split(text.String(), "\n") {
			require.LessOrEqual(t, len(line), report.TextWidth, line)
		}
		require.Contains(t, text.String(), "GAMMA")
		require.Contains(t, html.String(), "comparisons by absolute error")
	}
	res := &Result{Block: "ccc", Parted: "event 3: state"}
	var text bytes.Buffer
	require.NoError(t, res.WriteText(&text))
	require.Contains(t, text.String(), "FIXED POINT IS NOT THE MODEL\nevent 3: state\n")
}

func TestNothingCompared(t *testing.T) {
	_, err := Run(context.Background(), Spec{Source: "random", Seed: 1, Events: 1, Modes: Modes})
	require.ErrorIs(t, err, ErrNothing)
	_, err = Run(context.Background(), Spec{Source: "random", Seed: 1, Events: 100})
	require.ErrorIs(t, err, ErrNothing, "no mode")
	_, err = Run(context.Background(), Spec{Source: "nowhere", Events: 1, Modes: Modes})
	require.ErrorContains(t, err, "known sources")
	_, err = Run(context.Background(), Spec{Source: "random", Events: 100, Modes: []Mode{"some"}})
	require.ErrorContains(t, err, `mode "some"`)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = Run(ctx, Spec{Source: "random", Events: 100, Modes: Modes})
	require.ErrorIs(t, err, context.Canceled)
}

// A difference between fixed point and the model stays in the result, whatever ends the run after it.
func TestPartedStays(t *testing.T) {
	spec := Spec{Source: "random", Seed: 1, Events: 5000, Modes: []Mode{Step, "some"},
		model: func(params map[string]int) *cycleModel {
			w := newCycleModel(params)
			w.spec.NumProfiles = 1
			return w
		}}
	res, err := Run(context.Background(), spec)
	require.ErrorContains(t, err, `mode "some"`)
	require.NotNil(t, res)
	require.Contains(t, res.Parted, "(model)")
	require.Len(t, res.Modes, 1)
	require.Contains(t, res.Headline(), "FIXED POINT IS NOT THE MODEL")
	spec.model = nil
	res, err = Run(context.Background(), spec)
	require.ErrorContains(t, err, `mode "some"`)
	require.Nil(t, res)
}

// A number of more than 128 bits ends the run; nothing is reported of what came after it.
func TestTooWide(t *testing.T) {
	o := options(t, 1, 1)
	trio, err := newTrio(Free, ccc.Formats(), SizeOf(o.Params), 0)
	require.NoError(t, err)
	require.NoError(t, trio.event(&ccc.Event{Kind: ccc.KindOpen}))
	c := trio.fixed.Context(0)
	c.State.AvgDelay = fixed.OfUnsigned(1<<63, 255)
	require.ErrorIs(t, trio.event(&ccc.Event{Kind: ccc.KindNack, Reason: ccc.ReasonTrimmed}), fixed.ErrWidth)
	_, err = newTrio(Free, &formats.Table{}, SizeOf(o.Params), 0)
	require.ErrorContains(t, err, "value cwnd is missing")
}

func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var all []float64
	var sum float64
	y := new(Tally)
	for range 5000 {
		e := math.Ldexp(r.Float64()-0.5, r.IntN(30)-20)
		if r.IntN(3) == 0 {
			e = 0
		}
		y.Add(e, 4)
		all, sum = append(all, math.Abs(e)), sum+e
	}
	slices.Sort(all)
	got := y.Result(1.0 / 8)
	require.EqualValues(t, 5000, got.Count)
	require.Equal(t, all[4999], got.Max)
	require.Equal(t, all[4999]/4, got.MaxRel)
	require.Equal(t, all[4999]*8, got.MaxLSB)
	require.InEpsilon(t, sum/5000, got.Bias, 1e-9)
	for q, v := range map[int]float64{2499: got.Median, 4949: got.P99} {
		require.GreaterOrEqual(t, v, all[q])
		require.LessOrEqual(t, v, all[q]*math.Exp2(1.0/fine)*(1+1e-12))
	}
	n := uint64(0)
	for i, b := range got.Histogram {
		n += b.Count
		require.True(t, i == 0 || b.Log2 > got.Histogram[i-1].Log2)
		for _, e := range all {
			if e >= math.Exp2(float64(b.Log2)) && e < math.Exp2(float64(b.Log2+1)) {
				b.Count--
			}
		}
		require.Zero(t, b.Count)
	}
	require.Equal(t, got.Differ, n)
	require.Equal(t, Error{}, new(Tally).Result(1.0/8))
}

func TestDecisive(t *testing.T) {
	far, near := margin{"far", -100, -90}, margin{"near", 2, 1}
	crossed, wide := margin{"crossed", 0.5, -0.5}, margin{"wide", 30, -1}
	require.Equal(t, "-", decisive(nil).name)
	require.Equal(t, "near", decisive([]margin{far, near}).name)
	require.Equal(t, "wide", decisive([]margin{near, wide, far}).name, "the comparison that flipped explains it")
	require.Equal(t, "crossed", decisive([]margin{wide, crossed, near}).name)
	require.Equal(t, "crossed", decisive([]margin{{"at", 0, 0}, {"crossed", 0, 1}}).name)
	require.Equal(t, []string{"fixed", "float64", "neither", "both"},
		[]string{right("a", "b", "a"), right("a", "b", "b"), right("a", "b", "c"), right("a", "a", "a")})
}

// A word that one party alone has changed is compared, whichever party it is.
func TestOnePartyAloneChangesAWord(t *testing.T) {
	o := options(t, 1, 1)
	for name, change := range map[string]func(k contextPair){
		"fixed": func(k contextPair) { k.fixed.State.Cwnd = fixed.OfUnsigned(1, 0) },
		"float": func(k contextPair) { k.float.State.Cwnd = 1 },
		"exact": func(k contextPair) { k.exact.State.Cwnd = (arith.Exact{}).Whole(1) },
	} {
		t.Run(name, func(t *testing.T) {
			trio, err := newTrio(Free, ccc.Formats(), SizeOf(o.Params), 0)
			require.NoError(t, err)
			require.NoError(t, trio.event(&ccc.Event{Kind: ccc.KindOpen}))
			k := contextPair{trio.fixed.Context(0), trio.float.Context(0), trio.exact.Context(0)}
			f, d, e := *k.fixed, *k.float, *k.exact
			before := contextPair{&f, &d, &e}
			trio.state(before, k)
			require.Zero(t, trio.values[nscc.ValCwnd].fixed.count)
			change(k)
			trio.state(before, k)
			require.EqualValues(t, 1, trio.values[nscc.ValCwnd].fixed.count)
			require.EqualValues(t, 1, trio.values[nscc.ValCwnd].float.count)
		})
	}
}

// Two responses have the same number of decisions if and only if each decision is alike.
func TestDecisionsOfAResponse(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	flip := func() bool { return r.IntN(8) == 0 }
	draw := func() *ccc.Response {
		return &ccc.Response{Action: ccc.Action(r.IntN(3)), State: ccc.State(r.IntN(3)), BaseFell: flip(), Ignored: flip(),
			QAWindow: flip(), QAFired: flip(), MDApplied: flip(), Fulfilled: flip(), EtaApplied: flip(), RTTValid: flip(),
			Saved: flip(), Restored: flip(), CanSend: flip(), AckRequest: flip(),
			SpecEnded: flip(), Granted: flip(), Delay: r.Uint32(), Cwnd: r.Uint32()}
	}
	differ := map[string]bool{}
	alike := 0
	for range 50_000 {
		a, b := draw(), draw()
		same := true
		for i := range decisions {
			if d := &decisions[i]; d.of(a) != d.of(b) {
				same = false
				differ[d.name] = true
			}
		}
		require.Equal(t, same, Alike(a, b))
		if same {
			alike++
		}
	}
	require.Len(t, differ, len(decisions))
	require.Positive(t, alike)
}

// Against float64 alone the errors are those against exact numbers less float64's own, and the decisions are the same.
func TestAgainstFloat64(t *testing.T) {
	for _, source := range sources() {
		spec := Spec{Source: source, Seed: 3, Events: few(5000, 20_000), Modes: Modes, Flips: 5}
		exact := run(t, spec, "GAMMA", "UQ0.5", "cwnd", "UQ17.0", "avg_delay", "UQ32.2")
		spec.Against = Float64
		float := run(t, spec, "GAMMA", "UQ0.5", "cwnd", "UQ17.0", "avg_delay", "UQ32.2")
		for i := range Modes {
			e, f := &exact.Modes[i], &float.Modes[i]
			require.Equal(t, e.Compared, f.Compared)
			require.Equal(t, len(e.Flips), len(f.Flips))
			require.Equal(t, e.Lost, f.Lost)
			require.Empty(t, f.Judged)
			require.Nil(t, f.Causes)
			for k, d := range e.Decisions {
				require.Equal(t, d.Apart, f.Decisions[k].Apart)
				require.Equal(t, d.Apart, f.Decisions[k].FixedWrong)
			}
			differ := 0
			for k := range e.Signals {
				x, y := &e.Signals[k], &f.Signals[k]
				if x.Kind == "register" {
					require.Equal(t, x.Fixed, y.Fixed, "the words are exact")
					continue
				}
				require.Zero(t, y.Float)
				require.InDelta(t, x.Fixed.Max, y.Fixed.Max, 1e-9*max(x.Hi, -x.Lo, 1)+2*x.Float.Max, "%s %s", source, x.Name)
				if y.Fixed.Differ > 0 {
					differ++
				}
			}
			require.Positive(t, differ)
		}
		var text strings.Builder
		require.NoError(t, float.WriteText(&text))
		require.Contains(t, text.String(), "Error against float64, one step")
		require.NotContains(t, text.String(), "exact numbers")
	}
	_, err := Run(context.Background(), Spec{Source: "random", Events: 100, Modes: Modes, Against: "some"})
	require.ErrorContains(t, err, `reference "some"`)
}

// Each form has every signal and decision, and what is wrong shows in each.
func TestOtherForms(t *testing.T) {
	res := run(t, Spec{Source: "fabric:incast32", Seed: 2, Events: 20_000, Modes: Modes, Flips: 5}, "GAMMA", "UQ0.4")
	var table, junit, md bytes.Buffer
	require.NoError(t, res.WriteCSV(&table))
	require.NoError(t, res.WriteJUnit(&junit))
	require.NoError(t, res.WriteMarkdown(&md))
	rows, err := csv.NewReader(&table).ReadAll()
	require.NoError(t, err, "every line has as many cells")
	n := 0
	for i := range res.Modes {
		n += len(res.Modes[i].Signals) + len(res.Modes[i].Decisions)
	}
	require.Len(t, rows, 1+n)
	seen := false
	for _, r := range rows {
		if r[0] == "step" && r[2] == "GAMMA" {
			seen = true
			require.Equal(t, "UQ0.4", r[3])
			require.NotEqual(t, "0", r[6], "it differs")
		}
	}
	require.True(t, seen)
	require.Equal(t, 1+len(res.Modes)+n, strings.Count(junit.String(), "<testcase "))
	require.Zero(t, strings.Count(junit.String(), "<failure "))
	require.Contains(t, junit.String(), `<skipped message="formats are not the contract&#39;s"`)
	require.Contains(t, md.String(), "### goldwire diff ccc fabric:incast32")
	require.Contains(t, md.String(), "| GAMMA | UQ0.16,nearest-even,none | UQ0.4,nearest-even,none |")
	require.Contains(t, md.String(), "Error by cause")
	require.NotContains(t, md.String(), "How the formats were used")

	bad := &Result{Block: "ccc", Parted: "event 3: state | x", Modes: []Measure{{Mode: Step,
		Judged: []CauseCount{{Cause: NoCause, Flips: 2}}}}}
	junit.Reset()
	md.Reset()
	require.NoError(t, bad.WriteJUnit(&junit))
	require.NoError(t, bad.WriteMarkdown(&md))
	require.Contains(t, junit.String(), `<testsuites name="goldwire diff run" tests="2" failures="2" skipped="0">`)
	require.Contains(t, md.String(), `event 3: state \| x`)
	require.Contains(t, md.String(), "2 flips WITHOUT A CAUSE")
}

// A course keeps the largest error of every stretch of a run, however long, in the same memory.
func TestCourse(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var c course
	all := make([]float64, 50_000)
	for i := range all {
		if all[i] = r.Float64() - 0.5; r.IntN(4) == 0 {
			all[i] = 0
		}
		c.add(uint64(i), all[i])
		c.add(uint64(i), all[i]/2)
	}
	require.LessOrEqual(t, len(c.max), stretches)
	require.GreaterOrEqual(t, len(c.max)*int(c.width), len(all))
	for k, got := range c.max {
		want := 0.0
		for _, x := range all[k*int(c.width) : min(len(all), (k+1)*int(c.width))] {
			want = max(want, math.Abs(x))
		}
		require.Equal(t, want, got)
	}
	var late course
	late.add(1<<40, 3)
	late.add(1<<40+1, 2)
	require.LessOrEqual(t, len(late.max), stretches)
	require.Equal(t, 3.0, slices.Max(late.max))

	res := run(t, Spec{Source: "fabric:incast32", Seed: 2, Events: 20_000, Modes: Modes})
	for i := range res.Modes {
		for _, s := range res.Modes[i].Signals {
			if s.Kind == "register" || s.Fixed.Differ == 0 {
				require.Empty(t, s.Course)
				continue
			}
			require.Equal(t, s.Fixed.Max, slices.Max(s.Course), s.Name)
		}
	}
	var html bytes.Buffer
	require.NoError(t, res.WriteHTML(&html))
	for _, text := range []string{"cwnd: largest error, bytes", "bits in use", `class="span used"`} {
		require.Contains(t, html.String(), text)
	}
}

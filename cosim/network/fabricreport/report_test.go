package fabricreport

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

func verdictOf(r *Report) Verdict {
	v, _ := r.Verdict()
	return v
}

// simulated returns the report of one small run under two names. Its page has everything that a page can show.
func simulated(t *testing.T, ccs ...string) *Report {
	t.Helper()
	spec := settings.DefaultSpec()
	spec.FlowBytes = 50_000
	var all []*Outcome
	for _, name := range ccs {
		w := &Watch{}
		run, err := fabric.Run(t.Context(), spec, fabric.WithTap(w.Tap), fabric.WithDepth(units.Microsecond))
		require.NoError(t, err)
		all = append(all, &Outcome{CC: name, Runs: []*result.Result{run}, Summary: result.Summarise(0, run), Watch: w})
	}
	return New(&fabricplan.Plan{Name: "small", About: "a <small> run", Spec: spec, CCs: ccs, Seeds: []uint64{1}}, all)
}

var forms = map[string]func(*Report, io.Writer) error{
	"text": (*Report).WriteText, "json": (*Report).WriteJSON, "html": (*Report).WriteHTML,
}

func render(t *testing.T, r *Report, form string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, forms[form](r, &b))
	return b.String()
}

func TestForms(t *testing.T) {
	r := simulated(t, "nscc-fixed", "nscc-rtl")
	v, why := r.Verdict()
	require.Equal(t, Done, v, why)
	page := render(t, r, "html")
	for _, w := range []string{"<b>DONE</b>", "small: a &lt;small&gt; run", "Completion times side by side",
		"agree exactly",
		"Distribution of completion times", "Slowdown by flow size with nscc-rtl", "Over time with nscc-fixed",
		"queued in one port, bytes", "cwnd, bytes", "actions per quadrant", "<span>unfinished flows</span><b>0</b>",
		`<span class="tag good">within bounds</span>`} {
		require.Contains(t, page, w)
	}
	for _, w := range []string{"<script", "http://", "https://", "src=", "NaN", "ZgotmplZ"} {
		require.NotContains(t, page, w)
	}
	require.Equal(t, page, render(t, r, "html"))
	require.Contains(t, render(t, r, "text"), "agree exactly")

	var doc struct {
		Metrics []struct {
			Section, Name, Verdict string
			Value                  *float64
		}
		Compare struct {
			Agree *bool `json:"fixed_equals_rtl"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(render(t, r, "json")), &doc))
	require.True(t, *doc.Compare.Agree)
	require.Equal(t, "nscc-fixed", doc.Metrics[0].Section)
	last := doc.Metrics[len(doc.Metrics)-1]
	require.Equal(t, []string{"fixed_equals_rtl", "differs", "within"}, []string{last.Section, last.Name, last.Verdict})
}

// A report with nothing simulated, compared or checked is not a success.
func TestWhatWasNotSimulatedIsNoSuccess(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Report) *Report
		why    string
	}{
		"no congestion control": {func(r *Report) *Report { return New(r.Plan, nil) }, "no congestion control was simulated"},
		"no flow": {func(r *Report) *Report {
			for _, o := range r.All {
				o.Runs[0], o.Summary = &result.Result{Spec: o.Runs[0].Spec}, result.Summary{}
			}
			return New(r.Plan, r.All)
		}, "not measured: unfinished flows"},
		"no seed": {func(r *Report) *Report {
			for _, o := range r.All {
				o.Runs = nil
			}
			return New(r.Plan, r.All)
		}, "0 of 1 seeds were simulated"},
		"one seed of two": {func(r *Report) *Report {
			r.Plan.Seeds = []uint64{1, 2}
			return r
		}, "1 of 2 seeds were simulated"},
		"fixed point and RTL compared over no flow": {func(r *Report) *Report {
			r.pairs[0].compared = 0
			return r
		}, "differences between nscc-fixed and nscc-rtl"},
	} {
		t.Run(name, func(t *testing.T) {
			r := tc.change(simulated(t, "nscc-fixed", "nscc-rtl"))
			v, why := r.Verdict()
			require.Equal(t, Empty, v)
			require.False(t, v.Found(), "exit 2, not 1")
			require.Contains(t, why, tc.why)
			require.Contains(t, render(t, r, "html"), "<b>EMPTY</b>")
			require.Contains(t, render(t, r, "text"), "EMPTY  ")
		})
	}
	r := New(&fabricplan.Plan{Seeds: []uint64{1}}, nil)
	require.ErrorContains(t, r.WriteJSON(io.Discard), "nothing was simulated")
}

// An unfinished flow is found in either of the two figures that may hold it.
func TestUnfinished(t *testing.T) {
	for _, change := range []func(*result.Summary){
		func(s *result.Summary) { s.Unfinished = []string{"flow 3"} }, func(s *result.Summary) { s.Done-- },
	} {
		r := simulated(t, "nscc")
		change(&r.All[0].Summary)
		require.Equal(t, Incomplete, verdictOf(r))
		require.Contains(t, render(t, r, "html"), "<b>INCOMPLETE</b>")
		r.Plan.Seeds = append(r.Plan.Seeds, 2)
		require.Equal(t, Incomplete, verdictOf(r), "what was found stays")
	}
}

// Books that do not balance are found and named.
func TestBooks(t *testing.T) {
	r := simulated(t, "nscc")
	r.All[0].Runs[0].Counters.NewPackets++
	r = New(r.Plan, r.All)
	require.Equal(t, Incomplete, verdictOf(r))
	require.NotContains(t, strings.Join(r.books, ""), "\n")
	require.Contains(t, render(t, r, "text"), "BOOKS DO NOT BALANCE  nscc seed 1: ")
	require.Contains(t, render(t, r, "html"), "<h3>Books that do not balance</h3>")
}

// TestDisagreement shows that a difference of one flow is found and named.
func TestDisagreement(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.FlowBytes = 50_000
	a, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	b, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	x, y := &Outcome{CC: "nscc-fixed", Runs: []*result.Result{a}}, &Outcome{CC: "nscc-rtl",
		Runs: []*result.Result{b}}
	p := &fabricplan.Plan{Seeds: []uint64{1}}
	x.Summary, y.Summary = result.Summarise(0, a), result.Summarise(0, b)
	require.Equal(t, Done, verdictOf(New(p, []*Outcome{x, y})))
	b.Digest++
	r := New(p, []*Outcome{x, y})
	require.Equal(t, Mismatch, verdictOf(r))
	require.Contains(t, r.agreement(), "packets arrive at other times")
	b.Digest--
	b.Counters.ECN += 3
	r = New(p, []*Outcome{x, y})
	require.Equal(t, Mismatch, verdictOf(r))
	require.Contains(t, r.pairs[0].differ, "seed 1: counter ecn is ")
	b.Flows[9].Acked++
	r = New(p, []*Outcome{x, y})
	require.Equal(t, Mismatch, verdictOf(r))
	require.Contains(t, r.agreement(), "MISMATCH")
	require.Contains(t, r.pairs[0].differ, "flow 9 ")
	b.Flows[9].Acked, b.Flows[9].Got = -1, 4000
	require.Contains(t, New(p, []*Outcome{x, y}).pairs[0].differ, "stops at 4000 of 50000 bytes with nscc-rtl")
}

func TestWatchCountsEveryAction(t *testing.T) {
	w := &Watch{}
	ev := cc.Event{Kind: cc.KindAck}
	ev.Out.Action = "FAIR"
	const n = 5000
	for i := range n {
		ev.Time = units.Picos(i) * units.Microsecond / 3
		require.True(t, w.Tap(&ev))
	}
	sum := 0.0
	for _, v := range w.counts["FAIR"] {
		sum += v
	}
	require.EqualValues(t, n, sum)
	require.LessOrEqual(t, len(w.counts["FAIR"]), actionBins)
}

// TestWatchDrawsToTheEnd: a window that never changes is a line, not a point.
func TestWatchDrawsToTheEnd(t *testing.T) {
	w := &Watch{}
	ev := cc.Event{Kind: cc.KindOpen}
	ev.Out.Cwnd = 900_000
	require.True(t, w.Tap(&ev))
	ev.Kind, ev.Time = cc.KindAck, 50*units.Microsecond
	require.True(t, w.Tap(&ev))
	x, y := w.window(0)
	require.Equal(t, []float64{0, 50}, x)
	require.Equal(t, []float64{900_000, 900_000}, y)
	require.Len(t, w.times[0], 1, "the series itself stays")
}

// TestSeriesPanels: a page draws every series that has a value, and none without.
func TestSeriesPanels(t *testing.T) {
	s := &series.Series{Every: units.Microsecond,
		Flows: []series.Flow{{ID: 4, Src: 1, Dst: 2, First: 3, Points: []series.FlowPoint{
			{Gbps: 9, Window: cc.NoWindow, RTT: -1}, {Gbps: 8, Window: 5000, RTT: 2 * units.Microsecond}}}},
		Ports: []series.Port{{Name: "tor0->host0", Points: []series.PortPoint{{Utilisation: 0.5, Pauses: 3}}}}}
	panels := seriesPanels(s)
	require.Len(t, panels, 5)
	require.Equal(t, []float64{3, 4}, panels[0].Curves[0].X)
	require.Equal(t, []float64{9, 8}, panels[0].Curves[0].Y)
	require.Equal(t, []float64{5000}, panels[1].Curves[0].Y, "no window is no value")
	require.Equal(t, []float64{2}, panels[2].Curves[0].Y)
	require.Equal(t, []float64{0.5}, panels[3].Curves[0].Y)
	require.Equal(t, []float64{3}, panels[4].Curves[0].Y)
	require.Equal(t, "tor0->host0", panels[4].Curves[0].Name)
	require.Equal(t, "flow 4: host 1 to 2", panels[0].Curves[0].Name)
	s.Slowest = true
	require.Equal(t, "flow 4, the slowest: host 1 to 2", seriesPanels(s)[0].Curves[0].Name)
	require.Empty(t, seriesPanels(&series.Series{Every: 1}))
}

// TestPausesByPort: the text names the ports with the most pauses, and how many more there are.
func TestPausesByPort(t *testing.T) {
	var few, many result.Result
	few.Pauses = []result.PortPauses{{Port: "a", Stopped: 1}, {Port: "b", Caused: 2, Stopped: 3}}
	for i := range 12 {
		many.Pauses = append(many.Pauses, result.PortPauses{Port: string(rune('a' + i)), Caused: 1})
	}
	said := func(runs ...*result.Result) (out []string) {
		s := result.Summarise(0, runs...)
		for _, f := range figures(&s) {
			if f[0] == "pauses" {
				out = append(out, f[1])
			}
		}
		return out
	}
	require.Empty(t, said(&result.Result{}))
	require.Equal(t, []string{"b: 3 of its link, 2 because of its queue",
		"a: 1 of its link, 0 because of its queue"}, said(&few))
	both := said(&few, &many)
	require.Len(t, both, 11)
	require.Equal(t, "b: 3 of its link, 3 because of its queue", both[0])
	require.Equal(t, "a: 1 of its link, 1 because of its queue", both[1])
	require.Equal(t, "2 more ports; --json has them all", both[10])
}

// A report names each run that was played step by step, with the event that was the reason. A run that went ahead has
// no such line.
func TestReportNamesSteps(t *testing.T) {
	r := simulated(t, "nscc-fixed", "nscc-rtl")
	r.All[1].Played = []loop.Played{{Asked: 7, Events: 9, Cycles: 90}}
	for form := range forms {
		require.NotContains(t, render(t, r, form), "step by step", form)
	}
	require.Contains(t, render(t, r, "json"), `"events": 9`)
	require.Contains(t, render(t, r, "text"),
		"  compared    9 events of block ccc with the model, in every cycle; the design leaves it in 0 of 1 run\n")
	v, why := r.Verdict()
	require.Equal(t, Done, v, why)

	// A plan with RTL that no event reaches is not done.
	r.All[1].Played[0].Events = 0
	v, why = r.Verdict()
	require.Equal(t, Empty, v)
	require.Contains(t, why, "seed 1: no event of block ccc, so nothing was compared")
	require.NotContains(t, render(t, r, "text"), "  compared ")
	r.All[1].Played[0].Events = 9
	v, why = r.Verdict()
	require.Equal(t, Done, v, why)
	left := &loop.Left{Event: 5, Cycle: 60, Kind: "ACK", NIC: 3, Time: 1_500_000}
	r.All[1].Played[0].Step, r.All[1].Played[0].Left = true, left
	const where = "event 5 (ACK of host 3 context 0 at 1.500000us), cycle 60"
	for form := range forms {
		require.Contains(t, render(t, r, form), where, form)
	}
	require.Contains(t, render(t, r, "text"), "STEPS  seed 1: block ccc ran step by step, 9 events in 90 cycles, "+
		"because the design left the model at ")
	m, compared := r.All[1].left("ccc")
	require.True(t, compared)
	require.EqualValues(t, 1, m.Value)
	require.EqualValues(t, 9, m.Samples)
	require.Contains(t, m.Excess, "seed 1: the design left the model at "+where)
	r.All[1].Played[0].Left = nil
	require.Contains(t, render(t, r, "text"), "STEPS  seed 1: block ccc ran step by step, 9 events in 90 cycles\n")
	require.Contains(t, render(t, r, "text"), "  compared    nothing with the model: step by step, the network follows ")
	_, compared = r.All[1].left("ccc")
	require.False(t, compared, "step by step, the network follows the RTL and nothing is compared")
}

// Pacers are compared by their pulls. A difference of one is found, and a plan whose pacers give none is not done.
func TestReportOfPacers(t *testing.T) {
	r := simulated(t, "rccc-fixed", "rccc-rtl")
	require.Contains(t, r.agreement(), "rccc-fixed and rccc-rtl agree exactly")
	r.All[1].Played = []loop.Played{{}}
	v, why := r.Verdict()
	require.Equal(t, Empty, v)
	require.Contains(t, why, "seed 1: no event of block ccc, so nothing was compared")
	r.All[1].Played[0].Events, r.All[1].Played[0].Cycles = 4, 40
	v, why = r.Verdict()
	require.Equal(t, Empty, v)
	require.Contains(t, why, "seed 1: no pull of block credit, so nothing was compared")
	paced := &r.All[1].Played[0].Paced
	*paced = loop.Paced{Pacers: 2, Pulls: 7, Cycles: 90}
	require.Equal(t, Done, verdictOf(r))
	require.Contains(t, render(t, r, "text"),
		"  compared    7 pulls of block credit with the model, in every cycle but those of a rest after its first 4096; "+
			"the design leaves it in 0 of 1 run\n")
	text := render(t, r, "json")
	for _, w := range []string{`"block": "credit"`, `"section": "rtl_equals_model_credit"`,
		`"section": "rtl_equals_model_ccc"`, `"what": "runs with rccc-rtl in which block credit leaves the model"`} {
		require.Contains(t, text, w)
	}
	titles := map[string]bool{}
	for _, s := range r.bounded() {
		require.False(t, titles[s.Title], s.Title)
		titles[s.Title] = true
	}
	paced.Pulls, paced.Left = 0, &loop.Left{Event: 1, Cycle: 60, Kind: "pull", NIC: 3, Time: 1_500_000}
	require.Equal(t, Incomplete, verdictOf(r))
	require.Contains(t, render(t, r, "text"), "  compared    0 pulls of block credit with the model, ")
	require.Equal(t, Mismatch, verdictOf(New(r.Plan, r.All)))
	require.Contains(t, New(r.Plan, r.All).agreement(),
		"MISMATCH  rccc-fixed and rccc-rtl differ: seed 1: the design left the model at pull 1")
	for form := range forms {
		require.Contains(t, render(t, r, form), "pull 1 of host 3 at 1.500000us, cycle 60", form)
	}
}

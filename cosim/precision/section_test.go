package precision

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
)

// sampleFloat is a comparison as a fabric run gives it.
func sampleFloat() *FloatDiff {
	return &FloatDiff{
		Events: 998000, MaxRelErrCwnd: 2.41e-4, ActionFlips: 1, FlipsPer10k: 0.01, PsActionFlips: 402,
		PsFlipsPer10k: 4.03, PsMaxRelErrCwnd: 8.8e-4,
		Flips: []Flip{
			{401234, 17, "tick", "FAIR", "NOOP", "delay 9000 <= target 9000.4", 0.4},
			{512, 3, "ps", "PROP", "FAIR", "delay 999 < fast_delay 1000", math.NaN()},
		},
		ErrHist: []HistBin{{-9, 12}, {-5, 150444}, {-4, 66168}},
	}
}

// render returns the report of one run with a section, by form.
func render(t *testing.T, tick string, s ...report.Section) (verdict report.Verdict, text, page, doc string) {
	t.Helper()
	r := &report.Report{Results: []report.Result{{Block: "ccc", Tick: tick, Events: 7, Sections: s,
		Compared: report.Compared{Responses: 1, Fields: 1}}}}
	var a, b, c strings.Builder
	require.NoError(t, report.WriteText(&a, r))
	require.NoError(t, report.WriteHTML(&b, r))
	require.NoError(t, report.WriteJSON(&c, r))
	return r.Verdict(), a.String(), b.String(), c.String()
}

// beyond returns what keeps a comparison from its bounds, "" for nothing.
func beyond(f *FloatDiff, tick string) string {
	s := f.Section(tick, f.Events)
	_, why := s.Outcome()
	return why
}

func TestFloatBounds(t *testing.T) {
	good := FloatDiff{Events: 9, MaxRelErrCwnd: 1e-3, FlipsPer10k: 1, PsFlipsPer10k: 10}
	require.Empty(t, beyond(&good, "1ns"))
	for _, change := range []func(*FloatDiff){
		func(f *FloatDiff) { f.MaxRelErrCwnd = 1.1e-3 }, func(f *FloatDiff) { f.MaxRelErrCwnd = math.NaN() },
		func(f *FloatDiff) { f.FlipsPer10k = 1.1 }, func(f *FloatDiff) { f.PsFlipsPer10k = 11 },
		func(f *FloatDiff) { f.PsUnexplained = 1 },
	} {
		f := good
		change(&f)
		require.Len(t, strings.Split(beyond(&f, "1ns"), "; "), 1)
		require.NotEmpty(t, beyond(&f, "1ns"))
		v, _, _, _ := render(t, "1ns", f.Section("1ns", 9))
		require.Equal(t, report.OverBound, v)
	}
	coarse := FloatDiff{Events: 9, PsFlipsPer10k: 300}
	require.Empty(t, beyond(&coarse, "128ns"), "the picosecond bound is stated for 1 ns only")
	require.NotEmpty(t, beyond(&coarse, "1ns"))
}

// The words, the figure and the data of the float section.
func TestFloatSection(t *testing.T) {
	f := sampleFloat()
	v, text, page, doc := render(t, "1ns", f.Section("1ns", f.Events))
	require.Equal(t, report.Pass, v)
	for _, line := range []string{
		"  fixed v. float  within bounds\n",
		"    tick inputs   cwnd within 0.000241 in one step (bound 0.001), 1 action flip, 0.01 in 10,000 (bound 1)\n",
		"    ps inputs     402 action flips, 4.03 in 10,000 (bound 10), 0 further than a tick from every threshold " +
			"(bound 0); cwnd within 0.00088 (no bound)\n",
	} {
		require.Contains(t, text, line)
	}
	for _, x := range []string{"bound 0.001", "Flips: events for which", "2 of 403 flips shown",
		"<title>1e-4 to 1e-3: 66,168",
		"delay 9000 &lt;= target 9000.4"} {
		require.Contains(t, page, x)
	}
	var got struct{ Float map[string]any }
	require.NoError(t, json.Unmarshal([]byte(doc), &got))
	require.Len(t, got.Float, 10)
	require.Equal(t, 2.41e-4, got.Float["max_rel_err_cwnd"])
	require.True(t, math.IsNaN(f.Flips[1].Distance), "rendering must not change the figures")

	_, text, _, _ = render(t, "128ns", f.Section("128ns", f.Events))
	require.Contains(t, text, "(no bound at this tick)")
	var empty FloatDiff
	_, _, _, doc = render(t, "1ns", empty.Section("1ns", 0))
	require.NotContains(t, strings.ReplaceAll(strings.ReplaceAll(doc, `"first_mismatch": null`, ""), `"value": null`, ""),
		"null")

	over := *f
	over.PsUnexplained = 2
	v, text, page, _ = render(t, "1ns", over.Section("1ns", f.Events))
	require.Equal(t, report.OverBound, v)
	require.Contains(t, text, "OUT OF BOUNDS: flips further than a tick from every threshold 2 exceeds 0")
	require.NotContains(t, text, "within bounds")
	require.Contains(t, page, `<span class="tag bad">out of bounds</span>`)
}

func TestFloatJoin(t *testing.T) {
	a, b := sampleFloat(), &FloatDiff{Events: 2, MaxRelErrCwnd: 0.5, ActionFlips: 3, PsUnexplained: 1}
	c := a.Join(b).(*FloatDiff)
	require.EqualValues(t, 998002, c.Events)
	require.Equal(t, 0.5, c.MaxRelErrCwnd)
	require.EqualValues(t, 4, c.ActionFlips)
	require.EqualValues(t, 1, c.PsUnexplained)
	require.NotNil(t, c.Flips)
	require.Len(t, a.Flips, 2)
}

func TestStateSection(t *testing.T) {
	for name, tc := range map[string]struct {
		d       StateDiff
		verdict report.Verdict
		text    string
	}{
		"within": {StateDiff{Shown: 7, Due: 5, Events: 5, Near: 1}, report.Pass,
			"  float reference  every state word and decision of 5 events within its bound; 1 decided within a bound of a " +
				"threshold\n"},
		"beyond": {StateDiff{Shown: 7, Due: 5, Events: 5, Beyond: 2, First: "event 3: cwnd"}, report.OverBound,
			"OUT OF BOUNDS: 2 values beyond their bounds, the first: event 3: cwnd"},
		"beyond, of an event without a rule": {StateDiff{Shown: 7, Beyond: 1, First: "event 0"}, report.OverBound,
			"1 values beyond"},
		"too many near": {StateDiff{Shown: 7, Due: 5, Events: 5, Near: 4}, report.OverBound,
			"4 of 5 events decided differently near a threshold"},
		"not all shown": {StateDiff{Shown: 6, Due: 5, Events: 5}, report.Empty,
			"NOT MEASURED: the float reference was shown 6 of the run's 7 events"},
		"nothing shown": {StateDiff{}, report.Empty, "the float reference was shown 0 of the run's 7 events"},
		"not all judged": {StateDiff{Shown: 7, Due: 5, Events: 4}, report.Empty,
			"the float reference judged 4 of 5 events"},
		"none judged": {StateDiff{Shown: 7, Due: 5}, report.Empty, "the float reference judged 0 of 5 events"},
		"only events without a rule": {StateDiff{Shown: 7}, report.Pass,
			"nothing to measure: none of 7 events is one that the float reference has a rule for"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tc.d.Section(7)
			require.Equal(t, StateKey, s.Key)
			v, text, page, doc := render(t, "1ns", s)
			require.Equal(t, tc.verdict, v)
			require.Contains(t, text, tc.text)
			require.Contains(t, doc, `"state": {`)
			if tc.verdict != report.Pass {
				require.NotContains(t, page, "within its bound")
			}
		})
	}
}

// A comparison that left events out is no pass, however good its figures are.
func TestFloatSectionThatLeftEventsOut(t *testing.T) {
	f := sampleFloat()
	for due, want := range map[uint64]report.Verdict{f.Events: report.Pass, f.Events + 1: report.Empty, 0: report.Empty} {
		v, _, _, _ := render(t, "1ns", f.Section("1ns", due))
		require.Equal(t, want, v, due)
	}
	var none FloatDiff
	v, text, _, _ := render(t, "1ns", none.Section("1ns", 12))
	require.Equal(t, report.Empty, v)
	require.Contains(t, text, "0 of 12 events that decide about the window were compared")
	v, text, _, _ = render(t, "1ns", none.Section("1ns", 0))
	require.Equal(t, report.Pass, v)
	require.Contains(t, text, "nothing to measure: no event of the run decides about the window")
	require.NotContains(t, text, "within")
}

func TestSeriesSection(t *testing.T) {
	s := Series{
		Context: 3, TimeUs: []float64{0, 1, 2, 3}, Cwnd: []float64{900000, 4096, 8192, math.NaN()},
		DelayUs: []float64{1, 2, 3, 4}, AvgUs: []float64{1, 1, 2, 2}, Target: 9,
		Action: []string{"MD", "ODD", "FAST", ""},
	}
	v, text, page, doc := render(t, "1ns", SeriesSection([]Series{s, {}}))
	require.Equal(t, report.Pass, v, "figures have no bound")
	require.NotContains(t, text, "contexts")
	require.NotContains(t, doc, `"contexts": `)
	for _, x := range []string{"<h4>context 3</h4>", "cwnd, bytes (logarithmic)", "queueing delay", "target",
		"stroke:var(--up3)",
		"MD: 1 event"} {
		require.Contains(t, page, x)
	}
	require.NotContains(t, page, "NaN")
	lanes := s.lanes()
	require.Equal(t, []string{"FAST", "MD", "ODD"}, []string{lanes[0].Name, lanes[1].Name, lanes[2].Name})
}

package report

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// fifo is all that a new measurement needs: its owner writes this function and adds a line to the list of sections.
func fifo(deepest float64, samples uint64) Section {
	return Section{Key: "fifo", Title: "FIFO of the port", Data: map[string]float64{"deepest": deepest},
		Metrics: []Metric{{Name: "deepest", What: "deepest level", Unit: "beats", Value: deepest, Samples: samples,
			Bound: AtMost(16)}},
		Parts: []Part{Table{Columns: Columns("queue", "beats"), Rows: [][]Cell{Cells("tx", Digits(deepest))}}}}
}

// A section appears in every form of the report without other changes: no line of text, JSON, JUnit or HTML knows its
// contents.
func TestASectionStandsInEveryForm(t *testing.T) {
	r := *passed(1)
	r.Sections = append(r.Sections, fifo(12, 40))
	require.Equal(t, Pass, r.Verdict())
	require.Contains(t, render(t, WriteText, r), "  fifo            within bounds: deepest level 12 beats (<= 16)\n")
	require.Contains(t, render(t, WriteJUnit, r), `<property name="fifo.deepest" value="12 beats (&lt;= 16)"></property>`)
	page := render(t, WriteHTML, r)
	require.Contains(t, page, "<h3>FIFO of the port</h3>")
	require.Contains(t, page, `<td class="num">12</td>`)

	var doc struct {
		Fifo    map[string]float64
		Results []struct{ Fifo map[string]float64 }
		Metrics []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(render(t, WriteJSON, r)), &doc))
	require.Equal(t, map[string]float64{"deepest": 12}, doc.Fifo)
	require.Equal(t, doc.Fifo, doc.Results[0].Fifo)
	require.Equal(t, map[string]any{"section": "fifo", "name": "deepest", "what": "deepest level", "value": 12.0,
		"unit": "beats", "samples": 40.0, "at_most": 16.0, "verdict": "within"}, doc.Metrics[len(doc.Metrics)-1])

	r.Sections[2] = fifo(17, 40)
	require.Equal(t, OverBound, r.Verdict())
	require.Equal(t, "FIFO of the port: deepest level 17 exceeds 16", r.Reason())
	require.Contains(t, render(t, WriteText, r), "OUT OF BOUNDS: deepest level 17 exceeds 16")
}

// A section that is empty, not measured or missing never becomes a pass, in any form.
func TestWhatWasNotMeasuredIsNoPass(t *testing.T) {
	drop := func(r *Result) { r.Sections = r.Sections[:2] }
	for name, tc := range map[string]struct {
		change func(*Result)
		why    string
	}{
		"not measured": {func(r *Result) { r.Sections[2] = fifo(0, 0) }, "FIFO of the port: not measured: deepest level"},
		"one of two not measured": {func(r *Result) {
			r.Sections[2].Metrics = append(r.Sections[2].Metrics, Metric{Name: "stalls", Bound: AtMost(1)})
		}, "FIFO of the port: not measured: stalls"},
		"a fault beside good figures": {func(r *Result) { r.Sections[2].Fault = "it was shown 3 of 4 events" },
			"FIFO of the port: it was shown 3 of 4 events"},
		"a fault beside nothing to measure": {func(r *Result) {
			r.Sections[2] = fifo(0, 0)
			r.Sections[2].Idle, r.Sections[2].Fault = "no event", "it was shown 3 of 4 events"
		}, "it was shown 3 of 4 events"},
		"dropped":             {drop, "the section fifo is missing"},
		"dropped, of several": {func(r *Result) { r.Sections = nil }, "the section float is missing"},
		"empty": {func(r *Result) { r.Sections[2] = Section{Key: "fifo", Title: "FIFO of the port"} },
			"FIFO of the port: it has no figure with a bound"},
		"without its bounds": {func(r *Result) { r.Sections[2].Metrics[0].Bound = Bound{} }, "it has no figure with a bound"},
		"under another key":  {func(r *Result) { r.Sections[2].Key = "Fifo" }, "the section fifo is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			r := *passed(1)
			r.Sections, r.Due = append(r.Sections, fifo(12, 40)), []string{"float", "fifo"}
			require.Equal(t, Pass, r.Verdict())
			tc.change(&r)
			require.Equal(t, Empty, r.Verdict())
			require.False(t, r.Verdict().Found(), "exit 2, not 1")
			require.Contains(t, r.Reason(), tc.why)
			for form, write := range forms {
				require.Regexp(t, "(?i)empty", render(t, write, r), form)
			}
			require.Contains(t, render(t, WriteJUnit, r), `errors="1"`)
			require.Contains(t, render(t, WriteHTML, r), `<div class="verdict bad"><b>EMPTY</b>`)

			r.Mismatches = 1
			require.Equal(t, Mismatched, r.Verdict(), "what was found stays")
			r.Mismatches, r.ModelOnly = 0, true
			require.Equal(t, Empty, r.Verdict())
		})
	}
	r := *passed(1)
	r.Sections, r.Due = append(r.Sections, fifo(0, 0)), []string{"float", "fifo"}
	r.Sections[2].Idle = "the run has no packet"
	require.Equal(t, Pass, r.Verdict(), "there was nothing to measure, by a count of its own")
	require.Contains(t, render(t, WriteText, r), "  fifo            nothing to measure: the run has no packet\n")
	var doc struct{ Sections []outcomeJSON }
	require.NoError(t, json.Unmarshal([]byte(render(t, WriteJSON, r)), &doc))
	require.Equal(t, outcomeJSON{"fifo", NothingDue, "the run has no packet"}, doc.Sections[2])
}

// A result cannot remove a requirement of the plan.
func TestSettleKeepsWhatIsDue(t *testing.T) {
	rep := Plan([]Result{{Block: "ccc", Due: []string{"fifo"}}})
	rep.Settle(0, passed(1), nil, false)
	require.Equal(t, Empty, rep.Verdict())
	require.Contains(t, rep.Reason(), "the section fifo is missing")
}

// Two values under one key would lose one of them.
func TestSectionKeysAreTheirOwn(t *testing.T) {
	for _, key := range []string{"events", "verdict", "results", "dut", "metrics", ""} {
		r := *passed(1)
		r.Sections = append(r.Sections, Section{Key: key, Data: 1})
		var b discard
		require.ErrorContains(t, WriteJSON(&b, &Report{Results: []Result{r}}), "its key is empty or taken", key)
	}
	r := *passed(1)
	r.Sections = append(r.Sections, fifo(1, 1), fifo(2, 1))
	require.Error(t, WriteJSON(&discard{}, &Report{Results: []Result{r}}))
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

// Data that can be joined appears above several results, under its key.
func TestJoinedData(t *testing.T) {
	var doc struct {
		Float   map[string]any
		Results []struct{ Float map[string]any }
	}
	require.NoError(t, json.Unmarshal([]byte(render(t, WriteJSON, *passed(1), *passed(2), *passed(3))), &doc))
	require.Equal(t, 3.0, doc.Float["action_flips"])
	require.Equal(t, []any{}, doc.Float["flips"])
	require.Equal(t, []any{"FAIR <> NOOP"}, doc.Results[2].Float["flips"])
}

func TestMetricVerdicts(t *testing.T) {
	for _, tc := range []struct {
		m    Metric
		want MetricVerdict
		text string
	}{
		{Metric{}, Unmeasured, "not measured"},
		{Metric{Bound: AtMost(1)}, Unmeasured, "not measured"},
		{Metric{Bound: AtLeast(1), Value: 2}, Unmeasured, "not measured"},
		{Metric{Samples: 1, Value: 3, Unit: "ms"}, Unbounded, "3 ms"},
		{Metric{Samples: 1, Value: 1, Bound: AtMost(1)}, Within, "1 (<= 1)"},
		{Metric{Samples: 1, Value: 0, Bound: AtMost(0)}, Within, "0 (<= 0)"},
		{Metric{Samples: 1, Value: 1.5, Bound: AtMost(1)}, Beyond, "1.5 (<= 1)"},
		{Metric{Samples: 1, Value: 0.9, Bound: AtLeast(0.9)}, Within, "0.9 (>= 0.9)"},
		{Metric{Samples: 1, Value: 0.8, Bound: AtLeast(0.9)}, Beyond, "0.8 (>= 0.9)"},
		{Metric{Samples: 1, Value: math.NaN(), Bound: AtMost(1)}, Beyond, "NaN (<= 1)"},
		{Metric{Samples: 1, Value: math.NaN(), Bound: AtLeast(1)}, Beyond, "NaN (>= 1)"},
		{Metric{Samples: 1, Value: math.Inf(1), Bound: AtLeast(1)}, Beyond, "+Inf (>= 1)"},
		{Metric{Samples: 1, Value: math.Inf(-1), Bound: AtMost(1)}, Beyond, "-Inf (<= 1)"},
		{Metric{Samples: 1, Value: 1, Bound: AtMost(math.NaN())}, Beyond, "1 (<= NaN)"},
	} {
		require.Equal(t, tc.want, tc.m.Verdict(), tc.text)
		require.Equal(t, tc.text, tc.m.words())
	}
	var m Metric
	m.Median(nil)
	require.Equal(t, Unmeasured, m.Verdict())
	samples := []float64{3, 1, 2}
	m.Median(samples)
	require.Equal(t, []float64{1, 2, 3}, []float64{m.Least, m.Value, m.Greatest})
	require.Equal(t, []float64{3, 1, 2}, samples)
	require.EqualValues(t, 3, m.Samples)
	m.Median([]float64{4, 1, 3, 2})
	require.Equal(t, []float64{1, 2.5, 4}, []float64{m.Least, m.Value, m.Greatest}, "not the better of the middle two")
	require.Equal(t, "speed 0.8 is less than 0.9", (&Metric{What: "speed", Value: 0.8, Bound: AtLeast(0.9)}).excess())
}

package experimentreport

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
	"github.com/goldwire/goldwire/golden/experiment"
)

// with returns an experiment with checks of some verdicts.
func with(t *testing.T, verdicts ...experiment.Verdict) experiment.Judged {
	t.Helper()
	rows, err := experiment.Find([]string{"000/fairness"})
	require.NoError(t, err)
	j := experiment.Judged{Experiment: rows[0], Runs: 1}
	for _, v := range verdicts {
		j.Checks = append(j.Checks, experiment.Check{Name: "jain", Verdict: v, Measured: "0.98", Claim: "above 0.99",
			Reason: "short flows"})
	}
	return j
}

func TestVerdict(t *testing.T) {
	open := experiment.Judged{Experiment: experiment.Experiment{ID: "002/fig4"}, Err: errors.New("gone")}
	for _, x := range []struct {
		all  []experiment.Judged
		want Verdict
	}{
		{nil, NotWhole},
		{[]experiment.Judged{with(t)}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Pass)}, Pass},
		{[]experiment.Judged{with(t, experiment.Pass, experiment.Reported)}, Pass},
		{[]experiment.Judged{with(t, experiment.Reported)}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Pass, experiment.Vacuous)}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Pass, "")}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Pass, experiment.Undecided)}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Pass), open}, NotWhole},
		{[]experiment.Judged{with(t, experiment.Fail, experiment.Vacuous), open}, Fail},
	} {
		got, why := (&Report{All: x.all}).Verdict()
		require.Equal(t, x.want, got, why)
	}
}

func TestForms(t *testing.T) {
	j := with(t, experiment.Fail)
	j.Figures = []experiment.Figure{{Title: "Jain index", X: "flows", Lines: []experiment.Line{
		{Name: "NSCC", Dots: true, X: []float64{8, 16, 32}, Y: []float64{1, math.NaN(), math.Inf(1)}}}}}
	open := experiment.Judged{Experiment: experiment.Experiment{ID: "002/fig4", Title: "elephants"},
		Err: errors.New("no such port")}
	r := &Report{Seeds: []uint64{1}, All: []experiment.Judged{j, open}}
	var text, page, doc bytes.Buffer
	require.NoError(t, r.WriteText(&text))
	require.NoError(t, r.WriteHTML(&page))
	require.NoError(t, r.WriteJSON(&doc))
	for _, b := range []*bytes.Buffer{&text, &page} {
		for _, want := range []string{"FAIL", "0.98", "above 0.99", "short flows", "002/fig4", "no such port"} {
			require.Contains(t, b.String(), want)
		}
	}
	require.Contains(t, page.String(), "Jain index")
	var d Document
	require.NoError(t, json.Unmarshal(doc.Bytes(), &d))
	require.Equal(t, Fail, d.Verdict)
	require.Equal(t, []float64{8}, d.Experiments[0].Figures[0].Lines[0].X)
	require.Equal(t, "NOT RUN: no such port", d.Experiments[1].State)
}

// The Markdown counts checks by their weight, and says first what could not be run.
func TestMarkdown(t *testing.T) {
	j := with(t, experiment.Pass, experiment.Fail, experiment.Reported)
	for i, m := range []experiment.Mark{experiment.Headline, experiment.Plain, experiment.Weak} {
		j.Checks[i].Mark = m
	}
	write := func(ended error, all ...experiment.Judged) string {
		var b bytes.Buffer
		doc := &measured.Doc{Command: "goldwire fabric validate"}
		require.NoError(t, (&Report{Seeds: []uint64{1}, All: all}).WriteMarkdown(&b, doc, ended))
		return b.String()
	}
	text := write(nil, j)
	for _, want := range []string{"\nFAIL: 1 checks pass, 1 fail, 1 weak (1 seed, 0 s).\n",
		"| headline | 1 | 0 | 0 | 0 | 0 |\n", "| plain | 0 | 1 | 0 | 0 | 0 |\n", "| weak | 0 | 0 | 0 | 0 | 1 |\n",
		"\n**000/fairness: ",
		"| jain | plain | above 0.99 | 0.98 | FAIL |\n", "\n- jain: short flows\n"} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, measured.Incomplete)
	open := experiment.Judged{Experiment: experiment.Experiment{ID: "002/fig4"}, Err: errors.New("no such port")}
	text = write(nil, j, open)
	require.Contains(t, text, measured.Incomplete)
	require.Contains(t, text, "- 002/fig4: NOT RUN: no such port\n")
	require.Contains(t, write(errors.New("interrupted"), j), "- interrupted\n")
}

func TestCurve(t *testing.T) {
	c := curve(&experiment.Line{Dots: true, X: []float64{8, 16, 32}, Y: []float64{1, 2, 3}})
	require.Equal(t, []float64{8, 16, 32, 48}, c.X)
	require.Equal(t, []float64{1, 2, 3, 3}, c.Y)
	require.Equal(t, report.Steps, c.Form)
	require.Equal(t, report.Dots, curve(&experiment.Line{Dots: true, X: []float64{8}, Y: []float64{1}}).Form)
}

// TestColumnsHold: a reason between two checks does not shift the columns of the second.
func TestColumnsHold(t *testing.T) {
	lines := aligned([]experiment.Check{
		{Name: "a long name", Verdict: experiment.Fail, Mark: experiment.Headline, Measured: "1", Claim: "x", Reason: "why"},
		{Name: "b", Verdict: experiment.Pass, Mark: experiment.Plain, Measured: "2", Claim: "x"},
	})
	require.Len(t, lines, 2)
	require.Equal(t, strings.Index(lines[0], "1"), strings.Index(lines[1], "2"))
	require.NotContains(t, lines[0], "why")
	require.Empty(t, aligned(nil))
}

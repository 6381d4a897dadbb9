package reports

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// sample is a campaign of one block in which run i ends as outcomes[i].
func sample(outcomes ...campaign.Outcome) (*campaign.Summary, []plan.Run) {
	s := &campaign.Summary{Stage: "pull", Night: "n", Verdict: campaign.Passed}
	var runs []plan.Run
	for i, o := range outcomes {
		run := plan.Run{ID: fmt.Sprintf("egress-all.random.seed%d", i+1), Test: "egress/all", Block: "egress",
			Source: "random", Seed: uint64(i + 1), Args: []string{"cosim", "--block", "egress"}}
		st := campaign.State{ID: run.ID, Outcome: o, Reason: "why " + string(o),
			Repeat: fmt.Sprintf("goldwire cosim --block egress --seed %d", i+1), Cost: campaign.Cost{CPU: 1, Seconds: 2}}
		s.Planned++
		switch o {
		case campaign.Passed:
			s.Passed++
		case campaign.Failed:
			s.Failed++
			st.Failure = &campaign.Failure{Episode: "random/1", Cycle: 7, Field: "rsp.verdict", Want: "1", Got: "2",
				Event: "accepted last: ENQ port=1", Shrunk: []string{"ENQ port=1"}}
		case campaign.Error:
			s.Errors++
		case campaign.Taken:
			s.TakenOver++
			st.From = &campaign.Origin{Dir: "old", Revision: "abc", Inputs: "f00d"}
		default:
			s.Missing++
		}
		s.Runs, runs = append(s.Runs, st), append(runs, run)
	}
	if s.Failed > 0 {
		s.Verdict = campaign.Failed
	} else if s.Errors+s.Missing > 0 {
		s.Verdict = campaign.Error
	}
	s.Coverage = []campaign.Coverage{{Block: "egress", Size: "default", Bins: 9, Hit: 6,
		Missed: []string{"a/1", "b/1", "c|x/1"}}}
	return s, runs
}

var points = []plan.Goal{{Name: "egress/first", Bins: []string{"a/*"}},
	{Name: "egress/other", Bins: []string{"z/*"}}, {Name: "egress/ab", Bins: []string{"a/*", "b/*"}},
	{Name: "ccc/all", Bins: []string{"*"}}}

// of returns the head of a campaign of the runs.
func of(runs []plan.Run) *campaign.Head {
	return &campaign.Head{Runs: runs, Goals: plan.Goals{Testpoints: points}}
}

func made(t *testing.T, ended error, outcomes ...campaign.Outcome) *Report {
	t.Helper()
	s, runs := sample(outcomes...)
	r, err := New(s, of(runs), ended)
	require.NoError(t, err)
	return r
}

func text(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

var mixed = []campaign.Outcome{campaign.Passed, campaign.Failed, campaign.Failed, campaign.Error, campaign.Missing,
	campaign.Taken}

const account = "6 planned = 1 passed + 2 failed + 1 errors + 1 missing + 1 taken over"

func TestEveryRunIsACaseOfJUnit(t *testing.T) {
	var doc report.Suites
	require.NoError(t, xml.Unmarshal([]byte(text(t, made(t, nil, mixed...).WriteJUnit)), &doc))
	require.Equal(t, []int{6, 2, 2, 1}, []int{doc.Tests, doc.Failures, *doc.Errors, doc.Skipped})
	require.Len(t, doc.Suites, 1)
	cases := doc.Suites[0].Cases
	require.Len(t, cases, 6)
	for i, c := range cases {
		require.Equal(t, "goldwire.egress.all", c.Classname)
		require.Contains(t, c.Details.Properties, report.Property{Name: "seed", Value: fmt.Sprint(i + 1)})
		require.Contains(t, c.Details.Properties, report.Property{Name: "reproduce",
			Value: fmt.Sprintf("goldwire cosim --block egress --seed %d", i+1)})
	}
	require.Contains(t, cases[1].Failure.Message, "cycle 7, rsp.verdict: want 1, got 2")
	require.Contains(t, cases[1].Failure.Text, "shortest events:\n  ENQ port=1")
	require.Equal(t, "why error", cases[3].Error.Message)
	require.Equal(t, "why missing", cases[4].Error.Message)
	require.Contains(t, cases[5].Skipped.Message, "taken over from old, revision abc, inputs f00d")
}

// A campaign that did not pass has a failure or an error in its JUnit file, whatever its runs.
func TestJUnitNeverLooksBetterThanTheVerdict(t *testing.T) {
	count := func(r *Report) (bad int) {
		var doc report.Suites
		require.NoError(t, xml.Unmarshal([]byte(text(t, r.WriteJUnit)), &doc))
		if doc.Errors != nil {
			bad = *doc.Errors
		}
		return bad + doc.Failures
	}
	require.Zero(t, count(made(t, nil, campaign.Passed)))
	stopped := made(t, errors.New("interrupted"), campaign.Passed)
	require.Equal(t, campaign.Error, stopped.Result)
	require.Equal(t, 1, count(stopped))
	require.Contains(t, text(t, stopped.WriteMarkdown), "### goldwire ERROR: ")
	require.Contains(t, text(t, stopped.WriteAnnotations), "it ended early: interrupted")
	s, runs := sample(campaign.Passed)
	s.Verdict = campaign.Error // a goal that no run represents
	r, err := New(s, of(runs), nil)
	require.NoError(t, err)
	require.Equal(t, 1, count(r))
	require.Contains(t, text(t, r.WriteHTML), "it did not pass")
	s.Closed, s.Testpoints = true, []campaign.Point{{Name: "egress/ab", Why: "2 bins missed"}}
	for _, write := range []func(io.Writer) error{r.WriteHTML, r.WriteMarkdown} {
		require.Contains(t, text(t, write), "1 of 1 testpoints are open")
		require.Contains(t, text(t, write), "egress/ab: 2 bins missed")
	}
	failed := made(t, errors.New("interrupted"), campaign.Failed)
	require.Equal(t, campaign.Failed, failed.Result) // a failure stays
}

func TestSummaries(t *testing.T) {
	r := made(t, nil, mixed...)
	md, page := text(t, r.WriteMarkdown), html.UnescapeString(text(t, r.WriteHTML))
	for _, want := range []string{account, "egress: rsp.verdict differs, ENQ", "why error", "why missing",
		"goldwire cosim --block egress --seed 2", "egress/first", "egress/ab", "(no testpoint)",
		"1 run taken over from old, revision abc, inputs f00d"} {
		require.Contains(t, md, want)
		require.Contains(t, page, want)
	}
	require.NotContains(t, md, "egress/other")
	require.NotContains(t, md, "ccc/all")
	require.Contains(t, md, "### goldwire FAILED: stage pull")
	require.Contains(t, md, "| egress/all | 5 | 4 | 1 | 5.0 |")
	require.NotContains(t, md, "c|x") // it would end the cell
	require.NotContains(t, md, "Cut: ")
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "http")
	require.Contains(t, page, `<div class="verdict bad"><b>FAILED</b>`)
}

// A summary keeps to GitHub's limit, and names what it left out.
func TestSummaryIsCut(t *testing.T) {
	outcomes := make([]campaign.Outcome, 3000)
	for i := range outcomes {
		outcomes[i] = []campaign.Outcome{campaign.Failed, campaign.Error}[i%2]
	}
	s, runs := sample(outcomes...)
	for i := range s.Runs {
		s.Runs[i].Reason += strings.Repeat("<é&", 3000) + fmt.Sprint(i)
		if f := s.Runs[i].Failure; f != nil {
			f.Field = fmt.Sprintf("field%d```%s", i, strings.Repeat("*", 3000))
		}
	}
	r, err := New(s, of(runs), nil)
	require.NoError(t, err)
	md := text(t, r.WriteMarkdown)
	require.LessOrEqual(t, len(md), MaxMarkdown)
	require.Greater(t, len(md), MaxMarkdown/2)
	require.Contains(t, md, "3000 planned = 0 passed + 1500 failed + 1500 errors + 0 missing")
	require.Regexp(t, `\*\*Cut: \d+ more parts found no room in this summary of at most 1048576 bytes`, md)
	require.Equal(t, strings.Count(md, "<details>"), strings.Count(md, "</details>"))
	require.Zero(t, strings.Count(md, "\n```\n")%2)
	for _, limit := range []int{1000, 5000, 20000} {
		var b bytes.Buffer
		require.NoError(t, made(t, nil, mixed...).writeMarkdown(&b, limit))
		require.LessOrEqual(t, b.Len(), limit)
		require.Equal(t, limit < 3000, strings.Contains(b.String(), "Cut: "), limit)
		require.Contains(t, b.String(), "FAILED")
	}
}

func TestOneAnnotationForEachBucket(t *testing.T) {
	out := text(t, made(t, nil, mixed...).WriteAnnotations)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, lines, 3)
	require.Equal(t, "::error file=hdl/rtl/egress/egress.sv,title=egress%3A rsp.verdict differs%2C ENQ::2 runs, first "+
		"egress random seed 2: random/1: cycle 7, rsp.verdict: want 1, got 2; accepted last: ENQ port=1%0A"+
		"goldwire cosim --block egress --seed 2", lines[0])
	require.Contains(t, lines[1], "why error")
	require.Contains(t, lines[2], "1 run without a record")
	require.Empty(t, text(t, made(t, nil, campaign.Passed, campaign.Taken).WriteAnnotations))

	s, runs := sample(make([]campaign.Outcome, 0)...)
	for i := range 30 {
		one, run := sample(campaign.Failed)
		one.Runs[0].ID, run[0].ID = fmt.Sprint(i), fmt.Sprint(i)
		one.Runs[0].Failure.Field = fmt.Sprintf("100%%\n::error::f%d", i)
		s.Runs, runs = append(s.Runs, one.Runs...), append(runs, run...)
		s.Planned, s.Failed = s.Planned+1, s.Failed+1
	}
	runs[0].Args = []string{"cosim", "--dut", "my,design/dut.yaml"}
	r, err := New(s, of(runs), nil)
	require.NoError(t, err)
	lines = strings.Split(strings.TrimSuffix(text(t, r.WriteAnnotations), "\n"), "\n")
	require.Len(t, lines, MaxAnnotations)
	require.Contains(t, lines[0], "file=my%2Cdesign/dut.yaml,")
	require.Contains(t, lines[0], "100%25%0A::error")
	require.Contains(t, lines[9], "21 more kinds")
}

// A report is refused if its runs are not those of the campaign, or its counts leave one out.
func TestReportOfAWrongAccount(t *testing.T) {
	s, runs := sample(mixed...)
	_, err := New(s, of(runs[1:]), nil)
	require.ErrorContains(t, err, "is not one of the campaign")
	s.Failed--
	s.Passed++
	_, err = New(s, of(runs), nil)
	require.ErrorContains(t, err, "the list of runs does not add up to that")
}

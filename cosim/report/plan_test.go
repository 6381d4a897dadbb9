package report

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var forms = map[string]func(io.Writer, *Report) error{"text": WriteText, "json": WriteJSON, "junit": WriteJUnit,
	"html": WriteHTML}

// planned is the plan of four runs, seeds 1 to 4.
func planned() *Report {
	var runs []Result
	for seed := uint64(1); seed <= 4; seed++ {
		runs = append(runs, Result{Block: "ccc", Source: "random", Seed: seed, Tick: "1ns",
			Reproduce: fmt.Sprintf("goldwire cosim --seed %d", seed)})
	}
	return Plan(runs)
}

func passed(seed uint64) *Result {
	r := sample("random", seed, false)
	r.Cases = nil
	return &r
}

// Every planned run has an entry in every form, with its reason, whatever its outcome, and no form shows a pass for the
// whole.
func TestEveryPlannedRunStandsInEveryReport(t *testing.T) {
	for name, tc := range map[string]struct {
		make    func(*Report)
		verdict Verdict
		entries []Verdict
		errors  int // in JUnit
		skipped int
		reasons []string
		seed    uint64 // the seed shown at the top
	}{
		"nothing was begun": {func(*Report) {}, NotRun, []Verdict{NotRun, NotRun, NotRun, NotRun}, 4, 0, []string{neverBegan},
			1},
		"one passed and the command was killed": {func(r *Report) { r.Settle(0, passed(1), nil, false) },
			NotRun, []Verdict{Pass, NotRun, NotRun, NotRun}, 3, 0, []string{neverBegan}, 1},
		"the third does not start": {func(r *Report) {
			r.Settle(0, passed(1), nil, false)
			r.Settle(1, passed(2), nil, false)
			r.Settle(2, nil, errors.New("the build failed"), false)
			r.Stop("run 3 of 4 ended the command")
		}, Errored, []Verdict{Pass, Pass, Errored, NotRun}, 2, 0, []string{"the build failed",
			"run 3 of 4 ended the command"}, 3},
		"interrupted between two runs": {func(r *Report) {
			r.Settle(0, passed(1), nil, false)
			r.Stop("interrupted before it began")
		}, NotRun, []Verdict{Pass, NotRun, NotRun, NotRun}, 3, 0, []string{"interrupted before it began"}, 1},
		"interrupted while it started": {func(r *Report) {
			r.Settle(0, passed(1), nil, false)
			r.Settle(1, nil, errors.New("run: interrupt"), true)
			r.Stop("interrupted before it began")
		}, Interrupted, []Verdict{Pass, Interrupted, NotRun, NotRun}, 3, 0, []string{"stopped early",
			"interrupted before it began"}, 2},
		"a result that came with an error": {func(r *Report) {
			r.Settle(0, passed(1), errors.New("the follower broke"), false)
			r.Stop("run 1 of 4 ended the command")
		}, Errored, []Verdict{Errored, NotRun, NotRun, NotRun}, 4, 0, []string{"the follower broke"}, 1},
		"neither result nor error": {func(r *Report) {
			for i := range 4 {
				r.Settle(i, nil, nil, false)
			}
		}, Errored, []Verdict{Errored, Errored, Errored, Errored}, 4, 0, []string{"the run gave no result"}, 1},
		"the last compared nothing": {func(r *Report) {
			for i := range 4 {
				r.Settle(i, passed(uint64(i+1)), nil, false)
			}
			r.Results[3].Compared = Compared{}
		}, Empty, []Verdict{Pass, Pass, Pass, Empty}, 1, 0, []string{"no response came, so nothing was compared"}, 4},
		"one is of the model alone": {func(r *Report) {
			for i := range 4 {
				r.Settle(i, passed(uint64(i+1)), nil, false)
			}
			r.Results[1].ModelOnly = true
		}, ModelAlone, []Verdict{Pass, ModelAlone, Pass, Pass}, 0, 1, []string{"nothing was compared"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := planned()
			tc.make(r)
			require.Equal(t, tc.verdict, r.Verdict())
			out := map[string]string{}
			for form, write := range forms {
				out[form] = render(t, write, r.Results...)
				for _, why := range tc.reasons {
					require.Contains(t, out[form], why, form)
				}
			}
			var not []int // runs that did not begin
			for seed := 1; seed <= 4; seed++ {
				if tc.entries[seed-1] == NotRun {
					not = append(not, seed)
				} else {
					require.Contains(t, out["text"], fmt.Sprintf("ccc random seed %d", seed))
				}
				require.Contains(t, out["html"], fmt.Sprintf("<h2>ccc random seed %d</h2>", seed))
			}
			switch len(not) {
			case 0:
				require.NotContains(t, out["text"], "NOT RUN")
			case 1:
				require.Contains(t, out["text"], fmt.Sprintf("NOT RUN  ccc random seed %d: ", not[0]))
			default:
				require.Contains(t, out["text"], fmt.Sprintf("NOT RUN  %d runs, ccc random seed %d to ccc random seed %d: ",
					len(not), not[0], not[len(not)-1]))
			}
			require.LessOrEqual(t, len(regexp.MustCompile(`(?m)^NOT RUN  (\d+ runs, c|c)cc`).FindAllString(out["text"], -1)), 1,
				"one line for them all")
			require.Contains(t, out["html"], `<b>`+strings.ToUpper(string(tc.verdict))+`</b>`)

			var doc struct {
				Verdict   Verdict
				Reason    string
				Seed      uint64
				Seeds     []uint64
				Reproduce string
				Results   []struct {
					Verdict Verdict
					Reason  string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(out["json"]), &doc))
			require.Equal(t, tc.verdict, doc.Verdict)
			require.Equal(t, tc.seed, doc.Seed)
			require.Equal(t, []uint64{1, 2, 3, 4}, doc.Seeds)
			require.Contains(t, doc.Reproduce, fmt.Sprintf("--seed %d", tc.seed), "seed and command are of one run")
			require.Len(t, doc.Results, 4)
			for i, x := range doc.Results {
				require.Equal(t, tc.entries[i], x.Verdict)
				require.NotEmpty(t, x.Reason)
			}
			require.NotEmpty(t, doc.Reason)

			var junit Suites
			require.NoError(t, xml.Unmarshal([]byte(out["junit"]), &junit))
			require.Len(t, junit.Suites, 4)
			require.Equal(t, []int{4, 0, tc.errors, tc.skipped},
				[]int{junit.Tests, junit.Failures, *junit.Errors, junit.Skipped})
		})
	}
}

// A command that never had a plan reports that in every form.
func TestNoPlan(t *testing.T) {
	r := &Report{Failure: "dut.yaml: no such file"}
	for form, write := range forms {
		if form == "text" {
			continue // the command prints its error
		}
		var b strings.Builder
		require.NoError(t, write(&b, r))
		require.Contains(t, b.String(), "dut.yaml: no such file", form)
		require.NotRegexp(t, "(?i)\\bpass\\b", b.String(), form)
	}
	var b strings.Builder
	require.NoError(t, WriteJUnit(&b, r))
	require.Contains(t, b.String(), `tests="1" failures="0" errors="1"`)
}

// Every form shows how much was compared, for one run and for all.
func TestCountsStandInEveryReport(t *testing.T) {
	one, two := *passed(1), *passed(2)
	one.Compared, two.Compared = Compared{Responses: 7001, Fields: 70011}, Compared{Responses: 7002, Fields: 70022}
	for form, write := range forms {
		plain := strings.NewReplacer(" ", "", "\u00a0", "", ",", "", "_", "").Replace(render(t, write, one))
		require.Contains(t, plain, "7001", form)
		require.Contains(t, plain, "70011", form)
		plain = strings.NewReplacer(" ", "", "\u00a0", "", ",", "", "_", "").Replace(render(t, write, one, two))
		for _, n := range []string{"7001", "70011", "7002", "70022"} {
			if form != "text" || len(n) == 0 {
				require.Contains(t, plain, n, form)
			}
		}
		if form == "text" || form == "json" || form == "html" {
			require.Contains(t, plain, "14003", form)
			require.Contains(t, plain, "140033", form)
		}
	}
}

// Fixed point out of its bounds is not a pass in any form.
func TestOverBoundIsNoPass(t *testing.T) {
	r := *passed(1)
	r.Sections[0].Metrics[0].Value = 2
	for form, write := range forms {
		require.Regexp(t, "(?i)bound exceeded", render(t, write, r), form)
	}
	require.Contains(t, render(t, WriteJUnit, r), `tests="1" failures="1" errors="0"`)
}

// The head of an interrupted command shows what was done and found: the run that was interrupted, or that passed.
func TestHeadIsAboutWhatWasDone(t *testing.T) {
	for _, tc := range []struct {
		make        func(*Report)
		head, why   string
		first, seed string
	}{
		{func(r *Report) {
			r.Settle(0, passed(1), nil, false)
			two := passed(2)
			two.Interrupted = true
			r.Settle(1, two, errors.New("interrupt"), true)
			r.Stop("not begun: the command was interrupted in run 2 of 4")
		}, "INTERRUPTED  4 runs, 3 not passed (1 pass, 2 not run, 1 interrupted): 2,000,000 events",
			"1 pass, 2 not run, 1 interrupted; ccc random seed 2: stopped early; nothing had differed in", "--seed 2",
			`"seed": 2`},
		{func(r *Report) {
			r.Settle(0, passed(1), nil, false)
			r.Stop("not begun: the command was interrupted in run 2 of 4")
		}, "NOT RUN  4 runs, 3 not passed (1 pass, 3 not run): 1,000,000 events",
			"1 pass, 3 not run; ccc random seed 2: not begun: the command was interrupted in run 2 of 4", "--seed 1",
			`"seed": 1`},
		{func(r *Report) {
			bad := sample("random", 1, true)
			r.Settle(0, &bad, nil, false)
			r.Stop("not begun: the command was interrupted in run 2 of 4")
		}, "MISMATCH  4 runs, 4 not passed (3 not run, 1 mismatch): 1,000,000 events",
			"3 mismatches; the first in episode 117", "--seed 1", `"seed": 1`},
	} {
		r := planned()
		tc.make(r)
		out := map[string]string{}
		for form, write := range forms {
			out[form] = render(t, write, r.Results...)
		}
		require.Contains(t, out["text"], tc.head)
		require.Contains(t, out["text"], tc.why)
		require.Contains(t, out["html"], tc.why)
		require.Contains(t, out["json"], tc.why)
		require.Contains(t, out["json"], tc.seed)
		require.Equal(t, 4, strings.Count(out["junit"], "<testsuite "))
	}
}

// A value beyond its bound, once found, stays; the error that ends the run later is reported with it.
func TestBoundExceededStays(t *testing.T) {
	for _, end := range []func(*Result){
		func(r *Result) { r.Interrupted = true }, func(r *Result) { r.Broken = "device: killed by signal 9" },
		func(*Result) {},
	} {
		for _, over := range []func(*Result){
			func(r *Result) { r.Sections[0].Metrics[0].Value = 0.5 },
			func(r *Result) { r.Sections[0].Metrics[0].Value = math.NaN() },
			func(r *Result) { r.Sections[0].Metrics[0].Value, r.Due = 0.5, []string{"float", "missing"} },
			func(r *Result) { r.Sections[0].Metrics[0].Value, r.Sections[0].Fault = 0.5, "not all was seen" },
		} {
			r := *passed(1)
			over(&r)
			end(&r)
			require.Equal(t, OverBound, r.Verdict())
			require.Contains(t, render(t, WriteText, r), "BOUND EXCEEDED")
			junit := render(t, WriteJUnit, r)
			require.Contains(t, junit, `failures="1"`)
			if r.Interrupted || r.Broken != "" {
				require.Contains(t, junit, `errors="1"`)
				require.Contains(t, junit, "the run ended early: ")
			}
			rep := Plan([]Result{r, r})
			rep.Settle(0, &r, nil, false)
			rep.Failure = "--json: disk full"
			require.Equal(t, OverBound, rep.Verdict())
		}
	}
	r := *passed(1) // shares count only for whole runs
	r.Sections[0].Metrics[1].Value, r.Interrupted = 9, true
	require.Equal(t, Interrupted, r.Verdict())
}

package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func render(t *testing.T, f func(io.Writer, *Report) error, results ...Result) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f(&b, &Report{Results: results}))
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test with -update to write it")
	require.Equal(t, string(want), got)
}

// bounded returns a section with one figure that may be at most 1.
func bounded(value float64, samples uint64) []Section {
	return []Section{{Key: "float", Metrics: []Metric{
		{Name: "error", What: "relative error", Value: value, Samples: samples, Bound: AtMost(1)}}}}
}

func TestVerdicts(t *testing.T) {
	some := Compared{Responses: 1, Fields: 1}
	for _, c := range []struct {
		name string
		r    Result
		want Verdict
		ok   bool
	}{
		{"pass", Result{Events: 1, Compared: some}, Pass, true},
		{"no response came", Result{Events: 1}, Empty, false},
		{"responses of which no field is compared", Result{Events: 1, Compared: Compared{Responses: 9}}, Empty, false},
		{"not run", Result{NotRun: "x"}, NotRun, false},
		{"broken", Result{Events: 1, Compared: some, Broken: "x"}, Errored, false},
		{"broken after a mismatch", Result{Events: 1, Mismatches: 1, Broken: "x"}, Mismatched, false},
		{"a figure beyond its bound", Result{Events: 1, Compared: some, Sections: bounded(2, 1)}, OverBound, false},
		{"a figure beyond its bound, model alone", Result{Events: 1, ModelOnly: true, Sections: bounded(2, 1)}, OverBound,
			false},
		{"a figure that is not a number", Result{Events: 1, Compared: some, Sections: bounded(math.NaN(), 1)}, OverBound,
			false},
		{"a figure within its bound", Result{Events: 1, Compared: some, Sections: bounded(1, 1)}, Pass, true},
		{"a figure with a bound that was not measured", Result{Events: 1, Compared: some, Sections: bounded(0, 0)}, Empty,
			false},
		{"the same, model alone", Result{Events: 1, ModelOnly: true, Sections: bounded(0, 0)}, Empty, false},
		{"nothing accepted", Result{}, Empty, false},
		{"model alone", Result{Events: 1, ModelOnly: true}, ModelAlone, true},
		{"interrupted", Result{Events: 1, Interrupted: true}, Interrupted, false},
		{"interrupted before the first event", Result{Interrupted: true}, Interrupted, false},
		{"mismatch", Result{Events: 1, Mismatches: 1}, Mismatched, false},
		{"mismatch then interrupted", Result{Events: 1, Mismatches: 1, Interrupted: true}, Mismatched, false},
		{"mismatch before any event was accepted", Result{Mismatches: 1}, Mismatched, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, c.r.Verdict())
			require.Equal(t, c.ok, c.r.Verdict().OK())
		})
	}
	pass, bad, stopped := Result{Events: 1, Compared: some}, Result{Mismatches: 1}, Result{Interrupted: true}
	require.Equal(t, Empty, (&Report{}).Verdict())
	require.Equal(t, Mismatched, (&Report{Results: []Result{pass, bad, stopped}}).Verdict())
	require.Equal(t, Interrupted, (&Report{Results: []Result{pass, stopped}}).Verdict())
}

func TestText(t *testing.T) {
	golden(t, "pass.txt", render(t, WriteText, sample("fabric:incast32", 1, false)))
	golden(t, "mismatch.txt", render(t, WriteText, sample("random", 7, true)))
	golden(t, "several.txt", render(t, WriteText, sample("fabric:incast32", 1, false), sample("random", 7, true)))
}

func TestJSONKeys(t *testing.T) {
	out := render(t, WriteJSON, sample("random", 7, true))
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	for _, k := range []string{"verdict", "block", "source", "seed", "events", "cycles", "mismatches", "first_mismatch",
		"seconds",
		"events_per_s", "transport", "dut", "float", "coverage", "reproduce", "params", "tick", "digest", "cases",
		"interrupted"} {
		require.Contains(t, doc, k)
	}
	require.NotContains(t, doc, "simulator")
	require.Equal(t, map[string]any{"simulator": "Verilator", "version": "5.006 2023-01-22",
		"flags": "-O3 -march=native --x-assign unique"}, doc["dut"])
	require.Contains(t, doc["float"], "max_rel_err_cwnd")
	require.Contains(t, doc["float"], "action_flips")
	for _, k := range []string{"bins", "hit", "missed"} {
		require.Contains(t, doc["coverage"], k)
	}
	require.Equal(t, "mismatch", doc["verdict"])
	require.Equal(t, "4211", string(jsonNumber(t, out, "cycle")))
}

// jsonNumber reads a number of the first mismatch without converting it to float64.
func jsonNumber(t *testing.T, out, key string) json.Number {
	var doc struct {
		M map[string]json.RawMessage `json:"first_mismatch"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	return json.Number(doc.M[key])
}

func TestJSONListsAreNeverNull(t *testing.T) {
	out := render(t, WriteJSON, Result{Block: "ccc", FirstMismatch: &Mismatch{Window: []Row{{}}}})
	require.NotContains(t, strings.ReplaceAll(out, `"first_mismatch": null`, ""), "null")
	require.Contains(t, render(t, WriteJSON, Result{}), `"first_mismatch": null`)
	require.Contains(t, render(t, WriteJSON), `"results": []`)
}

func TestJSONHoldsWhatIsNotFinite(t *testing.T) {
	r := Result{Events: 1, EventsPerS: math.Inf(1), Sections: bounded(math.NaN(), 1)}
	out := render(t, WriteJSON, r)
	require.Equal(t, 4, strings.Count(out, "1.7976931348623157e+308"), "both of the head and of the one result")
	require.True(t, math.IsInf(r.EventsPerS, 1), "rendering must not change the result")
	require.True(t, math.IsNaN(r.Sections[0].Metrics[0].Value))
}

func TestJSONOfSeveral(t *testing.T) {
	var doc struct {
		Verdict, Block, Reproduce string
		Events, Mismatches        uint64
		First                     *Mismatch `json:"first_mismatch"`
		Coverage                  Coverage
		Results                   []map[string]any
	}
	out := render(t, WriteJSON, sample("fabric:incast32", 1, false), sample("random", 7, true))
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.Equal(t, "mismatch", doc.Verdict)
	require.Equal(t, "ccc", doc.Block)
	require.EqualValues(t, 2000000, doc.Events)
	require.EqualValues(t, 3, doc.Mismatches)
	require.Equal(t, "117", doc.First.Episode)
	require.Contains(t, doc.Reproduce, "--source random --events 1000000 --seed 7")
	require.Len(t, doc.Results, 2)
	require.Equal(t, 209, doc.Coverage.Hit)
}

func TestCoverageOfSeveral(t *testing.T) {
	a, b := sample("a", 1, false), sample("b", 1, false)
	b.Coverage.Missed = []string{"stall/35", "flag/saturated"}
	c := (&Report{Results: []Result{a, b}}).Coverage()
	require.Equal(t, []string{"stall/35"}, c.Missed)
	require.Equal(t, 211, c.Hit)
	require.Equal(t, CoverageGroup{"stall", 32, 31}, c.Groups[4])
	require.Equal(t, CoverageGroup{"rule", 84, 84}, c.Groups[2])
	require.Len(t, c.Unreachable, 2)

	b.Coverage.Bins++
	require.Nil(t, (&Report{Results: []Result{a, b}}).Coverage(), "other bins have no common count")
	require.Nil(t, mergeGroups(a.Coverage.Groups, []string{"elsewhere/1"}))
}

func TestJUnit(t *testing.T) {
	parse := func(rs ...Result) Suites {
		out := render(t, WriteJUnit, rs...)
		require.True(t, strings.HasPrefix(out, "<?xml"))
		var doc Suites
		require.NoError(t, xml.Unmarshal([]byte(out), &doc))
		return doc
	}
	doc := parse(sample("fabric:incast32", 1, false), sample("random", 7, true))
	require.Equal(t, 6, doc.Tests)
	require.Equal(t, 1, doc.Failures)
	failed := doc.Suites[1].Cases[1]
	require.Equal(t, "episodes 100-199", failed.Name)
	for _, s := range []string{"rsp_cwnd", "148211", "148210", "cycle 4211",
		"goldwire cosim --block ccc --source random --seed 7 --episode 117"} {
		require.Contains(t, failed.Failure.Text, s)
	}
	r := sample("random", 7, true)
	r.Cases = nil
	doc = parse(r)
	require.Equal(t, 1, doc.Failures, "a mismatch that no case owns must still fail")

	r = sample("random", 7, false)
	r.Cases, r.Interrupted = nil, true
	doc = parse(r)
	require.Equal(t, 1, *doc.Errors)
	require.Equal(t, 1, *parse(Result{Source: "random"}).Errors, "nothing compared is no pass")
	require.Equal(t, 1, parse(Result{Source: "bad \x01 name", Events: 1, Compared: Compared{Responses: 1,
		Fields: 1}}).Tests)
}

// A pass lists the fields that were not compared, in every form.
func TestUncompared(t *testing.T) {
	r := sample("random", 1, false)
	r.Uncompared, r.Reference = []string{"rsp.tag", "rsp.sum"}, "old.yaml"
	require.Contains(t, render(t, WriteText, r), ", expected from old.yaml, not compared: rsp.tag rsp.sum, schema ")
	for form, write := range map[string]func(io.Writer, *Report) error{"html": WriteHTML, "junit": WriteJUnit,
		"json": WriteJSON} {
		out := strings.Join(strings.Fields(render(t, write, r)), " ")
		require.Contains(t, out, "rsp.sum", form)
		require.Contains(t, out, "old.yaml", form)
		require.NotContains(t, render(t, write, sample("random", 1, false)), "uncompared\"", form)
	}
}

// The line with the verdict names how many output fields of the block a bound design has.
func TestFewFields(t *testing.T) {
	r := sample("random", 1, false)
	r.OutputFields, r.Uncompared = 30, []string{"rsp.tag", "rsp.sum (a constant of the map)", "rsp.sum"}
	r.Ignored = []string{"rsp.x"}
	line := strings.SplitN(render(t, WriteText, r), "\n", 2)[0]
	require.Regexp(t, `^PASS  .* responses compared \(27 of 30 output fields of the block\), 0 mismatches$`, line)
	require.Contains(t, r.Reason(), "every compared output agrees with the model: ")
	require.Contains(t, r.Reason(), "(27 of 30 output fields of the block)")
	for form, write := range map[string]func(io.Writer, *Report) error{"html": WriteHTML, "junit": WriteJUnit,
		"json": WriteJSON} {
		require.Contains(t, render(t, write, r), "27 of 30 output fields", form)
	}
	total := strings.Split(render(t, WriteText, sample("random", 2, false), r), "\n")
	require.Regexp(t, `PASS  2 runs, .* \(27 of 30 output fields of the block\)`, strings.Join(total, "\n"))
	r.Uncompared, r.Ignored = nil, nil
	require.NotContains(t, render(t, WriteText, r), "output fields")
}

var external = regexp.MustCompile(`(?i)(https?:|//[a-z]|<link|<script|@import|url\(|src=)`)

func TestHTML(t *testing.T) {
	for name, c := range map[string]struct {
		results []Result
		want    []string
	}{
		"pass": {[]Result{sample("fabric:incast32", 1, false)}, []string{"<b>PASS</b>", "NumContexts=64", "617 k", "<svg",
			"queueing delay", "bound 0.001", "exhaustive over 16 cases", "stroke:var(--down)",
			"within bounds</span>", "<title>1e-5 to 1e-4: 150,444 events</title>"}},
		"mismatch": {[]Result{sample("random", 7, true)}, []string{"<b>MISMATCH</b>", "<s>148211</s><u>148210</u>",
			"--source random --seed 7 --episode 117", "ccc-117.fst"}},
		"several": {[]Result{sample("a", 1, false), sample("b", 7, true)}, []string{"<b>MISMATCH</b>", "<b>PASS</b>",
			`href="#run2"`, `id="run2"`, "Coverage of all runs"}},
		"none": {nil, []string{"<b>EMPTY</b>"}},
		"bare": {[]Result{{Block: "txstate", Source: "random", Events: 1, Compared: Compared{Responses: 1, Fields: 1},
			Sections: []Section{{Title: "Plots", Parts: []Part{Figure{}, Figure{Panels: []Panel{{}}}, Table{}, List{}}}}}},
			[]string{"<b>PASS</b>"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := render(t, WriteHTML, c.results...)
			for _, w := range c.want {
				require.Contains(t, out, w)
			}
			require.Empty(t, external.FindString(out), "the page must load nothing")
			require.NotContains(t, out, "NaN")
			require.NotContains(t, out, "ZgotmplZ")
			require.NotContains(t, out, "READY<&>", "bin names must be escaped")
			require.Equal(t, out, render(t, WriteHTML, c.results...), "equal results give equal bytes")
		})
	}
}

func TestStepsKeepExtremes(t *testing.T) {
	f := frame{0, 10, 0, 100, 0, 10, 0, 100}
	require.Equal(t, "M0 50H5V0V100V60", f.steps([]float64{0, 5, 5.01, 5.02, 5.03}, []float64{50, 90, 100, 0, 40}))
	require.Equal(t, []float64{0, 20, 40, 60}, ticks(0, 70, 4))
}

// TestHTMLSample writes the sample pages for a reader to look at.
func TestHTMLSample(t *testing.T) {
	dir := os.Getenv("GOLDWIRE_SAMPLE_DIR")
	if dir == "" {
		t.Skip("set GOLDWIRE_SAMPLE_DIR to write sample pages")
	}
	for name, rs := range map[string][]Result{"pass": {sample("fabric:incast32", 1, false)},
		"mismatch": {sample("random", 7, true)},
		"several": {sample("fabric:incast32", 1, false), sample("fabric:permutation", 2, false),
			sample("random", 7, true)}} {
		require.NoError(t, WriteFile(filepath.Join(dir, name+".html"),
			func(w io.Writer) error { return WriteHTML(w, &Report{Results: rs}) }))
	}
}

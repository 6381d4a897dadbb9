package compare

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/report"
)

// project is the baseline of the project.
var project = filepath.Join("..", "testdata", "ccc.json")

// Fixed point answers what it did when the project's baseline was saved.
func TestProjectBaseline(t *testing.T) {
	res, err := Run(context.Background(), &Spec{A: project, B: Contract})
	require.NoError(t, err, "if the change is meant: goldwire diff save -o cosim/precision/diff/testdata/ccc.json")
	var b strings.Builder
	require.NoError(t, res.WriteText(&b))
	require.False(t, res.Failed(), "%s\nif the change is meant: goldwire diff accept or diff save", b.String())
	require.Len(t, res.Stimulus, 2)
	require.Greater(t, res.Count(baseline.Identical), 160)
	for i := range res.Stimulus {
		require.EqualValues(t, 20_000, res.Stimulus[i].Events)
	}
}

func write(t *testing.T, path string, f *baseline.File) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
}

func small() diff.TakeSpec {
	return diff.TakeSpec{Sources: []string{"random"}, Seed: 1, Events: 3000}
}

// saved writes a small baseline of the contract and a table of formats, and returns their paths.
func saved(t *testing.T) (base, narrow string) {
	t.Helper()
	dir := t.TempDir()
	base, narrow = filepath.Join(dir, "base.json"), filepath.Join(dir, "narrow.yaml")
	f, err := diff.Take(context.Background(), small())
	require.NoError(t, err)
	write(t, base, f)
	require.NoError(t, os.WriteFile(narrow, []byte("block: ccc\nvalues:\n  - {name: avg_delay, format: UQ32.4}\n"), 0o644))
	return base, narrow
}

// copied returns the path of a copy of a file.
func copied(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	require.NoError(t, os.WriteFile(to, text, 0o644))
	return to
}

// A comparison of one side with itself compares nothing.
func TestOneSideIsRefused(t *testing.T) {
	base, narrow := saved(t)
	link := filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.Symlink(base, link))
	for _, s := range []Spec{{A: Contract, B: Contract, Stimulus: small()}, {A: base, B: base}, {A: narrow, B: narrow},
		{A: base, B: link}, {A: filepath.Join(base, "..", filepath.Base(base)), B: base}, {A: "rev:HEAD", B: "rev:HEAD"}} {
		_, err := Open(t.Context(), &s)
		require.ErrorContains(t, err, "nothing would be compared; give two")
		_, err = Run(t.Context(), &s)
		require.ErrorContains(t, err, "nothing would be compared; give two")
	}
}

// Two sides with the same content have no difference, and the JSON is the same to the byte.
func TestSelf(t *testing.T) {
	base, narrow := saved(t)
	for _, s := range []Spec{{A: base, B: copied(t, base)}, {A: base, B: Contract}, {A: Contract, B: base},
		{A: narrow, B: copied(t, narrow), Stimulus: small()}} {
		var first string
		for range 2 {
			res, err := Run(context.Background(), &s)
			require.NoError(t, err)
			require.False(t, res.Failed())
			require.Zero(t, res.Count(baseline.Within)+res.Count(baseline.IsAccepted))
			require.Positive(t, res.Count(baseline.Identical))
			require.Contains(t, res.Summary(), "NO DIFFERENCE")
			var b strings.Builder
			require.NoError(t, res.WriteJSON(&b))
			require.True(t, first == "" || first == b.String())
			first = b.String()
		}
	}
}

// Both orders find the same differences, and all presentations have them.
func TestDifferences(t *testing.T) {
	base, narrow := saved(t)
	a, err := Run(context.Background(), &Spec{A: base, B: narrow})
	require.NoError(t, err)
	b, err := Run(context.Background(), &Spec{A: narrow, B: Contract, Stimulus: small()})
	require.NoError(t, err)
	require.True(t, a.Failed())
	require.Equal(t, len(a.Rows), len(b.Rows))
	failed := 0
	for i := range a.Rows {
		require.Equal(t, a.Rows[i].Verdict, b.Rows[i].Verdict)
		if v := a.Rows[i].Verdict; v == baseline.Beyond || v == baseline.Flip {
			failed++
		}
	}
	require.Positive(t, failed)
	require.Contains(t, strings.Join(a.Notes, "\n"), "B has avg_delay as UQ32.4,floor,none (contract: UQ32.16,floor,none)")
	var text, js, junit, csv, md strings.Builder
	require.NoError(t, a.WriteText(&text))
	require.NoError(t, a.WriteJSON(&js))
	require.NoError(t, a.WriteJUnit(&junit))
	require.NoError(t, a.WriteCSV(&csv))
	require.NoError(t, a.WriteMarkdown(&md))
	var html strings.Builder
	require.NoError(t, a.WriteHTML(&html))
	require.Contains(t, html.String(), "DIFFERENT: ")
	require.Equal(t, failed, strings.Count(html.String(), `>beyond bound<`)+strings.Count(html.String(), `>flip<`))
	for _, line := range strings.Split(text.String(), "\n") {
		require.LessOrEqual(t, len(line), report.TextWidth, line)
	}
	require.Contains(t, text.String(), "DIFFERENT: ")
	require.Contains(t, js.String(), `"verdict": "mismatch"`)
	require.Equal(t, failed, strings.Count(junit.String(), "<failure "))
	require.Equal(t, a.Count(baseline.Unused), strings.Count(junit.String(), "<skipped "))
	require.Equal(t, len(a.Rows), strings.Count(junit.String(), "<testcase "))
	require.Equal(t, len(a.Rows)+1, strings.Count(csv.String(), "\n"))
	require.Equal(t, failed, strings.Count(csv.String(), ",beyond bound,")+strings.Count(csv.String(), ",flip,"))
	require.Equal(t, failed, strings.Count(md.String(), "| beyond bound |")+strings.Count(md.String(), "| flip |"))
}

// What cannot be compared is an error that names the side.
func TestRefuses(t *testing.T) {
	ctx := context.Background()
	base, narrow := saved(t)
	f, err := Read(base)
	require.NoError(t, err)
	dir := t.TempDir()
	other := filepath.Join(dir, "other.json")
	for want, change := range map[string]func(f *baseline.File){
		"contract.md (was x": func(f *baseline.File) { f.Contract = "x" },
		"the schema (was x":  func(f *baseline.File) { f.Schema = "x" },
		"ALPHA was UQ1.2, is UQ16.": func(f *baseline.File) {
			f.Formats, lineOf(t, f, "ALPHA").Format = "x", "UQ1.2"
		},
		"its events changed":                   func(f *baseline.File) { f.Stimulus[0].Hash = "x" },
		"A has 3001 events, B 3000":            func(f *baseline.File) { f.Stimulus[0].Events++ },
		"signal cnd of random is missing in B": func(f *baseline.File) { lineOf(t, f, "cwnd").Name = "cnd" },
	} {
		g, err := Read(base)
		require.NoError(t, err)
		change(g)
		write(t, other, g)
		spec := &Spec{A: other, B: Contract}
		if strings.Contains(want, "3001") {
			spec.B = base
		}
		_, err = Run(ctx, spec)
		require.ErrorIs(t, err, baseline.ErrUnfit, want)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, other)
	}
	write(t, other, f)
	text, err := os.ReadFile(other)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(other, text[:len(text)/2], 0o644))
	one := small()
	one.Events = 1
	for want, s := range map[string]Spec{
		"cut short":               {A: other, B: Contract},
		"brings its stimulus":     {A: base, B: narrow, Own: []string{"--seed"}},
		"no source is given":      {A: narrow, B: Contract},
		"nothing was compared":    {A: narrow, B: Contract, Stimulus: one},
		"side \"x\"":              {A: "x", B: Contract},
		"no such file":            {A: base, B: filepath.Join(dir, "none.yaml")},
		"baseline: open":          {A: filepath.Join(dir, "none.json"), B: base},
		`bound "cnd": no signal`:  {A: base, B: Contract, Bounds: map[string]baseline.Bound{"cnd": {}}},
		"table of formats: open ": {A: filepath.Join(dir, "none.yml"), B: Contract},
	} {
		_, err := Run(ctx, &s)
		require.ErrorContains(t, err, want)
	}
}

func lineOf(t *testing.T, f *baseline.File, name string) *baseline.Line {
	t.Helper()
	for i := range f.Lines {
		if f.Lines[i].Name == name && f.Lines[i].Kind == baseline.Signal {
			return &f.Lines[i]
		}
	}
	require.Fail(t, "no line", name)
	return nil
}

// Where the reasons make the lines too long they stand below the table, and none is lost.
func TestLongReasonsStandBelow(t *testing.T) {
	head := []string{"name", "kind", "verdict", "A step", "B step", "A free", "B free", "bound", "what"}
	row := func(name, what string) []string {
		return []string{name, "signal", "beyond bound", "0.009384", "0.009384", "0.026", "0.026", "none", what}
	}
	var res Result
	var b strings.Builder
	res.columns(&b, [][]string{head, row("cwnd", "other numbers")})
	require.Contains(t, b.String(), "bound what\n")
	b.Reset()
	same := "the same numbers; the exact ones changed"
	res.columns(&b, [][]string{head, row("cwnd", "other numbers"), row("avg_delay", same), row("last_adjust_time", same)})
	require.Contains(t, b.String(), "bound\n")
	require.Contains(t, b.String(), "\nother numbers: signal cwnd\n"+same+": signal avg_delay, signal last_adjust_time\n")
	for _, line := range strings.Split(b.String(), "\n") {
		require.LessOrEqual(t, len(line), report.TextWidth, line)
	}
}

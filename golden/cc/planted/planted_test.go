package planted

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// TestControls: every folder of golden/cc with a rule in it is a control, and each has more changes than are drawn.
func TestControls(t *testing.T) {
	all, err := Controls(root)
	require.NoError(t, err)
	var names []string
	known := map[string]bool{}
	for _, c := range all {
		names = append(names, c.Name)
		changes, err := c.Changes(root)
		require.NoError(t, err)
		require.Greater(t, len(changes), 40, c.Name)
		keys, texts := map[string]bool{}, map[string][]byte{}
		for _, file := range c.Files {
			texts[file], err = os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err)
		}
		for _, x := range changes {
			if src := texts[x.File]; bytes.Equal(src, x.Apply(src)) {
				t.Fatalf("no change: %s", x.Key())
			}
			require.False(t, keys[x.Key()], x.Key())
			keys[x.Key()] = true
		}
		for key := range keys {
			known[key] = true
		}
	}
	for key, why := range listed() {
		require.True(t, known[key], "equivalent.txt: no such change: %s", key)
		require.NotEmpty(t, why, key)
	}
	require.Subset(t, names, []string{"cubic", "dcqcn", "dctcp", "hpcc", "mnscc", "newreno", "nscc", "rocc", "sack",
		"smartt", "swift", "timely"})
}

// TestPlanted plants one change in each control, and 40 with GOLDWIRE_LONG: at least 95 % are caught.
func TestPlanted(t *testing.T) {
	o := Options{Count: 1, Seed: Seed, Workers: min(2, runtime.NumCPU())}
	if os.Getenv("GOLDWIRE_LONG") != "" {
		o.Count = 40
	}
	all, err := Controls(root)
	require.NoError(t, err)
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			rep, err := Measure(t.Context(), root, c, o)
			require.NoError(t, err)
			var text strings.Builder
			require.NoError(t, rep.WriteText(&text))
			t.Log(text.String())
			require.Equal(t, o.Count, rep.played())
			share, ok := rep.Share()
			require.True(t, ok)
			require.GreaterOrEqual(t, share, Least, "%s\nAdd a test by numbers that are worked by hand, or list the "+
				"change in equivalent.txt with the reason why it alters nothing.", text.String())
		})
	}
}

// TestNothingIsMeasuredOfFailingTests: tests that fail without a change would catch every one.
func TestNothingIsMeasuredOfFailingTests(t *testing.T) {
	c := Control{Name: "rocc", Files: []string{"golden/cc/rocc/step.go"}, Flags: []string{"-test.no-such-flag"}}
	_, err := Measure(t.Context(), root, c, Options{Count: 1})
	require.ErrorContains(t, err, "rocc without a change: ")
	c.Flags = []string{"-run", "^$"}
	_, err = Measure(t.Context(), root, c, Options{Count: 1})
	require.ErrorContains(t, err, "there are no tests")
	c.Files = []string{"golden/cc/rocc/doc.go"}
	_, err = Measure(t.Context(), root, c, Options{Count: 1})
	require.ErrorContains(t, err, "nothing to change in golden/cc/rocc/doc.go")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.Files, c.Flags = []string{"golden/cc/rocc/step.go"}, nil
	_, err = Measure(ctx, root, c, Options{Count: 1})
	require.ErrorIs(t, err, context.Canceled)
}

// TestVerdicts: what the go command prints for each.
func TestVerdicts(t *testing.T) {
	failed := exec.Command("go", "no-such-command").Run()
	require.Error(t, failed)
	for _, c := range []struct {
		out  string
		err  error
		want Verdict
	}{
		{"ok  \tx\t0.1s\n", nil, Survived},
		{"--- FAIL: TestX (0.00s)\nFAIL\n", failed, Caught},
		{"panic: index out of range\n", failed, Caught},
		{"x\npanic: test timed out after 30s\n--- FAIL: ", failed, Endless},
		{"fatal error: runtime: out of memory\n", failed, Endless},
		{"# x\nx.go:1:1: declared and not used\nFAIL\tx [build failed]\n", failed, NotCompiled},
		{"ok  \tx\t0.1s [no tests to run]\n", nil, ""},
		{"?   \tx\t[no test files]\n", nil, ""},
		{"", nil, ""}, {"go: no space left on device\n", failed, ""}, {"", errors.New("not found"), ""},
	} {
		got, err := judge(c.out, c.err)
		require.Equal(t, c.want, got, c.out)
		require.Equal(t, c.want == "", err != nil, c.out)
	}
}

// TestTook: the longest of the packages.
func TestTook(t *testing.T) {
	require.Equal(t, 12*time.Second, took("ok  \ta/b\t0.012s\nok  \tgithub.com/x/y\t12.000s\nok  \tz\t3s\n"))
	require.Zero(t, took("--- FAIL: "))
}

// TestShare: what does not compile counts neither way, what times out is caught.
func TestShare(t *testing.T) {
	rep := Report{Control: "x", Of: 9}
	_, ok := rep.Share()
	require.False(t, ok)
	for _, v := range []Verdict{Caught, ByScenario, Endless, Survived, NotCompiled} {
		rep.Results = append(rep.Results, Result{Verdict: v})
	}
	share, ok := rep.Share()
	require.True(t, ok)
	require.Equal(t, 0.75, share)
	var b strings.Builder
	require.NoError(t, rep.WriteText(&b))
	require.Contains(t, b.String(), "x: 75.0 % of 4 planted changes caught: 1 by its tests, 1 by scenarios alone, "+
		"1 endless; 1 survived; apart from these 1 did not compile, 0 are equivalent (of 9 changes that there are)\n")
}

// rule holds one of everything that can be changed.
const rule = `package x

const gain = 0.5

func (s *S) On(a, b float64) float64 {
	if a < b && s.on {
		s.w = min(a, 3)
		s.w -= b / 2
		s.n++
	}
	switch {
	case a == b:
		s.clear()
	case !s.on:
		return a
	}
	return p.less(a, b)
}

func (s *S) Fields() int { return 7 }
`

// TestChanges lists every change of a rule; each is Go, and none is of a function that lists fields.
func TestChanges(t *testing.T) {
	all, err := Changes("golden/cc/x/x.go", []byte(rule))
	require.NoError(t, err)
	var got []string
	for _, c := range all {
		got = append(got, string(c.Kind)+": "+c.Before+" -> "+c.After)
		_, err := parser.ParseFile(token.NewFileSet(), "x.go", c.Apply([]byte(rule)), 0)
		require.NoError(t, err, c.Key())
	}
	want := []string{
		"constant: 0.5 -> 0.55", "constant: 0.5 -> 0.45",
		"dropped: a < b && s.on -> false && (a < b && s.on)", "comparison: a < b && s.on -> a < b || s.on",
		"comparison: a < b -> a <= b", "comparison: a < b -> a >= b",
		"order: s.w = min(a, 3) -> after s.w -= b / 2", "dropped: s.w -> _",
		"comparison: min -> max", "dropped: min(a, 3) -> (a)", "constant: 3 -> 4", "constant: 3 -> 2",
		"dropped: s.w -= b / 2 -> _ = b / 2", "arithmetic: -= -> +=",
		"arithmetic: b / 2 -> b * 2", "order: b / 2 -> ((2) / (b))", "constant: 2 -> 3", "constant: 2 -> 1",
		"dropped: s.n++ -> _ = s.n", "arithmetic: s.n++ -> s.n--",
		"order: case a == b: s.clear() -> after case !s.on: return a",
		"comparison: a == b -> a != b", "dropped: s.clear() -> {}", "comparison: !s.on -> s.on",
		"comparison: p.less(a, b) -> !p.less(b, a)", "comparison: p.less(a, b) -> !p.less(a, b)",
	}
	require.ElementsMatch(t, want, got)
	require.Empty(t, all[0].Func)
	require.Equal(t, "x/x.go On: comparison: a < b -> a <= b", keyOf(t, all, "a <= b"))
}

func keyOf(t *testing.T, all []Change, after string) string {
	i := slices.IndexFunc(all, func(c Change) bool { return c.After == after })
	require.GreaterOrEqual(t, i, 0)
	return all[i].Key()
}

// TestDraw: a draw depends on the seed, and an edit of one change leaves the order of the others.
func TestDraw(t *testing.T) {
	all, err := Changes("golden/cc/x/x.go", []byte(rule))
	require.NoError(t, err)
	keys := func(list []Change) (out []string) {
		for _, c := range list {
			out = append(out, c.Key())
		}
		return out
	}
	one := keys(Draw(all, 1))
	require.Equal(t, one, keys(Draw(all, 1)))
	require.NotEqual(t, one, keys(Draw(all, 2)))
	require.ElementsMatch(t, one, keys(all))
	less := keys(Draw(slices.Delete(slices.Clone(all), 3, 4), 1))
	gone := slices.Index(one, all[3].Key())
	require.Equal(t, slices.Delete(one, gone, gone+1), less)
}

package compare

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
)

// wrong is a model that turns over one bit of one response.
type wrong struct {
	event.Model
	slot *event.Slot
	left int
}

func (m *wrong) Cycle(in, out []uint64) {
	m.Model.Cycle(in, out)
	if out[0]&ccc.OutRspValid == 0 || in[0]&ccc.InRspReady == 0 {
		return
	}
	if m.left--; m.left == 0 {
		m.slot.Set(out, m.slot.Get(out)^1)
	}
}

// vectorFile returns a vector file of the model; change may put another in its place and change what is recorded.
func vectorFile(t *testing.T, blk string, events int, change func(*record.Spec)) []byte {
	t.Helper()
	b, err := block.Lookup(blk)
	require.NoError(t, err)
	o, err := stim.Options{Seed: 1, Events: events}.Filled(b.Schema)
	require.NoError(t, err)
	m, err := b.NewModel(o.Params)
	require.NoError(t, err)
	spec := &record.Spec{Block: b.Schema, Model: m, Source: "random", Options: o, Per: format.PerTransaction,
		Open: func() (stim.Source, error) { return block.Open(blk, "random", o) }}
	if change != nil {
		change(spec)
	}
	var buf bytes.Buffer
	_, err = record.Write(context.Background(), &buf, spec)
	require.NoError(t, err)
	return buf.Bytes()
}

// The responses in a vector file of the model are those of fixed point at the contract's formats, and of no others; a
// baseline of the same stimulus has them too.
func TestVectorFile(t *testing.T) {
	ctx := context.Background()
	base, narrow := saved(t)
	path := filepath.Join(t.TempDir(), "r.gwv")
	require.NoError(t, os.WriteFile(path, vectorFile(t, "ccc", 3000, nil), 0o644))
	fields := len(event.NewLayout(blockOf(t, "ccc").Schema).Out.Slots)
	for _, s := range []Spec{{A: path, B: Contract}, {A: Contract, B: path}, {A: path, B: copied(t, path)},
		{A: path, B: base}} {
		res, err := Run(ctx, &s)
		require.NoError(t, err)
		require.False(t, res.Failed())
		require.Equal(t, fields, res.Count(baseline.Identical), "every field of the response")
		require.Len(t, res.Rows, fields)
		require.Contains(t, strings.Join(res.Notes, "\n"), "only outputs and decisions")
	}
	res, err := Run(ctx, &Spec{A: path, B: narrow})
	require.NoError(t, err)
	require.True(t, res.Failed())
	for _, r := range res.Rows {
		if r.Name == "avg_delay" {
			require.Equal(t, baseline.Beyond, r.Verdict)
		}
	}
	_, err = Run(ctx, &Spec{A: path, B: narrow, Bounds: map[string]baseline.Bound{"avg_delay": {Step: 1e9, Free: 1e9}}})
	require.ErrorContains(t, err, "--bound")
	_, err = Run(ctx, &Spec{A: path, B: narrow, Own: []string{"--events"}})
	require.ErrorContains(t, err, "brings its stimulus")
}

func blockOf(t *testing.T, name string) *block.Block {
	t.Helper()
	b, err := block.Lookup(name)
	require.NoError(t, err)
	return b
}

// One wrong bit in one response, of any field, is found in that field.
func TestWrongBitInAVectorFile(t *testing.T) {
	layout := event.NewLayout(blockOf(t, "ccc").Schema)
	path := filepath.Join(t.TempDir(), "r.gwv")
	whole := vectorFile(t, "ccc", 1200, nil)
	for i := range layout.Out.Slots {
		slot := &layout.Out.Slots[i]
		data := vectorFile(t, "ccc", 1200, func(s *record.Spec) { s.Model = &wrong{s.Model, slot, 500} })
		require.NotEqual(t, whole, data)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		res, err := Run(context.Background(), &Spec{A: path, B: Contract})
		require.NoError(t, err)
		var found []string
		for _, r := range res.Rows {
			if r.Verdict != baseline.Identical {
				found = append(found, r.Name)
			}
		}
		require.Equal(t, []string{slot.Field.Name}, found)
		require.True(t, res.Failed())
	}
}

// A vector file that holds no answers of ccc is refused.
func TestVectorFileRefused(t *testing.T) {
	whole := vectorFile(t, "ccc", 500, nil)
	dir := t.TempDir()
	base, _ := saved(t)
	constant := func(s *record.Spec) { s.Constants = []string{"rsp.lb"} }
	for want, data := range map[string][]byte{
		"it is of block txstate":   vectorFile(t, "txstate", 100, nil),
		"--per transaction":        vectorFile(t, "ccc", 500, func(s *record.Spec) { s.Per = format.PerCycle }),
		"they would pass":          vectorFile(t, "ccc", 500, constant),
		"truncated":                whole[:len(whole)*2/3],
		"A has 500 events, B 3000": whole,
	} {
		path := filepath.Join(dir, "x.gwv")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		b := Contract
		if strings.Contains(want, "3000") {
			b = base
		}
		_, err := Run(context.Background(), &Spec{A: path, B: b})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "x.gwv")
	}
	_, err := Run(context.Background(), &Spec{A: filepath.Join(dir, "none.gwv"), B: Contract})
	require.ErrorContains(t, err, "none.gwv")
}

// program stands for goldwire of an old revision: it answers with files that are checked in beside it.
const program = `package main

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
)

//go:embed base.json
var base []byte

//go:embed r.gwv
var vectors []byte

//go:embed mode.txt
var mode string

func main() {
	save, gen := slices.Contains(os.Args, "save"), slices.Contains(os.Args, "gen")
	switch i := slices.Index(os.Args, "-o"); {
	case slices.Contains(os.Args, "--help") && mode == "save":
		fmt.Println("Commands:\n  save        store")
	case slices.Contains(os.Args, "--help"):
		fmt.Println("Commands:\n  run")
	case save && mode == "save":
		os.WriteFile(os.Args[i+1], base, 0o644)
	case gen && mode == "gen":
		os.WriteFile(os.Args[i+1], vectors, 0o644)
	default:
		fmt.Fprintln(os.Stderr, "goldwire: unknown command")
		os.Exit(2)
	}
}
`

// A revision is built and plays the same stimulus: by diff save, or its model; one that has neither, or does not build,
// is one clear error.
func TestRevision(t *testing.T) {
	ctx := context.Background()
	base, narrow := saved(t)
	root := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
	t.Setenv("GOFLAGS", "-p=2")
	git := func(args ...string) {
		c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		c.Dir = root
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	cmd := filepath.Join(root, "cosim", "cmd", "goldwire")
	require.NoError(t, os.MkdirAll(cmd, 0o755))
	baseText, err := os.ReadFile(base)
	require.NoError(t, err)
	put := func(dir, name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	put(root, "go.mod", "module example.org/old\n\ngo 1.24\n")
	put(root, ".gitignore", "/build/\n")
	put(cmd, "main.go", program)
	put(cmd, "base.json", string(baseText))
	put(cmd, "r.gwv", string(vectorFile(t, "ccc", 3000, nil)))
	git("init", "-q")
	for _, mode := range []string{"gen", "none", "broken", "save"} {
		put(cmd, "mode.txt", mode)
		put(cmd, "main.go", program)
		if mode == "broken" {
			put(cmd, "main.go", "package main\n\nfunc main() { nothing() }\n")
		}
		git("add", "-A")
		git("commit", "-q", "-m", mode)
		git("tag", mode)
	}
	do := func(a, b string) (*Result, error) {
		return Run(ctx, &Spec{A: a, B: b, Stimulus: small(), Root: root})
	}
	_, err = do("rev:save", "rev:HEAD") // two names of one commit
	require.ErrorContains(t, err, "they are one, so nothing would be compared")
	for _, other := range []string{Contract, base, "rev:save", "rev:gen"} {
		for _, rev := range []string{"rev:save", "rev:gen"} {
			res, err := do(rev, other)
			if rev == other {
				require.ErrorContains(t, err, "nothing would be compared")
				continue
			}
			require.NoError(t, err, "%s %s", rev, other)
			require.False(t, res.Failed(), "%s %s", rev, other)
			require.GreaterOrEqual(t, res.Count(baseline.Identical), 30)
		}
	}
	for _, rev := range []string{"rev:save", "rev:gen"} {
		res, err := do(rev, narrow)
		require.NoError(t, err)
		require.True(t, res.Failed(), rev)
	}
	for rev, want := range map[string]string{
		"rev:none":   "it has no goldwire diff save, and its model does not answer: goldwire vectors gen",
		"rev:broken": "it does not build",
		"rev:nix":    `revision "nix": git in `,
		"rev:":       "side \"rev:\"",
	} {
		_, err := do(rev, Contract)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
	}
	// Another stimulus than the revision's is not compared.
	spec := small()
	spec.Seed = 2
	_, err = Run(ctx, &Spec{A: "rev:save", B: Contract, Stimulus: spec, Root: root})
	require.ErrorIs(t, err, baseline.ErrUnfit)
	_, err = Run(ctx, &Spec{A: "rev:save", B: Contract, Stimulus: diff.TakeSpec{}, Root: root})
	require.ErrorIs(t, err, baseline.ErrNothing)
	// Nothing is left behind but the programs.
	out, err := exec.Command("git", "-C", root, "worktree", "list").Output()
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(out), "\n"), "%s", out)
	left, err := filepath.Glob(filepath.Join(root, "build", "rev", "play-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

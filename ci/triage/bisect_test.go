package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/device/revision"
)

// program acts as goldwire in a scratch repository: hdl/design determines the result of its run.
const program = `package main

import (
	"fmt"
	"os"
)

func main() {
	flag := func(name string) string {
		for i, a := range os.Args {
			if a == name {
				return os.Args[i+1]
			}
		}
		return ""
	}
	or := func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	}
	text, err := os.ReadFile(flag("--root") + "/hdl/design")
	if err != nil {
		os.Exit(2)
	}
	verdict, first, code := "pass", "null", 0
	source := or(flag("--source"), "random")
	if flag("--replay") != "" {
		source = "replay"
	}
	if string(text) == "timing" && source == "replay" { // as a directed case it passes
		text = []byte("bad")
	}
	switch string(text) {
	case "breaks":
		fmt.Fprintln(os.Stderr, "goldwire: no simulator")
		os.Exit(2)
	case "bad", "other":
		verdict, code = "mismatch", 1
		first = fmt.Sprintf("{\"episode\": \"e\", \"event\": \"ACK psn=1\", \"fields\": [{\"name\": \"rsp_%s\"}]}", text)
	}
	doc := fmt.Sprintf("{\"verdict\": %q, \"block\": %q, \"source\": %q, \"seed\": 1, \"events\": 10, "+
		"\"compared\": {\"fields\": 7}, \"first_mismatch\": %s, \"results\": [{}]}", verdict,
		or(flag("--block"), "toy"), source, first)
	if err := os.WriteFile(flag("--json"), []byte(doc), 0o666); err != nil {
		os.Exit(2)
	}
	os.Exit(code)
}
`

// scratch is a repository whose revisions a test makes.
type scratch struct {
	*testing.T
	root    string
	commits []string // of the main line, oldest first
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	s := &scratch{T: t, root: t.TempDir()}
	s.git("init", "--quiet", "--initial-branch=main")
	s.write("go.mod", "module scratch\n\ngo 1.24\n")
	s.write(".gitignore", "build/\n")
	s.write("cosim/cmd/goldwire/main.go", program)
	return s
}

func (s *scratch) git(args ...string) string {
	s.Helper()
	args = append([]string{"-c", "user.name=scratch", "-c", "user.email=scratch@example.com"}, args...)
	out, err := revision.Output(context.Background(), s.root, "git", args...)
	require.NoError(s, err)
	return out
}

func (s *scratch) write(name, text string) {
	s.Helper()
	path := filepath.Join(s.root, name)
	require.NoError(s, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(s, os.WriteFile(path, []byte(text), 0o666))
}

// commit makes a revision with a design; "no build" makes a program that does not compile.
func (s *scratch) commit(design string) {
	s.Helper()
	main := program
	if design == "no build" {
		main += "}\n"
	}
	s.write("cosim/cmd/goldwire/main.go", main)
	s.write("hdl/design", design)
	s.write("count", fmt.Sprint(len(s.commits)))
	s.git("add", "-A")
	s.git("commit", "--quiet", "-m", fmt.Sprintf("revision %d: %s", len(s.commits), design))
	s.commits = append(s.commits, s.git("rev-parse", "HEAD"))
}

// search is the bisection of a bucket that the last revision shows.
func (s *scratch) search() triage.Search {
	run := plan.Run{ID: "a", Test: "toy/all", Block: "toy", Source: "random", Seed: 1, Events: 10, Seconds: 60,
		MemoryMB: 4096, Args: []string{"cosim", "--json", plan.JSON}}
	b := &triage.Bucket{Name: "toy-rsp_bad", Run: run, Revision: s.commits[len(s.commits)-1][:12] + "+",
		Failure: &campaign.Failure{Episode: "e", Event: "ACK psn=9", Field: "rsp_bad"}}
	return triage.Search{Root: s.root, Bucket: b, Good: s.commits[0], Note: func(line string) { s.Log(line) }}
}

// clean requires that a bisection left nothing behind.
func (s *scratch) clean() {
	s.Helper()
	left, err := filepath.Glob(filepath.Join(s.root, "build", "ci", "*"))
	require.NoError(s, err)
	require.Empty(s, left)
	require.NotContains(s, s.git("worktree", "list"), "bisect-")
}

// The planted revision is found wherever it is, even if some revisions do not build, break or fail otherwise.
func TestBisect(t *testing.T) {
	tries := 1
	if os.Getenv("GOLDWIRE_LONG") != "" {
		tries = 10
	}
	for seed := range tries {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			s := newScratch(t)
			s.commit("good")
			n := 6 + r.IntN(6)
			planted := 1 + r.IntN(n-1)
			noise := []string{"no build", "breaks", "other"}
			for i := 1; i < n; i++ {
				design := "good"
				switch {
				case i == planted || i == n-1:
					design = "bad"
				case i != planted-1 && r.IntN(3) == 0:
					design = noise[r.IntN(len(noise))]
				case i > planted:
					design = "bad"
				}
				s.commit(design)
			}
			out, err := triage.Bisect(t.Context(), s.search())
			require.NoError(t, err)
			require.NotNil(t, out.First, "%+v", out)
			require.Equal(t, s.commits[planted], out.First.Commit)
			require.LessOrEqual(t, len(out.Tried), n)
			s.clean()
		})
	}
}

// If a skipped revision may be the first bad one, all candidates are named.
func TestBisectSkips(t *testing.T) {
	s := newScratch(t)
	for _, design := range []string{"good", "good", "no build", "other", "bad", "bad"} {
		s.commit(design)
	}
	out, err := triage.Bisect(t.Context(), s.search())
	require.NoError(t, err)
	require.Nil(t, out.First)
	var among []string
	for _, x := range out.Among {
		among = append(among, x.Commit)
	}
	require.ElementsMatch(t, s.commits[2:5], among)
	var text bytes.Buffer
	require.NoError(t, out.WriteText(&text))
	require.Contains(t, text.String(), "NOT FOUND  it is one of 3 revisions")
	require.Regexp(t, `skipped  [0-9a-f]{12} revision 2: no build: it does not build: `, text.String())
	require.Contains(t, text.String(), "revision 3: other: it fails otherwise: rsp_other after ACK, not rsp_bad after ACK")
	s.clean()
}

// A failure that came with a branch is found on it.
func TestBisectBranch(t *testing.T) {
	s := newScratch(t)
	s.commit("good")
	s.git("checkout", "--quiet", "-b", "side")
	s.write("side", "1")
	s.git("add", "-A")
	s.git("commit", "--quiet", "-m", "side 1")
	s.write("hdl/design", "bad")
	s.git("commit", "--quiet", "-am", "side 2")
	planted := s.git("rev-parse", "HEAD")
	s.git("checkout", "--quiet", "main")
	s.commit("good")
	s.git("merge", "--quiet", "--no-edit", "side")
	s.commit("bad")
	out, err := triage.Bisect(t.Context(), s.search())
	require.NoError(t, err)
	require.Equal(t, planted, out.First.Commit)
}

// Invalid ends are refused; nothing is searched.
func TestBisectEnds(t *testing.T) {
	s := newScratch(t)
	for _, design := range []string{"good", "bad", "breaks", "other", "bad", "good"} {
		s.commit(design)
	}
	for _, x := range []struct {
		good, bad int
		want      string
	}{
		{0, 5, "is not bad: it passes; give another one with --bad"},
		{0, 3, "is not bad: it fails otherwise"},
		{0, 2, "is not bad: exit code 2"},
		{1, 4, "is not good: it fails as the bucket does; give another one with --good"},
		{2, 4, "is not good: exit code 2"},
		{1, 1, "are one"},
		{4, 1, "is no ancestor of"},
	} {
		q := s.search()
		q.Good, q.Bad = s.commits[x.good], s.commits[x.bad]
		_, err := triage.Bisect(t.Context(), q)
		require.ErrorContains(t, err, x.want)
	}
	q := s.search()
	q.Good = "gone"
	_, err := triage.Bisect(t.Context(), q)
	require.ErrorContains(t, err, `revision "gone": git in`)
	q = s.search()
	q.Bucket.Revision = ""
	_, err = triage.Bisect(t.Context(), q)
	require.ErrorContains(t, err, "give one that fails with --bad")

	ctx, cancel := context.WithCancel(t.Context())
	q = s.search()
	q.Bad = s.commits[4]
	q.Note = func(string) { cancel() }
	_, err = triage.Bisect(ctx, q)
	require.ErrorIs(t, err, context.Canceled)
	s.clean()
}

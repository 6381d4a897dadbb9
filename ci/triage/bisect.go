package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/device/revision"
	"github.com/goldwire/goldwire/cosim/report"
)

// Judgement is what the command of a bucket showed about a revision.
type Judgement string

// The judgements. A revision that neither passes nor shows the bucket's failure says nothing about it.
const (
	Good    Judgement = "good"    // the command passes
	Bad     Judgement = "bad"     // the command fails as the bucket does
	Skipped Judgement = "skipped" // the revision does not build, breaks, or fails otherwise
)

// Trial is one tried revision.
type Trial struct {
	Commit    string    `json:"commit"`
	Subject   string    `json:"subject"`
	Judgement Judgement `json:"judgement"`
	Why       string    `json:"why"`
}

// Bisection is a search for the revision that a bucket came with.
type Bisection struct {
	Bucket  string  `json:"bucket"`
	Command string  `json:"command"`
	First   *Trial  `json:"first_bad"` // nil if skipped revisions are between the last good and the first bad one
	Among   []Trial `json:"among"`     // without First: the revisions that include the first bad one
	Tried   []Trial `json:"tried"`     // in the order of the trials
}

// Search describes a bisection.
type Search struct {
	Root      string // of the repository
	Bucket    *Bucket
	Good, Bad string            // revisions; an empty Bad means the campaign's
	Note      func(line string) // called after each trial
}

// bisector holds the worktree of a search.
type bisector struct {
	*Search
	temp string
	tree *revision.Tree
	seen map[string]Trial
	out  *Bisection
}

// Bisect finds the first revision after Good, an ancestor of Bad, at which the command of the bucket fails as the
// bucket does. It errors if Good does not pass, if Bad does not fail this way, or if ctx was cancelled.
func Bisect(ctx context.Context, s Search) (out *Bisection, err error) {
	good, bad, err := s.ends(ctx)
	if err != nil {
		return nil, err
	}
	parent := filepath.Join(s.Root, "build", "ci")
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(parent, "bisect-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	b := &bisector{Search: &s, temp: temp, seen: map[string]Trial{},
		out: &Bisection{Bucket: s.Bucket.Name, Command: s.Bucket.Reproduce, Among: []Trial{}}}
	if b.tree, err = revision.Add(ctx, s.Root, filepath.Join(temp, "tree"), bad); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.tree.Remove(ctx)) }()
	for _, end := range []struct {
		commit, flag string
		want         Judgement
	}{{bad, "--bad", Bad}, {good, "--good", Good}} {
		t, err := b.try(ctx, end.commit)
		if err != nil {
			return nil, err
		}
		if t.Judgement != end.want {
			return nil, fmt.Errorf("revision %.12s is not %s: %s; give another one with %s", end.commit, end.want, t.Why,
				end.flag)
		}
	}
	return b.out, b.search(ctx, good, bad)
}

// ends returns the commits at the two ends of a search.
func (s *Search) ends(ctx context.Context) (good, bad string, err error) {
	if s.Bad == "" {
		s.Bad = strings.TrimSuffix(s.Bucket.Revision, "+") // uncommitted changes are in no revision
	}
	if s.Bad == "" {
		return "", "", errors.New("revision of the campaign is not known; give one that fails with --bad")
	}
	if good, err = revision.Resolve(ctx, s.Root, s.Good); err != nil {
		return "", "", err
	}
	if bad, err = revision.Resolve(ctx, s.Root, s.Bad); err != nil {
		return "", "", err
	}
	if good == bad {
		return "", "", fmt.Errorf("revisions %s and %s are one; give an older one with --good", s.Good, s.Bad)
	}
	base, err := revision.Output(ctx, s.Root, "git", "merge-base", good, bad)
	if err != nil || base != good {
		return "", "", fmt.Errorf("revision %s is no ancestor of %s; give one that is with --good", s.Good, s.Bad)
	}
	return good, bad, nil
}

// search narrows the revisions that may be the first bad one.
func (b *bisector) search(ctx context.Context, good, bad string) error {
	goods := []string{"^" + good}
	for {
		// The revision that divides best comes first; the bad one is in the list.
		list, err := revision.Output(ctx, b.Root, "git", append([]string{"rev-list", "--bisect-all", bad}, goods...)...)
		if err != nil {
			return err
		}
		next, open := "", []string{}
		for _, line := range strings.Split(list, "\n") {
			commit, _, _ := strings.Cut(line, " ")
			if commit == bad {
				continue
			}
			open = append(open, commit)
			if _, tried := b.seen[commit]; next == "" && !tried {
				next = commit
			}
		}
		if next == "" {
			b.conclude(bad, open)
			return nil
		}
		t, err := b.try(ctx, next)
		if err != nil {
			return err
		}
		switch t.Judgement {
		case Good:
			goods = append(goods, "^"+next)
		case Bad:
			bad = next
		}
	}
}

// conclude records the outcome of the search. open are the skipped revisions that cannot be told from the first bad
// one.
func (b *bisector) conclude(bad string, open []string) {
	first := b.seen[bad]
	if len(open) == 0 {
		b.out.First = &first
		return
	}
	for _, commit := range open {
		b.out.Among = append(b.out.Among, b.seen[commit])
	}
	b.out.Among = append(b.out.Among, first)
}

// try judges a revision. It errors if the search cannot continue.
func (b *bisector) try(ctx context.Context, commit string) (t Trial, err error) {
	t.Commit = commit
	if t.Subject, err = revision.Output(ctx, b.Root, "git", "log", "-1", "--format=%s", commit); err != nil {
		return t, err
	}
	if err := b.tree.Checkout(ctx, commit); err != nil {
		return t, err
	}
	program := filepath.Join(b.temp, "goldwire")
	if err := b.tree.Build(ctx, program); err != nil {
		if ctx.Err() != nil {
			return t, err
		}
		t.Judgement, t.Why = Skipped, "it does not build: "+firstLine(err)
	} else {
		r, err := campaign.Once(ctx, b.tree.Dir, program, &b.Bucket.Run, filepath.Join(b.temp, "run"), b.quick()...)
		if err != nil {
			return t, err
		}
		t.Judgement, t.Why = b.Bucket.judge(r)
	}
	b.seen[commit] = t
	b.out.Tried = append(b.out.Tried, t)
	b.Note(t.String())
	return t, nil
}

// quick returns flags that make the command faster without changing its findings.
func (b *bisector) quick() []string {
	if b.Bucket.Run.Cosim() {
		return []string{"--no-shrink"}
	}
	return nil
}

// judge compares the result of a revision with the failure of the bucket.
func (x *Bucket) judge(r *campaign.Record) (Judgement, string) {
	switch {
	case r.Outcome == campaign.Passed:
		return Good, "it passes"
	case r.Outcome != campaign.Failed:
		return Skipped, r.Reason
	case x.Failure == nil && x.Run.Cosim():
		return Skipped, "it fails, and the result of the bucket's run was lost, so that they cannot be compared"
	case x.Failure == nil:
		return Bad, r.Reason
	case r.Result == nil || r.Result.Failure == nil:
		return Skipped, "it fails and leaves no result: " + r.Reason
	}
	f, g := x.Failure, r.Result.Failure
	if f.Field == g.Field && f.FoundBy == g.FoundBy && campaign.Operation(f.Event) == campaign.Operation(g.Event) {
		return Bad, "it fails as the bucket does"
	}
	return Skipped, fmt.Sprintf("it fails otherwise: %s after %s, not %s after %s", g.Field,
		campaign.Operation(g.Event), f.Field, campaign.Operation(f.Event))
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// String returns the trial on one line.
func (t Trial) String() string {
	return fmt.Sprintf("%-7s  %.12s %s: %s", t.Judgement, t.Commit, t.Subject, t.Why)
}

// WriteText writes the outcome for a terminal: the first bad revision or the candidates for it, and the skipped
// revisions.
func (x *Bisection) WriteText(w io.Writer) error {
	var b strings.Builder
	if x.First != nil {
		fmt.Fprintf(&b, "FIRST BAD  %s %s\n", x.First.Commit, x.First.Subject)
	} else {
		fmt.Fprintf(&b, "NOT FOUND  it is one of %d revisions\n", len(x.Among))
		for _, t := range x.Among {
			fmt.Fprintf(&b, "  %s\n", t)
		}
	}
	fmt.Fprintf(&b, "  bucket   %s\n  command  %s\n  tried    %s\n", x.Bucket, x.Command,
		report.Plural(uint64(len(x.Tried)), "revision"))
	for _, t := range x.Tried {
		if t.Judgement == Skipped && !slices.Contains(x.Among, t) {
			fmt.Fprintf(&b, "  %s\n", t)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

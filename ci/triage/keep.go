package triage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/device/revision"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

// keptName is the file of the kept cases, among the case files of a block.
const keptName = "kept.txt"

// keptHead is the beginning of the file.
const keptHead = `# Directed cases kept of failures by goldwire ci keep. Grammar and defaults: ../README.md.
# An answer that is demanded here repeats its event; what else must hold is that design and model agree.
`

// caseName matches the names of directed cases.
var caseName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$`)

// Kept is a case that was added to the directed cases of a block.
type Kept struct {
	File    string // relative to the root
	Command string // plays it
	// Outcome is campaign.Failed if the case fails in the tree, as the shortest events do when they are replayed. It is
	// campaign.Passed if both pass: the failure is fixed.
	Outcome campaign.Outcome
	Reason  string
}

// Keep adds the shortest events of a bucket to the directed cases of its block in the tree under root, builds the tree
// and plays the case. It errors, and leaves the tree unchanged, if there are no such events, if they have no form as
// text, if a case already has the name, if the case does not play, or if it passes although its events fail when they
// are replayed.
func Keep(ctx context.Context, root string, b *event.Block, x *Bucket, name string) (k *Kept, err error) {
	if !caseName.MatchString(name) {
		return nil, fmt.Errorf("case %q: give a name GROUP/NAME of lower-case letters, digits and -", name)
	}
	if len(x.Case) == 0 {
		return nil, fmt.Errorf("bucket %s has no shortest events: none were found, or they are too many", x.Name)
	}
	dir := filepath.Join("vectors", "stim", b.Name, "directed")
	if err := unused(filepath.Join(root, dir), b.Name, name); err != nil {
		return nil, err
	}
	text, err := CaseText(b, x.Case, name, fmt.Sprintf("fails in %s with seed %d", x.Field, x.Seed))
	if err != nil {
		return nil, err
	}
	text = fmt.Sprintf("\n# Block %s, seed %d, field %s, revision %s: bucket %s\n%s", b.Name, x.Seed, x.Field,
		cmp.Or(x.Revision, "unknown"), x.Name, text)
	k = &Kept{File: filepath.Join(dir, keptName)}
	path := filepath.Join(root, k.File)
	before, err := os.ReadFile(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew:
		before, err = []byte(keptHead), nil
	case err != nil:
		return nil, err
	}
	if err := put(path, string(before)+text); err != nil {
		return nil, err
	}
	defer func() {
		switch {
		case err == nil:
		case isNew:
			err = errors.Join(err, os.Remove(path))
		default:
			err = errors.Join(err, put(path, string(before)))
		}
	}()
	return k, k.play(ctx, root, b, x, name)
}

func put(path, text string) error {
	return report.WriteFile(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// unused returns an error if a block has no cases as text, or already has one of this name.
func unused(dir, block, name string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("block %s has no directed cases as text; triage --json has the shortest events", block)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(text), "\n") {
			if w := strings.Fields(line); len(w) > 1 && w[0] == "case" && w[1] == name {
				return fmt.Errorf("case %s: block %s has one of that name in %s; give another one with --name", name, block,
					filepath.Base(file))
			}
		}
	}
	return nil
}

// play builds the tree and plays the case. Cases are part of the program, so the running program cannot play it.
func (k *Kept) play(ctx context.Context, root string, b *event.Block, x *Bucket, name string) error {
	dir := filepath.Join(root, "build", "ci", "keep")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	program, events := filepath.Join(dir, "goldwire"), filepath.Join(dir, "events.json")
	if err := put(events, string(x.Case)); err != nil {
		return err
	}
	if err := revision.Build(ctx, root, program); err != nil {
		return fmt.Errorf("tree with case %s does not build: %w", name, err)
	}
	replay := x.playing(b, "replay", x.Seed, "--replay", events)
	played, err := campaign.Once(ctx, root, program, replay, dir, "--no-shrink")
	if err != nil {
		return err
	}
	run := x.playing(b, "directed/"+name, 1, "--source", "directed/"+name, "--seed", "1")
	r, err := campaign.Once(ctx, root, program, run, dir, "--no-shrink")
	if err != nil {
		return err
	}
	k.Command = "goldwire " + strings.Join(run.Args[:len(run.Args)-2], " ")
	k.Outcome, k.Reason = r.Outcome, r.Reason
	switch {
	case r.Outcome == campaign.Failed:
		return nil
	case r.Outcome != campaign.Passed:
		return fmt.Errorf("case %s does not play: %s", name, r.Reason)
	case played.Outcome == campaign.Passed:
		k.Reason = "the failure is mended: " + r.Reason
		return nil
	case played.Outcome == campaign.Failed:
		return fmt.Errorf("case %s passes, and its events fail when they are replayed: as a directed case they do not show "+
			"the failure, which depends on the timing of the ports or on state after reset; it is not kept", name)
	}
	return fmt.Errorf("shortest events do not replay, so that case %s cannot be judged: %s", name, played.Reason)
}

// ofRun are the flags that decide which events a run plays; the others belong to its design.
var ofRun = []string{"--source", "--seed", "--events", "--tick", "--json"}

// playing returns a run of the bucket's design with other events.
func (x *Bucket) playing(b *event.Block, source string, seed uint64, flags ...string) *plan.Run {
	run := &plan.Run{ID: "kept", Test: "kept", Block: b.Name, Source: source, Seed: seed, Seconds: x.Run.Seconds,
		MemoryMB: x.Run.MemoryMB}
	for i := 0; i < len(x.Run.Args); i++ {
		if slices.Contains(ofRun, x.Run.Args[i]) {
			i++
			continue
		}
		run.Args = append(run.Args, x.Run.Args[i])
	}
	run.Args = append(append(run.Args, flags...), "--json", plan.JSON)
	return run
}

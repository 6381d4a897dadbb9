package affected

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
)

// tree is the files of a revision, or of the working tree.
type tree struct {
	files map[string]string // mode and hash of the content, by path
	text  map[string]string // content of the files that are read: Go, and hdl/
}

// repo runs git in a repository.
type repo struct {
	root string
	env  []string
}

func (g *repo) git(ctx context.Context, in io.Reader, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-C", g.root}, args...)...)
	c.Env = append(os.Environ(), g.env...)
	var out, failed bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = in, &out, &failed
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.Join(strings.Fields(failed.String()), " "))
	}
	return out.String(), nil
}

// commit returns the commit that a revision names. It errors if root is not the top of a repository.
func (g *repo) commit(ctx context.Context, rev string) (string, error) {
	prefix, err := g.git(ctx, nil, "rev-parse", "--show-prefix")
	if err == nil && strings.TrimSpace(prefix) != "" {
		err = fmt.Errorf("%s is not the top of its repository", g.root)
	}
	if err != nil {
		return "", err
	}
	out, err := g.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("revision %q: git knows none of that name (fetch it: a shallow clone has few)", rev)
	}
	return strings.TrimSpace(out), nil
}

// worktree returns the files in the working tree, including those that git does not know yet. It takes the text of
// files that are the same in old from there.
func (g *repo) worktree(ctx context.Context, old *tree) (*tree, error) {
	ignored, err := g.git(ctx, nil, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Split(ignored, "\x00") {
		if name != "" && !strings.HasPrefix(name, "build/") {
			return nil, fmt.Errorf("%s is ignored by git, and a run may read it", name)
		}
	}
	objects, err := g.git(ctx, nil, "rev-parse", "--git-path", "objects")
	if err != nil {
		return nil, err
	}
	if objects = strings.TrimSpace(objects); !filepath.IsAbs(objects) {
		objects = filepath.Join(g.root, objects)
	}
	// Use a separate index and object store: nothing in the repository changes, and no flag in its index hides an edit.
	temp, err := os.MkdirTemp("", "goldwire-tree-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	own := filepath.Join(temp, "objects")
	if err := os.Mkdir(own, 0o777); err != nil {
		return nil, err
	}
	x := &repo{g.root, append([]string{"GIT_INDEX_FILE=" + filepath.Join(temp, "index"), "GIT_OBJECT_DIRECTORY=" + own,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + objects}, g.env...)}
	if _, err := x.git(ctx, nil, "read-tree", "HEAD"); err != nil {
		return nil, err
	}
	if _, err := x.git(ctx, nil, "-c", "advice.addEmbeddedRepo=false", "add", "--all"); err != nil {
		return nil, err
	}
	id, err := x.git(ctx, nil, "write-tree")
	if err != nil {
		return nil, err
	}
	return x.read(ctx, strings.TrimSpace(id), old)
}

// read returns the files of a commit or a tree. It takes the text of files that are the same in old from there.
func (g *repo) read(ctx context.Context, id string, old *tree) (*tree, error) {
	list, err := g.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", id)
	if err != nil {
		return nil, err
	}
	t := &tree{map[string]string{}, map[string]string{}}
	var wanted []string
	var ask strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(list, "\x00"), "\x00") {
		head, name, ok := strings.Cut(line, "\t")
		f := strings.Fields(head) // mode, type, hash
		if !ok || len(f) != 3 {
			return nil, fmt.Errorf("git ls-tree printed %q", line)
		}
		if f[0] != "100644" && f[0] != "100755" {
			return nil, fmt.Errorf("%s is a link or a submodule, and what it leads to is not known", name)
		}
		t.files[name] = f[0] + " " + f[2]
		if !goSource(name) && !strings.HasPrefix(name, "hdl/") {
			continue
		}
		if text, ok := old.text[name]; ok && old.files[name] == t.files[name] {
			t.text[name] = text
		} else {
			wanted = append(wanted, name)
			ask.WriteString(f[2] + "\n")
		}
	}
	out, err := g.git(ctx, strings.NewReader(ask.String()), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for _, name := range wanted {
		head, rest, _ := strings.Cut(out, "\n")
		f := strings.Fields(head) // hash, type, size
		if len(f) != 3 || !strings.HasSuffix(t.files[name], " "+f[0]) {
			return nil, errors.New("git cat-file gave another file than " + name)
		}
		n, err := strconv.Atoi(f[2])
		if err != nil || n >= len(rest) {
			return nil, errors.New("git cat-file gave too little of " + name)
		}
		t.text[name], out = rest[:n], rest[n+1:]
	}
	return t, nil
}

// Result is what has not changed since a revision.
type Result struct {
	Commit string // that the revision names
	// Inputs are the fingerprints of the runs that no change affects, by name. All other runs must be run.
	Inputs map[string]string
}

// Unchanged returns the runs that no difference between a revision and the working tree of the repository under root
// can affect. If it errors, nothing is known to be unchanged, and everything must be run.
func Unchanged(ctx context.Context, root, rev string, runs []plan.Run) (*Result, error) {
	g := &repo{root: root}
	commit, err := g.commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	then, err := g.read(ctx, commit, &tree{})
	if err != nil {
		return nil, err
	}
	now, err := g.worktree(ctx, then)
	if err != nil {
		return nil, err
	}
	var sides [2]*index
	for i, t := range []*tree{then, now} {
		if sides[i], err = newIndex(t); err != nil {
			return nil, err
		}
	}
	out := &Result{Commit: commit, Inputs: map[string]string{}}
	known := map[string][2]string{}
	for i := range runs {
		run := &runs[i]
		named, ok := sides[1].named(root, run)
		if !ok {
			continue
		}
		key := run.Block + "\x00" + strings.Join(named, "\x00")
		if !sides[0].alone(run) || !sides[1].alone(run) {
			key = "\x00" + strings.Join(named, "\x00")
		}
		sums, done := known[key]
		for s, x := range sides {
			if done {
				break
			}
			files := x.all()
			if key[0] != 0 {
				files = x.of(run.Block)
			}
			sums[s] = x.fingerprint(append(files, named...))
		}
		known[key] = sums
		if sums[0] == sums[1] {
			out.Inputs[run.ID] = sums[1]
		}
	}
	return out, nil
}

// alone reports whether a run is a co-simulation of our design of one block.
func (x *index) alone(run *plan.Run) bool {
	return run.Cosim() && slices.Contains(x.blocks, run.Block) && !slices.ContainsFunc(run.Args, func(a string) bool {
		return a == "--dut" || a == "--rtl" || strings.HasPrefix(a, "--dut=") || strings.HasPrefix(a, "--rtl=")
	})
}

// named returns the files of the tree that the words of a command line name. It returns false if one names a folder, or
// a file that is not in the tree.
func (x *index) named(root string, run *plan.Run) (out []string, ok bool) {
	for i, arg := range run.Args {
		if i == 0 {
			continue // the command, such as vectors, which is also a folder
		}
		words := []string{arg}
		if _, value, given := strings.Cut(arg, "="); given {
			words = append(words, value)
		}
		for _, w := range words {
			if w == "" || w == plan.JSON {
				continue
			}
			path := w
			if !filepath.IsAbs(w) {
				path = filepath.Join(root, w)
			}
			if _, err := os.Stat(path); err != nil {
				continue // not a file
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, false
			}
			rel = filepath.ToSlash(rel)
			if _, have := x.files[rel]; have {
				out = append(out, rel)
				continue
			}
			return nil, false
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

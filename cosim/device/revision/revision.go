package revision

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Output runs a command in a folder and returns what it printed; its error has the last line of stderr.
func Output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "GOLDWIRE_ROOT=") })
	var out, failed bytes.Buffer
	c.Stdout, c.Stderr = &out, &failed
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		lines := strings.Split(strings.TrimSpace(failed.String()), "\n")
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, lines[len(lines)-1])
	}
	return strings.TrimSpace(out.String()), nil
}

// Resolve returns the commit that a name stands for in the repository under root.
func Resolve(ctx context.Context, root, name string) (string, error) {
	args := []string{"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"}
	commit, err := Output(ctx, root, "git", args...)
	if err != nil {
		return "", fmt.Errorf("revision %q: git in %s knows none of that name; git log lists them", name, root)
	}
	return commit, nil
}

// Tree is a worktree of a repository.
type Tree struct {
	Dir  string
	root string // of the repository
}

// Add checks a commit out into the new folder dir.
func Add(ctx context.Context, root, dir, commit string) (*Tree, error) {
	if _, err := Output(ctx, root, "git", "worktree", "add", "--detach", dir, commit); err != nil {
		return nil, err
	}
	return &Tree{Dir: dir, root: root}, nil
}

// Checkout puts another commit into the folder.
func (t *Tree) Checkout(ctx context.Context, commit string) error {
	_, err := Output(ctx, t.Dir, "git", "checkout", "--quiet", "--detach", "--force", commit)
	return err
}

// Build builds goldwire of the commit to a file.
func (t *Tree) Build(ctx context.Context, program string) error { return Build(ctx, t.Dir, program) }

// Remove deletes the worktree, also when ctx was cancelled.
func (t *Tree) Remove(ctx context.Context) error {
	_, err := Output(context.WithoutCancel(ctx), t.root, "git", "worktree", "remove", "--force", t.Dir)
	return err
}

// Build builds goldwire of the tree in a folder to a file.
func Build(ctx context.Context, dir, program string) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-o", program, "./cosim/cmd/goldwire"}
	_, err := Output(ctx, dir, "go", args...)
	return err
}

// Extract writes the files under a path of a commit to the folder dir, or leaves them as an earlier call wrote them.
func Extract(ctx context.Context, root, commit, path, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
		return nil
	}
	tmp := fmt.Sprintf("%s.%d", dir, os.Getpid())
	defer os.RemoveAll(tmp)
	if err := os.MkdirAll(tmp, 0o777); err != nil {
		return err
	}
	tar := filepath.Join(tmp, "files.tar")
	if _, err := Output(ctx, root, "git", "archive", "--output", tar, commit, path); err != nil {
		return err
	}
	if _, err := Output(ctx, tmp, "tar", "-xf", tar); err != nil {
		return err
	}
	if err := os.Remove(tar); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, path)); there == nil {
			return nil // another process was first
		}
		return err
	}
	return nil
}

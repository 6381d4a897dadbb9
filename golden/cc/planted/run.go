package planted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Verdict is what became of a change.
type Verdict string

// Verdicts. The first three are catches.
const (
	Caught      Verdict = "caught"          // by a test of the control's folder
	ByScenario  Verdict = "caught, by play" // by a scenario alone
	Endless     Verdict = "endless"         // out of time or memory
	Survived    Verdict = "survived"
	NotCompiled Verdict = "not compiled"
)

// Limits of the tests of one folder, which take a second and a few megabytes. A change can make a loop endless.
const (
	limit  = 30 * time.Second
	memory = `sh -c 'ulimit -v 2097152 && exec "$0" "$@"'` // kB; what go test starts a test binary with
)

// try plants a change, or none when it is nil, and returns what the tests make of it, with their output. It errors when
// there is no verdict, as when there is no go command.
func (c *Control) try(ctx context.Context, root string, change *Change) (Verdict, string, error) {
	dir, err := os.MkdirTemp("", "goldwire-planted")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	overlay, err := c.overlay(root, dir, change)
	if err != nil {
		return "", "", err
	}
	passed := ""
	for _, pkg := range c.packages() {
		v, out, err := goTest(ctx, root, overlay, append([]string{"./" + pkg}, c.Flags...)...)
		if v != Survived || err != nil {
			return v, out, err
		}
		passed += out
	}
	v, out, err := goTest(ctx, root, overlay, "./"+folder+"/play", "-run", "^TestScenarios$")
	if v == Caught {
		v = ByScenario
	}
	return v, passed + out, err
}

// okay is what go test prints for a package that passed, with the time that its tests took.
var okay = regexp.MustCompile(`(?m)^ok  \t\S+\t([0-9.]+)s`)

// took returns the longest time of the packages that passed.
func took(out string) (most time.Duration) {
	for _, m := range okay.FindAllStringSubmatch(out, -1) {
		if d, err := time.ParseDuration(m[1] + "s"); err == nil {
			most = max(most, d)
		}
	}
	return most
}

// overlay writes the changed file and the list by which the go command finds it.
func (c *Control) overlay(root, dir string, change *Change) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	if change != nil {
		path := filepath.Join(root, change.File)
		src, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if change.end > len(src) {
			return "", fmt.Errorf("%s: changed while it was measured", path)
		}
		replace[path] = filepath.Join(dir, filepath.Base(change.File))
		if err := os.WriteFile(replace[path], change.Apply(src), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

func goTest(ctx context.Context, root, overlay string, args ...string) (Verdict, string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit+5*time.Minute) // building may wait for other work of the machine
	defer cancel()
	args = append([]string{"test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", "-timeout",
		limit.String(), "-exec", memory}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.WaitDelay = 10 * time.Second
	text, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", "", fmt.Errorf("go test: %w", context.Cause(ctx))
	}
	v, err := judge(string(text), err)
	return v, string(text), err
}

// judge reads the verdict from the output of go test and the error of the process.
func judge(out string, err error) (Verdict, error) {
	var exit *exec.ExitError
	switch {
	case err == nil && strings.Contains(out, "[no test files]"), strings.Contains(out, "[no tests to run]"):
		return "", fmt.Errorf("go test: there are no tests:\n%s", out)
	case err == nil && strings.HasPrefix(out, "ok "):
		return Survived, nil
	case err == nil:
		return "", fmt.Errorf("go test: neither passed nor failed:\n%s", out)
	case !errors.As(err, &exit):
		return "", fmt.Errorf("go test: %w", err)
	case strings.Contains(out, "[build failed]"):
		return NotCompiled, nil
	case strings.Contains(out, "panic: test timed out after "),
		strings.Contains(out, "fatal error: out of memory"),
		strings.Contains(out, "fatal error: runtime: out of memory"),
		strings.Contains(out, "fatal error: runtime: cannot allocate memory"):
		return Endless, nil
	case strings.Contains(out, "--- FAIL: "), strings.Contains(out, "\npanic: "), strings.HasPrefix(out, "panic: "),
		strings.Contains(out, "fatal error: stack overflow"):
		return Caught, nil
	}
	return "", fmt.Errorf("go test: %w, and no test failed:\n%.2000s", err, out)
}

package distrust

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// World holds the folders in which the attempts are played, one after the other, each starting with restored folders.
type World struct {
	Root     string // of the repository
	Dir      string // copy of testdata/tiny
	Out      string // for outputs
	bin      string
	socket   string // of the golden program
	hash     string // of the tiny block's schema
	controls map[string]error
	lock     *os.File
}

// NewWorld builds goldwire and creates the folders under build/distrust. It waits while another campaign runs there.
func NewWorld(ctx context.Context, root string) (w *World, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("campaign: %w", err)
		}
	}()
	base := filepath.Join(root, "build", "distrust")
	w = &World{Root: root, Dir: filepath.Join(base, "tiny"), Out: filepath.Join(base, "out"),
		bin: filepath.Join(base, "goldwire"), controls: map[string]error{}}
	if err := os.MkdirAll(base, 0o755); err != nil {
		return nil, err
	}
	if w.lock, err = os.Create(filepath.Join(base, "lock")); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(w.lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	tmp, err := os.MkdirTemp("", "gw") // the path of a socket must be short
	if err != nil {
		return nil, err
	}
	w.socket = filepath.Join(tmp, "s")
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", w.bin, "./cosim/cmd/goldwire")
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("goldwire: %w: %s", err, text)
	}
	if err := w.restore(); err != nil {
		return nil, err
	}
	show := exec.CommandContext(ctx, w.bin, "schema", "show", "--hash", filepath.Join(w.Dir, "schema.yaml"))
	show.Dir = root
	hash, err := show.Output()
	if err != nil {
		return nil, fmt.Errorf("schema of the tiny block: %w", err)
	}
	w.hash = strings.TrimSpace(string(hash))
	return w, nil
}

// Close releases the folders for another campaign.
func (w *World) Close() error {
	return errors.Join(os.RemoveAll(filepath.Dir(w.socket)), w.lock.Close())
}

// restore restores both folders to their initial state. Unchanged files keep their modification time.
func (w *World) restore() error {
	from := filepath.Join(w.Root, "ci", "distrust", "testdata", "tiny")
	keep := map[string]bool{}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		to := filepath.Join(w.Dir, rel)
		keep[to] = true
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if st, err := os.Lstat(to); err == nil && st.Mode().IsRegular() {
			if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, text) {
				return nil
			}
		}
		_ = os.RemoveAll(to)
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		return fmt.Errorf("folder of the designs: %w", err)
	}
	err = filepath.WalkDir(w.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || keep[path] {
			return err
		}
		if err := os.RemoveAll(path); err != nil || !d.IsDir() {
			return err
		}
		return filepath.SkipDir
	})
	if err == nil {
		err = os.RemoveAll(w.Out)
	}
	if err == nil {
		err = os.MkdirAll(w.Out, 0o755)
	}
	return err
}

// Edit replaces text in files of the designs. Its arguments come in threes: file name, text, new text. It returns an
// error when a text is not in its file.
func Edit(triples ...string) func(*World) error {
	return func(w *World) error {
		for i := 0; i+2 < len(triples); i += 3 {
			path := filepath.Join(w.Dir, triples[i])
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !strings.Contains(string(text), triples[i+1]) {
				return fmt.Errorf("%s: no %q in it", path, triples[i+1])
			}
			// Renamed into place, as an editor does when it saves.
			if err := os.WriteFile(path+".new", []byte(strings.Replace(string(text), triples[i+1], triples[i+2], 1)),
				0o644); err != nil {
				return err
			}
			if err := os.Rename(path+".new", path); err != nil {
				return err
			}
		}
		return nil
	}
}

// Write writes files under the folder of the designs. Its arguments come in pairs: file name, text.
func Write(pairs ...string) func(*World) error {
	return func(w *World) error {
		for i := 0; i+1 < len(pairs); i += 2 {
			path := filepath.Join(w.Dir, pairs[i])
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(pairs[i+1]), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
}

// Then runs its arguments one after the other.
func Then(steps ...func(*World) error) func(*World) error {
	return func(w *World) error {
		for _, s := range steps {
			if err := s(w); err != nil {
				return err
			}
		}
		return nil
	}
}

// Goldwire runs a goldwire command that must pass.
func Goldwire(args ...string) func(*World) error { return exits(0, args...) }

// exits runs a goldwire command that must end with an exit code.
func exits(code int, args ...string) func(*World) error {
	return func(w *World) error {
		c, err := w.start(context.Background(), w.filled(args), "")
		if err != nil {
			return err
		}
		if got := c.Wait(); got.Code != code {
			return fmt.Errorf("%s: exit code %d: %s", strings.Join(args, " "), got.Code, got.Text)
		}
		return nil
	}
}

// Outcome is how a command ended.
type Outcome struct {
	Code int
	Text string // stdout and stderr
}

// Child is a running command.
type Child struct {
	cmd  *exec.Cmd
	text *logged
	done chan struct{}
	err  error
}

// logged holds the output of a command so far.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// longest is the longest time that a command may take; a command that takes longer counts as hung.
const longest = 5 * time.Minute

// start starts goldwire in the repository's folder, with more in its environment.
func (w *World) start(ctx context.Context, args []string, stdout string, env ...string) (*Child, error) {
	cmd := exec.Command(w.bin, args...)
	// Attempts need freshly made stimulus; a developer's cache would replace it.
	cmd.Dir, cmd.Env = w.Root, append(append(os.Environ(), "GOLDWIRE_CACHE=off"), env...)
	c := &Child{cmd: cmd, text: &logged{}, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = io.Writer(c.text), c.text
	if stdout != "" {
		f, err := os.OpenFile(stdout, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(c.done)
		c.err = cmd.Wait()
	}()
	context.AfterFunc(ctx, c.Kill)
	return c, nil
}

// Kill ends the command at once.
func (c *Child) Kill() { _ = c.cmd.Process.Kill() }

// Signal sends a signal to the command.
func (c *Child) Signal(s os.Signal) error { return c.cmd.Process.Signal(s) }

// Wait waits for the command to end. The code of a command that was killed is -1.
func (c *Child) Wait() Outcome {
	select {
	case <-c.done:
	case <-time.After(longest):
		c.Kill()
		<-c.done
		return Outcome{-2, c.text.String() + "\nit did not end within " + longest.String()}
	}
	code := 0
	var exit *exec.ExitError
	if errors.As(c.err, &exit) {
		code = exit.ExitCode()
	} else if c.err != nil {
		code = -3
	}
	return Outcome{code, c.text.String()}
}

// Shows waits until the output contains a text.
func (c *Child) Shows(ctx context.Context, text string) error {
	return c.until(ctx, "it never printed "+text, func() bool { return strings.Contains(c.text.String(), text) })
}

// until waits until a condition holds or the command has ended.
func (c *Child) until(ctx context.Context, what string, holds func() bool) error {
	for end := time.Now().Add(longest); time.Now().Before(end); {
		if holds() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.done:
			return fmt.Errorf("%s: %s", what, tail(c.text.String()))
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errors.New(what)
}

// Device waits until the command has started a device under test and returns its process id.
func (c *Child) Device(ctx context.Context) (pid int, err error) {
	err = c.until(ctx, "no device started", func() bool {
		pid = deviceOf(c.cmd.Process.Pid)
		return pid != 0
	})
	return pid, err
}

// deviceOf returns a child process that is a device under test, or 0.
func deviceOf(parent int) int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, s := range stats {
		text, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		name, rest, ok := strings.Cut(string(text), ") ")
		f := strings.Fields(rest)
		if ok && len(f) > 1 && f[1] == strconv.Itoa(parent) && strings.HasSuffix(name, "(dut") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
			return pid
		}
	}
	return 0
}

// golden starts the golden program of the tiny block and returns a function that stops it.
func (w *World) golden(what string) (stop func(), err error) {
	_ = os.Remove(w.socket)
	cmd := exec.Command("python3", "-B", filepath.Join(w.Dir, "golden.py"), filepath.Join(w.Root, "bridge", "py"),
		"--listen", "unix:"+w.socket)
	cmd.Env = append(os.Environ(), "GOLDEN="+what, "TINY_HASH="+w.hash)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("golden program: %w", err)
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		stop()
		return nil, fmt.Errorf("golden program: it did not start: %w", err)
	}
	return stop, nil
}

package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

type process struct {
	program, root string
	args          []string // including the program's name
	log           string   // file for stdout and stderr
	core          int      // the only core it may use; -1 for any
	seconds       int
	memoryMB      int
}

// ended is how a process ended.
type ended struct {
	exit  int    // -1: by a signal
	bound string // the limit of time or memory that it exceeded, in words
	cost  Cost
}

// errInterrupted is returned for a process that was stopped because the campaign was.
var errInterrupted = errors.New("interrupted")

// run runs the process to its end. It returns errInterrupted if ctx was cancelled, and another error if the process
// could not be started.
func (p *process) run(ctx context.Context) (*ended, error) {
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(p.program)
	cmd.Args = p.args
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.root, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	// The thread that starts a process must outlive it because of Pdeathsig. The process inherits its set of cores.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.start(cmd); err != nil {
		return nil, fmt.Errorf("%s: %w", p.program, err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	e := &ended{}
	tick := time.NewTicker(500 * time.Millisecond) // memory is read from /proc for all processes
	defer tick.Stop()
	deadline := start.Add(time.Duration(p.seconds) * time.Second)
	interrupted := false
	for {
		select {
		case <-done:
			e.cost.Seconds = time.Since(start).Seconds()
			e.finish(cmd)
			if interrupted {
				return nil, errInterrupted
			}
			return e, nil
		case <-ctx.Done():
			interrupted, ctx = true, context.WithoutCancel(ctx)
			killGroup(cmd.Process.Pid)
		case now := <-tick.C:
			mb := groupMemory(cmd.Process.Pid)
			e.cost.MemoryMB = max(e.cost.MemoryMB, mb)
			switch {
			case e.bound != "":
			case now.After(deadline):
				e.bound = fmt.Sprintf("it took more than its %d seconds", p.seconds)
			case mb > p.memoryMB:
				e.bound = fmt.Sprintf("it took %d MB of memory, more than its %d", mb, p.memoryMB)
			}
			if e.bound != "" {
				killGroup(cmd.Process.Pid)
			}
		}
	}
}

// start starts the command on the process's core.
func (p *process) start(cmd *exec.Cmd) error {
	if p.core < 0 {
		return cmd.Start()
	}
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return cmd.Start()
	}
	one.Set(p.core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return cmd.Start() // a core that was taken away: slower, but correct
	}
	err := cmd.Start()
	return errors.Join(err, unix.SchedSetaffinity(0, &before))
}

func (e *ended) finish(cmd *exec.Cmd) {
	e.exit = cmd.ProcessState.ExitCode()
	if ru, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.cost.CPU = time.Duration(ru.Utime.Nano() + ru.Stime.Nano()).Seconds()
		e.cost.MemoryMB = max(e.cost.MemoryMB, int(ru.Maxrss/1024))
	}
}

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// groupMemory returns the resident memory of a process group in MB, or 0 if it cannot be read.
func groupMemory(group int) int {
	procs, _ := filepath.Glob("/proc/[0-9]*/stat")
	pages := 0
	for _, f := range procs {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the preceding name may contain anything
		w := strings.Fields(rest)
		if len(w) > 21 && w[2] == strconv.Itoa(group) {
			n, _ := strconv.Atoi(w[21])
			pages += n
		}
	}
	return pages * os.Getpagesize() >> 20
}

// Cores returns the cores that this process may use.
func Cores() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var out []int
	for i := 0; len(out) < set.Count(); i++ {
		if set.IsSet(i) {
			out = append(out, i)
		}
	}
	return out
}

// args returns the command line of a run whose result goes to a file, without the program's path.
func args(root string, r *plan.Run, result string, more ...string) []string {
	out := []string{"goldwire", "--root", root}
	for _, a := range r.Args {
		out = append(out, strings.ReplaceAll(a, plan.JSON, result))
	}
	return append(out, more...)
}

// caseName is the file of the shortest failing events, in the folder of a run.
const caseName = "case.json"

// readCase reads a saved case. A failure counts without one, so an unreadable case is dropped.
func readCase(path string) json.RawMessage {
	text, err := os.ReadFile(path)
	if err != nil || len(text) > MaxCase {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return nil
	}
	return b.Bytes()
}

// Once runs the command of a run once, with more words appended, by a program in the repository under root, and judges
// it as a campaign does. Its files go to the folder dir. It errors if the program could not be started or ctx was
// cancelled.
func Once(ctx context.Context, root, program string, run *plan.Run, dir string, more ...string) (*Record, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, old := range []string{"once.json", caseName} { // otherwise it would be taken for a result of this run
		if err := report.Remove(filepath.Join(dir, old)); err != nil {
			return nil, err
		}
	}
	m := &manager{Config: Config{Root: root, Program: program}}
	rec := &Record{Run: *run}
	err := m.attempt(ctx, rec, dir, "once", -1, more)
	if err != nil {
		return nil, err
	}
	return rec, nil
}

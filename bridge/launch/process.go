package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"github.com/goldwire/goldwire/bridge/wire"
)

const (
	logLines  = 20  // last lines of output that are kept
	logLength = 400 // and bytes of each
)

// Process is a running DUT. Its methods may be called from any goroutine.
type Process struct {
	pid  int
	done chan struct{} // closed when the process and its output have ended
	err  error         // of the wait; read after done

	mu   sync.Mutex
	log  []string
	kill bool // killed by us
}

// startProcess starts path in a process group of its own, so that a terminal's interrupt reaches us alone,
// in folder dir when one is named, and arranges that the kernel kills it if we die without a chance to do so.
func startProcess(ctx context.Context, path, dir string, args, env []string, line func(string)) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = marked(append(os.Environ(), env...))
	cmd.Stdout, cmd.Stderr = in, in
	cmd.SysProcAttr = processAttr()
	p := &Process{done: make(chan struct{})}
	started := make(chan error)
	waited := make(chan error, 1)
	go func() {
		// The kernel's parent-death signal follows the thread that started the child, so this thread stays
		// with the child until it is gone; ending the goroutine locked ends the thread as well.
		runtime.LockOSThread()
		err := cmd.Start()
		in.Close()
		started <- err
		if err == nil {
			waited <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		out.Close()
		return nil, err
	}
	p.pid = cmd.Process.Pid
	stop := context.AfterFunc(ctx, p.Kill)
	go func() {
		p.scan(out, line)
		p.err = <-waited
		stop()
		close(p.done)
	}()
	return p, nil
}

// scan keeps the last lines of the process's output until it ends.
func (p *Process) scan(out io.ReadCloser, line func(string)) {
	defer out.Close()
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		text, err := r.ReadSlice('\n')
		if s := strings.TrimRight(string(text), "\r\n"); s != "" {
			if len(s) > logLength {
				s = s[:logLength] + "..."
			}
			p.mu.Lock()
			p.log = append(p.log, s)
			if len(p.log) > logLines {
				p.log = p.log[1:]
			}
			p.mu.Unlock()
			if line != nil {
				line(s)
			}
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

// PID returns the process id.
func (p *Process) PID() int { return p.pid }

// Done is closed when the process has ended and all its output is read.
func (p *Process) Done() <-chan struct{} { return p.done }

// Log returns the last lines the process printed, oldest first.
func (p *Process) Log() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.log...)
}

// Kill ends the process and what it started, at once; it does nothing when it is gone.
func (p *Process) Kill() {
	select {
	case <-p.done:
		return
	default:
	}
	p.mu.Lock()
	p.kill = true
	p.mu.Unlock()
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // fails only when the group is gone
}

// ExitError waits for the end of the process and returns it as a wire.ErrDUTExited with the exit status and
// the last lines of output.
func (p *Process) ExitError() error {
	<-p.done
	status := "exit status 0"
	if p.err != nil {
		status = p.err.Error()
	}
	return p.ended(fmt.Sprintf("process %d: %s", p.pid, status))
}

// HandshakeError does the same for a process that ended before its session began.
func (p *Process) HandshakeError() error {
	<-p.done
	status := "exit status 0"
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		status = exit.Error()
		if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signaled() {
			status = fmt.Sprintf("signal %d", w.Signal())
		}
	} else if p.err != nil {
		status = p.err.Error()
	}
	return p.ended(fmt.Sprintf("the simulator ended (%s) during the handshake", status))
}

// ended returns the error of a process that ended, with what to do.
func (p *Process) ended(what string) error {
	p.mu.Lock()
	killed := p.kill
	p.mu.Unlock()
	mend := "the last lines of its output give the reason; if there are none, rebuild it: remove build/dut"
	log := p.Log()
	if l := LimitError(nil, strings.Join(log, "\n")); l != nil {
		mend = l.What + "; " + l.Mend
	} else if killed {
		mend = "it was killed by this program"
	} else if strings.Contains(what, "signal") {
		mend = "something killed it: check memory limits, or rebuild it: remove build/dut"
	}
	return &wire.Error{Kind: wire.ErrDUTExited, What: what, Log: log, Mend: mend}
}

package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/bridge/wire"
)

// soon is how long what happens at once may take where the machine is loaded.
const soon = 2 * time.Minute

// gone fails unless the process ends soon. One that has ended and only waits for its parent to
// take note is gone.
func gone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return true
		}
		_, state, _ := strings.Cut(string(stat), ") ")
		return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
	}, soon, time.Millisecond, "process %d is still there", pid)
}

// settled fails unless the goroutines go back to a number soon.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(soon); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			require.Fail(t, "goroutines leak", "%s", stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// oneLine checks what a person gets to read.
func oneLine(t *testing.T, err error, parts ...string) {
	t.Helper()
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\n")
	for _, p := range parts {
		require.ErrorContains(t, err, p)
	}
}

// feed replays until something breaks and returns what.
func feed(s *Session, in, want []uint64) error {
	for {
		if err := s.Replay(in, want); err != nil {
			return err
		}
	}
}

func TestDUTKilled(t *testing.T) {
	in, want := traffic(20, 50_000)
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(s.PID(), syscall.SIGKILL) })
		err := feed(s, in, want)
		require.ErrorIs(t, err, wire.ErrDUTExited)
		oneLine(t, err, "signal: killed", "something killed it")
		_, err = s.Finish()
		require.ErrorIs(t, err, wire.ErrDUTExited, "every later call says the same")
		require.ErrorIs(t, s.Step(in[:3], make([]uint64, 2)), wire.ErrDUTExited)
		_, err = s.Get()
		require.ErrorIs(t, err, wire.ErrDUTExited)
		gone(t, s.PID())
	})
}

func TestDUTKilledInStep(t *testing.T) {
	in, _ := traffic(21, 1)
	eachTransport(t, func(t *testing.T, tr Transport) {
		s := open(t, func(o *Options) { o.Transport = tr })
		time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(s.PID(), syscall.SIGKILL) })
		var err error
		for err == nil {
			err = s.Step(in, make([]uint64, 2))
		}
		require.ErrorIs(t, err, wire.ErrDUTExited)
	})
}

func TestDUTHung(t *testing.T) {
	in, want := traffic(22, 50_000)
	eachTransport(t, func(t *testing.T, tr Transport) {
		for name, work := range map[string]func(s *Session) error{
			"batch": func(s *Session) error { return feed(s, in, want) },
			"step": func(s *Session) error {
				for {
					if err := s.Step(in[:3], make([]uint64, 2)); err != nil {
						return err
					}
				}
			},
		} {
			t.Run(name, func(t *testing.T) {
				s := open(t, func(o *Options) { o.Transport, o.HangTimeout = tr, 300*time.Millisecond })
				time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(s.PID(), syscall.SIGSTOP) })
				start := time.Now()
				err := work(s)
				require.ErrorIs(t, err, wire.ErrDUTHung)
				oneLine(t, err, "no sign of life for 300ms", "raise the hang timeout")
				require.Less(t, time.Since(start), soon)
				gone(t, s.PID())
			})
		}
	})
}

// TestSlowIsNotHung gives the DUT one request that takes longer than the hang timeout.
func TestSlowIsNotHung(t *testing.T) {
	const timeout = 600 * time.Millisecond
	in, want := traffic(23, 100_000)
	s := open(t, func(o *Options) { o.HangTimeout = timeout })
	file := filepath.Join(t.TempDir(), "v.bin")
	require.NoError(t, WriteVectors(file, s.bin, in, want))
	r, err := s.Bench(file, 1)
	require.NoError(t, err)
	for reps := int(3*timeout/r.Elapsed) + 1; r.Elapsed <= timeout; reps *= 2 { // the machine may have become faster
		r, err = s.Bench(file, reps)
		require.NoError(t, err)
	}
	time.Sleep(2 * timeout) // and a DUT without work is not hung either
	require.NoError(t, s.Restart(1))
}

// TestStarvedIsNotHung leaves the DUT hardly any processor for several hang timeouts: it has the lowest class on a
// processor that others keep busy.
func TestStarvedIsNotHung(t *testing.T) {
	const timeout = time.Second
	in, want := traffic(25, 100_000)
	s := open(t, func(o *Options) { o.HangTimeout = timeout })
	file := filepath.Join(t.TempDir(), "v.bin")
	require.NoError(t, WriteVectors(file, s.bin, in, want))
	var allowed, one unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &allowed))
	for c := range 1024 {
		if allowed.IsSet(c) {
			one.Set(c)
			break
		}
	}
	var busy []*exec.Cmd
	for range 3 {
		c := exec.Command("sh", "-c", "while :; do :; done")
		require.NoError(t, c.Start())
		require.NoError(t, unix.SchedSetaffinity(c.Process.Pid, &one))
		busy = append(busy, c)
	}
	end := sync.OnceFunc(func() {
		for _, c := range busy {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
		// Whatever else runs on this machine, the DUT gets its share from now on.
		_ = unix.SchedSetAttr(s.PID(), &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0)
		_ = unix.SchedSetaffinity(s.PID(), &allowed)
	})
	defer end()
	require.NoError(t, unix.SchedSetaffinity(s.PID(), &one))
	idle := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE}
	require.NoError(t, unix.SchedSetAttr(s.PID(), idle, 0))
	time.AfterFunc(3*timeout, end)
	r, err := s.Bench(file, 10)
	require.NoError(t, err)
	require.NotZero(t, r.Cycles)
}

func TestCancelKillsAndReturns(t *testing.T) {
	in, want := traffic(24, 50_000)
	eachTransport(t, func(t *testing.T, tr Transport) {
		before := runtime.NumGoroutine()
		cause := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(t.Context())
		opt := DefaultOptions()
		opt.Transport = tr
		s, err := Start(ctx, dut(t, false), opt)
		require.NoError(t, err)
		var cancelled time.Time
		time.AfterFunc(50*time.Millisecond, func() { cancelled = time.Now(); cancel(cause) })
		err = feed(s, in, want)
		require.ErrorIs(t, err, cause)
		require.Less(t, time.Since(cancelled), soon)
		require.NoError(t, s.Close())
		gone(t, s.PID())
		settled(t, before)
	})
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	eachTransport(t, func(t *testing.T, tr Transport) {
		before := runtime.NumGoroutine()
		s := open(t, func(o *Options) { o.Transport = tr })
		left, _ := filepath.Glob(filepath.Join(os.TempDir(), "goldwire-*"))
		require.Empty(t, left, "the socket is gone once the DUT has connected")
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		require.ErrorIs(t, s.Restart(1), wire.ErrClosed)
		gone(t, s.PID())
		settled(t, before)
	})
	own := fmt.Sprintf("/dev/shm/goldwire-%d-*", os.Getpid()) // other processes come and go
	left, err := filepath.Glob(own)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestHelloRefuses starts a DUT that is not what the binary's description says.
func TestHelloRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*testBinary)
		kind error
		text []string
	}{
		"schema hash": {func(b *testBinary) { b.SchemaHash = "0123456789abcdef" }, wire.ErrSchemaHash,
			[]string{"ours 0123456789abcdef", "theirs ", "make gen"}},
		"block": {func(b *testBinary) { b.Block = "ccc" }, wire.ErrBlock, []string{"ours ccc, theirs adder"}},
		"parameters": {func(b *testBinary) { b.Params = "Offset=2" }, wire.ErrParams, []string{"ours Offset=2, theirs " +
			"Offset=1"}},
		"layout": {func(b *testBinary) { b.OutWords = 7 }, wire.ErrLayout, []string{"ours 3 in, 7 out, theirs 3 in, 2 out"}},
	} {
		t.Run(name, func(t *testing.T) {
			bin := *dut(t, false)
			c.edit(&bin)
			_, err := Start(t.Context(), &bin, DefaultOptions())
			require.ErrorIs(t, err, c.kind)
			oneLine(t, err, c.text...)
		})
	}
}

func TestStartFailures(t *testing.T) {
	script := func(text string) *testBinary {
		bin := *dut(t, false)
		bin.Path = filepath.Join(t.TempDir(), "dut")
		require.NoError(t, os.WriteFile(bin.Path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
		return &bin
	}
	opt := DefaultOptions()
	opt.StartTimeout = soon

	_, err := Start(t.Context(), script("echo no licence >&2; exit 3"), opt)
	require.ErrorIs(t, err, wire.ErrDUTExited)
	oneLine(t, err, "exit status 3", "no licence")

	opt.StartTimeout = 3 * time.Second
	_, err = Start(t.Context(), script("echo waiting; sleep 60"), opt)
	require.ErrorIs(t, err, wire.ErrDUTStart)
	oneLine(t, err, "no hello within 3s", "waiting")
	opt.StartTimeout = soon

	missing := *dut(t, false)
	missing.Path += "-absent"
	_, err = Start(t.Context(), &missing, opt)
	require.ErrorIs(t, err, wire.ErrDUTStart)
	oneLine(t, err, "no such file", "rebuild")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ctx, dut(t, false), opt)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAddresses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dut.sock")

	// A process that was killed leaves its socket file behind.
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false)
	require.NoError(t, l.Close())
	require.FileExists(t, path)
	s := open(t, func(o *Options) { o.Address = path })
	require.NoError(t, s.Close())
	require.NoFileExists(t, path)

	// One that lives keeps it.
	l, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	defer l.Close()
	opt := DefaultOptions()
	opt.Address = path
	_, err = Start(t.Context(), dut(t, false), opt)
	require.ErrorIs(t, err, wire.ErrAddress)
	oneLine(t, err, "in use by another process")

	opt.Address = filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(opt.Address, []byte("precious"), 0o644))
	_, err = Start(t.Context(), dut(t, false), opt)
	oneLine(t, err, "is not a socket")
	require.FileExists(t, opt.Address)

	opt.Address = filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	_, err = Start(t.Context(), dut(t, false), opt)
	require.ErrorIs(t, err, wire.ErrAddress)

	opt.Transport, opt.Address = TCP, "0.0.0.0:0"
	_, err = Start(t.Context(), dut(t, false), opt)
	oneLine(t, err, "127.0.0.1 only")

	err = Options{Transport: "carrier-pigeon"}.Validate()
	oneLine(t, err, "choose unix, tcp or shm")
}

func TestOptionsValidate(t *testing.T) {
	require.NoError(t, DefaultOptions().Validate())
	for name, edit := range map[string]func(*Options){
		"transport": func(o *Options) { o.Transport = "" },
		"window":    func(o *Options) { o.Window = 0 },
		"batch":     func(o *Options) { o.Batch = o.MaxBatch + 1 },
		"max":       func(o *Options) { o.MaxBatch = 1 << 21 },
		"reset":     func(o *Options) { o.Reset = 3 },
		"timeout":   func(o *Options) { o.HangTimeout = 0 },
		"spin":      func(o *Options) { o.Spin = -1 },
	} {
		o := DefaultOptions()
		edit(&o)
		require.Error(t, o.Validate(), name)
	}
}

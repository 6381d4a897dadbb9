package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/goldwire/goldwire/cosim/bind"
)

// Exit codes.
const (
	exitPass     = 0
	exitMismatch = 1
	exitBroken   = 2 // called wrongly, interrupted, or the harness broke
)

// errMismatch ends a command that did its work and found a difference. It prints
// nothing: the result has been printed.
var errMismatch = errors.New("mismatch")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal must end a program that hangs while it winds down.
	context.AfterFunc(ctx, stop)
	code := execute(ctx, &app{backend: newBackend(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, program: os.Args[0]}, os.Args[1:])
	stderrDone()
	os.Exit(code)
}

// app is what the commands work with.
type app struct {
	backend
	stdin          io.Reader
	stdout, stderr io.Writer
	root           string // --root
	program        string // as the user called it, for commands to repeat
	verbose        bool
	reporting      bool // the command has its reports in hand
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, a *app, args []string) int {
	out := &checked{Writer: a.stdout}
	a.stdout = out
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	err := noneEmpty(args)
	if err == nil {
		err = noneTwice(root, args)
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err != nil && !a.reporting {
		// It ended before it knew its reports, for a wrong argument: that of a run before it must not pass for its own.
		err = errors.Join(err, withdraw(root, args, err))
	}
	if err != nil && ctx.Err() != nil && !strings.Contains(err.Error(), "interrupted") {
		err = fmt.Errorf("interrupted: %w", err) // whatever broke because of it
	}
	if out.err != nil && !errors.Is(err, out.err) {
		if errors.Is(err, errMismatch) {
			err = errors.New("a mismatch was found")
		}
		err = errors.Join(err, out.err)
	}
	switch {
	case err == nil:
		return exitPass
	case errors.Is(err, errMismatch):
		return exitMismatch
	}
	var ps bind.Problems
	if errors.As(err, &ps) && len(ps) > 1 {
		// What is wrong with a dut.yaml is a list, as dut check prints it.
		for _, p := range ps {
			fmt.Fprintf(a.stderr, "goldwire: %s\n", oneLine(errors.New(p.String())))
		}
		return exitBroken
	}
	fmt.Fprintf(a.stderr, "goldwire: %s\n", oneLine(err))
	return exitBroken
}

// checked is the stdout of a command. It remembers the first error, so that no command has to look at every line that
// it prints: one whose results could not be written has not done its work.
type checked struct {
	io.Writer
	err error
}

// Write writes to stdout.
func (c *checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err == nil {
		return n, nil
	}
	if c.err == nil {
		c.err = fmt.Errorf("stdout: %w", err)
	}
	return n, c.err
}

// oneLine joins the lines of an error, as joined errors and log tails have several.
func oneLine(err error) string {
	var parts []string
	for _, l := range strings.Split(err.Error(), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, "; ")
}

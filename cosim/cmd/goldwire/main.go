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
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for os.Args
	err := root.ExecuteContext(ctx)
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

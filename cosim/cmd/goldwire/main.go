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

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cosim"
	"github.com/goldwire/goldwire/cosim/device/bind"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal must end a program that hangs while it shuts down.
	context.AfterFunc(ctx, stop)
	code := execute(ctx, &cli.App{Backend: cli.NewBackend(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Program: os.Args[0], Revision: revision}, os.Args[1:])
	stderrDone()
	os.Exit(code)
}

// app holds what the commands share.
type app struct{ *cli.App }

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, shared *cli.App, args []string) int {
	a := &app{App: shared}
	a.Args = args
	out := &checked{Writer: a.Stdout}
	a.Stdout = out
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil to mean os.Args
	err := cli.NoneEmpty(args)
	if err == nil {
		err = cli.NoneTwice(root, args)
	}
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err != nil && !a.Reporting {
		// The command failed on a wrong argument before it took its reports. A report of an earlier run must not pass for its
		// own.
		if failed := a.withdraw(root, args, err); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	kept := a.Settle(err)
	if kept != nil && err == nil {
		err = kept // a file could not be removed
	}
	if err != nil && ctx.Err() != nil && !errors.Is(err, cli.ErrMismatch) &&
		!strings.Contains(err.Error(), "interrupted") {
		err = fmt.Errorf("interrupted: %w", err) // the interrupt is the likely cause
	}
	if out.err != nil && !errors.Is(err, out.err) {
		differ, beside := errors.Is(err, cli.ErrMismatch), err
		if differ {
			beside = errors.Unwrap(err) // what failed beside the mismatch, or nil
		}
		err = cli.Found(differ, errors.Join(beside, out.err))
	}
	switch {
	case err == nil:
		return cli.ExitPass
	case errors.Is(err, cli.ErrMismatch):
		if err != cli.ErrMismatch {
			fmt.Fprintf(a.Stderr, "goldwire: %s\n", cli.OneLine(err))
		}
		return cli.ExitMismatch
	}
	var ps bind.Problems
	if errors.As(err, &ps) && len(ps) > 1 {
		// Problems of a dut.yaml are printed as a list, as dut check does.
		for _, p := range ps {
			fmt.Fprintf(a.Stderr, "goldwire: %s\n", cli.OneLine(errors.New(p.String())))
		}
		if kept != nil {
			fmt.Fprintf(a.Stderr, "goldwire: %s\n", cli.OneLine(kept))
		}
		return cli.ExitBroken
	}
	if kept != nil && kept != err {
		err = errors.Join(err, kept)
	}
	fmt.Fprintf(a.Stderr, "goldwire: %s\n", cli.OneLine(err))
	return cli.ExitBroken
}

// withdraw keeps results of an earlier run from passing for those of a command that failed before it took its outputs.
func (a *app) withdraw(root *cobra.Command, args []string, failure error) error {
	c, rest, err := root.Find(args)
	if err != nil {
		return nil
	}
	files := cli.Results(c, rest)
	switch c.CommandPath() {
	case "goldwire cosim":
		return cosim.Withdraw(a.App, c, rest, failure)
	case "goldwire guide":
		files = cosim.Corpora(c, rest)
	case "goldwire vectors gen":
		files = cli.Results(c, rest, "-o", "--output")
	}
	return a.Withdraw(files)
}

// checked is the stdout of a command. It remembers the first error, so that commands need not check every line that
// they print. A command whose results could not be written has failed.
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

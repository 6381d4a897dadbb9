package cli

import (
	"errors"
	"io"
	"strings"
)

// Exit codes.
const (
	ExitPass     = 0
	ExitMismatch = 1
	ExitBroken   = 2 // called wrongly, interrupted, or the harness broke
)

// ErrMismatch ends a command that did its work and found a difference. It prints nothing: the result has been printed.
var ErrMismatch = errors.New("mismatch")

// FoundError is the ErrMismatch of a command in which something else broke as well: the mismatch stays.
type FoundError struct{ Beside error }

// Error names what broke.
func (e *FoundError) Error() string { return "a mismatch was found; beside it: " + e.Beside.Error() }

// Unwrap returns what broke.
func (e *FoundError) Unwrap() error { return e.Beside }

// Is reports whether target is ErrMismatch.
func (e *FoundError) Is(target error) bool { return target == ErrMismatch }

// App is what the commands work with.
type App struct {
	Backend
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Root           string // --root
	Program        string // as the user called it, for commands to repeat
	Revision       string // that the program was built of; "" when it does not know
	Verbose        bool
	Reporting      bool // the command has its reports in hand
}

// Found returns ErrMismatch where a difference was found, whatever else broke, and err otherwise. Every command that
// compares ends with it.
func Found(differ bool, err error) error {
	switch {
	case !differ:
		return err
	case err != nil:
		return &FoundError{err}
	}
	return ErrMismatch
}

// OneLine joins the lines of an error, as joined errors and log tails have several.
func OneLine(err error) string {
	var parts []string
	for _, l := range strings.Split(err.Error(), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, "; ")
}

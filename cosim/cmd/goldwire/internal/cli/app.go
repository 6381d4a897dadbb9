package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Exit codes.
const (
	ExitPass     = 0
	ExitMismatch = 1
	ExitBroken   = 2 // called wrongly, interrupted, or the harness broke
)

// ErrMismatch ends a command that completed and found a difference. It prints nothing because the result was printed
// before.
var ErrMismatch = errors.New("mismatch")

// FoundError is the ErrMismatch of a command in which something else failed as well: the mismatch stays.
type FoundError struct{ Beside error }

// Error describes the failure.
func (e *FoundError) Error() string { return "a mismatch was found; also: " + e.Beside.Error() }

// Unwrap returns the failure.
func (e *FoundError) Unwrap() error { return e.Beside }

// Is reports whether target is ErrMismatch.
func (e *FoundError) Is(target error) bool { return target == ErrMismatch }

// App holds what the commands share.
type App struct {
	Backend
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Root           string   // --root
	Design         string   // our RTL in reports once Repository returned the files built in; "" for a repository's
	Program        string   // as the user called it, for commands that repeat a run
	Revision       string   // the program was built from; "" if unknown
	Args           []string // as typed, without the program
	Verbose        bool
	Reporting      bool     // the command has taken charge of its reports
	earlier        []string // files of earlier runs, set aside
}

// Found returns ErrMismatch if a difference was found, whatever else failed, and err otherwise. Every command that
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

// OneLine joins the lines of an error; joined errors and log tails have several. Errors of the library
// about files and JSON are put in our words.
func OneLine(err error) string {
	var parts []string
	for _, l := range strings.Split(inOurWords(err), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, "; ")
}

// inOurWords returns the text of an error. Of a file error it drops the system call, and adds what to do if the text
// does not say so; of a JSON error it gives the place, not the state of the decoder.
func inOurWords(err error) string {
	text := err.Error()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		text = strings.Replace(text, syntax.Error(), fmt.Sprintf("byte %d of it is not JSON", syntax.Offset), 1)
	}
	var file *fs.PathError
	if !errors.As(err, &file) {
		return text
	}
	before, after, found := strings.Cut(text, file.Error())
	if !found {
		return text
	}
	if !strings.Contains(after, ";") {
		mend := "; check the path"
		if errors.Is(err, fs.ErrPermission) {
			mend = "; give yourself access, or another path"
		}
		after = mend + after
	}
	return strings.TrimSuffix(before, file.Path+": ") + file.Path + ": " + file.Err.Error() + after
}

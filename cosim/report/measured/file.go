package measured

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// Earlier is added to the name of a result that an earlier run left, while it is out of the way of this one.
const Earlier = ".earlier"

// File is the file of a command that is not part of goldwire, whose commands set aside their own results.
type File struct {
	path string // "" for none
	kept bool   // path.earlier holds what an earlier run left
}

// Take returns the file of a document. It errors if it cannot be written, and moves what an earlier run left in it to
// FILE.earlier; an incomplete one that would replace a whole one there is removed instead.
func Take(path string) (*File, error) {
	f := &File{path: path}
	if path == "" {
		return f, nil
	}
	if err := errors.Join(report.Preflight(path), report.Regular(path)); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(path + Earlier)
	f.kept = true
	if err == nil && strings.Contains(string(text), "\n"+Incomplete) {
		return f, report.Remove(path)
	}
	return f, os.Rename(path, path+Earlier)
}

// Write writes the file, whole or not at all.
func (f *File) Write(render func(io.Writer) error) error {
	if f.path == "" {
		return nil
	}
	return report.WriteFile(f.path, render)
}

// Settle removes what an earlier run left, after a verdict; otherwise it returns an error that names it.
func (f *File) Settle(verdict bool) error {
	if !f.kept {
		return nil
	}
	f.kept = false
	if verdict {
		return os.Remove(f.path + Earlier)
	}
	return fmt.Errorf("what an earlier run left is kept in %s%s", f.path, Earlier)
}

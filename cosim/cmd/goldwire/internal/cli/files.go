package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/report"
)

// WriteTo writes a file, whole or not at all, or stdout. An error of render is returned unchanged.
func (a *App) WriteTo(path string, render func(io.Writer) error) error {
	if path == "-" {
		return render(a.Stdout)
	}
	if err := report.Preflight(path); err != nil {
		return err
	}
	var failed error
	err := report.WriteFile(path, func(w io.Writer) error {
		failed = render(w)
		return failed
	})
	if failed != nil {
		return failed
	}
	return err
}

// NeedFile errors if -o names no file.
func NeedFile(out string) error {
	if out == "" {
		return errors.New("-o: no file given; name one, or - for stdout")
	}
	return nil
}

// NeedFolder errors if -o names no folder.
func NeedFolder(out string) error {
	if out == "" {
		return errors.New("-o: no folder given; name one")
	}
	return nil
}

// Beside returns the stream on which a command reports that it wrote out: stdout, or stderr if the file itself goes to
// stdout.
func (a *App) Beside(out string) io.Writer {
	if out == "-" {
		return a.Stderr
	}
	return a.Stdout
}

// SameRegular reports whether two paths lead to one regular file.
func SameRegular(a, b string) bool {
	st, err := os.Stat(a)
	return err == nil && st.Mode().IsRegular() && report.SameFile(a, b)
}

// Folder collects files under temporary names and renames them all at the end, so that input that turns out to be
// damaged half way leaves no file that looks whole.
type Folder struct {
	dir   string
	fresh bool     // created here
	Names []string // of the files created
}

// NewFolder returns a folder to fill, and creates it if it is missing.
func NewFolder(dir string) (*Folder, error) {
	_, err := os.Stat(dir)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("folder %s: cannot be created (%w); give another", dir, err)
	}
	return &Folder{dir: dir, fresh: fresh}, nil
}

func (f *Folder) temp(name string) string {
	return filepath.Join(f.dir, fmt.Sprintf(".%s.%d.tmp", name, os.Getpid()))
}

// Create returns a file of the folder. It has a temporary name until Commit.
func (f *Folder) Create(name string) (io.WriteCloser, error) {
	w, err := os.OpenFile(f.temp(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, fmt.Errorf("folder %s: cannot be written (%w); give another", f.dir, err)
	}
	f.Names = append(f.Names, name)
	return w, nil
}

// Commit gives all files their final names.
func (f *Folder) Commit() error {
	for _, n := range f.Names {
		if err := os.Rename(f.temp(n), filepath.Join(f.dir, n)); err != nil {
			return fmt.Errorf("folder %s: %w", f.dir, err)
		}
	}
	f.Names = nil
	return nil
}

// Discard removes uncommitted files, and the folder if NewFolder created it.
func (f *Folder) Discard() {
	for _, n := range f.Names {
		os.Remove(f.temp(n))
	}
	if f.fresh {
		os.Remove(f.dir) // fails if the folder is not empty
	}
}

// JSON returns the renderer of a value as JSON.
func JSON(v any) func(io.Writer) error {
	return func(w io.Writer) error { return report.EncodeJSON(w, v) }
}

// Input opens a file to read, or returns stdin for "-". what names it in the error.
func (a *App) Input(what, path, kind string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(a.Stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; give the path of a %s, or - for stdin", what, err, kind)
	}
	return f, nil
}

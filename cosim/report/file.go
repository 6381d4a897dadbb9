package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Preflight returns an error if a report cannot be written to path: its folder is missing or not writable, or path is a
// folder. It changes nothing, and is meant to be called before a run of hours.
func Preflight(path string) error {
	if path == "" {
		return errors.New("empty file name; give a path, or leave the flag out")
	}
	target, direct, err := resolve(path)
	if err != nil {
		return err
	}
	if direct {
		f, err := os.OpenFile(target, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil && !errors.Is(err, syscall.ENXIO) { // ENXIO: a pipe that has no reader yet
			return fmt.Errorf("file %s: cannot be written (%w); give another path", path, cause(err))
		}
		if err == nil {
			f.Close()
		}
		return nil
	}
	f, err := temp(target)
	if err != nil {
		return fmt.Errorf("file %s: folder %s cannot be written (%w); give another path", path, filepath.Dir(target),
			cause(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// Regular returns an error if path names something other than a file: a pipe, on which a writer waits for a reader, or
// a device. It does not open it.
func Regular(path string) error {
	if st, err := os.Stat(path); err == nil && Streams(path) {
		return fmt.Errorf("file %s: it is a %s, not a file; give another path", path, kind(st.Mode()))
	}
	return nil
}

// SameFile reports whether two paths lead to one file or folder. It reports false where there is none: its reader
// reports that.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Remove removes the result of an earlier run, which must not pass for this run's. It is no error if there is none.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Streams reports whether data written to path goes elsewhere: to a pipe, a socket or a device.
func Streams(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.Mode().IsRegular() && !st.IsDir()
}

func kind(m os.FileMode) string {
	switch {
	case m&os.ModeNamedPipe != 0:
		return "pipe"
	case m&os.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// WriteFile writes the output of render to path, whole or not at all: into a temporary file beside it, which is then
// renamed. Links are followed; a device or pipe is written in place.
func WriteFile(path string, render func(io.Writer) error) (err error) {
	target, direct, err := resolve(path)
	if err != nil {
		return err
	}
	var f *os.File
	if direct {
		f, err = os.OpenFile(target, os.O_WRONLY, 0)
	} else {
		f, err = temp(target)
	}
	if err != nil {
		return fmt.Errorf("file %s: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			f.Close()
			if !direct {
				os.Remove(f.Name())
			}
			err = fmt.Errorf("file %s: %w", path, cause(err))
		}
	}()
	w := bufio.NewWriter(f)
	if err := render(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if direct {
		return nil
	}
	return os.Rename(f.Name(), target)
}

// resolve follows links and reports whether the target is written in place: a device or a pipe.
func resolve(path string) (target string, direct bool, err error) {
	target = path
	if t, err := filepath.EvalSymlinks(path); err == nil {
		target = t
	}
	st, err := os.Stat(target)
	switch {
	case err == nil && st.IsDir():
		return "", false, fmt.Errorf("file %s: it is a folder; give the name of a file in it", path)
	case err == nil:
		return target, !st.Mode().IsRegular(), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, fmt.Errorf("file %s: %w; give another path", path, cause(err))
	}
	dir := filepath.Dir(target)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return "", false, fmt.Errorf("file %s: folder %s does not exist; make it first (mkdir -p %s)", path, dir, dir)
	}
	return target, false, nil
}

// temp creates a file beside target. It does not use os.CreateTemp, whose mode of 0600 would hide the report from other
// users whatever the umask.
func temp(target string) (*os.File, error) {
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s.%d.%d.tmp", target, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, err
		}
	}
}

// cause strips the operation and the temporary name from a file error.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

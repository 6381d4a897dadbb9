package tool

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goldwire/goldwire/vectors/format"
)

// Named returns the file of a path, or stdin for "-". Its readers end with ctx, even while reading waits at a pipe or a
// terminal.
func Named(ctx context.Context, path string, stdin io.Reader) File {
	return File{
		Name:  path,
		Blame: func(err error) error { return blame(path, err) },
		Open:  func() (*format.Reader, func(), error) { return open(ctx, path, stdin) },
	}
}

func open(ctx context.Context, path string, stdin io.Reader) (*format.Reader, func(), error) {
	in, done := stdin, func() {}
	switch st, err := os.Stat(path); {
	case path == "-":
		in, done = patient(ctx, func() (io.Reader, error) { return stdin, nil })
	case err == nil && !st.Mode().IsRegular():
		in, done = patient(ctx, func() (io.Reader, error) { return os.Open(path) })
	default:
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, fmt.Errorf("vector file: %w; give the path of a .gwv file, or - for stdin", err)
		}
		in, done = f, func() { f.Close() }
	}
	r, err := format.NewReader(bufio.NewReaderSize(ended{ctx, in}, 1<<16))
	if err != nil {
		done()
		return nil, nil, blame(path, err)
	}
	return r, done, nil
}

// ended reads until ctx ends.
type ended struct {
	ctx context.Context
	r   io.Reader
}

func (e ended) Read(b []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.r.Read(b)
}

// patient opens and reads in a goroutine of its own, because neither opening a pipe without a writer nor reading from
// it can be cancelled. A goroutine that still waits when ctx ends is left until the program ends.
func patient(ctx context.Context, open func() (io.Reader, error)) (io.Reader, func()) {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(context.Cause(ctx)) })
	go func() {
		in, err := open()
		if err == nil {
			_, err = io.Copy(w, in)
		}
		if f, ok := in.(*os.File); ok && f != nil && f != os.Stdin {
			f.Close()
		}
		w.CloseWithError(err)
	}()
	return r, func() { stop(); r.Close() }
}

// blame adds the file's name and, if part of it is sound, how to save that.
func blame(path string, err error) error {
	var d *format.Damage
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: %s: %w", path, err)
	case errors.As(err, &d) && d.Sound > 0 && path != "-":
		return fmt.Errorf("%s: %w (goldwire vectors cut --to %d %s -o SAVED.gwv keeps them)", path, err, d.Sound-1, path)
	}
	return fmt.Errorf("%s: %w", path, err)
}

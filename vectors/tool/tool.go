package tool

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// File is a vector file.
type File struct {
	Name string

	// Open returns a reader at the beginning of the file, and a function that closes it.
	Open func() (r *format.Reader, done func(), err error)

	// Blame adds to an error of reading what the user needs to know about the file; a nil Blame adds its name.
	Blame func(err error) error
}

// Wrap returns an error of reading the file, as Blame words it.
func (f *File) Wrap(err error) error {
	if f.Blame != nil {
		return f.Blame(err)
	}
	return fmt.Errorf("%s: %w", f.Name, err)
}

// Each calls see for every record of a reader of the file, until see returns false. It errors when the file does.
func (f *File) Each(r *format.Reader, see func(rec *format.Record) (more bool, err error)) error {
	for rec, err := range r.All() {
		if err != nil {
			return f.Wrap(err)
		}
		if more, err := see(rec); !more || err != nil {
			return err
		}
	}
	return nil
}

// Copy writes a record as it is, with the mark of its episode.
func Copy(w *format.Writer, rec *format.Record) error {
	if rec.Mark != nil {
		w.Mark(rec.Mark.Name, rec.Mark.Seed)
	}
	return w.Write(rec.In, rec.Out)
}

// CommandLine returns canonical arguments as typed after the name of the program. An argument "|" begins another
// command.
func CommandLine(program string, args []string) string {
	out := []string{program}
	for _, s := range args {
		if s == "|" {
			out = append(out, "|", program)
			continue
		}
		if s == "" || strings.ContainsAny(s, " \t\"'$\\*?<>|&;()") {
			s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// Transfers returns totals in readable form: "1000 ev, 998 rsp".
func Transfers(b *event.Block, t *format.Totals) string {
	var out []string
	for _, s := range b.Streams {
		out = append(out, fmt.Sprintf("%d %s", t.Transfers[s.Name], s.Name))
	}
	return strings.Join(out, ", ")
}

// Counter counts the bytes that pass on to W.
type Counter struct {
	W io.Writer
	N int64
}

// Write passes bytes on.
func (c *Counter) Write(b []byte) (int, error) {
	n, err := c.W.Write(b)
	c.N += int64(n)
	return n, err
}

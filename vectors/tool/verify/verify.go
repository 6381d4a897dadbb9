// Package verify replays a vector file against today's model, for the command goldwire vectors verify.
//
//	err := verify.Suits(r, schema)                                  // does the file fit this model?
//	differ, err := verify.File(ctx, os.Stdout, &f, r, model, 10)    // the first ten differences are printed
package verify

import (
	"context"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Suits errors when a file's interface differs from now, the block as this goldwire knows it, or when it compares other
// bits.
func Suits(r *format.Reader, now *event.Block) error {
	h := r.Header()
	if hash := now.Hash(); hash != h.SchemaHash {
		return fmt.Errorf("block %s: the file has schema %s, this goldwire %s: the interface has changed since; "+
			"generate the file again with %s", h.Block, h.SchemaHash, hash, tool.CommandLine("goldwire", h.Args))
	}
	// The model is compared in every bit that this goldwire's schema compares, and no other.
	if err := event.SameComparison("the file", r.Block(), "this goldwire's schema", now); err != nil {
		return fmt.Errorf("block %s: %w, or replay the file on a design with goldwire cosim --dut FILE --expect", h.Block,
			err)
	}
	return nil
}

// File replays the records of r, the reader of f, on a model, and reports whether it answers differently, even if an
// error follows. It prints the first differences, at most most of them, and a summary line. A file with nothing to
// compare is an error.
func File(ctx context.Context, w io.Writer, f *tool.File, r *format.Reader, model event.Model, most int) (bool, error) {
	n, per := 0, r.Header().Per
	bad, err := record.Verify(ctx, r, model, func(m record.Mismatch) bool {
		if n++; n <= most {
			fmt.Fprintf(w, "%s %d (%s):", per, m.Record, m.Episode)
			for i, d := range m.Fields {
				if i > 0 {
					fmt.Fprint(w, ";")
				}
				fmt.Fprintf(w, " %s: file %s, model %s", d.Name, d.Want, d.Got)
			}
			fmt.Fprintln(w)
		}
		return true
	})
	if err != nil {
		return bad > 0, f.Wrap(err)
	}
	t := r.Totals()
	switch {
	case t.Records == 0:
		return false, fmt.Errorf("%s: it has no records, so nothing was checked; generate it again", f.Name)
	case bad > 0:
		_, err := fmt.Fprintf(w, "%s: %d of %d %ss differ from today's model\n", f.Name, bad, t.Records, per)
		return true, err
	case responses(r.Block(), &t) == 0:
		return false, fmt.Errorf("%s: it has no response in %d %ss, so nothing was checked; generate it again", f.Name,
			t.Records, per)
	}
	_, err = fmt.Fprintf(w, "%s: %d %ss agree with today's model (%s)\n", f.Name, t.Records, per,
		tool.Transfers(r.Block(), &t))
	return false, err
}

// responses counts the transfers on the output streams of a file.
func responses(b *event.Block, t *format.Totals) (n uint64) {
	for _, s := range b.StreamsOf(event.Out) {
		n += t.Transfers[s.Name]
	}
	return n
}

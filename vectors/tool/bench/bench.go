// Package bench measures how fast vector files are made, read, verified and exported, and how much memory that takes,
// as the command goldwire vectors bench reports it.
//
//	figures, err := bench.Run(ctx, bench.Spec{New: spec, Events: 1_000_000, Rounds: 3, Heap: 10_000_000})
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Spec is what to measure.
type Spec struct {
	New    func(events uint64) (*record.Spec, error) // a file of that many events per transaction
	Events uint64                                    // of the file whose speeds are measured
	Rounds int
	Heap   uint64 // events of the largest file whose memory is measured; below LeastHeap none is
	Say    func(format string, args ...any)
}

// LeastHeap is the number of events of the smallest file whose memory is measured; each further one has ten times as
// many.
const LeastHeap = 100_000

// Figure is one measured quantity: its name, what it is in words, and the value of each round.
type Figure struct {
	Name, What string
	Values     []float64
}

// Run measures. Files are made in the folder for temporary ones and deleted. It errors when a file cannot be made, or
// when the model does not repeat its answers.
func Run(ctx context.Context, spec Spec) ([]Figure, error) {
	if spec.Events < 1 || spec.Rounds < 1 {
		return nil, errors.New("events and rounds: must be 1 or more")
	}
	dir, err := os.MkdirTemp("", "goldwire-bench-")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	b := &bench{Spec: spec, dir: dir, values: map[string]*series{}}
	for i := range spec.Rounds {
		spec.Say("round %d of %d", i+1, spec.Rounds)
		if err := b.round(ctx); err != nil {
			return nil, err
		}
	}
	for n := uint64(LeastHeap); n <= spec.Heap; n *= 10 {
		spec.Say("memory of %d events", n)
		if err := b.memory(ctx, n); err != nil {
			return nil, err
		}
	}
	return b.figures(), nil
}

// series is one quantity, a value for each round.
type series struct {
	what   string
	values []float64
}

type bench struct {
	Spec
	dir    string
	names  []string
	values map[string]*series
}

func (b *bench) add(name, what string, v float64) {
	s := b.values[name]
	if s == nil {
		s = &series{what: what}
		b.values[name], b.names = s, append(b.names, name)
	}
	s.values = append(s.values, v)
}

func (b *bench) figures() (out []Figure) {
	for _, name := range b.names {
		out = append(out, Figure{name, b.values[name].what, b.values[name].values})
	}
	return out
}

// timed adds the transactions/s of do, and the MB/s of the bytes that it returns.
func (b *bench) timed(name, what string, do func() (bytes int64, err error)) error {
	start := time.Now()
	n, err := do()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := time.Since(start).Seconds()
	b.add("vectors_"+name+"_tps", what+", transactions/s", float64(b.Events)/s)
	b.add("vectors_"+name+"_mbs", what+", MB/s", float64(n)/s/1e6)
	return nil
}

// round measures every step once.
func (b *bench) round(ctx context.Context) error {
	path := filepath.Join(b.dir, "f.gwv")
	spec, err := b.New(b.Events)
	if err != nil {
		return err
	}
	var size int64
	err = b.timed("gen", "generate, written to a file", func() (n int64, err error) {
		size, err = generate(ctx, path, spec)
		return size, err
	})
	if err != nil {
		return err
	}
	b.add("vectors_bytes", "file size, bytes/transaction", float64(size)/float64(b.Events))
	err = b.timed("read", "read and check", func() (int64, error) {
		return size, reading(path, func(r *format.Reader) error {
			for _, err := range r.All() {
				if err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	err = b.timed("verify", "verify against the model", func() (int64, error) {
		return size, reading(path, func(r *format.Reader) error { return verified(ctx, r, spec.Model) })
	})
	if err != nil {
		return err
	}
	for _, kind := range export.Kinds {
		err := b.timed("export_"+kind, "export to "+kind, func() (int64, error) { return exported(ctx, path, kind) })
		if err != nil {
			return err
		}
	}
	return nil
}

// generate writes a file and returns its size in bytes.
func generate(ctx context.Context, path string, spec *record.Spec) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	n := &tool.Counter{W: f}
	_, err = record.Write(ctx, n, spec)
	if e := f.Close(); err == nil {
		err = e
	}
	return n.N, err
}

// reading calls use with a reader of a file.
func reading(path string, use func(*format.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := format.NewReader(f)
	if err != nil {
		return err
	}
	return use(r)
}

// verified replays a file and errors when anything differs, or when there was nothing to compare.
func verified(ctx context.Context, r *format.Reader, model event.Model) error {
	bad, err := record.Verify(ctx, r, model, func(record.Mismatch) bool { return false })
	switch {
	case err != nil:
		return err
	case bad > 0:
		return fmt.Errorf("%d transactions differ", bad)
	case r.Totals().Records == 0:
		return errors.New("the file has no records")
	}
	return nil
}

// exported exports a file in a form, discards the output, and returns how many bytes it had.
func exported(ctx context.Context, path, kind string) (n int64, err error) {
	err = reading(path, func(r *format.Reader) error {
		_, err := export.Write(ctx, func(string) (io.WriteCloser, error) { return discard{&n}, nil }, kind, r)
		return err
	})
	return n, err
}

// discard counts the bytes of an export and keeps none.
type discard struct{ n *int64 }

func (d discard) Write(p []byte) (int, error) { *d.n += int64(len(p)); return len(p), nil }
func (discard) Close() error                  { return nil }

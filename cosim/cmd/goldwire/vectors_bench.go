package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/run"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/export"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool"
)

func newVectorsBench(a *app) *cobra.Command {
	block, jsonPath, rounds, most := "ccc", "", 3, countValue(10_000_000)
	events := countValue(1_000_000)
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure how fast vector files are made, verified and exported",
		Long: `bench makes a vector file of random events per transaction, verifies it and exports
it in every form, each once a round, and reports transactions per second and MB per
second of what is written or read: the median over the rounds with least and
greatest. What exports write is counted and thrown away. It also makes, verifies and
exports files of 10^5 events and more, up to --heap, and reports the most live heap
and, on Linux, the most memory that the process held (RSS); neither grows with the
file. Files are made in the folder for temporary ones and deleted.

Exit codes: 0 measured; 2 called wrongly, interrupted, or something failed.`,
		Example: `  goldwire vectors bench
  goldwire vectors bench --events 100k --heap 1M --json build/vectors-bench.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkBlock(block); err != nil {
				return err
			}
			switch {
			case rounds < 1 || rounds > 1000:
				return fmt.Errorf("--rounds %d: give 1 to 1000", rounds)
			case events < 1000:
				return fmt.Errorf("--events %d: fewer than 1000 measure nothing; give more", events)
			}
			if jsonPath != "" {
				if err := report.Preflight(jsonPath); err != nil {
					return err
				}
			}
			b := &vectorBench{block: block, events: uint64(events), figures: map[string]*figure{}}
			var err error
			if b.dir, err = os.MkdirTemp("", "goldwire-bench-"); err != nil {
				return fmt.Errorf("temporary folder: %w", err)
			}
			defer os.RemoveAll(b.dir)
			for i := range rounds {
				fmt.Fprintf(a.stderr, "vectors bench: round %d of %d\n", i+1, rounds)
				if err := b.round(cmd.Context()); err != nil {
					return err
				}
			}
			for n := uint64(100_000); n <= uint64(most); n *= 10 {
				fmt.Fprintf(a.stderr, "vectors bench: memory of %d events\n", n)
				if err := b.memory(cmd.Context(), n); err != nil {
					return err
				}
			}
			metrics := b.metrics()
			if err := errors.Join(writeBench(a.stdout, metrics), measured(metrics)); err != nil || jsonPath == "" {
				return err
			}
			return report.WriteFile(jsonPath, func(w io.Writer) error { return writeBenchJSON(w, map[string]float64{}, metrics) })
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&block, "block", block, "`NAME` of the block")
	fl.Var(&events, "events", "events of the file, `N`")
	fl.IntVar(&rounds, "rounds", rounds, "rounds, `N`; the median of each figure is reported")
	fl.Var(&most, "heap", "greatest file whose memory is measured, in events, `N`; 0 for none")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

// figure is one measured quantity, a value a round.
type figure struct {
	what   string
	values []float64
}

type vectorBench struct {
	block, dir string
	events     uint64
	names      []string
	figures    map[string]*figure
}

func (b *vectorBench) add(name, what string, v float64) {
	f := b.figures[name]
	if f == nil {
		f = &figure{what: what}
		b.figures[name], b.names = f, append(b.names, name)
	}
	f.values = append(f.values, v)
}

// timed adds transactions/s and MB/s of what do says it moved.
func (b *vectorBench) timed(name, what string, do func() (bytes int64, err error)) error {
	start := time.Now()
	n, err := do()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := time.Since(start).Seconds()
	b.add("vectors_"+name+"_tps", what+", transactions/s", float64(b.events)/s)
	b.add("vectors_"+name+"_mbs", what+", MB/s", float64(n)/s/1e6)
	return nil
}

func (b *vectorBench) spec(events uint64) (*record.Spec, error) {
	return vectorSpec(b.block, "random", gwv.PerTransaction, "", events, 1, 1, nil)
}

// discard counts the bytes of an export and keeps none.
type discard struct{ n *int64 }

func (d discard) Write(p []byte) (int, error) { *d.n += int64(len(p)); return len(p), nil }
func (discard) Close() error                  { return nil }

// readVectors reads a file with use.
func readVectors(path string, use func(*gwv.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gwv.NewReader(f)
	if err != nil {
		return err
	}
	return use(r)
}

// verified replays a file and errors when anything differs.
func verified(ctx context.Context, r *gwv.Reader, twin event.Model) error {
	bad, err := record.Verify(ctx, r, twin, func(record.Mismatch) bool { return false })
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d transactions differ", bad)
	}
	return err
}

func (b *vectorBench) round(ctx context.Context) error {
	path := filepath.Join(b.dir, "f.gwv")
	spec, err := b.spec(b.events)
	if err != nil {
		return err
	}
	var size int64
	err = b.timed("gen", "generate, written to a file", func() (int64, error) {
		f, err := os.Create(path)
		if err != nil {
			return 0, err
		}
		n := &tool.Counter{W: f}
		_, err = record.Write(ctx, n, spec)
		if e := f.Close(); err == nil {
			err = e
		}
		size = n.N
		return n.N, err
	})
	if err != nil {
		return err
	}
	b.add("vectors_bytes", "file size, bytes/transaction", float64(size)/float64(b.events))
	open := func(use func(*gwv.Reader) error) error { return readVectors(path, use) }
	err = b.timed("read", "read and check", func() (int64, error) {
		return size, open(func(r *gwv.Reader) error {
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
		return size, open(func(r *gwv.Reader) error { return verified(ctx, r, spec.Model) })
	})
	if err != nil {
		return err
	}
	for _, kind := range export.Kinds {
		err := b.timed("export_"+kind, "export to "+kind, func() (n int64, err error) {
			sink := func(string) (io.WriteCloser, error) { return discard{&n}, nil }
			err = open(func(r *gwv.Reader) error {
				_, err := export.Write(ctx, sink, kind, r)
				return err
			})
			return n, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *vectorBench) metrics() (out []run.Metric) {
	for _, name := range b.names {
		m := run.Metric{Name: name, What: b.figures[name].what}
		m.Median(b.figures[name].values)
		out = append(out, m)
	}
	return out
}

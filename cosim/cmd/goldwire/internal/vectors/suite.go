package vectors

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool/bench"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

func newSuite(a *commands) *cobra.Command {
	var level, out string
	var blocks []string
	var seed uint64
	c := &cobra.Command{
		Use:   "suite",
		Short: "make directed, random and fabric vectors of every block, with a manifest",
		Long: `suite makes vector files of every block from every kind of source, directed, random and
fabric, per transaction (if every event has an answer) and per cycle, with a
manifest.json and a README.md that describe them. The folder is meant to be handed over
whole; equal arguments give equal bytes.

--level sets the number of events in each random and fabric file: smoke 2,000, full
100,000, soak 10,000,000. Directed cases are always played whole.

Exit codes: 0 written; 2 called wrongly, interrupted, or the folder cannot be written.`,
		Example: `  goldwire vectors suite -o vectors
  goldwire vectors suite --level full --block txstate -o vectors`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.NeedFolder(out); err != nil {
				return err
			}
			if _, err := levelEvents(level); err != nil {
				return err
			}
			spec := suite.Spec{Level: level, Seed: seed}
			for _, name := range blocks {
				if err := a.CheckBlock(name); err != nil {
					return err
				}
				b, err := block.Lookup(name)
				if err != nil {
					return err
				}
				spec.Blocks = append(spec.Blocks, vectorBlock(b))
			}
			if len(blocks) == 0 {
				for _, b := range block.All() {
					spec.Blocks = append(spec.Blocks, vectorBlock(b))
				}
			}
			f, err := cli.NewFolder(out)
			if err != nil {
				return err
			}
			defer f.Discard()
			spec.Create = f.Create
			spec.Made = func(x *suite.File) {
				fmt.Fprintf(a.Stdout, "%s: %d %ss, %d bytes\n", x.Name, x.Totals.Records, x.Per, x.Bytes)
			}
			if _, err := suite.Write(cmd.Context(), spec); err != nil {
				if cmd.Context().Err() != nil {
					return fmt.Errorf("interrupted: %w", err)
				}
				return err
			}
			n := len(f.Names)
			if err := f.Commit(); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s: %d files, manifest.json and README.md among them\n", out, n)
			return nil
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&level, "level", "smoke", "number of events, `LEVEL`: smoke, full or soak")
	fl.StringSliceVar(&blocks, "block", nil, "only these blocks, `B[,B...]` (default: all)")
	cli.SeedFlag(fl, &seed)
	fl.StringVarP(&out, "output", "o", "", "folder `DIR` to write to, created if missing")
	return c
}

// Bench is what vectors bench measures.
type Bench struct {
	block        string
	rounds       int
	events, most cli.Count
}

// DefaultBench returns the default of vectors bench for a block.
func DefaultBench(block string) *Bench { return &Bench{block, 3, 1_000_000, 10_000_000} }

// Figures measures.
func (b *Bench) Figures(ctx context.Context, log func(string, ...any)) (metrics []report.Metric, err error) {
	figures, err := bench.Run(ctx, bench.Spec{
		New: func(events uint64) (*record.Spec, error) {
			return vectorSpec(b.block, "random", gwv.PerTransaction, "", events, 1, 1, nil)
		},
		Events: uint64(b.events), Rounds: b.rounds, Heap: uint64(b.most), Say: log,
	})
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		m := report.Metric{Name: f.Name, What: f.What}
		m.Median(f.Values)
		metrics = append(metrics, m)
	}
	return metrics, nil
}

func newBench(a *commands) *cobra.Command {
	b, jsonPath := DefaultBench(""), ""
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure how fast vector files are made, verified and exported",
		Long: `bench makes a vector file of random events per transaction, verifies it and exports it
in every form, each once per round, and reports transactions per second and MB per
second written or read: the median over the rounds, with minimum and maximum. The output
of exports is counted and discarded. It also makes, verifies and exports files of 10^5
events and more, up to --heap, and reports the peak live heap and, on Linux, the peak
memory of the process (RSS); neither grows with the file. Files are made in the folder
for temporary files and deleted.

Exit codes: 0 measured; 2 called wrongly, interrupted, or something failed.`,
		Example: `  goldwire vectors bench
  goldwire vectors bench --events 100k --heap 1M --json build/vectors-bench.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.CheckBlock(b.block); err != nil {
				return err
			}
			switch {
			case b.rounds < 1 || b.rounds > 1000:
				return fmt.Errorf("--rounds %d: give 1 to 1000", b.rounds)
			case b.events < 1000:
				return fmt.Errorf("--events %d: give 1000 or more; fewer measure nothing", b.events)
			}
			out := cli.Output{Flag: "--json", Path: jsonPath}
			if err := out.Preflight(); err != nil {
				return err
			}
			metrics, err := b.Figures(cmd.Context(), func(format string, args ...any) {
				fmt.Fprintf(a.Stderr, "vectors bench: "+format+"\n", args...)
			})
			if err != nil {
				return err
			}
			return a.WriteFigures(out, nil, metrics)
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	a.BlockFlag(c, &b.block, "`NAME` of the block")
	fl.Var(&b.events, "events", "events of the file, `N`")
	fl.IntVar(&b.rounds, "rounds", b.rounds, "rounds, `N`; the median of each figure is reported")
	fl.Var(&b.most, "heap", "largest file whose memory is measured, in events, `N`; 0 for none")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

package vectors

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	gwv "github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/tool/bench"
)

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

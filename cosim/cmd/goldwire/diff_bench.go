package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff/bench"
	"github.com/goldwire/goldwire/cosim/report"
)

// diffBench is what diff bench measures.
type diffBench struct {
	bench.Spec
	events, most cli.Count
}

func defaultDiffBench() *diffBench {
	return &diffBench{bench.Spec{Source: "fabric:incast32", Seed: 1, Rounds: 3}, 200_000, 10_000_000}
}

func (d *diffBench) figures(ctx context.Context, log func(string, ...any)) ([]report.Metric, error) {
	for n := cli.Count(100_000); n <= d.most; n *= 10 {
		d.Sizes = append(d.Sizes, int(n))
	}
	d.Events, d.Log = int(d.events), log
	return bench.Run(ctx, d.Spec)
}

func newDiffBench(a *app) *cobra.Command {
	spec, jsonPath := defaultDiffBench(), ""
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure how fast the arithmetics are compared, and their memory",
		Long: `bench records events of a source once and measures each mode of diff run on them, once
per round: one step against float64, one step against exact numbers, the same with
errors split by cause, and free. It reports events per second: the median over the
rounds, with minimum and maximum. It also plays runs of 10^5 events and more, up to
--memory, and reports the peak memory of each (Linux), which does not grow with the run.

Exit codes: 0 measured; 2 called wrongly, interrupted, or something failed.`,
		Example: `  goldwire diff bench
  goldwire diff bench --rounds 7 --memory 0 --json build/diff-bench.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case spec.Rounds < 1 || spec.Rounds > 1000:
				return fmt.Errorf("--rounds %d: give 1 to 1000", spec.Rounds)
			case spec.events < 1000 || spec.events > 1e8:
				return fmt.Errorf("--events %d: give 1000 to 100M", spec.events)
			case spec.most > 1e9:
				return fmt.Errorf("--memory %d: give 0 to 1000M", spec.most)
			}
			out := cli.Output{Flag: "--json", Path: jsonPath}
			if err := out.Preflight(); err != nil {
				return err
			}
			old, err := cli.ReadFigures(jsonPath)
			if err != nil {
				return err
			}
			metrics, err := spec.figures(cmd.Context(), func(format string, args ...any) {
				fmt.Fprintf(a.Stderr, "diff bench: "+format+"\n", args...)
			})
			if err != nil {
				return err
			}
			return a.WriteFigures(out, old, metrics)
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&spec.Source, "source", spec.Source, "`NAME` of the events' source")
	fl.Var(&spec.events, "events", "events per round, `N`, with k or M")
	cli.SeedFlag(fl, &spec.Seed)
	fl.IntVar(&spec.Rounds, "rounds", spec.Rounds, "rounds, `N`; the median of each figure is reported")
	fl.Var(&spec.most, "memory", "longest run whose memory is measured, in events, `N`; 0 for none")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

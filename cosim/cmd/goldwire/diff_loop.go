package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/precision/diff/bench"
	"github.com/goldwire/goldwire/cosim/precision/diff/effect"
)

// loopFlags are the flags of diff run that put the arithmetics to work as senders of a network.
type loopFlags struct {
	preset, seeds string
	sets          []string
}

func (l *loopFlags) add(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&l.preset, "loop", "", "simulate a `PRESET|FILE.yaml` of goldwire fabric with each arithmetic as senders")
	fl.StringVar(&l.seeds, "seeds", "1..5", "with --loop: seeds of the paired runs, `A..B` or a list; at least 2")
	fl.StringArrayVar(&l.sets, "set", nil, "with --loop: change one setting, `PATH=VALUE`; may be repeated")
}

// conflicts refuses flags that have no effect together.
func (l *loopFlags) conflicts(given func(string) bool) error {
	switch {
	case !given("loop"):
		return cli.Refuse(given, "needs --loop; give --loop PRESET too, or leave it out", "seeds", "set")
	case l.preset == "":
		return errors.New("--loop: empty; give a preset (goldwire fabric list presets) or a file")
	}
	return cli.Refuse(given, "has no effect with --loop; leave it out", "source", "events", "seed", "param", "mode",
		"flips", "against", "causes", "shrink", "junit", "csv", "markdown")
}

// diffLoop measures what formats do to a network.
func (a *app) diffLoop(cmd *cobra.Command, f *diffFlags) error {
	p, err := fabricplan.Load(f.loop.preset, f.loop.sets)
	if err != nil {
		return err
	}
	req := &fabricplan.Request{Root: a.Repository, UDPPort: capture.UDPPort}
	req.Seeds = cli.Read(&err, cli.ParseSeeds, f.loop.seeds)
	req.TickNs = cli.Read(&err, cli.TickNs, f.tick)
	if err != nil {
		return err
	}
	p.Spec.CC = "" // the senders take its place
	if err := p.Complete(req); err != nil {
		return err
	}
	spec := effect.Spec{Name: f.loop.preset, Fabric: p.Spec, Messages: p.Flows, Seeds: req.Seeds, TickNs: req.TickNs}
	if spec.Table, err = f.formatTable(); err != nil {
		return err
	}
	if err := cli.Distinct([]cli.Output{{Flag: "--formats", Path: f.formats}, {Flag: "--loop", Path: p.File}},
		f.files()); err != nil {
		return err
	}
	if err := a.Take(f.files()...); err != nil {
		return err
	}
	res, err := effect.Run(cmd.Context(), spec)
	if err != nil {
		return err
	}
	return a.WriteReports(f.files(), res.WriteText, res.WriteJSON, res.WriteHTML)
}

func newDiffBench(a *app) *cobra.Command {
	spec := bench.Spec{Source: "fabric:incast32", Seed: 1, Rounds: 3}
	jsonPath, events, most := "", cli.Count(200_000), cli.Count(10_000_000)
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
			case events < 1000 || events > 1e8:
				return fmt.Errorf("--events %d: give 1000 to 100M", events)
			case most > 1e9:
				return fmt.Errorf("--memory %d: give 0 to 1000M", most)
			}
			out := cli.Output{Flag: "--json", Path: jsonPath}
			if err := out.Preflight(); err != nil {
				return err
			}
			old, err := cli.ReadFigures(jsonPath)
			if err != nil {
				return err
			}
			for n := cli.Count(100_000); n <= most; n *= 10 {
				spec.Sizes = append(spec.Sizes, int(n))
			}
			spec.Events = int(events)
			spec.Log = func(format string, args ...any) { fmt.Fprintf(a.Stderr, "diff bench: "+format+"\n", args...) }
			metrics, err := bench.Run(cmd.Context(), spec)
			if err != nil {
				return err
			}
			return a.WriteFigures(out, old, metrics)
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&spec.Source, "source", spec.Source, "`NAME` of the events' source")
	fl.Var(&events, "events", "events per round, `N`, with k or M")
	cli.SeedFlag(fl, &spec.Seed)
	fl.IntVar(&spec.Rounds, "rounds", spec.Rounds, "rounds, `N`; the median of each figure is reported")
	fl.Var(&most, "memory", "longest run whose memory is measured, in events, `N`; 0 for none")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

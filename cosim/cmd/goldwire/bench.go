package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/audit/bench"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/vectors"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
)

type benchFlags struct {
	bench.Config
	events         cli.Count
	json, markdown string

	withFabric, onlyFabric, onlyLoop, all bool
}

func newBench(a *app) *cobra.Command {
	f := &benchFlags{Config: bench.DefaultConfig()}
	f.events = cli.Count(f.Events)
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure the speed of bridge, model and step mode against a native C++ bench",
		Long: `bench records a stretch of real stimulus and replays it in several ways, once per round
each: natively, inside the simulator's process with an inline compare and no bridge;
through the live Go model, coverage and the bridge on each transport; through the Go
model alone; and in step mode, one round trip per cycle. Figures are medians over the
rounds, with their minimum and maximum. Rely on the ratios: both sides of each were
measured seconds apart on the same machine. Absolute speeds hold only for this machine.
Figures of ccc have plain names; those of another block begin with its name.

--fabric also measures the network simulator: a permutation on 128, 1,024 and 8,192
hosts, each run in its own process, in packet-hops per second and peak memory.
--fabric-only measures nothing else. --loop-only measures the RTL in a simulated network:
events of congestion control per second of processor time, network and device together,
as the senders (nscc-rtl, ahead on the model and step by step) and as the hosts (nscc-nic,
beside its model nscc-nicmodel). --all measures everything:
also vector files and arithmetics (as vectors bench and diff bench do) and every block;
it goes on after a part that fails, and --markdown says which did.

--json keeps the figures that the file already holds, unless they are measured again.

Exit codes: 0 measured; 2 called wrongly, interrupted, a replay differed, or a figure
was not measured.`,
		Example: `  goldwire bench
  goldwire bench --rounds 9 --json build/bench.json
  goldwire bench --block trimmer --json build/bench.json
  goldwire bench --block txstate --source random/3
  goldwire bench --fabric-only --json build/bench.json
  goldwire bench --all --markdown build/bench.md`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.bench(cmd, f) },
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.Block, "block", f.Block, "`NAME` of the block")
	fl.StringVar(&f.Source, "source", f.Source, "`SOURCE` of the stimulus, recorded from its first episode")
	fl.Var(&f.events, "events", "events to record, `N` (default: a number that suits the block)")
	fl.IntVar(&f.Rounds, "rounds", f.Rounds, "rounds, `N`; the median of each figure is reported")
	fl.Uint64Var(&f.Seed, "seed", f.Seed, "seed `K` of the stimulus")
	fl.BoolVar(&f.withFabric, "fabric", false, "also measure the network simulator (minutes)")
	fl.BoolVar(&f.onlyFabric, "fabric-only", false, "measure only the network simulator")
	fl.BoolVar(&f.onlyLoop, "loop-only", false, "measure only the RTL as senders and as NICs of a network")
	fl.BoolVar(&f.all, "all", false, "measure everything, of every block")
	fl.StringVar(&f.json, "json", "", "also write the figures as one flat JSON object to `FILE`")
	fl.StringVar(&f.markdown, "markdown", "", "also write the figures as Markdown to `FILE`, with revision and machine")
	return c
}

// bench measures one part after the other.
func (a *app) bench(cmd *cobra.Command, f *benchFlags) error {
	if err := a.CheckBlock(f.Block); err != nil {
		return err
	}
	switch {
	case f.onlyLoop && (f.withFabric || f.onlyFabric):
		return errors.New("--loop-only and --fabric: both given; keep one")
	case f.all && (f.onlyLoop || f.withFabric || f.onlyFabric || cmd.Flags().Changed("block")):
		return errors.New("--all and --block, --fabric, --fabric-only or --loop-only: both given; keep one")
	case f.Rounds < 1 || f.Rounds > 1000:
		return fmt.Errorf("--rounds %d: give 1 to 1000", f.Rounds)
	case f.events < 1000 && cmd.Flags().Changed("events"):
		return errors.New("--events: give 1000 or more; fewer measure nothing")
	}
	f.Config.Events = uint64(f.events)
	out := cli.Output{Flag: "--json", Path: f.json}
	if err := out.Preflight(); err != nil {
		return err
	}
	table := cli.Output{Flag: "--markdown", Path: f.markdown}
	if err := cli.Distinct([]cli.Output{out}, []cli.Output{table}); err != nil {
		return err
	}
	old, err := cli.ReadFigures(f.json)
	if err != nil {
		return err
	}
	if f.Root, err = a.Repository(); err != nil {
		return err
	}
	f.Log = func(format string, args ...any) { fmt.Fprintf(a.Stderr, "bench: "+format+"\n", args...) }
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	doc := a.Measure(f.markdown, f.Root, "verilator", "c++")
	if err := a.Take(table); err != nil {
		return err
	}
	metrics, err := measureParts(cmd.Context(), a.benchParts(f, program), f.all, doc)
	if err == nil {
		err = a.WriteFigures(out, old, metrics)
		doc.Lack(err)
	}
	return errors.Join(err, table.Write(a.Stdout, doc.WriteMarkdown))
}

type benchPart struct {
	name    string
	measure func(context.Context) ([]bench.Metric, error)
}

// measureParts measures parts and adds their tables to a document. After a part that fails it goes on if all says so;
// an interrupt ends it. The document and the error name the parts that are missing.
func measureParts(ctx context.Context, parts []benchPart, all bool, doc *measured.Doc) ([]bench.Metric, error) {
	var metrics []bench.Metric
	var failed []error
	for _, p := range parts {
		var got []bench.Metric
		err := fmt.Errorf("%s: not begun", p.name)
		if ctx.Err() == nil && (all || len(failed) == 0) {
			if got, err = p.measure(ctx); err != nil {
				err = fmt.Errorf("%s: %w", p.name, err)
			}
		}
		if err != nil {
			failed = append(failed, err)
			doc.Lack(err)
			continue
		}
		metrics = append(metrics, got...)
		doc.Sheets = append(doc.Sheets, measured.Figures(p.name, got))
	}
	bounds, kept := 0, 0
	for i := range metrics {
		switch metrics[i].Verdict() {
		case report.Within:
			kept++
			fallthrough
		case report.Beyond:
			bounds++
		}
	}
	doc.Outcome = fmt.Sprintf("%s. Of %s %d are kept; they are for an otherwise idle machine.",
		report.Plural(uint64(len(metrics)), "figure"), report.Plural(uint64(bounds), "bound"), kept)
	return metrics, errors.Join(failed...)
}

// benchParts returns the parts in their order: those whose memory is measured first, before stimulus is recorded.
func (a *app) benchParts(f *benchFlags, program string) (parts []benchPart) {
	add := func(name string, measure func(context.Context) ([]bench.Metric, error)) {
		parts = append(parts, benchPart{name, measure})
	}
	blocks := []string{f.Block}
	if f.all {
		blocks = a.Blocks()
		add("vector files", func(ctx context.Context) ([]bench.Metric, error) {
			return vectors.DefaultBench(f.Block).Figures(ctx, f.Log)
		})
		add("arithmetics", func(ctx context.Context) ([]bench.Metric, error) {
			return defaultDiffBench().figures(ctx, f.Log)
		})
	}
	if !f.onlyFabric && !f.onlyLoop {
		for _, b := range blocks {
			cfg := f.Config
			cfg.Block = b
			add("block "+b+", "+cfg.Source, func(ctx context.Context) ([]bench.Metric, error) { return bench.Run(ctx, cfg) })
		}
	}
	if f.withFabric || f.onlyFabric || f.all {
		add("network simulator", func(ctx context.Context) ([]bench.Metric, error) {
			return bench.RunFabric(ctx, program, append(bench.Fabrics(), controlBenches()...), nil, f.Log)
		})
	}
	if f.onlyLoop || f.all {
		add("RTL as senders of a network", func(ctx context.Context) ([]bench.Metric, error) {
			return bench.RunLoop(ctx, program, bench.Loops(), f.Log)
		})
	}
	return parts
}

// controlsAt1024 are the controls that are also measured on 1,024 hosts. They follow delay, marks, a rate, telemetry in
// data, and telemetry in ACKs.
var controlsAt1024 = []string{"swift", "dctcp", "dcqcn", "hpcc", "fncc"}

// controlBenches returns a bench for each congestion control except the default, which the other benches run:
// permutations of 2 MB flows. Controls that request an ACK of each packet have about twice the packets.
func controlBenches() (out []bench.Fabric) {
	for _, size := range []struct {
		preset string
		hosts  int
		only   []string
	}{{"fattree128/permutation", 128, nil}, {"fattree1024/permutation", 1024, controlsAt1024}} {
		for _, row := range cc.Rows() {
			if row.Name == cc.Default || size.only != nil && !slices.Contains(size.only, row.Name) {
				continue
			}
			f := bench.Fabric{Preset: size.preset, Hosts: size.hosts, Rounds: 3, CC: row.Name}
			if p, err := presets.Lookup(size.preset); err == nil {
				f.Set = p.Spec.Provide(&row)
			}
			out = append(out, f)
		}
	}
	return out
}

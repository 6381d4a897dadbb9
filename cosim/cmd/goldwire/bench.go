package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/bench"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
)

func newBench(a *app) *cobra.Command {
	cfg := bench.DefaultConfig()
	events := cli.Count(cfg.Events)
	var jsonPath string
	var withFabric, onlyFabric, onlyLoop bool
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure the speed of bridge, model and step mode against a native C++ bench",
		Long: `bench records a stretch of real stimulus and replays it in several ways, each once a
round: natively, inside the simulator's process with an inline compare and no bridge;
through the live Go model, coverage and the bridge on each transport; through the Go
model alone; and in step mode, one round trip a cycle. Figures are medians over the
rounds with their least and greatest. Trust the ratios: both sides of each were
measured seconds apart on the same machine. Absolute speeds are this machine's.
Figures of ccc have plain names; those of another block begin with its name.

With --fabric the network simulator is measured, too: a permutation on 128, 1,024 and
8,192 hosts, each run in a process of its own, in packet-hops per second and peak
memory; --fabric-only leaves the rest out. --loop-only measures the RTL as the
congestion control of a simulated network (nscc-rtl): events per second of processor
time, network and device together, ahead on the model and step by step.

With --json, figures that the file already holds are kept unless they are measured again.

Exit codes: 0 measured; 2 called wrongly, interrupted, a replay differed, or a figure
was not measured.`,
		Example: `  goldwire bench
  goldwire bench --rounds 9 --json build/bench.json
  goldwire bench --block trimmer --json build/bench.json
  goldwire bench --block txstate --source random/3
  goldwire bench --fabric-only --json build/bench.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.CheckBlock(cfg.Block); err != nil {
				return err
			}
			switch {
			case onlyLoop && (withFabric || onlyFabric):
				return errors.New("--loop-only and --fabric: both given; keep one")
			case cfg.Rounds < 1 || cfg.Rounds > 1000:
				return fmt.Errorf("--rounds %d: give 1 to 1000", cfg.Rounds)
			case events < 1000 && cmd.Flags().Changed("events"):
				return errors.New("--events: fewer than 1000 measure nothing; give more")
			}
			cfg.Events = uint64(events)
			out := cli.Output{Flag: "--json", Path: jsonPath}
			if err := out.Preflight(); err != nil {
				return err
			}
			old, err := cli.ReadFigures(jsonPath)
			if err != nil {
				return err
			}
			root, err := a.Repository()
			if err != nil {
				return err
			}
			cfg.Root = root
			cfg.Log = func(format string, args ...any) { fmt.Fprintf(a.Stderr, "bench: "+format+"\n", args...) }
			var metrics []bench.Metric
			if !onlyFabric && !onlyLoop {
				if metrics, err = bench.Run(cmd.Context(), cfg); err != nil {
					return err
				}
			}
			program, err := os.Executable()
			if err != nil {
				return fmt.Errorf("bench: %w", err)
			}
			if onlyLoop {
				if metrics, err = bench.RunLoop(cmd.Context(), program, bench.Loops(), cfg.Log); err != nil {
					return err
				}
			}
			if withFabric || onlyFabric {
				more, err := bench.RunFabric(cmd.Context(), program, append(bench.Fabrics(), controlBenches()...), nil, cfg.Log)
				if err != nil {
					return err
				}
				metrics = append(metrics, more...)
			}
			return a.WriteFigures(out, old, metrics)
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringVar(&cfg.Block, "block", cfg.Block, "`NAME` of the block")
	fl.StringVar(&cfg.Source, "source", cfg.Source, "`SOURCE` of the stimulus, recorded from its first episode on")
	fl.Var(&events, "events", "events to record, `N`; what is right for the block when not given")
	fl.IntVar(&cfg.Rounds, "rounds", cfg.Rounds, "rounds, `N`; the median of each figure is reported")
	fl.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed `K` of the stimulus")
	fl.BoolVar(&withFabric, "fabric", false, "measure the network simulator, too (minutes)")
	fl.BoolVar(&onlyFabric, "fabric-only", false, "measure the network simulator alone")
	fl.BoolVar(&onlyLoop, "loop-only", false, "measure the RTL as the senders of a network alone, ahead and step by step")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

// controlsAt1024 are the controls that are measured on 1,024 hosts too: one each that follows a delay, marks, a rate,
// telemetry in data and in ACKs.
var controlsAt1024 = []string{"swift", "dctcp", "dcqcn", "hpcc", "fncc"}

// controlBenches returns a bench for each congestion control but the default, which the other benches run: permutations
// of 2 MB flows. Controls that ask for an ACK of each packet have about twice the packets.
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

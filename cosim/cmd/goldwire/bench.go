package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/audit/bench"
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
		Long: `bench records a stretch of real stimulus and replays it in several ways, once per round
each: natively, inside the simulator's process with an inline compare and no bridge;
through the live Go model, coverage and the bridge on each transport; through the Go
model alone; and in step mode, one round trip per cycle. Figures are medians over the
rounds, with their minimum and maximum. Rely on the ratios: both sides of each were
measured seconds apart on the same machine. Absolute speeds hold only for this machine.
Figures of ccc have plain names; those of another block begin with its name.

--fabric also measures the network simulator: a permutation on 128, 1,024 and 8,192
hosts, each run in its own process, in packet-hops per second and peak memory.
--fabric-only measures nothing else. --loop-only measures the RTL as the congestion
control of a simulated network (nscc-rtl): events per second of processor time, network
and device together, ahead on the model and step by step.

--json keeps the figures that the file already holds, unless they are measured again.

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
				return errors.New("--events: give 1000 or more; fewer measure nothing")
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
	fl.StringVar(&cfg.Source, "source", cfg.Source, "`SOURCE` of the stimulus, recorded from its first episode")
	fl.Var(&events, "events", "events to record, `N` (default: a number that suits the block)")
	fl.IntVar(&cfg.Rounds, "rounds", cfg.Rounds, "rounds, `N`; the median of each figure is reported")
	fl.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed `K` of the stimulus")
	fl.BoolVar(&withFabric, "fabric", false, "also measure the network simulator (minutes)")
	fl.BoolVar(&onlyFabric, "fabric-only", false, "measure only the network simulator")
	fl.BoolVar(&onlyLoop, "loop-only", false, "measure only the RTL as senders of a network, ahead and step by step")
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
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

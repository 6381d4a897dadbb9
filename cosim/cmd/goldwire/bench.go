package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/run"
)

func newBench(a *app) *cobra.Command {
	cfg := run.DefaultBenchConfig()
	events := countValue(cfg.Events)
	var jsonPath string
	var withFabric, onlyFabric bool
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
memory; --fabric-only leaves the rest out. With --json, figures that the file holds
already are kept unless they are measured again.

Exit codes: 0 measured; 2 called wrongly, interrupted, a replay differed, or a figure
was not measured.`,
		Example: `  goldwire bench
  goldwire bench --rounds 9 --json build/bench.json
  goldwire bench --block trimmer --json build/bench.json
  goldwire bench --block txstate --source random/3
  goldwire bench --fabric-only --json build/bench.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkBlock(cfg.Block); err != nil {
				return err
			}
			switch {
			case cfg.Rounds < 1 || cfg.Rounds > 1000:
				return fmt.Errorf("--rounds %d: give 1 to 1000", cfg.Rounds)
			case events < 1000 && cmd.Flags().Changed("events"):
				return errors.New("--events: fewer than 1000 measure nothing; give more")
			}
			cfg.Events = uint64(events)
			if jsonPath != "" {
				if err := report.Preflight(jsonPath); err != nil {
					return err
				}
			}
			old, err := readBench(jsonPath)
			if err != nil {
				return err
			}
			root, err := a.repository()
			if err != nil {
				return err
			}
			cfg.Root = root
			cfg.Log = func(format string, args ...any) { fmt.Fprintf(a.stderr, "bench: "+format+"\n", args...) }
			var metrics []run.Metric
			if !onlyFabric {
				if metrics, err = run.Bench(cmd.Context(), cfg); err != nil {
					return err
				}
			}
			if withFabric || onlyFabric {
				program, err := os.Executable()
				if err != nil {
					return fmt.Errorf("bench: %w", err)
				}
				more, err := run.BenchFabric(cmd.Context(), program, run.FabricBenches(), nil, cfg.Log)
				if err != nil {
					return err
				}
				metrics = append(metrics, more...)
			}
			if err := errors.Join(writeBench(a.stdout, metrics), measured(metrics)); err != nil || jsonPath == "" {
				return err
			}
			return report.WriteFile(jsonPath, func(w io.Writer) error { return writeBenchJSON(w, old, metrics) })
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
	fl.StringVar(&jsonPath, "json", "", "also write the figures as one flat JSON object to `FILE`")
	return c
}

// writeBench prints a table, one figure a row.
func writeBench(w io.Writer, metrics []run.Metric) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "figure\tmedian\tleast\tgreatest\tbound\t\twhat")
	for _, m := range metrics {
		met := ""
		switch m.Verdict() {
		case report.Within:
			met = "met"
		case report.Beyond:
			met = "MISSED"
		case report.Unmeasured:
			met = "NOT MEASURED"
		}
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%.4g\t%s\t%s\t%s\n", m.Name, m.Value, m.Least, m.Greatest, m.Bound, met, m.What)
	}
	return t.Flush()
}

// measured returns an error when there is no figure, or one that was not measured: a bound would seem to be met.
func measured(metrics []run.Metric) error {
	if len(metrics) == 0 {
		return errors.New("bench: nothing was measured")
	}
	for _, m := range metrics {
		if m.Verdict() == report.Unmeasured {
			return fmt.Errorf("bench: %s was not measured", m.Name)
		}
	}
	return nil
}

// readBench returns the figures of an earlier bench, none when there is no file.
func readBench(path string) (map[string]float64, error) {
	old := map[string]float64{}
	if path == "" {
		return old, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return old, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	if err != nil {
		return nil, fmt.Errorf("--json %s: it holds no figures of a bench to add to (%w); remove it or give another file",
			path, err)
	}
	return old, nil
}

// writeBenchJSON writes the medians as one flat map of names to numbers, over those
// of an earlier bench.
func writeBenchJSON(w io.Writer, old map[string]float64, metrics []run.Metric) error {
	for _, m := range metrics {
		old[m.Name] = m.Value
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(old)
}

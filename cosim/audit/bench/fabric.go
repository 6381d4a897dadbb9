package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// Fabric is one preset of the fabric that is measured and how its figures are
// named.
type Fabric struct {
	Preset string
	Hosts  int
	Bound  float64 // least packet-hops per second
	Memory float64 // most megabytes; 0 for no bound
	Rounds int     // runs, each in a process of its own; medians are reported

	CC  string   // congestion control; empty for the preset's, which the names of the figures leave out
	Set []string // settings that the control needs, PATH=VALUE

	Threads int // that simulate the pods side by side, 0 for a run as a whole
}

// args returns the command line of a run, without the program.
func (f *Fabric) args() []string {
	out := []string{"fabric", "run", f.Preset, "--json", "-"}
	if f.CC != "" {
		out = append(out, "--cc", f.CC)
	}
	for _, s := range f.Set {
		out = append(out, "--set", s)
	}
	if f.Threads > 0 {
		out = append(out, "--set", "pods=on", "--threads", strconv.Itoa(f.Threads))
	}
	return out
}

// Name returns what the names of the figures begin with.
func (f *Fabric) Name() string {
	out := fmt.Sprintf("fabric_%d", f.Hosts)
	if f.CC != "" {
		out += "_" + f.CC
	}
	if f.Threads > 0 {
		out += fmt.Sprintf("_pods_%d_threads", f.Threads)
	}
	return out
}

// Fabrics returns what a bench of the fabric measures. The bounds are twice
// and six times the speed of the reference simulator on a machine of this kind and
// half its memory (0.72 M packet-hops/s at 128 hosts, 0.25 M in 210 MB at 1,024).
func Fabrics() []Fabric {
	return []Fabric{
		{Preset: "fattree128/permutation", Hosts: 128, Bound: 2 * 0.72e6, Rounds: 5},
		{Preset: "fattree1024/permutation", Hosts: 1024, Bound: 6 * 0.25e6, Memory: 105, Rounds: 3},
		{Preset: "fattree8192/permutation", Hosts: 8192, Memory: 320, Rounds: 1},
		{Preset: "fattree8192/permutation", Hosts: 8192, Rounds: 1, Threads: 1},
		{Preset: "fattree8192/permutation", Hosts: 8192, Rounds: 1, Threads: 2},
	}
}

// fabricFigures is what a child prints.
type fabricFigures struct {
	Flows   int     `json:"flows"`
	Done    int     `json:"done"`
	PktHops float64 `json:"pkt_hops"`
	Seconds float64 `json:"seconds"`
	RSSMB   float64 `json:"rss_mb"`
}

// RunFabric runs each preset in processes of its own, program fabric run PRESET
// --json -, so that their peak memory is that of the run, and returns packet-hops
// per second of wall time and megabytes. extra is added to each command line. It
// errors when a child does or a flow does not finish.
func RunFabric(ctx context.Context, program string, benches []Fabric, extra []string,
	log func(format string, args ...any)) ([]Metric, error) {
	var out []Metric
	for _, b := range benches {
		name := strings.TrimSpace(b.Preset + " " + b.CC)
		var rates, memory []float64
		for i := range b.Rounds {
			if log != nil {
				log("fabric: %s, round %d of %d", name, i+1, b.Rounds)
			}
			f, err := fabricChild(ctx, program, append(b.args(), extra...))
			if err != nil {
				return nil, fmt.Errorf("bench: fabric run %s: %w", name, err)
			}
			rates, memory = append(rates, f.PktHops/f.Seconds), append(memory, f.RSSMB)
		}
		speed := Metric{Name: b.Name() + "_pkthops_per_s", Bound: boundOf(report.AtLeast, b.Bound),
			What: "packets entering a switch queue per second of wall time, " + name}
		speed.Median(rates)
		space := Metric{Name: b.Name() + "_rss_mb", Bound: boundOf(report.AtMost, b.Memory)}
		space.Median(memory)
		space.What = fmt.Sprintf("peak memory of the process, MB (%.3g kB per host)", 1000*space.Value/float64(b.Hosts))
		out = append(out, speed, space)
	}
	return out, nil
}

// boundOf returns a bound, none for 0.
func boundOf(kind func(float64) report.Bound, x float64) report.Bound {
	if x == 0 {
		return report.Bound{}
	}
	return kind(x)
}

// fabricChild makes one run in a process of its own.
func fabricChild(ctx context.Context, program string, args []string) (*fabricFigures, error) {
	text, err := outputOf(ctx, exec.CommandContext(ctx, program, args...))
	if err != nil {
		return nil, err
	}
	var f fabricFigures
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if f.Flows == 0 || f.Done != f.Flows || f.Seconds <= 0 {
		return nil, fmt.Errorf("%d of %d flows done in %g s", f.Done, f.Flows, f.Seconds)
	}
	return &f, nil
}

// outputOf returns what a child prints. Its error holds what the child wrote to stderr.
func outputOf(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if s := strings.TrimSpace(stderr.String()); s != "" {
			err = errors.Join(err, errors.New(s))
		}
		return nil, err
	}
	return text, nil
}

package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// FabricBench is one preset of the fabric that is measured and how its figures are
// named.
type FabricBench struct {
	Preset string
	Hosts  int
	Bound  float64 // least packet-hops per second
	Memory float64 // most megabytes; 0 when it is not reported
}

// FabricBenches returns what a bench of the fabric measures. The bounds are twice
// and six times the speed of the reference simulator on a machine of this kind and
// half its memory (0.72 M packet-hops/s at 128 hosts, 0.25 M in 210 MB at 1,024).
func FabricBenches() []FabricBench {
	return []FabricBench{
		{"fattree128/permutation", 128, 2 * 0.72e6, 0},
		{"fattree1024/permutation", 1024, 6 * 0.25e6, 105},
		{"fattree8192/permutation", 8192, 0, 0},
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

// BenchFabric runs each preset once in a process of its own, program fabric run
// PRESET --json -, so that its peak memory is that of the run, and returns
// packet-hops per second of wall time and megabytes. extra is added to each command
// line. It errors when a child does or a flow does not finish.
func BenchFabric(ctx context.Context, program string, benches []FabricBench, extra []string, log func(format string, args ...any)) ([]Metric, error) {
	var out []Metric
	for _, b := range benches {
		if log != nil {
			log("fabric: %s", b.Preset)
		}
		args := append([]string{"fabric", "run", b.Preset, "--json", "-"}, extra...)
		cmd := exec.CommandContext(ctx, program, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			return nil, fmt.Errorf("bench: fabric run %s: %w", b.Preset, errors.Join(err, said(&stderr)))
		}
		var f fabricFigures
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("bench: fabric run %s: %w", b.Preset, err)
		}
		if f.Flows == 0 || f.Done != f.Flows || f.Seconds <= 0 {
			return nil, fmt.Errorf("bench: fabric run %s: %d of %d flows done in %g s", b.Preset, f.Done, f.Flows, f.Seconds)
		}
		rate := f.PktHops / f.Seconds
		out = append(out, Metric{
			Name: fmt.Sprintf("fabric_%d_pkthops_per_s", b.Hosts), What: "packets entering a switch queue per second of wall time, " + b.Preset,
			Value: rate, Least: rate, Greatest: rate, Bound: b.Bound,
		}, Metric{
			Name: fmt.Sprintf("fabric_%d_rss_mb", b.Hosts), What: fmt.Sprintf("peak memory of the process, MB (%.3g kB per host)", 1000*f.RSSMB/float64(b.Hosts)),
			Value: f.RSSMB, Least: f.RSSMB, Greatest: f.RSSMB, Bound: b.Memory, Most: true,
		})
	}
	return out, nil
}

// said returns what a child wrote to stderr, nil for nothing.
func said(b *bytes.Buffer) error {
	if s := strings.TrimSpace(b.String()); s != "" {
		return errors.New(s)
	}
	return nil
}

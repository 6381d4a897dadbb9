package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/audit/bench"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/vectors"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
)

// benchPart is what is measured together.
type benchPart struct {
	name    string
	measure func(context.Context) ([]bench.Metric, error)
}

// measureParts measures parts and adds their tables to a document. After a part that fails it goes on if all says so; an
// interrupt ends it. The document and the error name the parts that are missing.
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

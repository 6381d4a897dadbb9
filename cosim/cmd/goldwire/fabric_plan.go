package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/fabricreport"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// fabricPlan reads and checks everything that the command line requests.
func (a *app) fabricPlan(cmd *cobra.Command, what string, f *fabricFlags) (*fabricplan.Plan, error) {
	changed := cmd.Flags().Changed
	p, err := fabricplan.Load(what, f.sets)
	if err != nil {
		return nil, err
	}
	if err := f.conflicts(changed, p.Paths); err != nil {
		return nil, err
	}
	r := f.Request
	r.Root = a.Repository
	switch {
	case f.seeds != "":
		r.Seeds = cli.Read(&err, cli.ParseSeeds, f.seeds)
	case changed("seed"):
		r.Seeds = []uint64{f.seed}
	}
	if r.TickNs = cli.Read(&err, cli.TickNs, f.tick); err != nil {
		return nil, err
	}
	if err := p.Complete(&r); err != nil {
		return nil, err
	}
	p.Loop.Step = f.step
	if err := f.effective(changed, p); err != nil {
		return nil, err
	}
	if err := p.CheckFlows(cmd.Context(), f.flows); err != nil {
		return nil, fmt.Errorf("--flow: %w", err)
	}
	return p, nil
}

// conflicts refuses flags that are empty or that set the same thing as another.
func (f *fabricFlags) conflicts(given func(string) bool, paths []string) error {
	for flag, value := range map[string]string{"seeds": f.seeds, "cc": strings.Join(f.CCs, ""), "rtl": f.RTLDir} {
		if given(flag) && value == "" {
			return fmt.Errorf("--%s: empty; give a value, or leave the flag out", flag)
		}
	}
	for _, x := range f.outputs() {
		if given(strings.TrimPrefix(x.Flag, "--")) && x.Path == "" {
			return fmt.Errorf("%s: empty file name; give a path, or leave the flag out", x.Flag)
		}
	}
	set := func(path string) bool { return slices.Contains(paths, path) }
	for _, x := range []struct {
		a, b string
		both bool
	}{
		{"seed", "seeds", given("seed") && given("seeds")},
		{"set seed", "seed", set("seed") && given("seed")}, {"set seed", "seeds", set("seed") && given("seeds")},
		{"set cc", "cc", set("cc") && given("cc")},
	} {
		if x.both {
			return fmt.Errorf("--%s and --%s: both given; keep one", x.a, x.b)
		}
	}
	return nil
}

// divided refuses threads without pods, and outputs that pods running in parallel cannot provide.
func (f *fabricFlags) divided(given func(string) bool, p *fabricplan.Plan) error {
	switch {
	case f.threads < 0:
		return fmt.Errorf("--threads %d: give 0 or more", f.threads)
	case given("threads") && !p.Spec.Pods:
		return errors.New("--threads: has no effect without --set pods=on; add it, or leave --threads out")
	}
	if !p.Spec.Pods {
		return nil
	}
	return cli.Refuse(given,
		"needs the events of all pods in one order, which pods=on does not keep; leave it out, or set "+
			"pods to off", "depth", "series", "html", "pcap")
}

// effective refuses flags that change nothing.
func (f *fabricFlags) effective(given func(string) bool, p *fabricplan.Plan) error {
	if err := f.divided(given, p); err != nil {
		return err
	}
	ticks := slices.ContainsFunc(p.Controls(), func(n string) bool { return slices.Contains(cc.Names(loop.Rows()), n) })
	steps := slices.ContainsFunc(p.Controls(), func(n string) bool { return slices.Contains(loop.On(n), loop.Blocks[0]) })
	unseen, unfollowed := f.depth == "" && f.html == "" && f.series == "", f.html == "" && f.series == ""
	switch {
	case f.every < time.Nanosecond:
		return fmt.Errorf("--every %v: give 1ns or more", f.every)
	case f.series != "" && len(f.flows)+len(f.Ports) == 0:
		return errors.New("--series: nothing to write: name flows with --flow or ports with --port")
	}
	for _, x := range []struct {
		idle  bool
		why   string
		flags []string
	}{
		{p.AllNamed(), "every flow of the file names its cc", []string{"cc"}},
		{!ticks, "no flow runs on " + loop.Fixed + " or another control in hardware; add one to --cc", []string{"tick"}},
		{!p.RTL, "no flow runs on " + loop.RTL + " or another control on the RTL; add one to --cc", []string{"rtl"}},
		{!steps, "no flow runs on " + loop.RTL + " or another control with block " + loop.Blocks[0] + " on the RTL; add " +
			"one to --cc", []string{"step"}},
		{unseen, "nothing shows the queues over time; add --depth, --series or --html", []string{"port", "every"}},
		{unfollowed, "nothing shows flows over time; add --series or --html", []string{"flow"}},
		{len(f.Captures) == 0, "nothing is captured; add --pcap", []string{"pcap-udp-port", "pcap-dscp", "pcap-dissector"}},
	} {
		if err := cli.Refuse(given, "has no effect: "+x.why, x.flags...); err != nil && x.idle {
			return err
		}
	}
	if i := slices.IndexFunc(f.flows, func(n int32) bool { return n < 0 }); i >= 0 {
		return fmt.Errorf("--flow %d: give 0 or more", f.flows[i])
	}
	for i, n := range f.flows {
		if slices.Contains(f.flows[:i], n) {
			return fmt.Errorf("--flow %d: given twice; keep one", n)
		}
	}
	return nil
}

// outputs returns the files that flags ask for, except captures.
func (f *fabricFlags) outputs() []cli.Output {
	return []cli.Output{{Flag: "--json", Path: f.json}, {Flag: "--csv", Path: f.csv}, {Flag: "--depth", Path: f.depth},
		{Flag: "--series", Path: f.series}, {Flag: "--html", Path: f.html}, {Flag: "--pcap-dissector", Path: f.dissector}}
}

// take errors before the run when a file cannot be written or is one of the inputs, and takes the files.
func (f *fabricFlags) take(a *cli.App, p *fabricplan.Plan) error {
	all := f.outputs()
	for _, c := range p.Captures {
		all = append(all, cli.Output{Flag: "--pcap", Path: c.File})
	}
	if err := cli.Distinct([]cli.Output{{Flag: "FILE.yaml", Path: p.File},
		{Flag: "topology.file", Path: p.Spec.TopologyFile}, {Flag: "matrix.file", Path: p.Spec.MatrixFile},
		{Flag: "poisson.cdf", Path: p.Spec.CDF}}, all); err != nil {
		return err
	}
	for _, x := range all {
		if x.Path == "" || x.Path == "-" {
			continue
		}
		if err := report.Regular(x.Path); err != nil {
			return fmt.Errorf("%s: %w", x.Flag, err)
		}
	}
	return a.Take(all...)
}

// write writes every report, and the dissector of captures with those header values.
func (f *fabricFlags) write(a *cli.App, r *fabricreport.Report, headers capture.Spec) error {
	return a.WriteReports(f.outputs(), r.WriteText, r.WriteJSON,
		func(w io.Writer) error { return result.WriteFlowsCSV(w, r.All[0].Runs...) },
		func(w io.Writer) error { return r.All[0].Runs[0].Depth.WriteCSV(w) },
		func(w io.Writer) error { return r.All[0].Series.WriteCSV(w) }, r.WriteHTML,
		func(w io.Writer) error {
			_, err := io.WriteString(w, capture.Dissector(headers))
			return err
		})
}

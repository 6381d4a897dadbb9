package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/capture"
	"github.com/goldwire/goldwire/cosim/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric"
)

type fabricFlags struct {
	sets, ccs, ports, pcaps []string
	seed                    uint64
	seeds, tick, rtl        string
	json, csv, depth, html  string
	every                   time.Duration
}

func newFabricRun(a *app) *cobra.Command {
	f := &fabricFlags{}
	c := &cobra.Command{
		Use:   "run PRESET|FILE.yaml",
		Short: "simulate a preset or a file and report completion times, queues and losses",
		Long: `run simulates a preset (goldwire fabric list) or a YAML file and prints completion
times, goodput, marks, trims, drops and the speed of the simulation. Flows that did
not finish are named. A run depends on its settings and seed alone; several seeds run
in parallel and their flows are pooled.

A file holds settings over a preset, and may list flows:

  preset: fattree128/permutation
  link: {gbps: 800}
  target.us: 3
  flows:
    - {src: 0, dst: 5, bytes: 1000000, lb: ecmp, cc: nscc-htsim}
    - {src: 5, dst: 7, bytes: 1000000, after: [0]}

--cc takes one congestion control or several, which then run one after the other and
stand side by side: nscc (float64), nscc-fixed (the hardware's fixed point), nscc-rtl
(the Verilated RTL in the loop). Fixed point and RTL must agree exactly.
--set cc.hosts=3=nscc-rtl puts the flows of host 3 alone on the RTL.

Exit codes: 0 every flow finished and the books balance; 1 a flow is unfinished, or
fixed point and RTL differ; 2 called wrongly, interrupted, or the device failed.`,
		Example: `  goldwire fabric run fattree128/permutation --set link.gbps=800 --set lb=reps --seeds 1..5
  goldwire fabric run fattree128/incast32 --cc nscc,nscc-fixed,nscc-rtl --html incast.html

  # what the link in front of the receiver carries, for Wireshark
  goldwire fabric run fattree128/incast32 --set flow.bytes=100000 --pcap host0-tor0=receiver.pcapng

  # queue of one port over time, and every flow
  goldwire fabric run fattree128/incast32 --port 'tor0->host0' --depth depth.csv --csv flows.csv`,
		Args: oneArg("PRESET or FILE.yaml"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return presetNames(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.fabricRun(cmd, args[0], f) },
	}
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringArrayVar(&f.sets, "set", nil, "change one setting, `PATH=VALUE`; may be repeated (goldwire fabric list settings)")
	fl.StringSliceVar(&f.ccs, "cc", nil, "congestion control of the flows that name none, `NAME[,NAME...]`; several are compared")
	fl.Uint64Var(&f.seed, "seed", 1, "seed `K` of all that is drawn")
	fl.StringVar(&f.seeds, "seeds", "", "one run per seed, pooled: a range `A..B`, both ends included, or a list 1,5,9")
	fl.StringVar(&f.tick, "tick", "1ns", "`LENGTH` of a time tick of nscc-fixed and nscc-rtl: 1ns or 128ns")
	fl.StringVar(&f.rtl, "rtl", "", "RTL of nscc-rtl in `DIR`, a copy of hdl/rtl, in place of ours")
	fl.StringVar(&f.json, "json", "", "write the results as JSON to `FILE` (- for stdout, in place of the summary)")
	fl.StringVar(&f.csv, "csv", "", "write every flow as CSV to `FILE` (of the first --cc)")
	fl.StringVar(&f.depth, "depth", "", "write the queues over time as CSV to `FILE` (of the first seed and --cc)")
	fl.StringArrayVar(&f.ports, "port", nil, "port of its own in the queues over time, its `NAME` such as 'tor0->host0'; may be repeated")
	fl.DurationVar(&f.every, "every", time.Microsecond, "simulated time between two samples of the queues, a `DURATION`")
	fl.StringVar(&f.html, "html", "", "write figures and plots as one self-contained page to `FILE`")
	fl.StringArrayVar(&f.pcaps, "pcap", nil, "write what a link carries as pcapng, `LINK=FILE`: host0-tor0 both ways, 'tor0->host0' one way (of the first seed and --cc); may be repeated")
	_ = c.RegisterFlagCompletionFunc("cc", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return ccNames(), cobra.ShellCompDirectiveNoFileComp
	})
	_ = c.RegisterFlagCompletionFunc("set", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, s := range fabric.Settable() {
			out = append(out, s[0]+"=")
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

// fabricPlan is a run with everything checked.
type fabricPlan struct {
	name, about string
	sets        []string
	spec        fabric.Spec
	base        []fabric.Option // of a file's flows
	ccs         []string
	seeds       []uint64
	loop        loop.Config
	ports       []int32 // of their own in the depth series
	pcaps       []pcapPlan
}

type pcapPlan struct {
	link, file string
	ports      []int32
}

// fabricOutcome is the runs of one congestion control.
type fabricOutcome struct {
	cc      string
	runs    []*fabric.Result
	summary fabric.Summary
	watch   *fabricWatch // of the first seed; nil when no page is asked for
}

func (a *app) fabricRun(cmd *cobra.Command, what string, f *fabricFlags) error {
	p, err := a.fabricPlan(cmd, what, f)
	if err != nil {
		return err
	}
	if err := f.preflight(p); err != nil {
		return err
	}
	var all []*fabricOutcome
	for i, cc := range p.ccs {
		o, err := a.fabricOne(cmd.Context(), p, f, cc, i == 0)
		if err != nil {
			if cmd.Context().Err() != nil {
				return fmt.Errorf("interrupted: %w", err)
			}
			return err
		}
		all = append(all, o)
	}
	r := newFabricReport(p, all)
	if err := f.write(a.stdout, r); err != nil {
		return err
	}
	if !r.good() {
		return errMismatch
	}
	return nil
}

// fabricPlan reads and checks all that was asked for.
func (a *app) fabricPlan(cmd *cobra.Command, what string, f *fabricFlags) (*fabricPlan, error) {
	p := &fabricPlan{name: what, sets: f.sets}
	if ext := filepath.Ext(what); ext == ".yaml" || ext == ".yml" {
		s, err := fabric.LoadScenario(what)
		if err != nil {
			return nil, err
		}
		p.spec, p.base = s.Spec, s.Options()
	} else {
		preset, err := fabric.Lookup(what)
		if err != nil {
			return nil, known("preset", what, presetNames(), "goldwire fabric list presets")
		}
		p.about, p.spec = preset.About, preset.Spec
	}
	if err := applySets(&p.spec, f.sets); err != nil {
		return nil, err
	}
	changed := cmd.Flags().Changed
	if changed("seed") && changed("seeds") {
		return nil, errors.New("--seed and --seeds: both given; keep one")
	}
	p.seeds = []uint64{p.spec.Seed}
	if changed("seed") {
		p.seeds[0] = f.seed
	}
	var err error
	if changed("seeds") {
		if p.seeds, err = parseSeeds(f.seeds); err != nil {
			return nil, err
		}
	}
	if err := a.fabricControls(p, f); err != nil {
		return nil, err
	}
	if f.every < time.Nanosecond {
		return nil, fmt.Errorf("--every %v: give 1ns or more", f.every)
	}
	if p.spec.Rounds == 0 && p.spec.MaxTime == 0 {
		return nil, errors.New("flow.rounds = 0: nothing would end the run; set max_time.us, or rounds")
	}
	net, err := p.spec.Layout()
	if err != nil {
		return nil, err
	}
	for _, name := range f.ports {
		port, err := net.FindPort(name)
		if err != nil {
			return nil, fmt.Errorf("--port: %w", err)
		}
		p.ports = append(p.ports, port)
	}
	for _, arg := range f.pcaps {
		link, file, ok := strings.Cut(arg, "=")
		if !ok || link == "" || file == "" {
			return nil, fmt.Errorf("--pcap %q: give LINK=FILE, such as host0-tor0=link.pcapng", arg)
		}
		ports, err := capture.Ports(net, link)
		if err != nil {
			return nil, fmt.Errorf("--pcap: %w", err)
		}
		p.pcaps = append(p.pcaps, pcapPlan{link, file, ports})
	}
	return p, nil
}

// applySets changes the spec and checks the whole; it names the setting that makes
// it impossible, when one alone does.
func applySets(spec *fabric.Spec, sets []string) error {
	apply := func(s *fabric.Spec, skip int) error {
		for i, arg := range sets {
			path, value, ok := strings.Cut(arg, "=")
			switch {
			case !ok || path == "":
				return fmt.Errorf("--set %q: give PATH=VALUE, such as link.gbps=800", arg)
			case i != skip:
				if err := s.Set(path, value); err != nil {
					return fmt.Errorf("--set %w", err)
				}
			}
		}
		return nil
	}
	check := func(s fabric.Spec) error {
		if err := s.Validate(); err != nil {
			return err
		}
		_, err := s.Layout()
		return err
	}
	base := *spec
	if err := apply(spec, -1); err != nil {
		return err
	}
	// A topology of a file is known once it is loaded.
	if spec.Topology == fabric.CustomFile {
		g, err := spec.Network()
		if err != nil {
			return fmt.Errorf("topology.file: %w", err)
		}
		spec.Graph = g
	}
	err := check(*spec)
	if err == nil {
		return nil
	}
	for i, arg := range sets {
		without := base
		if apply(&without, i) == nil && check(without) == nil {
			return fmt.Errorf("--set %s: %w", arg, err)
		}
	}
	return err
}

// fabricControls reads --cc and what nscc-fixed and nscc-rtl need.
func (a *app) fabricControls(p *fabricPlan, f *fabricFlags) error {
	p.ccs = f.ccs
	if len(p.ccs) == 0 {
		p.ccs = []string{p.spec.CC}
		if p.spec.CC == "" {
			p.ccs[0] = "nscc"
		}
	}
	names := slices.Clone(p.ccs)
	for _, m := range []map[int32]string{p.spec.CCHosts, p.spec.CCContexts} {
		for _, n := range m {
			names = append(names, n)
		}
	}
	slices.Sort(names[len(p.ccs):])
	for i, n := range names {
		if err := known("congestion control", n, ccNames(), "goldwire fabric list cc"); err != nil {
			return err
		}
		if i < len(p.ccs) && slices.Contains(p.ccs[:i], n) {
			return fmt.Errorf("--cc %s: given twice; keep one", n)
		}
	}
	tick, err := parseTick(f.tick)
	if err != nil {
		return err
	}
	p.loop.TickNs = int(tick / 1000)
	if f.rtl != "" {
		if st, err := os.Stat(f.rtl); err != nil || !st.IsDir() {
			return fmt.Errorf("rtl folder %s: no such folder; give a copy of hdl/rtl", f.rtl)
		}
		p.loop.RTLDir = f.rtl
	}
	p.loop.Root, err = a.repository()
	if err != nil && slices.Contains(names, loop.RTL) {
		return err
	}
	return nil
}

// fabricOne runs every seed under one congestion control.
func (a *app) fabricOne(ctx context.Context, p *fabricPlan, f *fabricFlags, cc string, first bool) (*fabricOutcome, error) {
	o := &fabricOutcome{cc: cc}
	spec := p.spec
	if spec.CC != cc && !(spec.CC == "" && cc == "nscc") {
		spec.CC = cc
	}
	var caps []*pcapFile
	defer func() {
		for _, c := range caps {
			c.drop()
		}
	}()
	bar := report.NewProgress(a.stderr, p.name+" "+cc).Of("hops")
	defer bar.Close()
	var mu sync.Mutex
	at := map[uint64]fabric.Progress{}
	opts := map[uint64][]fabric.Option{}
	for i, seed := range p.seeds {
		list := append(slices.Clone(p.base), fabric.WithProgress(func(pr fabric.Progress) {
			mu.Lock()
			defer mu.Unlock()
			at[seed] = pr
			// Every run goes into the sum, so their order does not matter.
			var sum fabric.Progress
			for _, x := range at {
				sum.Done, sum.Flows, sum.PktHops = sum.Done+x.Done, sum.Flows+x.Flows, sum.PktHops+x.PktHops
			}
			bar.Note(fmt.Sprintf("%d of %d flows, %.4g us", sum.Done, sum.Flows, float64(pr.Time)/1e6))
			bar.Update(sum.PktHops, 0)
		}))
		if i == 0 {
			if f.html != "" || f.depth != "" && first {
				list = append(list, fabric.WithDepth(fabric.Picos(f.every.Nanoseconds())*fabric.Nanosecond, p.ports...))
			}
			if f.html != "" {
				o.watch = &fabricWatch{}
				list = append(list, fabric.WithTap(o.watch.tap))
			}
			if first && len(p.pcaps) > 0 {
				opt, files, err := openPcaps(p)
				caps = files
				if err != nil {
					return nil, err
				}
				list = append(list, opt)
			}
		}
		opts[seed] = list
	}
	begin := time.Now()
	var err error
	o.runs, err = loop.RunSeeds(ctx, spec, p.seeds, func(seed uint64) (loop.Config, []fabric.Option) { return p.loop, opts[seed] })
	if err != nil {
		return nil, withPath(err)
	}
	o.summary = fabric.Summarise(time.Since(begin), o.runs...)
	for _, c := range caps {
		if err := c.keep(); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// withPath names the setting behind the error of a file that is read with the run.
func withPath(err error) error {
	for prefix, path := range map[string]string{"connection matrix": "matrix.file", "flow-size table": "poisson.cdf"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return err
}

// outputs returns the files asked for by flag, but captures.
func (f *fabricFlags) outputs() [][2]string {
	return [][2]string{{"--json", f.json}, {"--csv", f.csv}, {"--depth", f.depth}, {"--html", f.html}}
}

// preflight errors when a file could not be written, before the run.
func (f *fabricFlags) preflight(p *fabricPlan) error {
	seen := map[string]string{}
	all := f.outputs()
	for _, c := range p.pcaps {
		all = append(all, [2]string{"--pcap", c.file})
	}
	for _, x := range all {
		flag, path := x[0], x[1]
		if path == "" || flag == "--json" && path == "-" {
			continue
		}
		if path == "-" {
			return fmt.Errorf("%s -: only --json can go to stdout; give a file", flag)
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("%s %s: %w", flag, path, err)
		}
		if other := seen[abs]; other != "" {
			return fmt.Errorf("%s and %s: both name %s; give two files", other, flag, path)
		}
		seen[abs] = flag
		if err := report.Preflight(path); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	return nil
}

// write writes every report.
func (f *fabricFlags) write(stdout io.Writer, r *fabricReport) error {
	var errs []error
	if f.json == "-" {
		errs = append(errs, r.writeJSON(stdout))
	} else {
		errs = append(errs, r.writeText(stdout))
	}
	file := func(flag, path string, render func(io.Writer) error) {
		if path == "" || path == "-" {
			return
		}
		if err := report.WriteFile(path, render); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", flag, err))
		}
	}
	file("--json", f.json, r.writeJSON)
	file("--csv", f.csv, func(w io.Writer) error { return fabric.WriteFlowsCSV(w, r.all[0].runs...) })
	file("--depth", f.depth, func(w io.Writer) error { return r.all[0].runs[0].Depth.WriteCSV(w) })
	file("--html", f.html, r.writeHTML)
	return errors.Join(errs...)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cost"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/validate"
	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/fabricreport"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// fabricFlags are the flags of fabric run. Those that need no reading are fields of the request.
type fabricFlags struct {
	fabricplan.Request
	sets                     []string
	flows                    []int32
	seed                     uint64
	seeds, tick              string
	step                     bool
	every                    time.Duration
	threads                  int
	json, csv, depth, series string
	html, dissector          string
}

func newFabricRun(a *app) *cobra.Command {
	f := &fabricFlags{}
	c := &cobra.Command{
		Use:   "run PRESET|FILE.yaml",
		Short: "simulate a preset or a file and report completion times, queues and losses",
		Long: `run simulates a preset (goldwire fabric list) or a YAML file and prints completion
times, goodput, marks, trims, drops and the speed of the simulation. It names flows that
did not finish. A run depends only on its settings and seed; several seeds run in
parallel and their flows are pooled.

A setting that has no effect with the topology, the workload or another setting is
refused. A file holds settings on top of a preset. In place of the workload it may list
flows, each with src, dst and bytes and, optionally, start_us, stop_us (the flow then
ends with what it has sent), lb, cc, background: true (it is not measured), and after:
the flows, counted from 0, that it waits for:

  preset: fattree128/permutation
  link: {gbps: 800}
  target.us: 3
  flows:
    - {src: 0, dst: 5, bytes: 1000000, lb: ecmp, cc: nscc-htsim}
    - {src: 5, dst: 7, bytes: 1000000, after: [0]}

--cc takes one or several congestion controls, which then run one after the other and
are shown side by side: nscc (float64), nscc-fixed (the hardware's fixed point),
nscc-rtl (the Verilated RTL in the loop), and others (goldwire fabric list cc). Fixed
point and RTL must agree exactly. With nscc-rtl the network runs ahead on the model's
answers, and the RTL is compared with the model in every cycle. If they differ, the run
starts again, event by event, and the network follows the RTL, as with --step. A control
whose network needs are not met is refused: dcqcn, which is paced and has no window,
needs ECN, and is meant for RED and PFC.

With receiver credit (rccc-fixed, rccc-rtl, nscc+rccc-fixed, nscc+rccc-rtl) the senders
are block ccc, as above, and the pacers at the receivers are block credit at 1 GHz. Its
RTL plays the pacers of all hosts after the simulation and is compared with the model in
every cycle, except that only the first cycles of a long rest are played. If they
differ, the run is reported as wrong, and its network has followed the model.

With nscc-nicmodel every host is a NIC in hardware, sender and receiver: the model of
block nic at 1 GHz, with NSCC, frames on its wire and messages on its other side. Switches
and links stay simulated. nscc-nic has the Verilated RTL play the NICs of all hosts after
the simulation, compared with the model in every cycle, as above. A NIC sends full packets
with a payload of a power of two, and takes its paths in turn: --set mtu=8256 --set
lb=oblivious.

--set cc.hosts=3=nscc-rtl puts only the flows of host 3 on the RTL.

--set topology=file --set topology.file=NET.yaml takes the network from a file: names of
hosts and switches, and links. Each host has one link, to a switch. A link without gbps
or latency_us takes link.gbps and link.latency_us; golden/fabric/testdata has an
example:

  hosts: [h0, h1]
  switches: [s0]
  links:
    - {a: h0, b: s0, gbps: 400, latency_us: 0.5}
    - {a: h1, b: s0}

--set pods=on simulates the pods of a tree in parallel, on --threads threads, for
networks of thousands of hosts. Each pod draws its own random numbers, so the result is
another sample than with pods=off, but the same for any number of threads.

--set int=data or int=ack makes switches write telemetry records. Taps of a Go program
(fabric.WithTap) see them with each ACK, hpcc reads those of data packets, fncc those of
ACKs, and captures show them.

The figures show why packets were resent: for NACKs, for timeouts (the RTO had passed),
or because sleek or their control gave them up. A retransmission is spurious if its data
had arrived. A receiver acknowledges without a request only after ack_trigger bytes;
what it holds below that is in flight for the sender. When the window shrinks to less
than that, the sender requests an ACK with a control packet. An unfinished flow is shown
with its reason: a link that failed, hosts that the topology does not connect, retries
exhausted, a destination that refuses, max_time, a pause deadlock.

Links fail by fail.links and fail.prob, and lose, double or delay single packets by
loss_prob, ctl_loss_prob, dup_prob and reorder_prob.

Exit codes: 0 every flow finished and the books balance; 1 a flow is unfinished, fixed
point and RTL differ, or the RTL differs from the model; 2 called wrongly, interrupted,
the device failed, or there was nothing to simulate.`,
		Example: `  goldwire fabric run fattree128/permutation --set link.gbps=800 --set lb=reps --seeds 1..5
  goldwire fabric run fattree128/permutation --seed 7 --json - | jq .fct_us

  # float64, fixed point and RTL side by side; then a changed RTL with the other tick
  goldwire fabric run fattree128/incast32 --cc nscc,nscc-fixed,nscc-rtl --html incast.html
  goldwire fabric run fattree128/incast32 --cc nscc-fixed,nscc-rtl --tick 128ns --rtl build/rtl
  goldwire fabric run fattree128/incast32 --cc nscc-rtl --step --set flow.bytes=100000
  goldwire fabric run fattree128/incast32 --cc rccc,rccc-fixed,rccc-rtl --set ecn.last_hop=off
  goldwire fabric run fattree128/incast32 --cc nscc-fixed,nscc-nicmodel --set mtu=8256 --set lb=oblivious \
    --set flow.bytes=100000

  # what the link in front of the receiver carries, for Wireshark
  goldwire fabric run fattree128/incast32 --set flow.bytes=100000 --pcap host0-tor0=receiver.pcapng
  goldwire fabric run fattree128/incast32 --pcap 'agg0->tor0=trims.pcapng' --pcap-udp-port 49150 --pcap-dscp trimmed=20

  # the same with a dissector: tshark -X lua_script:uet.lua -r receiver.pcapng -T fields -e uet.psn
  goldwire fabric run fattree128/incast32 --set flow.bytes=100000 --pcap host0-tor0=receiver.pcapng \
    --pcap-dissector uet.lua

  # queue of one port every 500 ns of simulated time, and every flow
  goldwire fabric run fattree128/incast32 --port 'tor0->host0' --every 500ns --depth depth.csv --csv flows.csv

  # rate, window and round trip of two flows, and one port, every 500 ns
  goldwire fabric run fattree128/incast32 --flow 0,5 --port 'tor0->host0' --every 500ns --series series.csv

  # flows from an htsim connection matrix, its start times in nanoseconds
  goldwire fabric run fattree128/permutation --set workload=matrix --set matrix.file=flows.cm --set matrix.unit=ns

  # a network of its own
  goldwire fabric run spec128/permutation --set topology=file --set topology.file=golden/fabric/testdata/two-racks.yaml

  # a large network on all processors
  goldwire fabric run fattree1024/permutation --set pods=on --threads 2

  # DCQCN, with fewer marks than its preset has
  goldwire fabric run congestion/dcqcn --set flow.bytes=50000000 --set ecn.pmax=0.005

  # Poisson arrivals with the sizes of a table
  goldwire fabric run fattree128/websearch --set poisson.load=0.3 --set flow.count=500`,
		Args: cli.OneArg("PRESET or FILE.yaml"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return fabricplan.Presets(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.fabricRun(cmd, args[0], f) },
	}
	fl := cli.Ordered(c)
	fl.StringArrayVar(&f.sets, "set", nil, "change one setting, `PATH=VALUE`; may be repeated (goldwire fabric "+
		"list settings)")
	fl.StringSliceVar(&f.CCs, "cc", nil, "congestion control of the flows that name none, `NAME[,NAME...]`; "+
		"several are compared")
	cli.SeedFlag(fl, &f.seed)
	fl.StringVar(&f.seeds, "seeds", "", "one run per seed, pooled: a range `A..B`, both ends included, or a list 1,5,9")
	fl.IntVar(&f.threads, "threads", 0,
		"threads for one seed with --set pods=on, `N`; 0 takes all processors, or one if there are several seeds")
	fl.StringVar(&f.tick, "tick", "1ns", "`LENGTH` of a time tick of senders in hardware: 1ns or 128ns")
	fl.StringVar(&f.RTLDir, "rtl", "", "use the RTL in `DIR`, an edited copy of hdl/rtl, for controls on the RTL")
	fl.BoolVar(&f.step, "step", false, "play the senders' RTL event by event: the design's own answers drive the "+
		"network, "+
		"instead of the model's")
	fl.StringVar(&f.json, "json", "", "write the results as JSON to `FILE` (- for stdout, in place of the summary)")
	fl.StringVar(&f.csv, "csv", "", "write every flow as CSV to `FILE` (of the first --cc)")
	fl.StringVar(&f.depth, "depth", "", "write the queues over time as CSV to `FILE` (of the first seed and --cc)")
	fl.StringVar(&f.series, "series", "", "write flows (rate, window, round trip) and ports (queue, utilisation, pauses) "+
		"over time as CSV to `FILE` (of the first seed and --cc), as chosen by --flow and --port")
	fl.Int32SliceVar(&f.flows, "flow", nil, "flow in the series over time, its number `N` in --csv; may be repeated")
	fl.StringArrayVar(&f.Ports, "port", nil,
		"port in the series and queues over time, its `NAME` such as 'tor0->host0'; may be repeated")
	fl.DurationVar(&f.every, "every", time.Microsecond, "simulated time between two samples, a `DURATION`")
	fl.StringVar(&f.html, "html", "", "write figures and plots as one self-contained page to `FILE`")
	fl.StringArrayVar(&f.Captures, "pcap", nil,
		"write the packets of a link as pcapng, `LINK=FILE`: host0-tor0 both ways, 'tor0->host0' one way "+
			"(of the first seed and --cc); may be repeated")
	fl.Uint16Var(&f.UDPPort, "pcap-udp-port", capture.UDPPort, "UDP destination port `N` in captures")
	fl.StringArrayVar(&f.DSCPs, "pcap-dscp", nil,
		"codepoints in captures, `NAME=N[,NAME=N...]`: "+strings.Join(capture.DSCPNames(), ", "))
	fl.StringVar(&f.dissector, "pcap-dissector", "",
		"write a dissector of the captures for Wireshark and tshark, in Lua, to `FILE`")
	cli.Complete(c, "cc", ccNames)
	_ = c.RegisterFlagCompletionFunc("set", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, s := range settings.All() {
			out = append(out, s.Path+"=")
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (a *app) fabricRun(cmd *cobra.Command, what string, f *fabricFlags) error {
	p, err := a.fabricPlan(cmd, what, f)
	if err != nil {
		return err
	}
	if err := f.take(a.App, p); err != nil {
		return err
	}
	if p.RTL {
		if err := a.buildRTL(cmd.Context(), p); err != nil {
			return err
		}
	}
	var all []*fabricreport.Outcome
	for i, cc := range p.CCs {
		o, err := a.fabricOne(cmd.Context(), p, f, cc, i == 0)
		if err != nil {
			if cmd.Context().Err() != nil {
				err = fmt.Errorf("interrupted: %w", err)
			}
			return a.fabricReport(f, p, all, err)
		}
		all = append(all, o)
	}
	return a.fabricReport(f, p, all, nil)
}

// fabricReport writes the reports of the finished simulations. After an error it writes none, unless the finished
// simulations found something wrong: that stays exit code 1.
func (a *app) fabricReport(f *fabricFlags, p *fabricplan.Plan, all []*fabricreport.Outcome, ended error) error {
	r := fabricreport.New(p, all)
	v, why := r.Verdict()
	if ended != nil && !v.Found() {
		return ended
	}
	err := errors.Join(ended, f.write(a.App, r, p.Headers))
	switch {
	case v.Found():
		return cli.Found(true, err)
	case err == nil && v != fabricreport.Done:
		return fmt.Errorf("%s: %s", v, why)
	}
	return err
}

// buildRTL builds the devices before the clock of the simulation starts.
func (a *app) buildRTL(ctx context.Context, p *fabricplan.Plan) error {
	bar := report.NewProgress(a.Stderr, p.Name)
	defer bar.Close()
	for i, build := range []func(context.Context) error{p.Loop.Build, p.Loop.BuildPacer, p.Loop.BuildNIC} {
		block := loop.Blocks[i]
		if !slices.ContainsFunc(p.Controls(), func(c string) bool { return slices.Contains(loop.On(c), block) }) {
			continue
		}
		bar.Say("building the RTL of block " + block + " with Verilator, once for this RTL")
		if err := build(ctx); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted while building the RTL of block %s: %w", block, err)
			}
			return fmt.Errorf("building the RTL of block %s: %w", block, err)
		}
	}
	return nil
}

// fabricOne runs every seed under one congestion control.
func (a *app) fabricOne(ctx context.Context, p *fabricplan.Plan, f *fabricFlags, cc string,
	first bool) (*fabricreport.Outcome, error) {
	o := &fabricreport.Outcome{CC: cc}
	bar := report.NewProgress(a.Stderr, p.Name+" "+cc).Of("hops")
	defer bar.Close()
	w := fabricplan.Watching{Captures: first, Threads: f.threads, Progress: func(sum transport.Progress) {
		bar.Note(fmt.Sprintf("%d of %d flows, %.4g us", sum.Done, sum.Flows, float64(sum.Time)/1e6))
		bar.Update(sum.PktHops, 0)
	}}
	var rec *series.Recorder
	follow := f.html != "" || f.series != "" && first
	if follow || f.depth != "" && first {
		w.Every = units.Picos(f.every.Nanoseconds()) * units.Nanosecond
	}
	w.First = func() (eyes fabricplan.Eyes, err error) {
		if f.html != "" {
			o.Watch = &fabricreport.Watch{}
			eyes.Tap = o.Watch.Tap
		}
		if follow {
			rec, err = p.Recorder(w.Every, f.flows, f.html != "")
			eyes.Series = rec
		}
		return eyes, err
	}
	begin := time.Now()
	var err error
	if o.Runs, o.Played, err = p.Run(ctx, cc, w); err != nil {
		return nil, err
	}
	o.Summary = result.Summarise(time.Since(begin), o.Runs...)
	if rec != nil {
		if o.Series, err = rec.Series(o.Runs[0]); err != nil && (f.series != "" || len(f.flows) > 0) {
			return nil, err
		}
	}
	return o, nil
}

func newFabric(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "fabric",
		Short: "simulate the network: flows, switches, congestion control, hardware in the loop",
		Long: `fabric runs the packet-level simulator that the stimulus comes from: hosts, links and
switches with queues, trimming and ECN, load balancers, and senders whose congestion
control is float64, fixed point, or the Verilated RTL.`,
		Example: `  goldwire fabric list
  goldwire fabric run fattree128/incast32 --html incast.html
  goldwire fabric validate --list
  goldwire fabric cost ack-pipeline`,
	}, newFabricList(a), newFabricRun(a), validate.New(a.App), cost.New(a.App))
}

// ccNames returns the congestion controls that a run can name.
func ccNames() []string { return cc.Names(fabricplan.Rows()) }

func newFabricList(a *app) *cobra.Command {
	kinds := []string{"presets", "settings", "cc"}
	c := &cobra.Command{
		Use:   "list [presets|settings|cc]",
		Short: "show the presets, the settings of --set, and the congestion controls",
		Long: `list shows what can be simulated: the presets with one line each; the settings of --set
of goldwire fabric run and of files, each with its unit, default and range; and the
congestion controls of --cc. With presets, settings or cc it prints only names, one per
line, for scripts.`,
		Example: `  goldwire fabric list
  goldwire fabric list settings
  for p in $(goldwire fabric list presets); do goldwire fabric run $p --json - > build/${p//\//-}.json; done`,
		Args:      cli.OneOf("list", kinds),
		ValidArgs: kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listFabric(a.Stdout)
			}
			names := ccNames()
			switch args[0] {
			case "presets":
				names = fabricplan.Presets()
			case "settings":
				names = nil
				for _, s := range settings.All() {
					names = append(names, s.Path)
				}
			}
			_, err := fmt.Fprintln(a.Stdout, strings.Join(names, "\n"))
			return err
		},
	}
	return c
}

func listFabric(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "presets (goldwire fabric run PRESET)")
	for _, p := range presets.Catalogue() {
		fmt.Fprintf(t, "  %s\t%s\n", p.Name, p.About)
	}
	fmt.Fprintln(t, "\nsettings (--set PATH=VALUE, or a line of a file), their units, defaults without a preset, "+
		"and what they can be with 128 hosts")
	for _, s := range settings.All() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s: %s\n", s.Path, s.Unit, s.Default, s.About, s.Values)
	}
	fmt.Fprintln(t, "\ncongestion control (--cc NAME)")
	for _, row := range fabricplan.Rows() {
		fmt.Fprintf(t, "  %s\t%s\n", row.Name, row.About)
	}
	return t.Flush()
}

// Package cosim holds the commands goldwire cosim and goldwire dut. They read flags, print and write reports;
// cosim/engine/run does the runs, and cosim/device/bind binds designs.
//
//	root.AddCommand(cosim.New(app), cosim.NewDut(app))
package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/engine/run"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/packet"
)

// cosimFlags are the flags of cosim. Those that need no reading are fields of the configuration of its runs.
type cosimFlags struct {
	run.Config
	dut, against, tick, wavesOf, pcap, seeds string
	sources, params                          []string
	events                                   cli.Count
	out                                      outputs
}

func (f *cosimFlags) inputs() []cli.Output {
	return []cli.Output{{Flag: "--dut", Path: f.dut}, {Flag: "--against", Path: f.against},
		{Flag: "--expect", Path: f.Expect}, {Flag: "--replay", Path: f.Replay}}
}

// others returns the files that the command writes besides reports. A replayed case may be saved over itself.
func (f *cosimFlags) others() []cli.Output {
	out := []cli.Output{{Flag: "--pcap", Path: f.pcap}, {Flag: "--signals", Path: f.Signals}}
	if f.SaveCase != f.Replay {
		out = append(out, cli.Output{Flag: "--save-case", Path: f.SaveCase})
	}
	return out
}

// commands holds what goldwire cosim and goldwire dut share.
type commands struct{ *cli.App }

// New returns the command goldwire cosim.
func New(app *cli.App) *cobra.Command {
	a := &commands{app}
	f := &cosimFlags{events: 100000, out: newOutputs()}
	c := &cobra.Command{
		Use:   "cosim",
		Short: "drive model and RTL side by side and compare every output of every cycle",
		Long: `cosim drives a block's Go model and its Verilated RTL with the same events and compares
every output of every cycle. Use it in CI after each change of RTL or model, overnight
with many seeds, and with --episode to repeat one failure.

One run is one source with one seed; several sources and seeds run one after the other
and share one report. If no seeds, events or parameters are given, random events are the
block's check: about 50,000 events from at least four seeds, two of them at the smallest
size. A mismatch is printed with its cycle, fields, expected and actual values and the
command that repeats it, and is in the reports from then on; the shortest list of events
that still fails follows. An interrupt (ctrl-C) ends the search for that list; the
mismatch stays reported. Two runs with the same flags give the same result, apart from
times.

Exit codes: 0 everything agrees; 1 a mismatch was found, or fixed point is further from
float64 than its bound; 2 wrong arguments, an interrupt, a failure of the harness, or a
run that compared nothing. A mismatch stays exit code 1, whatever fails later. Reports
have an entry for every planned run; one that did not begin shows the reason.`,
		Example: `  # a million events of an incast, with a page to look at
  goldwire cosim --block ccc --source fabric:incast32 --events 1M --seed 7 --html incast.html

  # every directed case, for CI
  goldwire cosim --block ccc --source directed --junit ccc.xml

  # random events from twenty seeds against a copy of the RTL, parameters changed
  goldwire cosim --block ccc --source random --seeds 1..20 --rtl /tmp/rtl --param NumContexts=64

  # a design of your own, bound by a dut.yaml (see goldwire dut)
  goldwire cosim --dut hdl/examples/ccc_foreign/dut.yaml --source directed,random

  # a block of your own schema: new RTL against old, or against a golden program on a socket
  goldwire cosim --dut hdl/examples/old_new/new.yaml --against hdl/examples/old_new/old.yaml
  goldwire cosim --dut hdl/examples/public/dut.yaml --golden unix:/tmp/golden.sock

  # vectors of a file, whose events are played and whose responses are expected
  goldwire cosim --dut hdl/examples/ccc_foreign/dut.yaml --expect ccc.gwv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.cosim(cmd, f) },
	}
	fl := cli.Ordered(c)
	a.BlockFlag(c, &f.Block, "`NAME` of the block under test (see goldwire list)")
	fl.StringSliceVar(&f.sources, "source", []string{"random"},
		"sources of events: `S[,S...]` of directed, random, fabric:... (see goldwire list) and guided")
	fl.StringVar(&f.Corpus, "corpus", "", "with --source guided: the corpus that goldwire guide wrote to `DIR` "+
		"(default: vectors/stim/BLOCK/guided)")
	fl.Var(&f.events, "events", "events per run, `N`: 100000, 250k, 1M, 1e6 (directed cases are always played "+
		"whole; random events: see above)")
	cli.SeedFlag(fl, &f.Seed)
	fl.StringVar(&f.seeds, "seeds", "", "one run per seed: a range `A..B`, both ends included, or a list 1,5,9")
	cli.TickFlag(c, &f.tick)
	cli.ParamFlag(fl, &f.params)
	fl.StringVar(&f.Transport, "transport", "unix", "`KIND` of bridge to the simulator: unix, tcp (loopback) or shm "+
		"(fastest)")
	fl.StringVar(&f.RTLDir, "rtl", "", "use the RTL in `DIR`, an edited copy of hdl/rtl")
	fl.StringVar(&f.dut, "dut", "", "use your own design, bound to a block by `FILE` (see goldwire dut)")
	fl.StringVar(&f.against, "against", "", "with --dut: expect the answers of another design, bound by `FILE`")
	fl.BoolVar(&f.Self, "self", false, "with --against: let a design be compared with itself, which checks the harness "+
		"only")
	fl.StringVar(&f.Golden, "golden", "", "with --dut: expect the answers of a program that listens at `ADDRESS`, "+
		"unix:PATH or tcp:127.0.0.1:PORT")
	fl.StringVar(&f.Expect, "expect", "", "with --dut: play the events of the vector `FILE` and expect its responses")
	fl.BoolVar(&f.Assert, "assert", false, "build the RTL with its assertions")
	fl.StringVar(&f.CodeCoverage, "code-coverage", "", "count lines, branches and toggles of the RTL, in a file per run "+
		"in `DIR`, created if missing")
	fl.StringVar(&f.CodeExclusions, "code-exclusions", "", "with --code-coverage: leave out what `FILE` lists with "+
		"reasons")
	fl.StringVar(&f.Case, "case", "", "only the directed case `NAME`; implies --source directed")
	fl.StringVar(&f.Episode, "episode", "", "only the episode `NAME` of the source, as a mismatch names it")
	fl.BoolVar(&f.ModelOnly, "model-only", false, "no simulator: stimulus, model and coverage only; compares nothing")
	fl.BoolVar(&f.FloatOff, "no-float", false, "no comparison with float64 (faster)")
	fl.BoolVar(&f.NoShrink, "no-shrink", false, "do not look for the shortest events that still fail")
	fl.StringVar(&f.SaveCase, "save-case", "", "write the shortest events that fail to `FILE`, for --replay")
	fl.StringVar(&f.Replay, "replay", "", "play the events of a `FILE` of --save-case in place of a source")
	fl.StringVar(&f.Signals, "signals", "", "with --replay: write every signal of our design in every cycle "+
		"to `FILE` as VCD")
	fl.DurationVar(&f.ShrinkTime, "shrink-time", 0, "longest search for the shortest events that still fail, a "+
		"`DURATION` such as 10s; 0 for a minute")
	fl.StringVar(&f.WaveDir, "waves", "", "folder `DIR` for the waveform of a failing window; created if missing")
	fl.StringVar(&f.wavesOf, "waves-of", "", "with --waves: also write the waveform of `EPISODE`, even if it passes: its "+
		"first 2,000 cycles, or with @CYCLE the cycles around it")
	fl.StringVar(&f.pcap, "pcap", "", "write the RTL's output packets to `FILE` as pcap (trimmer, intmd, switchport), "+
		"one ns per cycle")
	fl.DurationVar(&f.Timeout, "timeout", 0, "longest silence of the simulator as a `DURATION`, such as 30s; 0 for the "+
		"default")
	f.out.flags(fl)
	cli.Complete(c, "source", func() []string { return append(a.Groups(f.Block), run.GuidedSource) })
	cli.Complete(c, "case", func() []string { return a.Cases(f.Block) })
	cli.Complete(c, "transport", func() []string { return []string{"unix", "tcp", "shm"} })
	return c
}

// cosim checks everything that can be checked, then runs.
func (a *commands) cosim(cmd *cobra.Command, f *cosimFlags) error {
	a.Reporting = true
	if err := f.out.preflight(f.inputs(), f.others()); err != nil {
		// The error names a report that cannot be written. The other reports must not keep a pass of an earlier run. A file
		// that is not a report may be an input of the command.
		_ = f.out.withdraw(a.App, err)
		return err
	}
	if err := a.SetAside(f.out.files()...); err != nil {
		return err
	}
	runs, err := a.prepare(cmd, f)
	if err != nil {
		return errors.Join(err, f.out.write(a.Stdout, &report.Report{Failure: cli.OneLine(err)}))
	}
	if f.SaveCase != "" && f.SaveCase != f.Replay {
		// A case of an earlier run must not pass for this one's.
		if err := a.SetAside(cli.Output{Flag: "--save-case", Path: f.SaveCase}); err != nil {
			return err
		}
	}
	planned := make([]report.Result, len(runs))
	for i := range runs {
		planned[i] = runs[i].Planned()
	}
	rep := report.Plan(planned)
	if err := f.out.announce(rep); err != nil {
		return err
	}
	runErr := a.captured(f.pcap, runs, func() error { return a.runAll(cmd.Context(), runs, rep, f.out) })
	err = errors.Join(runErr, f.out.write(a.Stdout, rep))
	if err != nil && rep.Verdict().OK() {
		// Reports that could be written must not show a pass for a command that fails.
		rep.Failure = cli.OneLine(err)
		_ = f.out.announce(rep)
		if f.out.printsText() {
			err = errors.Join(err, a.Missing(err))
		}
	}
	v := rep.Verdict()
	if err == nil && !v.OK() && !v.Found() {
		err = fmt.Errorf("%s: %s", v, rep.Reason())
	}
	return cli.Found(v.Found(), err)
}

// prepare checks everything, creates the folders and returns the planned runs.
func (a *commands) prepare(cmd *cobra.Command, f *cosimFlags) ([]run.Config, error) {
	runs, err := a.plan(cmd, f)
	if err != nil {
		return nil, err
	}
	for _, x := range []cli.Output{{Flag: "--waves", Path: f.WaveDir}, {Flag: "--code-coverage", Path: f.CodeCoverage}} {
		if x.Path == "" {
			continue
		}
		if err := os.MkdirAll(x.Path, 0o755); err != nil {
			return nil, fmt.Errorf("%s %s: cannot be created (%w); give another folder", x.Flag, x.Path, err)
		}
	}
	if f.pcap != "" {
		if err := report.Preflight(f.pcap); err != nil {
			return nil, fmt.Errorf("--pcap: %w", err)
		}
	}
	if d := runs[0].Bind; d != nil {
		if err := a.warnings(cmd.Context(), a.Stderr, d); err != nil {
			slog.Debug("warnings of the design", "error", err) // the build reports them in more detail
		}
	}
	return runs, nil
}

// captured runs all and writes the packets of every run to one pcap file; the path "" means none. After an error the
// file holds the packets up to it.
func (a *commands) captured(path string, runs []run.Config, all func() error) error {
	if path == "" {
		return all()
	}
	var runErr error
	err := report.WriteFile(path, func(w io.Writer) error {
		p, err := packet.NewPcap(w)
		if err != nil {
			return err
		}
		var base, last uint64 // each run continues at the time where the previous one ended
		for i := range runs {
			begun := false
			runs[i].Frames = func(f run.Frame) error {
				if !begun {
					begun, base = true, last
				}
				last = base + f.Cycle
				return p.Write(f.Bytes, int64(last))
			}
		}
		runErr = all()
		return nil
	})
	if err != nil {
		err = fmt.Errorf("--pcap: %w", err)
	}
	return errors.Join(runErr, err)
}

// plan returns one configuration per source and seed, each checked.
func (a *commands) plan(cmd *cobra.Command, f *cosimFlags) ([]run.Config, error) {
	changed := cmd.Flags().Changed
	// An empty value, for example from an unset variable in a script, would drop something that was asked for.
	for _, name := range []string{"corpus", "episode", "waves", "waves-of", "pcap", "save-case", "replay", "signals",
		"rtl", "dut", "against", "golden", "expect", "code-coverage", "code-exclusions", "json", "junit", "html"} {
		if changed(name) && cmd.Flag(name).Value.String() == "" {
			return nil, fmt.Errorf("--%s: it is empty; give a value, or leave it out", name)
		}
	}
	design, err := a.binding(f, changed)
	if err != nil {
		return nil, err
	}
	own := design.SchemaOnly()
	if !own {
		if err := a.CheckBlock(f.Block); err != nil {
			return nil, err
		}
	}
	refer, err := a.reference(f, design, changed)
	if err != nil {
		return nil, err
	}
	if f.Case = strings.TrimPrefix(f.Case, cli.Directed+"/"); f.Case == "" && changed("case") {
		return nil, errors.New("--case: it names no case; goldwire list cases shows all")
	}
	if f.Case != "" {
		if !changed("source") {
			f.sources = []string{cli.Directed}
		}
		if err := a.CheckCase(f.Block, f.Case); err != nil {
			return nil, err
		}
	}
	if changed("seed") && changed("seeds") {
		return nil, errors.New("--seed and --seeds: both given; keep one")
	}
	seeds := []uint64{f.Seed}
	saved, err := a.savedCase(f, changed)
	if err != nil {
		return nil, err
	}
	if saved != nil {
		seeds = []uint64{saved.Seed}
	}
	if changed("seeds") {
		if seeds, err = cli.ParseSeeds(f.seeds); err != nil {
			return nil, err
		}
	}
	if len(seeds) > 1 && slices.Contains(f.sources, run.GuidedSource) {
		return nil, fmt.Errorf("--seeds %s: a corpus has its own seeds, so source %s would play the same events %d times; "+
			"give one seed", f.seeds, run.GuidedSource, len(seeds))
	}
	switch {
	case f.events == 0:
		return nil, errors.New("--events 0: a run without events compares nothing; give 1 or more")
	case f.Timeout < 0:
		return nil, fmt.Errorf("--timeout %s: give a length of time above 0, or 0 for the default", f.Timeout)
	case f.ShrinkTime < 0:
		return nil, fmt.Errorf("--shrink-time %s: give a length of time above 0, 0 for the default, or --no-shrink",
			f.ShrinkTime)
	}
	tick, err := cli.ParseTick(f.tick)
	params := cli.Read(&err, cli.ParseParams, f.params)
	if err != nil {
		return nil, err
	}
	if saved != nil && design == nil && len(params) == 0 {
		params = saved.Params
	}
	for flag, episode := range map[string]string{"--episode": f.Episode, "--waves-of": f.wavesOf} {
		if episode != "" && (len(f.sources) > 1 || len(seeds) > 1) {
			return nil, fmt.Errorf("%s: needs one source and one seed; give one of each", flag)
		}
	}
	shown, cycle, err := wavesOf(f.wavesOf)
	if err != nil {
		return nil, err
	}
	root, err := a.Repository()
	if err != nil {
		return nil, err
	}
	var out []run.Config
	for i, source := range f.sources {
		if slices.Contains(f.sources[:i], source) {
			return nil, fmt.Errorf("--source: %s is given twice; keep one, or give other --seeds", source)
		}
		if err := a.checkSourceOf(f, own, source); err != nil {
			return nil, err
		}
		for _, p := range a.parts(f, changed, source, seeds, params) {
			c := f.Config
			c.Root, c.BuiltIn, c.Source, c.Events, c.Seed, c.TickPs = root, a.Design, source, p.events, p.seed, tick
			c.Params, c.Case, c.WavesOf, c.WavesAt = p.params, p.oneCase, shown, cycle
			c.Bind, c.Against, c.Program = design, refer, a.Program
			if f.pcap != "" {
				c.Frames = func(run.Frame) error { return nil } // checked here; the file is opened after all checks
			}
			if err := a.Validate(&c); err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("--source: none given; goldwire list sources shows all")
	}
	return out, nil
}

// wavesOf splits an episode and a cycle, as in random/3@1200.
func wavesOf(text string) (episode string, cycle uint64, err error) {
	episode, at, found := strings.Cut(text, "@")
	if found {
		if cycle, err = strconv.ParseUint(at, 10, 64); err != nil || cycle == 0 {
			return "", 0, fmt.Errorf("--waves-of %s: %q is not a cycle; give a number above 0, or leave out @", text, at)
		}
	}
	if found && episode == "" {
		return "", 0, fmt.Errorf("--waves-of %s: names no episode; reports list them", text)
	}
	return episode, cycle, nil
}

// runAll plays the runs in order and prints each entry of the report when it is settled. It stops at the first error,
// which becomes the reason of the runs after it.
func (a *commands) runAll(ctx context.Context, runs []run.Config, rep *report.Report, out outputs) error {
	text := out.printsText()
	done, stop := a.runEach(ctx, runs, rep, out)
	if stop != nil {
		rep.Stop(whyNotBegun(ctx, min(done+1, len(runs)), len(runs), stop))
		if text {
			if err := report.WriteNotBegun(a.Stdout, rep); err != nil {
				return errors.Join(stop, err)
			}
		}
	}
	if text && len(runs) > 1 {
		stop = errors.Join(stop, report.WriteTotal(a.Stdout, rep))
	}
	return stop
}

// whyNotBegun returns the reason of the runs after the one in which the command ended.
func whyNotBegun(ctx context.Context, in, all int, stop error) string {
	if ctx.Err() != nil {
		return fmt.Sprintf("not begun: the command was interrupted in run %d of %d", in, all)
	}
	return fmt.Sprintf("not begun: the command ended with run %d of %d: %s", in, all, cli.OneLine(stop))
}

// runEach returns the number of finished runs, and the error that ended the command.
func (a *commands) runEach(ctx context.Context, runs []run.Config, rep *report.Report, out outputs) (int, error) {
	text := out.printsText()
	for i := range runs {
		if ctx.Err() != nil {
			return i, interrupted(ctx, i, len(runs))
		}
		c := runs[i]
		label := fmt.Sprintf("%s %s seed %d%s", c.Block, c.Source, c.Seed, sizeOf(&c))
		if len(runs) > 1 {
			label = fmt.Sprintf("[%d/%d] %s", i+1, len(runs), label)
		}
		p := report.NewProgress(a.Stderr, label)
		c.Progress, c.Say = p.Update, p.Say
		early := &foundEarly{commands: a, out: out, rep: rep, at: i}
		c.Found = func(res *report.Result) { p.Close(); early.found(res) }
		res, err := a.Run(ctx, c)
		p.Close()
		err = errors.Join(err, early.err)
		if res != nil {
			// A run without a device must never be a PASS.
			res.ModelOnly = res.ModelOnly || c.ModelOnly
		} else if err == nil {
			err = fmt.Errorf("%s: the run gave no result", label)
		}
		rep.Settle(i, res, err, ctx.Err() != nil)
		switch x := &rep.Results[i]; {
		case text && early.printed:
			if werr := report.WriteSearch(a.Stdout, x, early.note); werr != nil {
				return i, errors.Join(err, werr)
			}
		case text:
			if werr := a.print(x, len(runs)); werr != nil {
				return i, errors.Join(err, werr)
			}
		}
		if err != nil && ctx.Err() != nil {
			err = interrupted(ctx, i, len(runs))
		}
		if err != nil {
			return i, err
		}
	}
	return len(runs), nil
}

// print prints one line for a run that passed among several, and everything for any other run.
func (a *commands) print(res *report.Result, runs int) error {
	if runs > 1 && res.Verdict().OK() {
		return report.WriteLine(a.Stdout, res)
	}
	return report.WriteResult(a.Stdout, res)
}

func interrupted(ctx context.Context, done, all int) error {
	what := fmt.Sprintf("%d of %s finished; those are reported; repeat the command for the rest", done,
		report.Plural(uint64(all), "run"))
	if done == 0 {
		what = "no run finished; repeat the command"
	}
	return fmt.Errorf("interrupted (%w): %s", context.Cause(ctx), what)
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/effect"
	telemetry "github.com/goldwire/goldwire/cosim/precision/diff/intmd"
	reader "github.com/goldwire/goldwire/golden/telemetry"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

type diffFlags struct {
	block              string
	source, tick, mode string
	rtt                int64
	events             cli.Count
	seed               uint64
	params             []string
	formats            string
	format             []string
	flips              int
	against            string
	causes, shrink     bool
	loop               loopFlags
}

// diffReports are the flags of diff run that name report files.
var diffReports = []string{"json", "html", "junit", "csv", "markdown"}

func newDiff(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "diff",
		Short: "measure what fixed point costs",
		Long: `diff measures what fixed point costs: the rules of ccc run on the same events in fixed
point, in float64 and in exact numbers, from one text of the rules. For intmd it
measures what a sender reads from telemetry (diff run --block intmd), for credit what
the fraction bits of a pacer's rate do to a network (diff run --block credit --loop).`,
		Example: `  goldwire diff run --source fabric:incast32
  goldwire diff run --source random --format alpha=UQ16.14
  goldwire diff compare cosim/precision/diff/testdata/ccc.json contract`,
	}, newDiffRun(a), newDiffSave(a), newDiffCompare(a), newDiffAccept(a), newDiffWordlen(a),
		newDiffBench(a))
}

func newDiffRun(a *app) *cobra.Command {
	f := &diffFlags{events: 100_000}
	c := &cobra.Command{
		Use:   "run",
		Short: "compare fixed point, float64 and exact numbers on the same events",
		Long: `run plays a source of ccc in three arithmetics: fixed point at the formats of a table,
float64, and exact numbers. It prints the error of every value, how much of each format
was used, and every decision on which they differ, with its distance from the threshold
and the arithmetic that the exact numbers confirm. The errors of one step are also split
by cause: the rules' own roundings, constants that became registers, times that became
ticks. Exact numbers judge every flip by repeating the event from the state in fixed
point.

In mode step every event starts from the state in fixed point, which shows the cost of
one event. In mode free each arithmetic keeps its own state, which shows how errors add
up.

The formats are those of the contract (goldwire schema show ccc --formats), with which
fixed point is also compared with the cycle-true model. --formats and --format replace
some of them: a narrower register, one fraction bit less, another rounding. Whatever is
not given after the format stays unchanged.

--loop simulates a network instead of a source: its senders run in float64, in fixed
point, and in fixed point at other formats if any are given, with the same seeds. It
prints the mean differences of completion times, of the largest queue and of
retransmissions with their 95 % confidence intervals and, if an interval includes 0, the
smallest difference that this many seeds would show.

--block intmd, the telemetry of a switch, compares what senders read: the rules of HPCC
and FNCC follow the entries in the packets that the model puts out, and exact telemetry
in parallel. It prints the error of every field of an entry, of the rate, utilisation
and window that follow from it, and the flipped decisions, and checks every error
against a bound that follows from the formats. At the contract's formats the entries
must equal the model's, bit for bit.

--block credit, the receiver's pacer of credit, needs --loop: the network's receivers
pace by the exact rate of their links, by the contract's format of the gap between two
pulls, and by formats with fewer fraction bits, or the one that --format GAP=... gives.
Senders run rccc, unless cc is another with credit. It also prints the error of the rate
by link and format, and the differences of credits and trims. The pacers follow the rules
without a clock; rccc-fixed of goldwire fabric run has the block's.

Exit codes: 0 measured; 1 fixed point at the contract's formats differs from the model,
a flip has no cause, or an error of intmd exceeds its bound; 2 called wrongly,
interrupted, nothing was compared, or a number outgrew 128 bits; with --loop also fewer
than two seeds, or seeds that change nothing.`,
		Example: `  # what the contract's formats cost
  goldwire diff run --source fabric:incast32 --events 100k

  # alpha with two fraction bits fewer, and a coarser average that rounds to nearest
  goldwire diff run --source random --format alpha=UQ16.14 --format avg_delay=UQ32.12,nearest-even

  # a table of your own, figures for a script
  goldwire diff run --source fabric:permutation --formats narrow.yaml --json out.json

  # what the telemetry of a switch costs its readers, and with 4 bits fewer for the queue
  goldwire diff run --block intmd --source fabric:permutation
  goldwire diff run --block intmd --source fabric:permutation --format qLen=UQ12.0

  # what the fraction bits of a pacer's rate cost
  goldwire diff run --block credit --loop fattree128/incast32 --seeds 1..5

  # what the table of your own does to the completion times of an incast
  goldwire diff run --loop fattree128/incast32 --seeds 1..10 --formats narrow.yaml`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			if err := cmp.Or(f.blockConflicts(given), f.loop.conflicts(given)); err != nil {
				return err
			}
			if f.block == telemetry.Block {
				return a.diffTelemetry(cmd, f)
			}
			if f.loop.preset != "" {
				return a.diffLoop(cmd, f)
			}
			return a.diffRun(cmd, f)
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&f.block, "block", diffBlocks()[0], "`NAME` of the block: "+anyDiffBlock())
	cli.Complete(c, "block", diffBlocks)
	fl.Int64Var(&f.rtt, "rtt", reader.DefaultSpec().RTT, "of intmd: base round trip of the senders, `NS`")
	fl.StringVar(&f.source, "source", "fabric:incast32", "`NAME` of the events' source: directed, random, fabric:...")
	fl.Var(&f.events, "events", "number of events, `N`, with k or M; directed cases are always played whole")
	fl.Uint64Var(&f.seed, "seed", 1, "seed `K` of the source")
	fl.StringVar(&f.tick, "tick", "1ns", "length of a time tick, `1ns|128ns`")
	fl.StringArrayVar(&f.params, "param", nil, "parameter of the block, `Name=N`; may be repeated")
	fl.StringVar(&f.mode, "mode", "both", "where each event starts: `step|free|both`")
	fl.StringVar(&f.formats, "formats", "",
		"`FILE` with formats in place of the contract's, as vectors/event/BLOCK/formats.yaml")
	fl.StringArrayVar(&f.format, "format", nil,
		"one format: `NAME=UQm.n|SQm.n[,rounding][,saturate|wrap]`; may be repeated")
	fl.StringVar(&f.against, "against", string(diff.Exact), "what fixed point is compared with: `exact|float64`; "+
		"float64 alone is faster")
	fl.BoolVar(&f.causes, "causes", true, "split the errors of one step by cause")
	fl.BoolVar(&f.shrink, "shrink", false, "look for a short list of events that cost cwnd as much as the worst event")
	fl.IntVar(&f.flips, "flips", 20, "list at most `N` flipped decisions of each mode")
	fl.String("json", "", "write the figures as JSON to `FILE` (- for stdout, in place of the tables)")
	fl.String("html", "", "write a page with tables and histograms to `FILE`")
	fl.String("junit", "", "write JUnit XML to `FILE`")
	fl.String("csv", "", "write every signal and decision as CSV to `FILE`")
	fl.String("markdown", "", "write the tables for a pull request to `FILE`")
	f.loop.add(c)
	return c
}

// formatTable returns the contract's formats, some of them replaced by the flags.
func (f *diffFlags) formatTable() (*formats.Table, error) {
	t, err := formatsOf(cmp.Or(f.block, diffBlocks()[0]))
	if err != nil {
		return nil, err
	}
	if f.formats != "" {
		text, err := os.ReadFile(f.formats)
		if err != nil {
			return nil, fmt.Errorf("--formats: %w", err)
		}
		if err := t.Overlay(text); err != nil {
			return nil, fmt.Errorf("--formats %s: %w", f.formats, err)
		}
	}
	seen := map[string]bool{}
	for _, s := range f.format {
		name, spec, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--format %q: give NAME=FORMAT, such as alpha=UQ16.14", s)
		}
		if err := t.Set(name, spec); err != nil {
			return nil, fmt.Errorf("--format %q: %w", s, err)
		}
		v, _ := t.Lookup(name)
		if seen[v.Name] {
			return nil, fmt.Errorf("--format %s: given twice; keep one", v.Name)
		}
		seen[v.Name] = true
	}
	return t, nil
}

func (a *app) diffRun(cmd *cobra.Command, f *diffFlags) error {
	spec := diff.Spec{Source: f.source, Seed: f.seed, Events: int(f.events), Flips: f.flips,
		Against: diff.Reference(f.against), NoCauses: !f.causes, Shrink: f.shrink}
	var err error
	spec.Table = cli.Read(&err, (*diffFlags).formatTable, f)
	spec.Params = cli.Read(&err, cli.ParseParams, f.params)
	spec.TickNs = cli.Read(&err, cli.TickNs, f.tick)
	spec.Modes = cli.Read(&err, diffModes, f.mode)
	switch {
	case err != nil:
		return err
	case spec.Against != diff.Exact && spec.Against != diff.Float64:
		return fmt.Errorf("--against %q: give exact or float64", f.against)
	case f.shrink && (spec.Against != diff.Exact || !slices.Contains(spec.Modes, diff.Step)):
		return errors.New("--shrink: it needs the errors of one step against exact; leave out --mode free and " +
			"--against float64")
	}
	files, err := a.takeFiles(cmd, f)
	if err != nil {
		return err
	}
	res, err := diff.Run(cmd.Context(), spec)
	if res == nil {
		return err
	}
	return a.diffReport(files, res, err)
}

// diffBlocks are the blocks that diff run measures. The other commands of diff measure only the first.
func diffBlocks() []string { return []string{diff.Block(), telemetry.Block, effect.PacerBlock()} }

// anyDiffBlock lists them in a sentence.
func anyDiffBlock() string {
	all := diffBlocks()
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// blockConflicts refuses flags that have no effect on the block.
func (f *diffFlags) blockConflicts(given func(string) bool) error {
	why := "has no effect on block " + f.block + "; leave it out"
	switch all := diffBlocks(); f.block {
	case all[0]:
		return cli.Refuse(given, why, "rtt")
	case telemetry.Block:
		return cli.Refuse(given, why, "tick", "loop", "seeds", "set", "against", "causes", "shrink", "junit", "csv",
			"markdown")
	case effect.PacerBlock():
		if !given("loop") {
			return fmt.Errorf("--block %s: give --loop PRESET too: its formats are measured in a network", f.block)
		}
		return cli.Refuse(given, why, "rtt", "tick")
	default:
		return fmt.Errorf("--block %q: give %s", f.block, anyDiffBlock())
	}
}

// diffTelemetry measures what the formats of intmd cost.
func (a *app) diffTelemetry(cmd *cobra.Command, f *diffFlags) error {
	spec := telemetry.Spec{Source: f.source, Seed: f.seed, Events: int(f.events), Flips: f.flips,
		Reader: reader.DefaultSpec()}
	spec.Reader.RTT = f.rtt
	if err := spec.Reader.Validate(); err != nil {
		return fmt.Errorf("--rtt: %w", err)
	}
	var err error
	spec.Table = cli.Read(&err, (*diffFlags).formatTable, f)
	spec.Params = cli.Read(&err, cli.ParseParams, f.params)
	spec.Modes = cli.Read(&err, diffModes, f.mode)
	if err != nil {
		return err
	}
	files, err := a.takeFiles(cmd, f)
	if err != nil {
		return err
	}
	res, err := telemetry.Run(cmd.Context(), spec)
	if res == nil {
		return err
	}
	return a.telemetryReport(files, res, err)
}

// diffModes returns the modes that --mode names.
func diffModes(mode string) ([]diff.Mode, error) {
	switch mode {
	case "both":
		return diff.Modes, nil
	case string(diff.Step), string(diff.Free):
		return []diff.Mode{diff.Mode(mode)}, nil
	}
	return nil, fmt.Errorf("--mode %q: give step, free or both", mode)
}

// takeFiles checks the remaining flags and takes the report files.
func (a *app) takeFiles(cmd *cobra.Command, f *diffFlags) ([]cli.Output, error) {
	switch {
	case f.events == 0 || f.events > 1e9:
		return nil, errors.New("--events: give 1 to 1000M")
	case f.flips < 0:
		return nil, errors.New("--flips: give 0 or more")
	}
	files := cli.Files(cmd, diffReports...)
	if err := cli.Distinct(cli.Files(cmd, "formats"), files); err != nil {
		return nil, err
	}
	return files, a.Take(files...)
}

// diffReport writes the reports of a run that ended with err, which may be nil. A difference between fixed point and
// the model stays exit code 1, whatever fails later.
func (a *app) diffReport(files []cli.Output, res *diff.Result, err error) error {
	return cli.Found(res.Failed(), errors.Join(err, a.WriteReports(files, res.WriteText, cli.JSON(res), res.WriteHTML,
		res.WriteJUnit, res.WriteCSV, res.WriteMarkdown)))
}

// telemetryReport is diffReport for intmd.
func (a *app) telemetryReport(files []cli.Output, res *telemetry.Result, err error) error {
	err = errors.Join(err, a.WriteReports(files, res.WriteText, res.WriteJSON, res.WriteHTML))
	return cli.Found(res.Failed(), err)
}

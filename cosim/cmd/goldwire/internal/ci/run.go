package ci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
)

type runFlags struct {
	stage, night, dir string
	slots             int
	fresh, retry      bool
	json, campaign    string
	good              string
	reports           reportFlags
	changed           changedFlags
}

func (f *runFlags) flags(c *cobra.Command) {
	stageFlags(c, &f.stage, &f.night)
	fl := c.Flags()
	fl.IntVar(&f.slots, "slots", 0, "runs in parallel, `N`, each on one core (default: one per core)")
	fl.StringVar(&f.dir, "dir", "", "folder `DIR` for records, logs and waves (default: build/ci/STAGE)")
	fl.BoolVar(&f.fresh, "fresh", false, "start over if a campaign was stopped before its end")
	fl.BoolVar(&f.retry, "retry", false, "repeat runs that ended in an error of the harness")
	goodFlag(c, &f.good)
	fl.StringVar(&f.json, "json", "", "write the summary as JSON to `FILE` (- for stdout, in place of the text)")
	f.reports.flags(fl)
	f.changed.flags(fl)
	campaignFlag(c, &f.campaign)
}

// campaignFlag is --campaign, the campaign that a command was planned for.
func campaignFlag(c *cobra.Command, campaign *string) {
	c.Flags().StringVar(campaign, "campaign", "", "refuse any campaign other than `FINGERPRINT`, as printed by emit")
}

// errCampaign returns the error for a campaign other than the planned one.
func errCampaign(is, planned string) error {
	return fmt.Errorf("--campaign %s: the campaign is %s: the program, the plan, the stage, the night, hdl/ or a file "+
		"that a command reads has changed since it was planned; restore it, or plan again", planned, is)
}

func newRun(a *app) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run [PLAN]",
		Short: "run a stage on this machine",
		Long: `run runs a stage of a plan, longest runs first, each in its own process on its own core.
Each run leaves one record, written whole or not at all: when run is stopped, the same
command continues with the runs that have none. A run that fails is repeated with waves
and a search for the shortest events; if the second answer differs, that is an error of
the harness. --retry repeats the runs that ended in an error, except those that gave two
answers.

With --good the shortest events of a failure are played on the failing design and on one
that passes, and every signal of both is compared in every cycle. The first signal that
differs names the bucket in goldwire ci triage, because that is where the fault acts.

A closed stage passes only if its runs together hit every bin and played every case of
every testpoint, with our designs at their default sizes.

A campaign has one program, one state of hdl/ and of the files that its commands name,
and one list of runs; if one of them changes, it starts over. A dut.yaml includes its
folder and all files that its design names or includes, wherever they are. A run is
repeated if one of these files was written while it ran.

With --changed-since and --history only those runs are run that the change since REV can
affect, or that have not passed in the campaign of DIR. The others are taken over from
it and counted separately, with a fingerprint of the files that can affect them. The
campaign of DIR must be of REV, by a goldwire built from it, with the same tools. If
not, or if git cannot read the files, everything is run.

Exit codes: 0 all planned runs passed, or were taken over; 1 one failed; 2 otherwise.`,
		Example: `  goldwire ci run --stage smoke
  goldwire ci run --stage pull --changed-since origin/main --history build/ci/main
  goldwire ci run --stage nightly --night 2026-11-22 --slots 2`,
		Args: cli.Args("PLAN", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.runPart(cmd, f, args, 1, 1) },
	}
	f.flags(c)
	return c
}

func newShard(a *app) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "shard I/N [PLAN]",
		Short: "run the I-th of N parts of a stage, for merge",
		Long: `shard runs every N-th run of a stage, as run does. Give all shards the same --night and
each its own --dir; merge combines their records.

Exit codes: 0 all runs of the shard passed; 1 one failed; 2 otherwise.`,
		Example: `  goldwire ci shard 1/2 --stage nightly --night 2026-11-22 --dir build/ci/a
  goldwire ci shard 2/2 --stage nightly --night 2026-11-22 --dir build/ci/b
  goldwire ci merge build/ci/a build/ci/b --dir build/ci/all`,
		Args: cli.Args("I/N", 1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			i, n, err := parseShard(args[0])
			if err != nil {
				return err
			}
			return a.runPart(cmd, f, args[1:], i, n)
		},
	}
	f.flags(c)
	return c
}

func parseShard(s string) (i, n int, err error) {
	x, y, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(x)
	n, errN := strconv.Atoi(y)
	if !ok || errI != nil || errN != nil {
		return 0, 0, fmt.Errorf("shard %q: give I/N, such as 1/4", s)
	}
	return i, n, nil
}

// runPart runs shard i of n of a stage.
func (a *app) runPart(cmd *cobra.Command, f *runFlags, args []string, i, n int) error {
	f.night = tonight(f.night)
	if f.slots < 0 {
		return fmt.Errorf("--slots %d: give a number above 0", f.slots)
	}
	if f.slots == 0 {
		f.slots = max(1, len(campaign.Cores()))
	}
	root, head, err := a.head(cmd.Context(), args, f.stage, f.night)
	if err != nil {
		return err
	}
	if f.dir == "" {
		f.dir = filepath.Join(a.Outputs(root), "build", "ci", f.stage)
		if n > 1 {
			f.dir += fmt.Sprintf(".%d-of-%d", i, n)
		}
	}
	if !report.SameFile(".", root) { // the runs are started in root
		if f.dir, err = filepath.Abs(f.dir); err != nil {
			return err
		}
	}
	if f.campaign != "" && f.campaign != head.Fingerprint {
		return errCampaign(head.Fingerprint, f.campaign)
	}
	part, err := campaign.Shard(head, i, n)
	if err != nil {
		return err
	}
	if len(part) == 0 {
		return fmt.Errorf("shard %d/%d: the stage has only %s, none for this shard; give at most %d shards", i, n,
			report.Plural(uint64(len(head.Runs)), "run"), len(head.Runs))
	}
	if f.changed.history != "" && report.SameFile(f.changed.history, f.dir) {
		return fmt.Errorf("--history and --dir: both name %s, which the campaign would clear; give two folders", f.dir)
	}
	if f.changed.since != "" {
		if _, err := a.Checkout("--changed-since"); err != nil {
			return err
		}
	}
	taken, err := a.taken(cmd.Context(), &f.changed, root, head)
	if err != nil {
		return err
	}
	good, err := a.goodDesign(cmd.Context(), f.good)
	if err != nil {
		return err
	}
	out, err := a.take(f)
	if err != nil {
		return err
	}
	progress := report.NewProgress(a.Stderr, "stage "+f.stage).Of("runs")
	sum, err := campaign.Run(cmd.Context(), campaign.Config{Root: root, Program: ownFile(), Dir: f.dir, Head: head,
		Part: part, Slots: f.slots, Fresh: f.fresh, Retry: f.retry, Taken: taken, Good: good,
		Progress: func(done, of int) { progress.Update(uint64(done), uint64(of)) },
		Note:     func(line string) { fmt.Fprintln(a.Stderr, line) }})
	progress.Close()
	return a.end(sum, out, a.writeReports(&f.reports, sum, head, err))
}

// ownFile returns the file of this program. It stays the same file when the program is rebuilt.
func ownFile() string { return fmt.Sprintf("/proc/%d/exe", os.Getpid()) }

// head returns the campaign of a stage of the plan that the arguments name, run by this program. It refuses a plan with
// faults.
func (a *app) head(ctx context.Context, args []string, stage, night string) (root string, head *campaign.Head,
	err error) {
	root, p, err := a.plan(args)
	if err != nil {
		return "", nil, err
	}
	runs, err := p.Runs(stage, night)
	if err != nil {
		return "", nil, err
	}
	cat, err := a.catalogue(root)
	if err != nil {
		return "", nil, err
	}
	if _, found := plan.Check(p, cat); len(found) > 0 {
		return "", nil, fmt.Errorf("the plan has %s, the first: %s; see goldwire ci plan check",
			report.Plural(uint64(len(found)), "fault"), found[0])
	}
	if head, err = campaign.NewHead(root, ownFile(), stage, night, runs, p.Goals(stage)); err != nil {
		return "", nil, err
	}
	head.Built, head.Tools = a.Revision, tools(ctx)
	return root, head, nil
}

// end prints a summary and returns the error that the command ends with.
func (a *app) end(sum *campaign.Summary, out cli.Output, err error) error {
	if sum == nil {
		return err
	}
	if err != nil && sum.Verdict == campaign.Passed { // it ended early, or its records were not written
		sum.Verdict = campaign.Error
	}
	e := out.Write(a.Stdout, cli.JSON(sum))
	if e != nil && sum.Verdict == campaign.Passed {
		sum.Verdict = campaign.Error // a summary that could not be written is not a pass
	}
	if out.Path != "-" {
		e = errors.Join(e, sum.WriteText(a.Stdout), a.Missing(e))
	}
	if err == nil {
		err = e
	}
	return verdict(sum, err)
}

// verdict returns the error of a command that has shown a summary.
func verdict(sum *campaign.Summary, err error) error {
	if open := sum.Lacking(); err == nil && open > 0 && sum.Passed+sum.TakenOver == sum.Planned {
		err = fmt.Errorf("every run passed, but %d of %d testpoints of this closed stage are open; see them above",
			open, len(sum.Testpoints))
	}
	if err == nil && sum.Verdict == campaign.Error {
		err = fmt.Errorf("%d of %d planned runs did not pass or fail: %d errors, %d missing", sum.Errors+sum.Missing,
			sum.Planned, sum.Errors, sum.Missing)
	}
	return cli.Found(sum.Failed > 0, err)
}

func newMerge(a *app) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "put the records of the shards of a stage together",
		Long: `merge combines the records of folders that shard wrote and reports on all planned runs;
runs without a record are missing. A folder without a campaign belongs to a shard that
never began. Folders of different campaigns are refused. A run whose record is damaged,
or whose two records disagree, is an error; a difference recorded in one folder counts
even if something broke in another.

Exit codes: 0 all planned runs passed; 1 one failed; 2 otherwise.`,
		Example: `  goldwire ci merge build/ci/a build/ci/b --dir build/ci/all --json all.json`,
		Args:    cli.Args("DIR", 1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			if f.dir == "" {
				return fmt.Errorf("--dir: no folder given; name one for the merged records")
			}
			out, err := a.take(f)
			if err != nil {
				return err
			}
			if f.campaign != "" { // before anything is written
				sum, err := campaign.Gather(args)
				if err == nil && f.campaign != sum.Fingerprint {
					err = errCampaign(sum.Fingerprint, f.campaign)
				}
				if err != nil {
					return err
				}
			}
			sum, err := campaign.Merge(f.dir, args)
			return a.end(sum, out, a.reportMerged(f, sum, err))
		},
	}
	fl := cli.Ordered(c)
	fl.StringVar(&f.dir, "dir", "", "folder `DIR` for the merged records")
	fl.StringVar(&f.json, "json", "", "write the summary as JSON to `FILE` (- for stdout, in place of the text)")
	f.reports.flags(fl)
	campaignFlag(c, &f.campaign)
	return c
}

package ci

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/slurm"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
)

type shardsFlags struct {
	stage, night, dir, program string
	shards, slots              int
	retry, json                bool
	good                       string
	options                    slurm.Options
}

func (f *shardsFlags) flags(c *cobra.Command) {
	stageFlags(c, &f.stage, &f.night)
	fl := c.Flags()
	fl.IntVar(&f.shards, "shards", 2, "parts of the stage, `N`")
	fl.IntVar(&f.slots, "slots", 1, "runs of a shard in parallel, `N`, each on one core")
	fl.StringVar(&f.dir, "dir", "", "folder `DIR` for all files written, shared by all machines")
	fl.BoolVar(&f.retry, "retry", false, "repeat runs that ended in an error of the harness")
	goodFlag(c, &f.good)
}

func (f *shardsFlags) spec(ctx context.Context, a *app, args []string) (*slurm.Spec, error) {
	if f.dir == "" {
		return nil, fmt.Errorf("--dir: no folder given; name one that all machines share, such as build/ci/night")
	}
	f.night = tonight(f.night)
	root, head, err := a.head(ctx, args, f.stage, f.night)
	if err != nil {
		return nil, err
	}
	s := &slurm.Spec{Program: f.program, Root: root, Dir: f.dir, Head: head, Shards: f.shards, Slots: f.slots,
		Retry: f.retry}
	if len(args) > 0 {
		s.Plan = args[0]
	}
	good, err := a.goodDesign(ctx, f.good)
	if err != nil {
		return nil, err
	}
	if good != nil {
		s.Good = good.RTL // in a folder that all machines share
	}
	if s.Program == "" {
		if s.Program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	for _, p := range []*string{&s.Root, &s.Plan, &s.Dir, &s.Program} {
		if *p == "" {
			continue
		}
		if *p, err = filepath.Abs(*p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func newEmit(a *app) *cobra.Command {
	f := &shardsFlags{}
	c := &cobra.Command{
		Use:   "emit [PLAN]",
		Short: "print the commands that run a stage in shards, for any workflow engine",
		Long: `emit prints a command for each shard of a stage and the one that merges them, and runs
nothing. The commands of the shards may run in any order, in parallel, and again if they
were stopped. Run the merge when all have ended, however they ended: runs that no shard
recorded are missing. Each command refuses to run if the program, the plan or hdl/
differ from those that emit read.`,
		Example: `  goldwire ci emit --stage nightly --shards 8 --night 2026-11-22 --dir build/ci/night
  goldwire ci emit --stage nightly --shards 8 --night 2026-11-22 --dir build/ci/night --json`,
		Args: cli.Args("PLAN", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.spec(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			w, err := slurm.NewWorkflow(s)
			if err != nil {
				return err
			}
			if f.json {
				return report.EncodeJSON(a.Stdout, w)
			}
			for _, x := range w.Shards {
				fmt.Fprintln(a.Stdout, report.CommandLine(x.Command))
			}
			fmt.Fprintln(a.Stdout, report.CommandLine(w.Merge.Command))
			return nil
		},
	}
	f.flags(c)
	c.Flags().StringVar(&f.program, "program", "", "goldwire `FILE` in the commands (default: this program)")
	c.Flags().BoolVar(&f.json, "json", false, "print them as JSON, with folders, run names and result files")
	return c
}

func newSubmit(a *app) *cobra.Command {
	f := &shardsFlags{}
	c := &cobra.Command{
		Use:   "submit [PLAN]",
		Short: "run a stage on a Slurm cluster: one array of shards, one merge",
		Long: `submit creates one array of jobs for all shards of a stage and one job that merges them
when the last has ended, however it ended: two calls of sbatch, neither of which waits.
It needs no accounting. Repository and DIR must be on a file system that all nodes
share. The jobs run a copy of this program, and refuse to run if the plan or hdl/ are
edited before they begin: submit from a work tree that does not change.

The same command again, when all its jobs have ended, submits the shards that lack a
record. Limits of the jobs are those of the cluster or of --sbatch-arg, which also
applies to the merge.

Exit codes: 0 submitted; 2 otherwise.`,
		Example: `  goldwire ci submit --stage nightly --shards 64 --dir /shared/night
  goldwire ci submit --stage nightly --shards 64 --dir /shared/night --at-once 16 --sbatch-arg --mem=8G
  goldwire ci status --dir /shared/night`,
		Args: cli.Args("PLAN", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.spec(cmd.Context(), a, args)
			if err != nil {
				return err
			}
			sub, err := slurm.Submit(cmd.Context(), *s, ownFile(), f.options)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "submitted  stage %s, night %s: %s in %s\n  array     %s (%s)\n  merge     %s\n"+
				"  state     goldwire ci status --dir %s\n  results   %s\n", sub.Stage, sub.Night,
				report.Plural(uint64(sub.Planned), "run"), report.Plural(uint64(sub.Shards), "shard"), sub.Array,
				report.Plural(uint64(len(sub.Submitted)), "job"), sub.Merge, report.CommandLine([]string{s.Dir}),
				filepath.Join(s.Dir, "summary.json"))
			return err
		},
	}
	f.flags(c)
	fl := c.Flags()
	fl.IntVar(&f.options.AtOnce, "at-once", 0, "shards that may run in parallel, `M` (default: no limit)")
	fl.StringArrayVar(&f.options.Args, "sbatch-arg", nil,
		"long `OPTION` of sbatch, such as --partition=long; may be repeated")
	return c
}

func newStatus(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "status",
		Short: "show the state of a stage on a Slurm cluster",
		Long: `status reads the records of all runs that were submitted into DIR. It lists the missing
ones with their cause, from Slurm, the job's log and, where it works, accounting:
killed, out of memory, timed out, cancelled, node lost. The outcome of a run comes only
from its record. Slurm is asked for all jobs at once.

Exit codes: 0 all planned runs passed; 1 one failed; 2 otherwise, also while jobs are in
progress.`,
		Example: `  goldwire ci status --dir /shared/night
  goldwire ci status --dir /shared/night --json state.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return fmt.Errorf("--dir: no folder given; name the folder that was given to submit")
			}
			files := cli.Files(cmd, "json")
			if err := a.Take(files...); err != nil {
				return err
			}
			st, err := slurm.ReadStatus(cmd.Context(), dir)
			if err != nil {
				return err
			}
			if err = a.WriteReports(files, st.WriteText, cli.JSON(st)); err == nil {
				err = st.Open()
			}
			return verdict(st.Summary, err)
		},
	}
	cli.Ordered(c).StringVar(&dir, "dir", "", "folder `DIR` of the submission")
	c.Flags().String("json", "", "write the state as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

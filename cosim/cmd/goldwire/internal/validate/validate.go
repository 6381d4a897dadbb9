// Package validate is goldwire fabric validate, which runs the experiments of the sources and judges them by their
// claims.
package validate

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/experimentreport"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/experiment"
)

// command holds the values of the flags.
type command struct {
	*cli.App

	full, list bool
	jobs       int
	seeds      string
}

// New returns the command.
func New(shared *cli.App) *cobra.Command {
	f := &command{App: shared}
	c := &cobra.Command{
		Use:   "validate [ID ...]",
		Short: "run the experiments of the sources and judge them by their claims",
		Long: `validate simulates experiments of the papers that the congestion controls come from, and
compares its measurements with their claims, one line per check. Each experiment runs
once per seed, and its variants get the same flows; four long ones take only the first
three seeds unless --full is given, as --list shows. Without an ID it runs all.

Exit codes: 0 every check passes; 1 a check fails that is not weak; 2 an experiment
could not be run, a check measured nothing, or an order of two values differs by less
than its standard error.`,
		Example: `  goldwire fabric validate --list
  goldwire fabric validate 000/fairness 000/qa_gate
  goldwire fabric validate --seeds 1..10 --html build/experiments.html`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var out []string
			for _, e := range experiment.All() {
				out = append(out, e.ID)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	fl := cli.Ordered(c)
	fl.BoolVar(&f.list, "list", false, "show the experiments with their claims and set-ups, and run nothing")
	fl.BoolVar(&f.full, "full", false, "run at the published scale instead of the smallest that shows the effect")
	fl.IntVar(&f.jobs, "jobs", 2, "simulations in parallel, `N`")
	fl.StringVar(&f.seeds, "seeds", "1..5", "one run per seed: a range `A..B`, both ends included, or a list 1,5,9")
	fl.String("json", "", "write the results as JSON to `FILE` (- for stdout, in place of the table)")
	fl.String("html", "", "write claims, checks and figures as one self-contained page to `FILE`")
	fl.String("markdown", "", "write the checks as Markdown to `FILE`, with revision and machine")
	return c
}

func (f *command) run(cmd *cobra.Command, ids []string) error {
	rows, err := experiment.Find(ids)
	if err != nil {
		return err
	}
	if f.list {
		for _, flag := range []string{"full", "jobs", "seeds", "json", "html", "markdown"} {
			if cmd.Flags().Changed(flag) {
				return fmt.Errorf("--%s: has no effect with --list; leave one out", flag)
			}
		}
		return listExperiments(f.Stdout, rows)
	}
	seeds, err := cli.ParseSeeds(f.seeds)
	if err != nil {
		return err
	}
	if f.jobs < 1 {
		return fmt.Errorf("--jobs %d: give 1 or more", f.jobs)
	}
	root, _ := f.Repository() // only the revision in --markdown comes from it
	out := cli.Files(cmd, "json", "html", "markdown")
	doc := f.Measure(out[2].Path, root)
	if err := f.Take(out...); err != nil {
		return err
	}
	bar := report.NewProgress(f.Stderr, "experiments").Of("runs")
	begin := time.Now()
	all, ended := experiment.Run(cmd.Context(), rows, experiment.Conditions{Seeds: seeds, Full: f.full, Jobs: f.jobs,
		Note: func(done, all int, _ string) { bar.Update(uint64(done), uint64(all)) }})
	bar.Close()
	if ended != nil && cmd.Context().Err() != nil {
		ended = fmt.Errorf("interrupted: %w", ended)
	}
	r := &experimentreport.Report{Seeds: seeds, Full: f.full, Elapsed: time.Since(begin), All: all}
	v, why := r.Verdict()
	if ended != nil && v != experimentreport.Fail {
		return ended
	}
	err = errors.Join(ended, f.WriteReports(out, r.WriteText, r.WriteJSON, r.WriteHTML,
		func(w io.Writer) error { return r.WriteMarkdown(w, doc, ended) }))
	switch {
	case v == experimentreport.Fail:
		return cli.Found(true, err)
	case err == nil && v != experimentreport.Pass:
		return fmt.Errorf("%s: %s", v, why)
	}
	return err
}

// listExperiments prints the experiments, what each claims, and its set-up.
func listExperiments(w io.Writer, rows []experiment.Experiment) error {
	for i := range rows {
		e := &rows[i]
		text := e.ID + ": " + e.Title
		text += fmt.Sprintf(" (%s)\n  claim: %s\n  set-up: %s", e.Source, e.Claim, e.Small)
		if e.Full != "" {
			text += "\n  --full: " + e.Full
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

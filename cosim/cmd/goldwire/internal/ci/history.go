package ci

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// historyEnv is the environment variable that names the history file if no flag does.
const historyEnv = "GOLDWIRE_HISTORY"

func dbFlag(c *cobra.Command, db *string) {
	cli.Ordered(c).StringVar(db, "db", "", "history `FILE` (default: "+historyEnv+", else "+history.Default+
		")")
}

// db returns the path of the history file.
func (a *app) db(given string) (string, error) {
	if given = cmp.Or(given, os.Getenv(historyEnv)); given != "" {
		return given, nil
	}
	root, err := a.Repository()
	return filepath.Join(a.Outputs(root), history.Default), err
}

func newRecord(a *app) *cobra.Command {
	var db string
	c := &cobra.Command{
		Use:   "record DIR...",
		Short: "add campaigns to the history",
		Long: `record adds the campaigns in folders that run or merge wrote to the history: outcome,
cost, missed coverage and first difference of every run. It adds all of them or none. A
campaign that is already there is not added again; one with missing runs is refused.

Exit codes: 0 all are in the history; 2 otherwise.`,
		Example: `  goldwire ci record build/ci/smoke
  goldwire ci record build/ci/nightly --db /srv/goldwire/history.db`,
		Args: cli.Args("DIR", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if db, err = a.db(db); err != nil {
				return err
			}
			var all []*campaign.Campaign
			for _, dir := range args {
				x, err := history.Read(dir)
				if err != nil {
					return err
				}
				all = append(all, x)
			}
			d, err := history.Create(db)
			if err != nil {
				return err
			}
			defer d.Close()
			news, err := d.Add(cmd.Context(), all...)
			if err != nil {
				return err
			}
			for i, x := range all {
				s := x.Summary
				fmt.Fprintf(a.Stdout, "%s: stage %s, night %s, %d runs (%d passed, %d failed, %d errors): %s\n", args[i], s.Stage,
					s.Night, s.Planned, s.Passed, s.Failed, s.Errors, news[i])
			}
			return nil
		},
	}
	dbFlag(c, &db)
	return c
}

// past reads the last campaigns of the history.
func (a *app) past(cmd *cobra.Command, db, stage string, last int) (*history.Past, error) {
	if last < 1 {
		return nil, fmt.Errorf("--last %d: give a number above 0", last)
	}
	d, err := history.Open(cmd.Context(), db)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Last(cmd.Context(), stage, last)
}

func newTrends(a *app) *cobra.Command {
	var db, stage string
	var last int
	c := &cobra.Command{
		Use:   "trends",
		Short: "show pass rates, failures, coverage, throughput and cost over campaigns",
		Long: `trends shows the contents of the history: the pass rate of each campaign; failures that
are new, lasting or fixed; coverage with its missing bins by testpoint of our plan;
throughput with its noise band; the cost of tests. The verdict is the worst of the
newest campaigns of the stages.

Exit codes: 0 shown, whatever the verdict; 2 there is no history, or it cannot be read.`,
		Example: `  goldwire ci trends
  goldwire ci trends --stage nightly --html build/trends.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if db, err = a.db(db); err != nil {
				return err
			}
			files := cli.Files(cmd, "html", "json")
			if err := cli.Distinct([]cli.Output{{Flag: "--db", Path: db}}, files); err != nil {
				return err
			}
			_, p, err := a.plan(nil)
			if err != nil {
				return err
			}
			if err := a.Take(files...); err != nil {
				return err
			}
			past, err := a.past(cmd, db, stage, last)
			if err != nil {
				return err
			}
			t := history.NewTrends(past, p.Testpoints)
			return a.WriteReports(files, t.WriteText, t.WriteHTML, cli.JSON(t))
		},
	}
	dbFlag(c, &db)
	c.Flags().StringVar(&stage, "stage", "", "`NAME` of a stage of the plan (default: all)")
	c.Flags().IntVar(&last, "last", 100, "show the last `N` campaigns of each stage")
	c.Flags().String("html", "", "write a page to `FILE`")
	c.Flags().String("json", "", "write them as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

func newRank(a *app) *cobra.Command {
	var db, stage string
	var last int
	c := &cobra.Command{
		Use:   "rank",
		Short: "rank tests by new coverage bins per CPU second",
		Long: `rank shows what each test, with each of its sources, adds to the coverage of a stage:
new bins per CPU second, a small set of tests that hits all bins (chosen greedily, and
always the same for the same history), and the tests that add nothing to it.

Exit codes: 0 shown; 2 there is no history, it cannot be read, or it has no coverage.`,
		Example: `  goldwire ci rank
  goldwire ci rank --stage nightly --json rank.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if db, err = a.db(db); err != nil {
				return err
			}
			files := cli.Files(cmd, "json")
			if err := cli.Distinct([]cli.Output{{Flag: "--db", Path: db}}, files); err != nil {
				return err
			}
			if err := a.Take(files...); err != nil {
				return err
			}
			if stage == "" {
				newest, err := a.past(cmd, db, "", 1)
				if err != nil {
					return err
				}
				stage = newest.Nights[len(newest.Nights)-1].Stage
			}
			past, err := a.past(cmd, db, stage, last)
			if err != nil {
				return err
			}
			r := history.NewRanking(past)
			if len(r.Tests) == 0 {
				return fmt.Errorf("no test of stage %s has coverage; give another one with --stage", stage)
			}
			return a.WriteReports(files, r.WriteText, cli.JSON(r))
		},
	}
	dbFlag(c, &db)
	c.Flags().StringVar(&stage, "stage", "", "`NAME` of a stage of the plan (default: that of the newest campaign)")
	c.Flags().IntVar(&last, "last", 10, "look at the last `N` campaigns of the stage")
	c.Flags().String("json", "", "write the ranking as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

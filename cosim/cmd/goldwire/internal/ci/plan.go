package ci

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/report"
)

func newPlan(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "plan",
		Short: "check a plan, list its rules and runs",
		Long:  `plan shows the contents of a verification plan and what it lacks.`,
		Example: `  goldwire ci plan check
  goldwire ci plan rules ccc
  goldwire ci plan runs --stage nightly`,
	}, newCheck(a), newRules(a), newRuns(a))
}

func newCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check [PLAN]",
		Short: "find rules without a testpoint, bins in none, tests that no stage runs",
		Long: `check compares a plan with the contracts, the coverage, the sources and the cases of the
blocks. Every rule of every contract must have a testpoint, every testpoint a test,
every reachable bin a testpoint and every test a stage. Every name must exist and appear
only once.

Exit codes: 0 nothing found; 1 something found; 2 the plan cannot be read.`,
		Example: `  goldwire ci plan check
  goldwire ci plan check my-plan.yaml`,
		Args: cli.Args("PLAN", 0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			root, p, err := a.plan(args)
			if err != nil {
				return err
			}
			cat, err := a.catalogue(root)
			if err != nil {
				return err
			}
			sum, found := plan.Check(p, cat)
			for _, line := range found {
				fmt.Fprintln(a.Stdout, line)
			}
			verdict := "PASS"
			if len(found) > 0 {
				verdict = "FAIL"
			}
			_, err = fmt.Fprintf(a.Stdout, "%s  %d rules (%d informative) and %d bins in %d testpoints, %d tests, %d stages: "+
				"%s found\n", verdict, sum.Rules, sum.Informative, sum.Bins, sum.Testpoints, sum.Tests, sum.Stages,
				report.Plural(uint64(len(found)), "fault"))
			return cli.Found(len(found) > 0, err)
		},
	}
}

// plan reads the plan that the arguments name, or the project's own plan.
func (a *app) plan(args []string) (root string, p *plan.Plan, err error) {
	if root, err = a.Repository(); err != nil {
		return "", nil, err
	}
	path := filepath.Join(root, plan.Own)
	if len(args) > 0 {
		path = args[0]
	}
	p, err = plan.Load(path)
	return root, p, err
}

// catalogue returns what can be planned in the repository.
func (a *app) catalogue(root string) (*plan.Catalogue, error) {
	c := &plan.Catalogue{Commands: []string{"diff", "fabric", "faults", "golden", "vectors"},
		Transports: []string{"unix", "tcp", "shm"}, Ticks: []string{"1ns", "128ns"},
		File: func(name string) bool { _, err := os.Stat(filepath.Join(root, name)); return err == nil }}
	for _, name := range a.Blocks() {
		text, err := os.ReadFile(contract(root, name))
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", name, err)
		}
		x, err := block.Lookup(name)
		if err != nil {
			return nil, err
		}
		bins := cover.New(x.Coverage, nil).Report().Missed // without a run: all bins that can be hit
		b := plan.Block{Name: name, Contract: string(text), Bins: bins, Sources: a.Groups(name), Cases: a.Cases(name)}
		for _, p := range a.Schema(name).Params {
			b.Params = append(b.Params, p.Name)
		}
		c.Blocks = append(c.Blocks, b)
	}
	return c, nil
}

func newRules(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rules BLOCK",
		Short: "list the names of the rules of a block's contract",
		Long: `rules lists the rules of a contract by the names that testpoints use: its sections,
their numbered steps, and the paragraphs and entries that begin with a name in bold.`,
		Example: `  goldwire ci plan rules ccc`,
		Args:    cli.OneArg("BLOCK"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.CheckBlock(args[0]); err != nil {
				return err
			}
			root, err := a.Repository()
			if err != nil {
				return err
			}
			text, err := os.ReadFile(contract(root, args[0]))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Stdout, strings.Join(plan.Rules(string(text)), "\n"))
			return err
		},
	}
}

func contract(root, block string) string {
	return filepath.Join(root, "vectors", "event", block, "contract.md")
}

func newRuns(a *app) *cobra.Command {
	var stage, night string
	var asJSON bool
	c := &cobra.Command{
		Use:   "runs [PLAN]",
		Short: "list the command lines of a stage",
		Long: `runs lists the runs of a stage as command lines, in the order of the plan; {json} is the
result file. With --json it prints everything that a workflow engine needs to run them:
name, design, limits of time and memory.`,
		Example: `  goldwire ci plan runs --stage smoke`,
		Args:    cli.Args("PLAN", 0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, p, err := a.plan(args)
			if err != nil {
				return err
			}
			runs, err := p.Runs(stage, tonight(night))
			if err != nil {
				return err
			}
			if asJSON {
				return report.EncodeJSON(a.Stdout, runs)
			}
			for _, r := range runs {
				fmt.Fprintln(a.Stdout, "goldwire "+strings.Join(r.Args, " "))
			}
			return nil
		},
	}
	stageFlags(c, &stage, &night)
	c.Flags().BoolVar(&asJSON, "json", false, "print the runs as JSON")
	return c
}

// stageFlags are the flags that choose the runs of a plan.
func stageFlags(c *cobra.Command, stage, night *string) {
	cli.Ordered(c).StringVar(stage, "stage", "smoke", "`NAME` of a stage of the plan")
	c.Flags().StringVar(night, "night", "", "`DATE` or any word that determines drawn seeds (default: today's date, UTC)")
}

// tonight returns the night that the user named, or today's date.
func tonight(night string) string { return cmp.Or(night, time.Now().UTC().Format(time.DateOnly)) }

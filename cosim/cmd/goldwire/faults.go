package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/audit/fault"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
)

type faultFlags struct {
	blocks      []string
	block       string
	id, dir     string
	drawn, jobs int
	seed        uint64
	json, html  string
	markdown    string
	all, check  bool
}

func newFaults(a *app) *cobra.Command {
	f := &faultFlags{}
	c := &cobra.Command{
		Use:   "faults",
		Short: "plant faults in copies of the RTL and count those that are caught",
		Long: `faults plants faults in copies of the RTL, one at a time, and plays stimulus on each
until the comparison finds it: all directed cases, then random events of several seeds,
then the fabric. Use it after a change of RTL or stimulus, to learn how much a passing
cosim proves. hdl/rtl itself is never changed.

Each hand-written fault breaks one rule of the contract; drawn faults come from a seeded
generator over all statements of the block. A fault that nothing finds is listed;
cosim/audit/fault/survivors.yaml explains why each known one is equivalent.

Exit codes: 0 all hand-written and at least 95 % of the drawn faults are caught and each
survivor is explained; 1 otherwise; 2 called wrongly, interrupted, the harness broke, or
no fault was planted.`,
		Example: `  # every block, as make faults does
  goldwire faults --json faults.json

  # another draw
  goldwire faults --block ccc --drawn 400 --seed 7

  # what fault 17 is, and a copy of the RTL that has it
  goldwire faults list --block ccc --drawn 20
  goldwire faults plant --block ccc --fault 17 -o /tmp/rtl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.faults(cmd, f) },
	}
	// Unlike other commands with subcommands, this one can be run itself.
	c.SetUsageTemplate((&cobra.Command{}).UsageTemplate())
	fl := c.Flags()
	fl.SortFlags = false
	fl.StringSliceVar(&f.blocks, "block", nil, "blocks to plant faults in, `NAME[,NAME...]` (default: every block "+
		"with RTL and a catalogue)")
	fl.IntVar(&f.drawn, "drawn", 200, "drawn faults per block, `N`")
	fl.Uint64Var(&f.seed, "seed", 1, "seed `K` of the draw")
	fl.IntVar(&f.jobs, "jobs", 2, "simulations side by side, `N`")
	fl.BoolVar(&f.check, "check", false, "play only what goldwire cosim --source directed,random plays by default")
	fl.BoolVar(&f.all, "all", false, "print every fault with the cycle, the field and the command that reproduces it")
	fl.StringVar(&f.json, "json", "", "write the results as JSON to `FILE` (- for stdout, in place of the summary)")
	fl.StringVar(&f.html, "html", "", "write the results as one self-contained page to `FILE`")
	fl.StringVar(&f.markdown, "markdown", "", "write the counts as Markdown to `FILE`, with revision and machine")
	c.AddCommand(newFaultsList(a), newFaultsPlant(a))
	return c
}

// faults runs one campaign per block.
func (a *app) faults(cmd *cobra.Command, f *faultFlags) error {
	for _, b := range f.blocks {
		if err := a.CheckBlock(b); err != nil {
			return err
		}
	}
	root, err := a.Repository()
	if err != nil {
		return err
	}
	blocks := f.blocks
	if len(blocks) == 0 {
		if blocks, err = a.faultBlocks(root); err != nil {
			return err
		}
	}
	doc := a.Measure(f.markdown, root, "verilator", "c++")
	files := []cli.Output{{Flag: "--json", Path: f.json}, {Flag: "--html", Path: f.html},
		{Flag: "--markdown", Path: f.markdown}}
	if err := a.Take(files...); err != nil {
		return err
	}
	var results []*fault.Result
	ok := true
	for i, b := range blocks {
		spec := fault.DefaultSpec(root, b)
		spec.Drawn, spec.Seed, spec.Jobs, spec.Stimulus = f.drawn, f.seed, f.jobs, a.Stimulus()
		if f.check {
			spec.Plan = fault.CheckPlan(b)
		}
		p := report.NewProgress(a.Stderr, "faults in "+b)
		spec.Progress = p.Update
		var res *fault.Result
		res, err = fault.Run(cmd.Context(), spec)
		p.Close()
		if res != nil {
			results = append(results, res)
			if f.json != "-" {
				err = errors.Join(err, a.faultText(res, f.all))
			}
			ok = ok && (res.OK() || res.Broken != "")
		}
		if err != nil {
			results = append(results, unfinished(blocks[i:], res, f.seed, err)...)
			break
		}
	}
	// Write the results of finished campaigns, whatever failed later.
	err = errors.Join(err, a.WriteReports(files, func(io.Writer) error { return nil },
		func(w io.Writer) error { return fault.WriteJSON(w, results) },
		func(w io.Writer) error { return fault.WriteHTML(w, results) },
		func(w io.Writer) error { return fault.WriteMarkdown(w, doc, results, err) }))
	if !ok || err != nil {
		return cli.Found(!ok, err)
	}
	return fault.Measured(results)
}

// faultText prints the result of a campaign, with each fault if all is set.
func (a *app) faultText(res *fault.Result, all bool) (err error) {
	if all {
		err = fault.WriteVerdicts(a.Stdout, res)
	}
	return errors.Join(err, fault.WriteText(a.Stdout, res))
}

// unfinished returns results for the campaign that broke, which is on the first of the blocks, where it has none, and
// for those on the other blocks, which did not begin.
func unfinished(blocks []string, broke *fault.Result, seed uint64, err error) (out []*fault.Result) {
	why := cli.OneLine(err)
	if broke == nil {
		out = append(out, fault.Unfinished(blocks[0], seed, why))
	}
	for _, b := range blocks[1:] {
		out = append(out, fault.Unfinished(b, seed, "not begun: the command ended in "+blocks[0]+": "+why))
	}
	return out
}

// faultBlocks returns the blocks of a campaign and prints on stderr why it leaves out the others. It errors when there
// is none.
func (a *app) faultBlocks(root string) (out []string, err error) {
	for _, b := range a.Blocks() {
		if err := fault.Ready(root, b); err != nil {
			fmt.Fprintf(a.Stderr, "SKIP  faults in %s: %v\n", b, err)
			continue
		}
		out = append(out, b)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no block under %s has RTL and a catalogue of faults", root)
	}
	return out, nil
}

func newFaultsList(a *app) *cobra.Command {
	f := &faultFlags{}
	c := &cobra.Command{
		Use:   "list",
		Short: "show the faults of a block, by name or number",
		Long: `list shows the faults that faults plants: the hand-written ones with the rule they
break, then the drawn ones by number, with file, line, operator and the text
before and after.`,
		Example: `  goldwire faults list --block txstate
  goldwire faults list --block ccc --drawn 50 --seed 7`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.faultsList(f) },
	}
	fl := c.Flags()
	fl.SortFlags = false
	a.BlockFlag(c, &f.block, "block, its `NAME`")
	fl.IntVar(&f.drawn, "drawn", 200, "drawn faults to list, `N`")
	fl.Uint64Var(&f.seed, "seed", 1, "seed `K` of the draw")
	return c
}

func (a *app) faultsList(f *faultFlags) error {
	d, err := a.design(f.block)
	if err != nil {
		return err
	}
	hand, err := d.Catalog()
	if err != nil {
		return err
	}
	for _, x := range hand {
		if _, err := fmt.Fprintf(a.Stdout, "%s\n    breaks %s: %s\n", x, x.Rule, x.Why); err != nil {
			return err
		}
	}
	if f.drawn < 0 {
		return fmt.Errorf("--drawn %d: give 0 or more", f.drawn)
	}
	drawn := d.Draw(f.seed)
	for _, x := range drawn[:min(f.drawn, len(drawn))] {
		if _, err := fmt.Fprintln(a.Stdout, x); err != nil {
			return err
		}
	}
	return nil
}

func newFaultsPlant(a *app) *cobra.Command {
	f := &faultFlags{}
	c := &cobra.Command{
		Use:   "plant",
		Short: "write a copy of the RTL with one fault",
		Long: `plant writes a copy of hdl/rtl with exactly one fault into a new folder. Use it with
cosim --rtl to see how the fault is caught.`,
		Example: `  goldwire faults plant --block ccc --fault 17 -o /tmp/rtl
  goldwire cosim --block ccc --rtl /tmp/rtl --source directed --waves /tmp/waves`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if f.id == "" || f.dir == "" {
				return errors.New("plant: give --fault and -o; goldwire faults list shows the faults")
			}
			d, err := a.design(f.block)
			if err != nil {
				return err
			}
			x, err := d.Find(f.id, f.seed)
			if err != nil {
				return err
			}
			if err := d.Plant(x, f.dir); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "%s\nis in %s\n", x, f.dir)
			return err
		},
	}
	fl := c.Flags()
	fl.SortFlags = false
	a.BlockFlag(c, &f.block, "block, its `NAME`")
	fl.StringVar(&f.id, "fault", "", "fault, its `NAME` or number (see goldwire faults list)")
	fl.Uint64Var(&f.seed, "seed", 1, "seed `K` of the draw that the number refers to")
	fl.StringVarP(&f.dir, "output", "o", "", "new folder `DIR` for the copy")
	return c
}

// design reads the RTL of a block.
func (a *app) design(block string) (*fault.Design, error) {
	if err := a.CheckBlock(block); err != nil {
		return nil, err
	}
	root, err := a.Repository()
	if err != nil {
		return nil, err
	}
	return fault.Load(root, block)
}

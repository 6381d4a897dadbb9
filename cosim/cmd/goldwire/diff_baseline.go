package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/precision/diff/compare"
)

// stimulusFlags choose what is played and the bounds.
type stimulusFlags struct {
	sources []string
	tick    string
	events  cli.Count
	seed    uint64
	params  []string
	bounds  []string
}

// stimulusNames are the flags that a baseline makes redundant.
var stimulusNames = []string{"source", "events", "seed", "tick", "param"}

func (f *stimulusFlags) add(c *cobra.Command) {
	f.events = 20_000
	fl := cli.Ordered(c)
	fl.StringSliceVar(&f.sources, "source", []string{"random", "fabric:incast32"},
		"`NAMES` of the events' sources, with commas")
	fl.Var(&f.events, "events", "number of events of each source, `N`, with k or M")
	cli.SeedFlag(fl, &f.seed)
	cli.TickFlag(c, &f.tick)
	cli.ParamFlag(fl, &f.params)
	fl.StringArrayVar(&f.bounds, "bound", nil, "largest error against exact numbers with which a changed signal passes, "+
		"`NAME=STEP/FREE` in its unit, one number for both; for a decision, the number of flips; may be repeated")
}

func (f *stimulusFlags) spec() (spec diff.TakeSpec, err error) {
	if f.events == 0 || f.events > 1e9 {
		return spec, errors.New("--events: give 1 to 1000M")
	}
	spec = diff.TakeSpec{Sources: f.sources, Seed: f.seed, Events: int(f.events)}
	spec.Params = cli.Read(&err, cli.ParseParams, f.params)
	spec.TickNs = cli.Read(&err, cli.TickNs, f.tick)
	return spec, err
}

func parseBounds(bounds []string) (map[string]baseline.Bound, error) {
	out := map[string]baseline.Bound{}
	for _, s := range bounds {
		name, value, ok := strings.Cut(s, "=")
		step, free, two := strings.Cut(value, "/")
		if !two {
			free = step
		}
		x, err1 := strconv.ParseFloat(step, 64)
		y, err2 := strconv.ParseFloat(free, 64)
		if !ok || name == "" || err1 != nil || err2 != nil || !(x >= 0) || !(y >= 0) || math.IsInf(x+y, 0) {
			return nil, fmt.Errorf("--bound %q: give NAME=STEP/FREE or NAME=BOTH, numbers of 0 or more, such as cwnd=4/12", s)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("--bound %s: given twice; keep one", name)
		}
		out[name] = baseline.Bound{Step: x, Free: y}
	}
	return out, nil
}

func newDiffSave(a *app) *cobra.Command {
	f, table, out := &stimulusFlags{}, &diffFlags{}, ""
	c := &cobra.Command{
		Use:   "save -o FILE",
		Short: "store what fixed point answers as a baseline for git",
		Long: `save plays sources of ccc and stores a baseline: for each signal and each decision, a
line with a digest of all its numbers and its error against exact numbers. The file is
meant for git; goldwire diff compare compares it with the tree. Bounds of an existing
file are kept; its accepted differences become part of the new baseline.

Exit codes: 0 saved; 1 fixed point at the contract's formats differs from the model, and
nothing is saved; 2 called wrongly, interrupted, or nothing could be compared.`,
		Example: `  goldwire diff save -o ccc.json
  goldwire diff save --source random,fabric:incast32 --events 20k --bound cwnd=4/12 -o ccc.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.diffSave(cmd.Context(), f, table, out) },
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write (- for stdout)")
	f.add(c)
	fl := c.Flags()
	fl.StringVar(&table.formats, "formats", "", "`FILE` with formats in place of the contract's")
	fl.StringArrayVar(&table.format, "format", nil,
		"one format: `NAME=UQm.n|SQm.n[,rounding][,saturate|wrap]`; may be repeated")
	return c
}

func (a *app) diffSave(ctx context.Context, f *stimulusFlags, table *diffFlags, out string) error {
	if err := cli.NeedFile(out); err != nil {
		return err
	}
	if out != "-" && !strings.HasSuffix(out, ".json") {
		return fmt.Errorf("-o %s: give a name that ends in .json, which compare takes for a baseline", out)
	}
	spec, err := f.spec()
	spec.Table = cli.Read(&err, (*diffFlags).formatTable, table)
	bounds := cli.Read(&err, parseBounds, f.bounds)
	if err != nil {
		return err
	}
	var old *baseline.File
	if out != "-" {
		if old, err = compare.Read(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("-o %w; remove it or give another file", err)
		}
	}
	file, err := diff.Take(ctx, spec)
	if err != nil {
		return a.parted(err)
	}
	kept, err := file.SetBounds(bounds, old)
	if err != nil {
		return err
	}
	if err := a.WriteTo(out, file.Write); err != nil {
		return err
	}
	fmt.Fprintf(a.Beside(out), "saved %s: %d signals and decisions of %d sources", out, len(file.Lines),
		len(file.Stimulus))
	if kept > 0 {
		fmt.Fprintf(a.Beside(out), "; %d bounds kept", kept)
	}
	if old != nil && len(old.Accepted) > 0 {
		fmt.Fprintf(a.Beside(out), "; %d accepted differences are part of it now", len(old.Accepted))
	}
	fmt.Fprintln(a.Beside(out))
	return nil
}

// parted turns a difference between fixed point and the model into exit code 1.
func (a *app) parted(err error) error {
	if !errors.Is(err, diff.ErrParted) {
		return err
	}
	fmt.Fprintf(a.Stdout, "FIXED POINT IS NOT THE MODEL\n%v\n", err)
	return cli.ErrMismatch
}

func newDiffCompare(a *app) *cobra.Command {
	f := &stimulusFlags{}
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "compare formats, baselines, vector files and revisions, signal by signal",
		Long: `compare compares two sides on the same stimulus. A side is one of

  contract     fixed point at the contract's formats
  FILE.yaml    a table of formats that replaces some of the contract's
  FILE.json    a baseline of goldwire diff save; it determines the stimulus
  FILE.gwv     a vector file of ccc: its events, and the responses in it
  rev:NAME     a git revision: goldwire is built from it under build/rev; if it has no
               diff save, the responses of its model

Each signal and decision is identical, within bound, beyond bound, or a flip. Without a
bound every change counts as beyond it. A bound limits the error against exact numbers.

Exit codes: 0 no difference, or none beyond its bound that is not accepted; 1 something
is beyond its bound or flipped; 2 called wrongly, interrupted, the sides cannot be
compared, or there was nothing to compare.`,
		Example: `  goldwire diff compare cosim/precision/diff/testdata/ccc.json contract
  goldwire diff compare rev:HEAD~1 contract --markdown build/pr.md
  goldwire diff compare build/ccc.gwv contract
  goldwire diff compare contract narrow.yaml --source fabric:incast32 --events 100k --bound cwnd=8`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff compare: %d sides are given; give two, A and B", len(args))
			}
			return cli.NoneEmpty(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			spec, err := a.compareSpec(cmd, f, args)
			if err != nil {
				return err
			}
			files := cli.Files(cmd, "json", "junit", "csv", "markdown", "html")
			if err := cli.Distinct([]cli.Output{{Flag: "side A", Path: spec.A}, {Flag: "side B", Path: spec.B}},
				files); err != nil {
				return err
			}
			pair, err := compare.Open(cmd.Context(), spec)
			if err != nil {
				return err
			}
			if err := a.Take(files...); err != nil {
				return err
			}
			res, err := pair.Run(cmd.Context())
			if err != nil {
				return a.parted(err)
			}
			// A difference stays exit code 1, whatever fails here.
			return cli.Found(res.Failed(), a.WriteReports(files, res.WriteText, res.WriteJSON, res.WriteJUnit, res.WriteCSV,
				res.WriteMarkdown, res.WriteHTML))
		},
	}
	f.add(c)
	fl := c.Flags()
	fl.String("json", "", "write every row as JSON to `FILE` (- for stdout, in place of the tables)")
	fl.String("junit", "", "write JUnit XML to `FILE`")
	fl.String("csv", "", "write every row as CSV to `FILE`")
	fl.String("markdown", "", "write a summary for a pull request to `FILE`")
	fl.String("html", "", "write a page to `FILE`")
	return c
}

func (a *app) compareSpec(cmd *cobra.Command, f *stimulusFlags, args []string) (*compare.Spec, error) {
	spec := &compare.Spec{A: args[0], B: args[1]}
	var err error
	spec.Stimulus = cli.Read(&err, (*stimulusFlags).spec, f)
	spec.Bounds = cli.Read(&err, parseBounds, f.bounds)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(spec.A, "rev:") || strings.HasPrefix(spec.B, "rev:") {
		if spec.Root, err = a.Checkout("rev:REV"); err != nil {
			return nil, err
		}
	}
	for _, name := range stimulusNames {
		if cmd.Flags().Changed(name) {
			spec.Own = append(spec.Own, "--"+name)
		}
	}
	return spec, nil
}

func newDiffAccept(a *app) *cobra.Command {
	reason, with := "", ""
	c := &cobra.Command{
		Use:   "accept FILE --reason TEXT",
		Short: "accept the differences that a baseline shows",
		Long: `accept compares a baseline with the tree and adds everything that flipped or is beyond
its bound to the accepted differences in the file, with who (from git config), when and
why. They no longer fail a comparison as long as they stay unchanged.

Exit codes: 0 accepted; 1 fixed point at the contract's formats differs from the model;
2 called wrongly, interrupted, the sides cannot be compared, or there is no difference.`,
		Example: `  goldwire diff accept ccc.json --reason "alpha has two fraction bits fewer since revision B of the block"`,
		Args:    cli.OneArg("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return errors.New("--reason: none given; give one for later readers of the file")
			}
			if !strings.HasSuffix(args[0], ".json") {
				return fmt.Errorf("%s: give a baseline, FILE.json", args[0])
			}
			who, err := author(cmd.Context())
			if err != nil {
				return err
			}
			res, err := compare.Run(cmd.Context(), &compare.Spec{A: args[0], B: with})
			if err != nil {
				return a.parted(err)
			}
			file, n, err := res.Accept(who, time.Now().UTC().Format(time.DateOnly), reason)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if err := a.WriteTo(args[0], file.Write); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "accepted %d differences in %s\n", n, args[0])
			return nil
		},
	}
	cli.Ordered(c).StringVar(&reason, "reason", "", "why the differences are right, `TEXT`")
	c.Flags().StringVar(&with, "with", compare.Contract, "the other `SIDE`: contract or a table of formats")
	return c
}

// author returns the user's name and address from git.
func author(ctx context.Context) (string, error) {
	get := func(key string) string {
		out, err := exec.CommandContext(ctx, "git", "config", key).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	name, mail := get("user.name"), get("user.email")
	if name == "" && mail == "" {
		return "", errors.New("git config: user.name is not set; set it, because the file records who accepted")
	}
	if mail == "" {
		return name, nil
	}
	return strings.TrimSpace(name + " <" + mail + ">"), nil
}

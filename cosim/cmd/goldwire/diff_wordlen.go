package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/precision/diff/wordlen"
)

type wordlenFlags struct {
	sources               []string
	seeds, heldOut        string
	events                cli.Count
	tick, mode            string
	params, values, bound []string
	flips, integers       string
	guard                 int
	cells                 bool
}

func newDiffWordlen(a *app) *cobra.Command {
	f := &wordlenFlags{events: 50_000}
	c := &cobra.Command{
		Use:   "wordlen",
		Short: "search the narrowest formats that keep bounds on the error",
		Long: `wordlen searches formats of ccc that cost the fewest bits and keep bounds on the error
against exact numbers. Integer bits come from ranges: those seen in the sources plus a
guard bit, or a bound of the contract if that is smaller; the report names which.
Fraction bits come from the minimum that each value needs alone, followed by a greedy
search that plays each table on every source and seed.

The cost of a table is the number of bits of the state of one context and of the
registers of one profile, plus, for each product and division, the bits of both operands
and the result. The winner is confirmed on seeds that the search has not seen; a table
that fails there is listed, and the next one is tried. -o writes the winner for diff run
--formats. A value that no response depends on keeps its format, because these events
cannot judge it.

--cells counts, with Yosys, the gates of the multipliers and dividers of the contract,
the winner and each table of the front. The count serves to compare tables; it is not an
area.

Exit codes: 0 found; 2 called wrongly, interrupted, nothing was evaluated, the
contract's own formats do not keep the bounds, or --cells is given and Yosys is missing.`,
		Example: `  # the defaults: all values with fraction bits, cwnd within 64 bytes, 10 events in 10,000
  goldwire diff wordlen -o narrow.yaml --html front.html

  # two values over a range of fraction bits, on one source
  goldwire diff wordlen --source fabric:incast32 --values ALPHA=4..16,GAMMA --error cwnd=100 --flips 5-per-10k`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.diffWordlen(cmd, f) },
	}
	fl := cli.Ordered(c)
	fl.StringArrayVar(&f.sources, "source", []string{"fabric:incast32", "fabric:permutation"},
		"`NAME` of a source of events; may be repeated")
	fl.StringVar(&f.seeds, "seeds", "1..2", "seeds of the search, `A..B` or a list")
	fl.StringVar(&f.heldOut, "held-out", "101..103", "seeds that confirm the winner, `A..B` or a list")
	fl.Var(&f.events, "events", "number of events of each source and seed, `N`, with k or M")
	fl.StringVar(&f.tick, "tick", "1ns", "length of a time tick, `1ns|128ns`")
	fl.StringArrayVar(&f.params, "param", nil, "parameter of the block, `Name=N`; may be repeated")
	fl.StringVar(&f.mode, "mode", "free", "where each event starts: `free|step|both`, as for diff run")
	fl.StringSliceVar(&f.values, "values", nil,
		"values to search, `NAME[=LO..HI],...` with the fraction bits to try (default: all values with fraction bits)")
	fl.StringSliceVar(&f.bound, "error", []string{"cwnd=64"},
		"largest error of a value of the state, `NAME=X` in its unit")
	fl.StringVar(&f.flips, "flips", "10", "events that may be decided differently, `N[-per-10k]` in 10,000")
	fl.StringVar(&f.integers, "integers", string(wordlen.Observed), "where integer bits come from: `observed|proven`")
	fl.IntVar(&f.guard, "guard", 1, "`N` integer bits above the observed ones")
	fl.BoolVar(&f.cells, "cells", false, "count the cells of multipliers and dividers with Yosys")
	fl.StringP("output", "o", "", "write the winner's formats to `FILE`, for diff run --formats")
	fl.String("json", "", "write the result as JSON to `FILE` (- for stdout, in place of the tables)")
	fl.String("html", "", "write a page with tables and figures to `FILE`")
	return c
}

// parseRange reads NAME or NAME=LO..HI.
func parseRange(s string) (wordlen.Range, error) {
	name, ends, given := strings.Cut(s, "=")
	r := wordlen.Range{Name: strings.TrimSpace(name), Hi: -1}
	bad := fmt.Errorf("--values %q: give NAME or NAME=LO..HI with numbers of fraction bits, such as ALPHA=4..16", s)
	if r.Name == "" {
		return r, bad
	}
	if !given {
		return r, nil
	}
	lo, hi, ok := strings.Cut(ends, "..")
	a, err1 := strconv.Atoi(strings.TrimSpace(lo))
	b, err2 := strconv.Atoi(strings.TrimSpace(hi))
	if !ok || err1 != nil || err2 != nil || a < 0 || b < a {
		return r, bad
	}
	r.Lo, r.Hi = a, b
	return r, nil
}

// spec returns the search that the flags describe.
func (f *wordlenFlags) spec() (spec wordlen.Spec, err error) {
	spec = wordlen.Spec{Sources: f.sources, Events: int(f.events), Integers: wordlen.Origin(f.integers), Guard: f.guard}
	switch {
	case f.events == 0 || f.events > 1e8:
		return spec, errors.New("--events: give 1 to 100M")
	case f.integers != string(wordlen.Observed) && f.integers != string(wordlen.Proven):
		return spec, fmt.Errorf("--integers %q: give observed or proven", f.integers)
	}
	spec.Modes = cli.Read(&err, diffModes, f.mode)
	spec.Seeds = cli.Read(&err, cli.ParseSeeds, f.seeds)
	if err != nil {
		return spec, err
	}
	if spec.HeldOut, err = cli.ParseSeeds(f.heldOut); err != nil {
		return spec, fmt.Errorf("--held-out: %w", err)
	}
	spec.Params = cli.Read(&err, cli.ParseParams, f.params)
	spec.TickNs = cli.Read(&err, cli.TickNs, f.tick)
	if err != nil {
		return spec, err
	}
	if spec.Flips, err = strconv.ParseFloat(strings.TrimSuffix(f.flips, "-per-10k"), 64); err != nil {
		return spec, fmt.Errorf("--flips %q: give a number of events in 10,000, such as 5 or 5-per-10k", f.flips)
	}
	for _, s := range f.bound {
		name, x, _ := strings.Cut(s, "=")
		n, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return spec, fmt.Errorf("--error %q: give NAME=X, such as cwnd=64", s)
		}
		spec.Errors = append(spec.Errors, wordlen.Bound{Name: name, Max: n})
	}
	spec.Values = wordlen.Defaults()
	if f.values != nil {
		spec.Values = nil
	}
	for _, s := range f.values {
		spec.Values = append(spec.Values, cli.Read(&err, parseRange, s))
	}
	return spec, err
}

func (a *app) diffWordlen(cmd *cobra.Command, f *wordlenFlags) error {
	spec, err := f.spec()
	if err != nil {
		return err
	}
	files := cli.Files(cmd, "output", "json", "html")
	if err := a.Take(files...); err != nil {
		return err
	}
	if f.cells {
		if spec.Cells, err = wordlen.FindYosys(cmd.Context()); err != nil {
			return err
		}
	}
	res, err := wordlen.Run(cmd.Context(), spec)
	if err != nil {
		return err
	}
	return a.WriteReports(files, res.WriteText, res.WriteYAML, cli.JSON(res), res.WriteHTML)
}

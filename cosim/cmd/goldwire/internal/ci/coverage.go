package ci

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/cover/codecov"
)

func newCoverage(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:     "coverage",
		Short:   "merge the code coverage of runs",
		Long:    `coverage works with the files that goldwire cosim --code-coverage writes.`,
		Example: `  goldwire ci coverage merge build/coverage/*.dat --lcov build/rtl.info`,
	}, newCoverageMerge(a))
}

func newCoverageMerge(a *app) *cobra.Command {
	var exclusions string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "add the code coverage of runs and show it by file and instance",
		Long: `merge adds the counts of runs and prints lines, branches and toggles of each file and
each instance. The counts equal those of verilator_coverage --write. All files of a
block must be of one build: the same RTL, parameters and tools, in one or several work
trees. Paths are relative to the root of the repository: run genhtml there.

Exit codes: 0 merged; 2 a file is missing, damaged or of another build, or an exclusion
is stale: it matches nothing, or the run hit what it leaves out.`,
		Example: `  goldwire ci coverage merge build/coverage/*.dat --lcov build/rtl.info --json build/rtl.json
  goldwire ci coverage merge build/coverage/*.dat --exclusions hdl/rtl/exclusions.yaml`,
		Args: cli.Args("FILE", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			outs := cli.Files(cmd, "lcov", "json", "data")
			var given []cli.Output
			for _, path := range args {
				given = append(given, cli.Output{Flag: "FILE", Path: path})
			}
			// A file given twice would count twice, whatever its names.
			err := errors.Join(cli.Distinct(nil, given), cli.Distinct(given, outs))
			if err != nil {
				return err
			}
			if err := a.Take(outs...); err != nil {
				return err
			}
			root := ""
			if exclusions != "" {
				if root, err = a.Repository(); err != nil {
					return err
				}
			}
			all, excluded, err := merged(args, root, exclusions)
			if err != nil {
				return err
			}
			view, err := codecov.NewView(all, excluded)
			if err != nil {
				return err
			}
			for i, render := range []func(io.Writer) error{
				func(w io.Writer) error { return codecov.LCOV(w, all, excluded) },
				cli.JSON(view),
				all.Write,
			} {
				if err := outs[i].Write(a.Stdout, render); err != nil {
					return err
				}
			}
			return view.Text(a.Stdout)
		},
	}
	fl := cli.Ordered(c)
	fl.String("lcov", "", "write lines and branches to `FILE` for lcov and genhtml")
	fl.String("json", "", "write all numbers and what was missed as JSON to `FILE`")
	fl.String("data", "", "write the merged coverage to `FILE`, which can be merged again")
	fl.StringVar(&exclusions, "exclusions", "", "leave out what `FILE` lists, with reasons")
	return c
}

// merged returns the sum of files, and what the exclusions leave out of it.
func merged(paths []string, root, exclusions string) (*codecov.File, map[string]bool, error) {
	var files []*codecov.File
	for _, path := range paths {
		f, err := codecov.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		if len(f.Builds) == 0 {
			return nil, nil, fmt.Errorf("coverage %s: no build named; give files of goldwire cosim --code-coverage", path)
		}
		files = append(files, f)
	}
	all, err := codecov.Merge(files...)
	if err != nil || exclusions == "" {
		return all, nil, err
	}
	x, err := codecov.LoadExclusions(root, exclusions)
	if err != nil {
		return nil, nil, err
	}
	excluded, err := x.Apply(all)
	return all, excluded, err
}

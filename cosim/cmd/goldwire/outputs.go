package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim/report"
)

// outputs are the report files of a run. A JSON path of "-" is stdout, and takes
// the place of the text summary.
type outputs struct{ json, junit, html string }

func (o *outputs) flags(fl *pflag.FlagSet) {
	fl.StringVar(&o.json, "json", "", "write the results as JSON to `FILE` (- for stdout, in place of the summary)")
	fl.StringVar(&o.junit, "junit", "", "write the results as JUnit XML to `FILE`, for CI")
	fl.StringVar(&o.html, "html", "", "write the results as one self-contained page to `FILE`")
}

func (o *outputs) printsText() bool { return o.json != "-" }

type output struct {
	flag, path string
	render     func(io.Writer, *report.Report) error
}

func (o *outputs) all() (out []output) {
	for _, x := range []output{{"--json", o.json, report.WriteJSON}, {"--junit", o.junit, report.WriteJUnit},
		{"--html", o.html, report.WriteHTML}} {
		if x.path != "" {
			out = append(out, x)
		}
	}
	return out
}

// preflight errors when a report could not be written, before hours are spent.
func (o *outputs) preflight() error {
	seen := map[string]string{}
	for _, x := range o.all() {
		if x.path == "-" {
			if x.flag != "--json" {
				return fmt.Errorf("%s -: only --json can go to stdout; give a file", x.flag)
			}
			continue
		}
		abs, err := filepath.Abs(x.path)
		if err != nil {
			return fmt.Errorf("%s %s: %w", x.flag, x.path, err)
		}
		if other := seen[abs]; other != "" {
			return fmt.Errorf("%s and %s: both name %s; give two files", other, x.flag, x.path)
		}
		seen[abs] = x.flag
		if err := report.Preflight(x.path); err != nil {
			return fmt.Errorf("%s: %w", x.flag, err)
		}
	}
	return nil
}

// announce writes the report of the plan to every file, so that a command that is killed leaves no report of a
// run before it. Pipes and devices get the last report only.
func (o *outputs) announce(rep *report.Report) error {
	var errs []error
	for _, x := range o.all() {
		if x.path == "-" || report.Streams(x.path) {
			continue
		}
		if err := report.WriteFile(x.path, func(w io.Writer) error { return x.render(w, rep) }); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", x.flag, err))
		}
	}
	return errors.Join(errs...)
}

// write writes every report, also when one before it failed.
func (o *outputs) write(stdout io.Writer, rep *report.Report) error {
	var errs []error
	for _, x := range o.all() {
		render := func(w io.Writer) error { return x.render(w, rep) }
		if x.path == "-" {
			errs = append(errs, render(stdout))
		} else if err := report.WriteFile(x.path, render); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", x.flag, err))
		}
	}
	return errors.Join(errs...)
}

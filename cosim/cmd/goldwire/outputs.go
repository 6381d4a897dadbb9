package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
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

// preflight errors when a report could not be written, before hours are spent, or would be written over another file of
// the command.
func (o *outputs) preflight(others ...output) error {
	seen := map[string]string{}
	for _, x := range others {
		if x.path != "" {
			seen[whole(x.path)] = x.flag
		}
	}
	for _, x := range o.all() {
		if x.path == "-" {
			if x.flag != "--json" {
				return fmt.Errorf("%s -: only --json can go to stdout; give a file", x.flag)
			}
			continue
		}
		abs := whole(x.path)
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

// whole returns a path from the root, links followed, so that one file has one.
func whole(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // of a file to come
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
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

// looksLikeReport finds what every form of our reports has and other files hardly do.
var looksLikeReport = regexp.MustCompile(`"verdict":|<testsuites\b|<div class="verdict `)

// old returns the outputs whose files are there and are reports of a run before.
func (o *outputs) old() *outputs {
	kept := func(path string) string {
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			return ""
		}
		if text, err := os.ReadFile(path); err != nil || !looksLikeReport.Match(text) {
			return ""
		}
		return path
	}
	return &outputs{kept(o.json), kept(o.junit), kept(o.html)}
}

// withdraw replaces the reports that the arguments of a command name and that are there by ones with its error. The
// arguments need not make sense: a file that is no report is left alone.
func withdraw(root *cobra.Command, args []string, failure error) error {
	c, rest, err := root.Find(args)
	if err != nil || c.Name() != "cosim" {
		return nil
	}
	var o outputs
	for i, arg := range rest {
		name, value, given := strings.Cut(arg, "=")
		if !given && i+1 < len(rest) {
			value = rest[i+1]
		}
		if path := map[string]*string{"--json": &o.json, "--junit": &o.junit, "--html": &o.html}[name]; path != nil {
			*path = value
			// Of a flag given twice, each.
			if err := o.old().announce(&report.Report{Failure: cli.OneLine(failure)}); err != nil {
				return err
			}
		}
	}
	return nil
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

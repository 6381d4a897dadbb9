package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/cosim/report"
)

// Output is a result file that a flag names. The path "" means none, "-" means stdout.
type Output struct{ Flag, Path string }

// Preflight errors if the file cannot be written, before anything is measured or run.
func (o Output) Preflight() error {
	if o.Path == "" || o.Path == "-" {
		return nil
	}
	if err := report.Preflight(o.Path); err != nil {
		return fmt.Errorf("%s: %w", o.Flag, err)
	}
	return nil
}

// Write writes the file, whole or not at all.
func (o Output) Write(stdout io.Writer, render func(io.Writer) error) error {
	switch o.Path {
	case "":
		return nil
	case "-":
		return render(stdout)
	}
	if err := report.WriteFile(o.Path, render); err != nil {
		return fmt.Errorf("%s: %w", o.Flag, err)
	}
	return nil
}

// Take errors if a file cannot be written, or is named twice, and removes what an earlier run left in them: if this run
// ended early, that would pass for its result. From then on the command itself is responsible for its reports.
func (a *App) Take(files ...Output) error {
	if err := Distinct(nil, files); err != nil {
		return err
	}
	for _, x := range files {
		if err := x.Preflight(); err != nil {
			return err
		}
	}
	a.Reporting = true
	var errs []error
	for _, x := range files {
		errs = append(errs, x.clear())
	}
	return errors.Join(errs...)
}

// clear removes the file. It leaves pipes and devices alone.
func (o Output) clear() error {
	st, err := os.Stat(o.Path)
	if o.Path == "" || o.Path == "-" || err != nil || !st.Mode().IsRegular() {
		return nil
	}
	if err := os.Remove(whole(o.Path)); err != nil {
		return fmt.Errorf("%s: %w", o.Flag, err)
	}
	return nil
}

// looksLikeResult recognises our results by text that other files hardly contain: reports of cosim, pages, and the JSON
// of golden replay, golden step, faults, fabric run, diff run and diff wordlen; job summaries and annotations of
// campaigns.
var looksLikeResult = regexp.MustCompile(
	`"verdict":|<testsuites\b|<div class="verdict |"action_mismatches":|"drawn_percent":|"fct_us":|"unused_top_bits":|` +
		`"state_bits":|"expectations":|"paired_differences":|### goldwire diff compare|` +
		`,accepted_by,accepted_when|"adds_nothing":|### goldwire [A-Z]+: stage |^::error file=`)

// Old reports whether the file exists and is a result of an earlier run.
func (o Output) Old() bool {
	st, err := os.Stat(o.Path)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(o.Path)
	return err == nil && looksLikeResult.Match(text)
}

// Results returns the files that a command's arguments give to flags. The arguments need not be valid: of a flag given
// twice, both values count.
func Results(args []string, flags ...string) (out []Output) {
	for i, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		if !given && i+1 < len(args) {
			value = args[i+1]
		}
		if slices.Contains(flags, name) && value != "" {
			out = append(out, Output{name, value})
		}
	}
	return out
}

// resultFlags are the flags that name result files, in commands in which they take a value.
var resultFlags = []string{"json", "junit", "html", "csv", "markdown", "annotations"}

// Withdraw removes earlier results that the arguments name, for a command that ended before it took its outputs. It
// leaves files that are not results alone.
func Withdraw(c *cobra.Command, args []string) error {
	var flags []string
	for _, name := range resultFlags {
		if f := c.Flags().Lookup(name); f != nil && f.Value.Type() == "string" {
			flags = append(flags, "--"+name)
		}
	}
	var errs []error
	for _, x := range Results(args, flags...) {
		if x.Old() {
			errs = append(errs, x.clear())
		}
	}
	return errors.Join(errs...)
}

// Distinct errors if a file to write is also read or written otherwise by the command, under whatever path, or if an
// output other than --json would go to stdout.
func Distinct(others, files []Output) error {
	seen := map[string]string{}
	for _, x := range others {
		if x.Path != "" {
			seen[whole(x.Path)] = x.Flag
		}
	}
	for _, x := range files {
		switch {
		case x.Path == "" || x.Path == "-" && x.Flag == "--json":
			continue
		case x.Path == "-":
			return fmt.Errorf("%s -: only --json can go to stdout; give a file", x.Flag)
		}
		if other := seen[whole(x.Path)]; other != "" {
			return fmt.Errorf("%s and %s: both name %s; give two files", other, x.Flag, x.Path)
		}
		seen[whole(x.Path)] = x.Flag
	}
	return nil
}

// whole returns the absolute path with links resolved, so that each file has one path.
func whole(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil { // for a file that does not exist yet
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

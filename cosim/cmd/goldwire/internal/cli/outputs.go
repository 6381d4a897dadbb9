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

// Files returns the result files that string flags of a command name.
func Files(c *cobra.Command, flags ...string) (out []Output) {
	for _, name := range flags {
		out = append(out, Output{"--" + name, c.Flag(name).Value.String()})
	}
	return out
}

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

// looksLikeResult recognises our results by text that other files hardly contain: reports of cosim, pages, and the JSON
// of golden replay, golden step, faults, fabric run, diff run and diff wordlen; job summaries and annotations of
// campaigns; their buckets, bisections and coverage.
var looksLikeResult = regexp.MustCompile(
	`"verdict":|<testsuites\b|<div class="verdict |"action_mismatches":|"drawn_percent":|"fct_us":|"unused_top_bits":|` +
		`"state_bits":|"expectations":|"paired_differences":|### goldwire diff compare|` +
		`,accepted_by,accepted_when|"adds_nothing":|### goldwire [A-Z]+: stage |^::error file=|"buckets":|"first_bad":|` +
		"\"instances\":|^TN:|^Measured by `")

// looksLikeStimulus recognises the beginning of our vector files and corpora. Only -o may name one: to any other flag
// it is an input, named by mistake.
var looksLikeStimulus = regexp.MustCompile(`^.GWV|(?m:^case guided/)`)

// Old reports whether the file exists and is a result of an earlier run.
func (o Output) Old() bool {
	st, err := os.Stat(o.Path)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	if o.Flag == "--annotations" && st.Size() == 0 {
		return true // of a campaign that passed
	}
	if o.Flag == "-o" || o.Flag == "--output" {
		f, err := os.Open(o.Path)
		if err != nil {
			return false
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, 1<<16)) // vector files are large
		if err == nil && looksLikeStimulus.Match(text) {
			return true
		}
	}
	text, err := os.ReadFile(o.Path)
	return err == nil && looksLikeResult.Match(text)
}

// resultFlags are the flags that name a result file in the commands in which they take a value.
var resultFlags = []string{"json", "junit", "html", "csv", "markdown", "annotations", "lcov"}

// Results returns the result files that a command's arguments name. The arguments need not be valid: of a flag given
// twice, both values count. more are flags in addition to those that most commands have.
func Results(c *cobra.Command, args []string, more ...string) (out []Output) {
	flags := slices.Clone(more)
	for _, name := range resultFlags {
		if f := c.Flags().Lookup(name); f != nil && f.Value.Type() == "string" {
			flags = append(flags, "--"+name)
		}
	}
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

// Distinct errors if a file to write is also read or written otherwise by the command, under whatever path, if one is
// where an earlier result of another would be kept, or if an output other than --json would go to stdout.
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
	for _, x := range files {
		if x.Path == "" || x.Path == "-" {
			continue
		}
		if other := seen[whole(x.Path)+earlierSuffix]; other != "" {
			return fmt.Errorf("%s: %s%s is where an earlier result of %s is kept; give another file", other, x.Path,
				earlierSuffix, x.Flag)
		}
	}
	return nil
}

// whole returns the absolute path with links resolved, so that each file has one path, even before it exists.
func whole(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	for range 40 { // as many links as Linux follows
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// WriteReports writes the result files, each with its renderer, then the text to stdout unless a file goes there. If a
// file cannot be written, that is the last line on stdout: the text ends with a verdict, which would pass for all.
func (a *App) WriteReports(files []Output, text func(io.Writer) error, renderers ...func(io.Writer) error) error {
	var missing error
	quiet := false
	for i, render := range renderers {
		quiet = quiet || files[i].Path == "-"
		missing = errors.Join(missing, files[i].Write(a.Stdout, render))
	}
	if quiet {
		return missing
	}
	return errors.Join(missing, text(a.Stdout), a.Missing(missing))
}

// Missing prints the error of a report on stdout, after a verdict.
func (a *App) Missing(err error) error {
	if err == nil {
		return nil
	}
	_, err = fmt.Fprintf(a.Stdout, "ERROR  a report is missing: %s\n", OneLine(err))
	return err
}

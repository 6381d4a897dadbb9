package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// What becomes of results that an earlier run left in the files that a command writes:
//
//  1. A command checks its input before it takes its outputs. Only cosim takes them first: its reports describe wrong
//     input, too.
//  2. Take moves what is in them to FILE.earlier, so that nothing of an earlier run can pass for this run's. Of two
//     earlier results the later one is kept; the report of a run without a verdict is no result, and is removed
//     instead.
//  3. A command that ends with a verdict, exit code 0 or 1, removes what it moved, and what an earlier run moved
//     there. Any other leaves FILE.earlier and names it, so wrong input loses nothing.
//  4. If a command fails before Take, Withdraw does the same with those files that are results. Other files stay: one
//     may be named by mistake.

// earlierSuffix is added to the name of a file that is set aside.
const earlierSuffix = measured.Earlier

// noVerdict recognises the reports that cosim leaves when it ends, or is killed, before its runs have a verdict, and
// incomplete tables.
var noVerdict = regexp.MustCompile(`^\{\s*"verdict": "(error|not run)"|` +
	`<div class="verdict [a-z]+"><b>(ERROR|NOT RUN)</b>|<testsuites [^>]*failures="0" errors="[1-9]|` +
	`\n` + regexp.QuoteMeta(measured.Incomplete))

func withoutVerdict(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && noVerdict.Match(text)
}

// SetAside moves files out of the way of a run until Settle. It leaves pipes and devices alone.
func (a *App) SetAside(files ...Output) error {
	var errs []error
	for _, o := range files {
		if o.Path == "" || o.Path == "-" {
			continue
		}
		if st, err := os.Stat(o.Path); err == nil && !st.Mode().IsRegular() {
			continue
		}
		path := whole(o.Path)
		kept := path + earlierSuffix
		_, err := os.Lstat(kept)
		before := err == nil
		switch _, err = os.Lstat(path); {
		case before && err != nil:
			if !(Output{o.Flag, kept}).Old() {
				continue // nothing is there, and FILE.earlier is the user's
			}
			err = nil
		case before && withoutVerdict(path):
			err = report.Remove(path)
		case err == nil:
			err = os.Rename(path, kept)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // nothing is there
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: the earlier file cannot be moved (%w); give another", o.Flag, err))
			continue
		}
		if !slices.Contains(a.earlier, kept) {
			a.earlier = append(a.earlier, kept)
		}
	}
	return errors.Join(errs...)
}

// Take errors if a file cannot be written or is given twice, and sets aside what an earlier run left in them. From then
// on the command itself is responsible for its reports.
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
	return a.SetAside(files...)
}

// Withdraw sets aside those of the files that are results of an earlier run, for a command that ended before it took
// its outputs.
func (a *App) Withdraw(files []Output) error {
	var errs []error
	for _, x := range files {
		if x.Old() {
			errs = append(errs, a.SetAside(x))
		}
	}
	return errors.Join(errs...)
}

// Settle ends a command that failed with err, or with nil. After a verdict it removes the files that were set aside;
// otherwise it returns a line that names them.
func (a *App) Settle(err error) (kept error) {
	files := a.earlier
	a.earlier = nil
	if err != nil && !errors.Is(err, ErrMismatch) {
		if len(files) > 0 {
			return fmt.Errorf("what an earlier run left is kept in %s", strings.Join(files, ", "))
		}
		return nil
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, os.Remove(f))
	}
	return errors.Join(errs...)
}

package distrust

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Attempt is one way to make a run pass that must not pass. In its arguments {dir} is the folder of the tiny block,
// {out} the output folder and {root} the folder of the repository.
type Attempt struct {
	Name  string // GROUP/WHAT
	Quick bool   // part of make test

	Prepare  func(*World) error                          // before control and command; nil for nothing
	Control  []string                                    // command that passes; nil for Args before the sabotage
	Args     []string                                    // command that must not pass
	Sabotage func(*World) error                          // before the command; nil for nothing
	During   func(context.Context, *World, *Child) error // while it runs; nil for nothing
	Golden   string                                      // what the program of testdata/tiny/golden.py does; "" for none
	Stdout   string                                      // file to use as stdout
	Env      []string                                    // of the command that must not pass, NAME=VALUE

	Exit       []int  // correct exit codes; nil for 2
	Says       string // regular expression that the output must match
	Old        bool   // keep the reports of the control
	PassesSome bool   // there are several runs, and some may pass
}

// errSkipped marks an attempt that cannot be played on this machine.
var errSkipped = errors.New("skipped")

// Skipped reports whether an error of Try means that the machine lacks a program.
func Skipped(err error) bool { return errors.Is(err, errSkipped) }

// Try plays an attempt. It errors if the attempt passed although it must not, or if its control did not pass.
func (w *World) Try(ctx context.Context, a *Attempt) error {
	if a.Golden != "" {
		if _, err := exec.LookPath("python3"); err != nil {
			return fmt.Errorf("%w: python3 is not on PATH", errSkipped)
		}
	}
	if err := w.restore(); err != nil {
		return err
	}
	if a.Prepare != nil {
		if err := a.Prepare(w); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	if err := w.control(ctx, a); err != nil {
		return fmt.Errorf("control: %w", err)
	}
	if !a.Old {
		w.clearReports()
	}
	if a.Sabotage != nil {
		if err := a.Sabotage(w); err != nil {
			return fmt.Errorf("sabotage: %w", err)
		}
	}
	got, err := w.play(ctx, a, a.Args, a.Golden, true)
	if err != nil {
		return err
	}
	return w.judge(a, got)
}

// control plays the command that must pass. A control that many attempts share is played once.
func (w *World) control(ctx context.Context, a *Attempt) error {
	args := a.Control
	if args == nil {
		args = a.Args
	}
	golden := ""
	if a.Golden != "" {
		golden = "right"
	}
	key := strings.Join(args, " ") + golden
	if a.Prepare == nil && !a.Old {
		if err, done := w.controls[key]; done {
			return err
		}
	}
	w.clearReports()
	err := func() error {
		got, err := w.play(ctx, &Attempt{}, args, golden, false)
		if err != nil {
			return err
		}
		if got.Code != 0 {
			return fmt.Errorf("%s: exit code %d: %s", strings.Join(args, " "), got.Code, got.Text)
		}
		for _, r := range w.passing() {
			if !r.passes && args[0] == "cosim" {
				return fmt.Errorf("%s: its %s report is not a pass", strings.Join(args, " "), r.form)
			}
		}
		return nil
	}()
	if a.Prepare == nil {
		w.controls[key] = err
	}
	return err
}

// play runs the command of an attempt with all its reports.
func (w *World) play(ctx context.Context, a *Attempt, args []string, golden string, during bool) (Outcome, error) {
	if golden != "" {
		stop, err := w.golden(golden)
		if err != nil {
			return Outcome{}, err
		}
		defer stop()
	}
	args = w.filled(args)
	if args[0] == "cosim" {
		reports := []string{"--json", w.report("json"), "--junit", w.report("xml"), "--html", w.report("html")}
		for i := 0; i < len(reports); i += 2 {
			if !slices.ContainsFunc(args,
				func(s string) bool { return s == reports[i] || strings.HasPrefix(s, reports[i]+"=") }) {
				args = append(args, reports[i:i+2]...)
			}
		}
	}
	c, err := w.start(ctx, args, a.Stdout, w.filled(a.Env)...)
	if err != nil {
		return Outcome{}, err
	}
	if during && a.During != nil {
		if err := a.During(ctx, w, c); err != nil {
			c.Kill()
			return Outcome{}, fmt.Errorf("while it runs: %w", err)
		}
	}
	return c.Wait(), nil
}

var (
	passedOne = regexp.MustCompile(`(?m)^PASS\b`)
	passedAll = regexp.MustCompile(`(?m)^PASS  \d+ runs`)
)

// judge returns an error when an outcome reports a pass or differs from the outcome that the attempt requires.
func (w *World) judge(a *Attempt, got Outcome) error {
	want := a.Exit
	if want == nil {
		want = []int{2}
	}
	var bad []string
	if !slices.Contains(want, got.Code) {
		bad = append(bad, fmt.Sprintf("exit code %d, not %v", got.Code, want))
	}
	if a.Says != "" {
		says, err := regexp.Compile(a.Says)
		if err != nil {
			return fmt.Errorf("attempt %s: %w", a.Name, err)
		}
		if !says.MatchString(got.Text) {
			bad = append(bad, fmt.Sprintf("no %q in the output", a.Says))
		}
	}
	if passedAll.MatchString(got.Text) || !a.PassesSome && passedOne.MatchString(got.Text) {
		bad = append(bad, "the text says PASS")
	}
	for _, r := range w.passing() {
		if r.passes {
			bad = append(bad, "the "+r.form+" report says pass")
		}
	}
	if bad == nil {
		return nil
	}
	return fmt.Errorf("%s\n%s\n%s", strings.Join(bad, "; "), strings.Join(w.filled(a.Args), " "), tail(got.Text))
}

func tail(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return "  " + strings.Join(lines[max(0, len(lines)-8):], "\n  ")
}

// filled replaces the names of folders in arguments.
func (w *World) filled(args []string) []string {
	r := strings.NewReplacer("{dir}", w.Dir, "{out}", w.Out, "{root}", w.Root, "{socket}", w.socket)
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = r.Replace(a)
	}
	return out
}

// All returns the attempts, sorted by name. It returns an error when a name is used twice.
func All() ([]Attempt, error) {
	seen := map[string]bool{}
	all := Attempts()
	for i := range all {
		if seen[all[i].Name] {
			return nil, fmt.Errorf("attempt %s: the name is used twice", all[i].Name)
		}
		seen[all[i].Name] = true
	}
	slices.SortFunc(all, func(a, b Attempt) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func (w *World) clearReports() {
	for _, ending := range []string{"json", "xml", "html"} {
		_ = os.Remove(w.report(ending))
	}
}

// formReport is the verdict of one report, as its readers see it.
type formReport struct {
	form   string
	passes bool
}

func (w *World) report(ending string) string { return filepath.Join(w.Out, "r."+ending) }

// banner matches the verdict at the top of the HTML page.
var banner = regexp.MustCompile(`<div class="verdict [a-z]*"><b>([^<]*)</b>`)

// passing reads the reports that exist. JUnit is judged as continuous integration does: it passes with no failures, no
// errors and at least one test that was not skipped.
func (w *World) passing() (out []formReport) {
	read := func(form, ending string, passes func([]byte) bool) {
		if text, err := os.ReadFile(w.report(ending)); err == nil {
			out = append(out, formReport{form, passes(text)})
		}
	}
	read("JSON", "json", func(text []byte) bool {
		var doc struct{ Verdict string }
		return json.Unmarshal(text, &doc) == nil && doc.Verdict == "pass"
	})
	read("JUnit", "xml", func(text []byte) bool {
		var doc struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
		}
		return xml.Unmarshal(text, &doc) == nil && doc.Failures+doc.Errors == 0 && doc.Skipped < max(doc.Tests, 1)
	})
	read("HTML", "html", func(text []byte) bool {
		m := banner.FindSubmatch(text)
		return m == nil || bytes.Equal(m[1], []byte("PASS"))
	})
	return out
}

package report

import (
	"fmt"
	"io"
	"maps"
	"strings"
)

// WriteText prints the summary for a terminal: the verdict first, then the figures, the coverage table, and for a
// mismatch the fields side by side with the command that repeats it. Several results are followed by one line for those
// that did not begin and one line with totals.
func WriteText(w io.Writer, r *Report) error {
	some := false
	for i := range r.Results {
		if len(r.Results) > 1 && r.Results[i].Verdict() == NotRun {
			continue
		}
		if some {
			fmt.Fprintln(w)
		}
		some = true
		if err := WriteResult(w, &r.Results[i]); err != nil {
			return err
		}
	}
	if len(r.Results) == 1 {
		return nil
	}
	if err := WriteNotBegun(w, r); err != nil {
		return err
	}
	return WriteTotal(w, r)
}

// WriteNotBegun prints one line for all runs that did not begin, with the first and the last of them and the reason. It
// prints nothing if there are none.
func WriteNotBegun(w io.Writer, r *Report) error {
	not := r.notBegun()
	var b strings.Builder
	switch len(not) {
	case 0:
		return nil
	case 1:
		b.WriteString(headline(not[0]) + "\n")
	default:
		fmt.Fprintf(&b, "%s  %d runs, %s to %s: %s\n", banner(NotRun), len(not), not[0].Name(), not[len(not)-1].Name(),
			not[0].NotRun)
	}
	return flush(w, &b)
}

// WriteTotal prints one line about all results, and the coverage of all together.
func WriteTotal(w io.Writer, r *Report) error {
	t := r.totals()
	failed := 0
	for i := range r.Results {
		if !r.Results[i].Verdict().OK() {
			failed++
		}
	}
	tally := ""
	if len(r.notBegun()) > 0 {
		tally = " (" + r.tally() + ")"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s  %s, %d not passed%s: %s events, %s cycles, %s compared%s%s, %s\n", banner(r.Verdict()),
		Plural(uint64(len(r.Results)), "run"), failed, tally, Count(t.events), Count(t.cycles), t.compared.words(),
		r.partial(), r.softened(" "), mismatches(t.mismatches))
	if !r.Verdict().OK() {
		fmt.Fprintf(&b, "  because of %s\n", r.Reason())
	}
	if c := r.Coverage(); c != nil && c.Bins > 0 {
		fmt.Fprintf(&b, "  coverage of %s  %s\n", r.covered(), c.summary())
		missedText(&b, c)
	}
	return flush(w, &b)
}

// covered names the runs whose coverage is counted together.
func (r *Report) covered() string {
	alike := 0
	for i := range r.Results {
		if maps.Equal(r.Results[i].Params, r.Results[0].Params) {
			alike++
		}
	}
	if alike < len(r.Results) {
		return fmt.Sprintf("%s of one size", Plural(uint64(alike), "run"))
	}
	return "all runs"
}

// WriteLine prints one run in one line, for a run among many that passed.
func WriteLine(w io.Writer, r *Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", headline(r))
	if r.Coverage.Bins > 0 {
		fmt.Fprintf(&b, ", coverage %s", percent(uint64(r.Coverage.Hit), uint64(r.Coverage.Bins)))
	}
	if r.Seconds > 0 {
		fmt.Fprintf(&b, ", %s events/s", si(r.EventsPerS))
	}
	b.WriteString("\n")
	return flush(w, &b)
}

func headline(r *Result) string {
	what := r.Compared.words() + " compared" + r.partial() + r.softened(" ") + ", " + mismatches(r.Mismatches)
	switch {
	case r.NotRun != "":
		return fmt.Sprintf("%s  %s: %s", banner(NotRun), r.Name(), r.NotRun)
	case r.ModelOnly:
		what = "nothing was compared"
	}
	return fmt.Sprintf("%s  %s: %s events, %s cycles, %s", banner(r.Verdict()), r.Name(), Count(r.Events), Count(r.Cycles),
		what)
}

// WriteResult prints the summary of one run.
func WriteResult(w io.Writer, r *Result) error {
	var b strings.Builder
	b.WriteString(headline(r) + "\n")
	if r.NotRun != "" {
		return flush(w, &b)
	}
	t := TextTable{Gap: 2, Indent: "  ", Right: func(int) bool { return false }}
	switch v, why := r.judge(); v {
	case Pass, ModelAlone, Mismatched:
	default:
		t.Add("reason", why)
	}
	t.Add("configuration", configuration(r))
	if r.Simulator.Name != "" {
		t.Add("device", device(r))
	}
	if r.Seconds > 0 {
		t.Add("speed", fmt.Sprintf("%s events/s, %s cycles/s, %.1f s", si(r.EventsPerS), si(r.CyclesPerS), r.Seconds))
	}
	if r.Episodes > 0 {
		stimulus := fmt.Sprintf("%s, %s responses, %.3f events per cycle", Plural(uint64(r.Episodes), "episode"),
			Count(r.Responses), r.EventsPerCycle)
		if r.Stimulus != nil {
			stimulus += "; " + r.Stimulus.String()
		}
		t.Add("stimulus", stimulus)
	}
	if r.Wave != "" {
		t.Add("waveform", r.Wave)
	}
	if m := r.masked(); m != "" {
		t.Add("not compared", "masked: "+m)
	}
	if r.Digest != "" {
		t.Add("digest", r.Digest)
	}
	for i := range r.Sections {
		for _, l := range r.Sections[i].lines() {
			t.Add(l.Name, l.Text)
		}
	}
	if r.Coverage.Bins > 0 && r.FirstMismatch == nil { // it means nothing for a run cut short
		t.Add("coverage", r.Coverage.summary())
		if c := r.Coverage.Corners; len(c) > 0 {
			more := ""
			if len(c) > missedShown {
				c, more = c[:missedShown], fmt.Sprintf(", and %d more", len(c)-missedShown)
			}
			t.Add("never driven", strings.Join(c, ", ")+more+"; play more events, or give the fields weights or corners in "+
				"the stimulus of the schema")
		}
	}
	if r.Broken != "" && r.Verdict() != Errored { // whose reason is Broken
		t.Add("broken", r.Broken)
	}
	if r.Interrupted && r.Verdict() != Interrupted {
		t.Add("interrupted", "the run ended early")
	}
	b.WriteString(t.String())
	casesText(&b, r)
	if r.FirstMismatch != nil {
		b.WriteString("\n")
		mismatchText(&b, r.FirstMismatch)
	}
	if r.Reproduce != "" && (r.FirstMismatch == nil || r.FirstMismatch.Reproduce == "") {
		fmt.Fprintf(&b, "  repeat this run\n    %s\n", r.Reproduce)
	}
	return flush(w, &b)
}

func flush(w io.Writer, b *strings.Builder) error {
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("text report: %w", err)
	}
	return nil
}

func banner(v Verdict) string { return strings.ToUpper(string(v)) }

func mismatches(n uint64) string {
	switch n {
	case 0:
		return "0 mismatches"
	case 1:
		return "1 mismatch"
	}
	return Count(n) + " mismatches"
}

func configuration(r *Result) string {
	var parts []string
	if r.Tick != "" {
		parts = append(parts, "tick "+r.Tick)
	}
	if p := paramList(r.Params); p != "" {
		parts = append(parts, p)
	}
	if r.ModelOnly {
		parts = append(parts, "model only")
	} else {
		parts = append(parts, "transport "+r.Transport, "rtl "+r.RTL)
	}
	if r.Reference != "" {
		parts = append(parts, "expected from "+r.Reference)
	}
	if len(r.Uncompared) > 0 {
		parts = append(parts, "not compared: "+strings.Join(r.Uncompared, " "))
	}
	if len(r.Relaxed) > 0 {
		parts = append(parts, "handshake relaxed: "+strings.Join(r.Relaxed, " "))
	}
	if r.SchemaHash != "" {
		parts = append(parts, "schema "+r.SchemaHash)
	}
	return strings.Join(parts, ", ")
}

func device(r *Result) string {
	s := r.Simulator.Version
	if !strings.HasPrefix(s, r.Simulator.Name) { // a version often includes the program's name
		s = strings.TrimSpace(r.Simulator.Name + " " + s)
	}
	if r.Simulator.Flags != "" {
		s += " (" + r.Simulator.Flags + ")"
	}
	return s
}

func (c *Coverage) summary() string {
	s := fmt.Sprintf("%d of %d reachable bins, %s", c.Hit, c.Bins, percent(uint64(c.Hit), uint64(c.Bins)))
	if n := len(c.Unreachable); n > 0 {
		s += fmt.Sprintf("; %d unreachable, each with its proof", n)
	}
	return s
}

const missedShown = 12

func missedText(b *strings.Builder, c *Coverage) {
	for i, m := range c.Missed {
		if i == missedShown {
			fmt.Fprintf(b, "    and %d more missed bins; --json and --html list them all\n", len(c.Missed)-i)
			break
		}
		fmt.Fprintf(b, "    missed %s\n", m)
	}
}

const failedShown = 5

// casesText lists the failed cases and counts the others.
func casesText(b *strings.Builder, r *Result) {
	if len(r.Cases) == 0 {
		return
	}
	failed := 0
	for _, c := range r.Cases {
		if c.Failed {
			failed++
			if failed <= failedShown {
				fmt.Fprintf(b, "  FAILED %s: %s\n", c.Name, c.Message)
			}
		}
	}
	if failed > failedShown {
		fmt.Fprintf(b, "  and %d more failed; --json, --junit and --html list them all\n", failed-failedShown)
	}
	fmt.Fprintf(b, "  %s, %d failed\n", Plural(uint64(len(r.Cases)), "case"), failed)
}

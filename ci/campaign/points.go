package campaign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Point is what the runs of our own design, at its default size, showed of a testpoint.
type Point struct {
	Name    string   `json:"name"`
	Shown   bool     `json:"shown"`
	Why     string   `json:"why,omitempty"`     // reason why it is not shown
	Missing []string `json:"missing,omitempty"` // bins that no run hit
}

// points compares the bins hit and the cases played with the goals.
func points(h *Head, cover map[design]*Coverage, records map[string]*Record) []Point {
	cases := map[string][]string{} // by block, as sources: directed stands for all of them
	for i := range h.Runs {
		run := &h.Runs[i]
		if r := records[run.ID]; r != nil && r.Outcome == Passed && Size(run) == DefaultSize {
			cases[run.Block] = append(cases[run.Block], run.Source)
		}
	}
	out := []Point{}
	for _, g := range h.Goals.Testpoints {
		block, _, _ := strings.Cut(g.Name, "/")
		p := Point{Name: g.Name, Shown: true}
		open := func(why string) { p.Shown, p.Why = false, why }
		if c := cover[design{block, DefaultSize}]; len(g.Bins) > 0 && c == nil {
			open("no run of its block gave coverage")
		} else if len(g.Bins) > 0 {
			for _, bin := range c.Missed {
				if plan.MatchAny(g.Bins, bin) {
					p.Missing = append(p.Missing, bin)
				}
			}
			if n := len(p.Missing); n > 0 {
				open(report.Plural(uint64(n), "bin") + " missed")
			}
		}
		if p.Shown && len(g.Cases) > 0 && !played(g.Cases, cases[block]) {
			open("no run played its directed cases and passed")
		}
		out = append(out, p)
	}
	return out
}

// played reports whether the passed sources include the cases that the patterns name, as a whole or one by one.
func played(patterns, sources []string) bool {
	if slices.Contains(sources, "directed") {
		return true
	}
	for _, p := range patterns {
		if !slices.Contains(sources, "directed/"+p) { // a pattern with a * needs all of them
			return false
		}
	}
	return true
}

// Open returns the number of testpoints that are not shown.
func (s *Summary) Open() (n int) {
	for _, p := range s.Testpoints {
		if !p.Shown {
			n++
		}
	}
	return n
}

// Lacking returns the number of testpoints that a closed stage did not show, or 0 if the stage is not closed.
func (s *Summary) Lacking() int {
	if !s.Closed {
		return 0
	}
	return s.Open()
}

// listed is how many missed bins of a testpoint are printed.
const listed = 4

// writePoints writes the testpoints: how many are shown, and each open one. For a stage that is not closed it only
// counts them, because such a stage need not show them all.
func (s *Summary) writePoints(b *strings.Builder) {
	if len(s.Testpoints) == 0 {
		return
	}
	fmt.Fprintf(b, "  shown     %d of %d testpoints\n", len(s.Testpoints)-s.Open(), len(s.Testpoints))
	for _, p := range s.Testpoints {
		if p.Shown || !s.Closed {
			continue
		}
		fmt.Fprintf(b, "OPEN  %s: %s", p.Name, p.Why)
		if n := len(p.Missing); n > 0 {
			b.WriteString(": " + strings.Join(p.Missing[:min(n, listed)], ", "))
			if n > listed {
				b.WriteString(", ...")
			}
		}
		b.WriteByte('\n')
	}
}

// Figure is a number in a run's result, besides its outcome: for a co-simulation each metric as SECTION/NAME, for other
// commands what figureReaders reads.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// figureReaders read the figures of a command's result. Other commands have none.
var figureReaders = map[string]func(text []byte) ([]Figure, error){"faults": faultFigures, "diff": diffFigures}

// readFigures returns the figures of a command's result, in order of name. It errors if the result is not the
// command's.
func readFigures(command string, text []byte) ([]Figure, error) {
	read := figureReaders[command]
	if read == nil {
		return nil, nil
	}
	out, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("its result is not of goldwire %s: %w", command, err)
	}
	slices.SortFunc(out, func(a, b Figure) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Names of the figures of a fault campaign are BLOCK/WHAT, and BLOCK/caught in SOURCE.
const (
	planted  = "planted"
	caught   = "caught"
	caughtIn = "caught in "
)

// CaughtIn returns the block and the source whose caught faults a figure counts.
func (f *Figure) CaughtIn() (block, source string, ok bool) {
	block, what, _ := strings.Cut(f.Name, "/")
	source, ok = strings.CutPrefix(what, caughtIn)
	return block, source, ok
}

// faultFigures reads the result of goldwire faults: planted faults, caught faults, and the source that caught each
// first.
func faultFigures(text []byte) (out []Figure, err error) {
	type score struct {
		Total  int            `json:"total"`
		Caught int            `json:"caught"`
		In     map[string]int `json:"in"`
	}
	var blocks []struct {
		Block string `json:"block"`
		Hand  score  `json:"hand"`
		Drawn score  `json:"drawn"`
	}
	if err := json.Unmarshal(text, &blocks); err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, errors.New("it has no block")
	}
	for _, b := range blocks {
		in := map[string]int{}
		for _, s := range []score{b.Hand, b.Drawn} {
			for source, n := range s.In {
				in[source] += n
			}
		}
		if b.Block == "" || b.Hand.Total+b.Drawn.Total == 0 {
			return nil, errors.New("it has a block without a name or without faults")
		}
		out = append(out, Figure{b.Block + "/" + planted, float64(b.Hand.Total + b.Drawn.Total)},
			Figure{b.Block + "/" + caught, float64(b.Hand.Caught + b.Drawn.Caught)})
		for source, n := range in {
			out = append(out, Figure{b.Block + "/" + caughtIn + source, float64(n)})
		}
	}
	return out, nil
}

// comparesNothing reports whether a command is a comparison whose result has no comparisons.
func comparesNothing(args []string, figures []Figure) bool {
	if len(args) < 2 || args[0] != "diff" || args[1] != "compare" {
		return false
	}
	return !slices.ContainsFunc(figures, func(f Figure) bool { return f.Value > 0 })
}

// diffFigures reads the result of goldwire diff compare: how many signals and decisions have each verdict, such as
// flip. The results of other diff commands have no figures.
func diffFigures(text []byte) (out []Figure, err error) {
	var d struct {
		Counts map[string]float64 `json:"counts"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for name, n := range d.Counts {
		out = append(out, Figure{name, n})
	}
	return out, nil
}

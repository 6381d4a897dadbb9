package fault

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// jsonFault is one fault in the JSON report.
type jsonFault struct {
	Class    Class    `json:"class"`
	Number   int      `json:"number,omitempty"`
	Name     string   `json:"name,omitempty"`
	Rule     string   `json:"rule,omitempty"`
	Operator string   `json:"operator,omitempty"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Before   string   `json:"before"`
	After    string   `json:"after"`
	Caught   bool     `json:"caught"`
	Finding  *Finding `json:"finding,omitempty"`
	Argument string   `json:"argument,omitempty"`
}

// jsonResult is one block in the JSON report.
type jsonResult struct {
	Block    string      `json:"block"`
	Seed     uint64      `json:"seed"`
	OK       bool        `json:"ok"`
	Hand     Score       `json:"hand"`
	Drawn    Score       `json:"drawn"`
	Percent  float64     `json:"drawn_percent"`
	Survived int         `json:"survivors"`
	Argued   int         `json:"survivors_argued"`
	Refused  int         `json:"refused_by_compiler"`
	Problems []string    `json:"problems"`
	Faults   []jsonFault `json:"faults"`
	Seconds  float64     `json:"seconds"`
}

// WriteJSON writes the results of campaigns as one JSON array. Two campaigns with the same spec give the same text
// apart from the seconds.
func WriteJSON(w io.Writer, results []*Result) error {
	out := []jsonResult{}
	for _, r := range results {
		j := jsonResult{Block: r.Block, Seed: r.Seed, OK: r.OK() && r.planted() > 0, Hand: r.Hand, Drawn: r.Drawn,
			Percent: r.Drawn.Percent(), Refused: len(r.Refused), Problems: append([]string{}, r.Problems...), Seconds: r.Seconds}
		for _, v := range r.Verdicts {
			if v.Finding == nil {
				j.Survived++
				if v.Argument != "" {
					j.Argued++
				}
			}
			j.Faults = append(j.Faults, jsonFault{Class: v.Class, Number: v.Number, Name: v.Name, Rule: v.Rule,
				Operator: v.Operator, File: v.File, Line: v.Line, Before: v.Before, After: v.After,
				Caught: v.Finding != nil, Finding: v.Finding, Argument: v.Argument})
		}
		out = append(out, j)
	}
	return report.EncodeJSON(w, out)
}

// WriteText writes a readable summary of a campaign: the count of each class, how the faults were caught, every
// survivor with its argument, and every problem.
func WriteText(w io.Writer, r *Result) error {
	var b strings.Builder
	head := r.banner()
	fmt.Fprintf(&b, "%s  faults in %s: %s\n", head.Word, r.Block, head.Line)
	for _, x := range []struct {
		name string
		s    Score
	}{{"hand-written", r.Hand}, {"drawn", r.Drawn}} {
		if x.s.Caught > 0 {
			fmt.Fprintf(&b, "  %-13s by %s; in %s; %d of %d by the check of cosim\n", x.name, counts(x.s.By), counts(x.s.In),
				x.s.Check, x.s.Total)
		}
	}
	if n := len(r.Refused); n > 0 {
		fmt.Fprintf(&b, "  %-13s %d drawn faults, replaced by the next of the draw\n", "not compiled", n)
	}
	for _, v := range r.Survivors() {
		fmt.Fprintf(&b, "  survivor      %s\n", v.Fault)
		if v.Argument != "" {
			fmt.Fprintf(&b, "                equivalent: %s\n", oneLine(v.Argument))
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "  problem       %s\n", p)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func counts(m map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%s %d", k, m[k]))
	}
	return strings.Join(out, ", ")
}

// WriteVerdicts writes one line per fault: the fault and how it was caught, with the command that reproduces it.
func WriteVerdicts(w io.Writer, r *Result) error {
	var b strings.Builder
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "%s\n", v.Fault)
		if f := v.Finding; f != nil {
			fmt.Fprintf(&b, "    %s in %s, cycle %d: %s want %s got %s\n    %s\n", f.By, f.Episode, f.Cycle, f.Field,
				f.Want, f.Got, f.Reproduce)
		} else {
			b.WriteString("    survives\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

package history

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// WriteJSON writes the ranking, indented.
func (r *Ranking) WriteJSON(w io.Writer) error { return report.EncodeJSON(w, r) }

// WriteText writes the ranking for a terminal.
func (r *Ranking) WriteText(w io.Writer) error {
	newest := r.Nights[len(r.Nights)-1]
	headline := fmt.Sprintf("stage %s, %s to night %s: %s hit by %s", r.Stage,
		report.Plural(uint64(len(r.Nights)), "campaign"), newest.Night, report.Plural(uint64(r.Bins), "bin"),
		report.Plural(uint64(len(r.Tests)), "test"))
	if v := newest.Verdict(); v != "passed" {
		headline += fmt.Sprintf("; the newest campaign ended as %s, and runs that did not pass may have hit less", v)
	}
	table := report.Sheet{Title: "Tests", Note: "By new bins per CPU second: new are those that no test above hits, own " +
		"those that no other test hits. Each block and size has bins of its own. Faults are those that fault campaigns " +
		"caught first in the source, at its block's default size.",
		Head: []string{"test", "block", "size", "CPU s", "hit", "own", "new", "new/s", "faults", "faults/s", "set"}}
	cpu, all := 0.0, 0.0
	for i := range r.Tests {
		x := &r.Tests[i]
		in := "-"
		all += x.CPU
		if x.InSet {
			in = "yes"
			cpu += x.CPU
		}
		table.Rows = append(table.Rows, []string{x.title(), x.Block, x.Size, fmt.Sprintf("%.1f", x.CPU), fmt.Sprint(x.Hit),
			fmt.Sprint(x.Own), fmt.Sprint(x.New), report.Short(x.NewPerSecond), report.Short(x.Faults),
			report.Short(x.FaultsPerSecond), in})
	}
	sheets := []report.Sheet{table}
	add := func(title, note string, names []string) {
		if len(names) > 0 {
			sheets = append(sheets, report.Sheet{Title: title, Note: note, List: []string{strings.Join(names, ", ")}})
		}
	}
	add("Smallest set that keeps all bins", fmt.Sprintf("%d of %d tests, %.1f of %.1f CPU seconds.", len(r.Set),
		len(r.Tests), cpu, all), r.Set)
	add("Tests that add nothing", "The set hits all their bins, and no fault was caught in them first. Bins are not "+
		"all: a test of another design, of a tick or "+
		"of assertions may be worth its time.", r.Nothing)
	add("Not ranked", "They have no coverage, or none of the size that their block has now.", r.NotRanked)
	return report.WriteSheets(w, headline, sheets)
}

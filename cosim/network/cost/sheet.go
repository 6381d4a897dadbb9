package cost

import (
	"fmt"
	"math"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/experiment"
)

// Sheets returns the answer as tables: what was asked, a table for each case, and the areas.
func (a *Answer) Sheets() []report.Sheet {
	base := fmt.Sprint(a.Values[0])
	out := []report.Sheet{{Title: a.Name + ": " + a.Title, Note: strings.Join(a.Notes, " ")}}
	for i := range a.Points {
		s := report.Sheet{Title: a.Name + ": " + a.Cases[i].About, Note: a.command(&a.Cases[i]),
			Head: []string{a.Unit, "mean, us", "against " + base, "p99, us", "against " + base}}
		first := &a.Points[i][0]
		for k := range a.Points[i] {
			p := &a.Points[i][k]
			mean, _ := experiment.MeanSE(p.Mean)
			p99, _ := experiment.MeanSE(p.P99)
			row := []string{fmt.Sprint(p.Value), fmt.Sprintf("%.3f", mean), "", fmt.Sprintf("%.3f", p99), ""}
			if k > 0 {
				row[2], row[4] = effect(first, p, means).String(), effect(first, p, p99s).String()
			}
			s.Rows = append(s.Rows, row)
		}
		out = append(out, s)
	}
	if a.Areas != nil {
		t := report.Sheet{Title: a.Name + ": area", Note: "Block " + a.block() + ", its other parameters as in its schema. " +
			"Memories stay memories; gates have two inputs at most or are multiplexers, and are not mapped to a library.",
			Head: []string{a.Unit, "memory bits", "flip-flops", "gates"}}
		for _, x := range a.Areas {
			t.Row(fmt.Sprint(x.Value), uint64(x.Bits), uint64(x.FlipFlops), uint64(x.Gates))
		}
		out = append(out, t)
	}
	return out
}

// command returns the command that makes the runs of a case.
func (a *Answer) command(c *Case) string {
	seeds := make([]string, len(a.Seeds))
	for i, n := range a.Seeds {
		seeds[i] = fmt.Sprint(n)
	}
	text := fmt.Sprintf("goldwire fabric run %s --cc %s --seeds %s", c.Preset, a.Control, strings.Join(seeds, ","))
	for _, set := range a.sets(c, "N") {
		text += " --set " + set
	}
	return text
}

// Headline returns what costs most in mean completion time.
func (a *Answer) Headline() string {
	worst, text := 0.0, "every difference is within scatter"
	for i := range a.Points {
		for k := 1; k < len(a.Points[i]); k++ {
			e := effect(&a.Points[i][0], &a.Points[i][k], means)
			if e.Within() || math.Abs(e.Share) <= worst {
				continue
			}
			worst = math.Abs(e.Share)
			text = fmt.Sprintf("most with %d in place of %d, %s: mean %+.1f %%", a.Values[k], a.Values[0], a.Cases[i].About,
				100*e.Share)
		}
	}
	return fmt.Sprintf("%s (%s, %s): %s", a.Name, report.Plural(uint64(len(a.Seeds)), "seed"),
		report.Plural(uint64(a.Runs(len(a.Seeds))), "run"), text)
}

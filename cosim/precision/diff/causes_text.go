package diff

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// errors shows the errors by cause.
func (c *Causes) errors() report.Sheet {
	s := report.Sheet{
		Title: "Error by cause, one step: against real constants and real times",
		Head:  []string{"value", "compared", "arithmetic", "mean", "constants", "mean", "tick", "mean", "whole", "mean"},
	}
	s.Note = fmt.Sprintf("%s events compared, %s decided differently by two of the parties and left out here; largest "+
		"and mean error in the value's unit; arithmetic: roundings and ends of the rules' own values; constants: real "+
		"constants as registers; tick: times as whole ticks; the errors of an event sum to the whole",
		report.Count(c.Compared), report.Count(c.Apart))
	var none []string
	for i := range c.Signals {
		x := &c.Signals[i]
		if x.Whole.Count == 0 {
			continue
		}
		if x.Arithmetic.Differ+x.Constants.Differ+x.Tick.Differ+x.Whole.Differ == 0 {
			none = append(none, x.Name)
			continue
		}
		row := []string{x.Name, report.Count(x.Whole.Count)}
		for _, e := range []*Error{&x.Arithmetic, &x.Constants, &x.Tick, &x.Whole} {
			if e == &x.Tick && !c.Tick {
				row = append(row, "-", "-")
				continue
			}
			row = append(row, report.Short(e.Max), report.Short(e.Bias))
		}
		s.Rows = append(s.Rows, row)
	}
	if len(s.Rows) == 0 {
		s.Head = nil
	}
	if len(none) > 0 {
		s.List = append(s.List, "without any error: "+strings.Join(none, ", "))
	}
	if !c.Tick {
		s.List = append(s.List, "the error of the tick is not known: the source has its times in whole ticks")
	}
	if !c.Constants {
		s.List = append(s.List, "constants are the words that the source writes: they err where a register's format was "+
			"changed, and nowhere else")
	}
	if c.Untimed > 0 {
		s.List = append(s.List, report.Plural(c.Untimed, "event")+" left out, whose times are known in whole ticks alone")
	}
	return s
}

// decisions shows the decisions that a cause alone flips.
func (c *Causes) decisions() report.Sheet {
	s := report.Sheet{Title: "Decisions by cause, one step: against real constants and real times",
		Head: []string{"decision", "arithmetic", "constants", "tick"},
		Note: "events that two parties decided differently which differ in that cause alone"}
	for _, d := range c.Decisions {
		if d.Arithmetic+d.Constants+d.Tick == 0 {
			continue
		}
		tick := "-"
		if c.Tick {
			tick = report.Count(d.Tick)
		}
		s.Rows = append(s.Rows, []string{d.Name, report.Count(d.Arithmetic), report.Count(d.Constants), tick})
	}
	return s
}

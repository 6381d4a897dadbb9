package diff

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
)

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
		s.Row(x.Name, x.Whole.Count, x.Arithmetic.Max, x.Arithmetic.Bias, x.Constants.Max, x.Constants.Bias, x.Tick.Max,
			x.Tick.Bias, x.Whole.Max, x.Whole.Bias)
		if !c.Tick {
			row := s.Rows[len(s.Rows)-1]
			row[6], row[7] = "-", "-"
		}
	}
	if len(s.Rows) == 0 {
		s.Head = nil
	}
	s.Names("without any error: ", none)
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
		tick := any("-")
		if c.Tick {
			tick = d.Tick
		}
		s.Row(d.Name, d.Arithmetic, d.Constants, tick)
	}
	return s
}

package intmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/goldwire/goldwire/cosim/precision/diff"
	"github.com/goldwire/goldwire/cosim/report"
)

var modeTitles = map[diff.Mode]string{
	diff.Step: "one step: every ACK from the state of the sender that reads the wire",
	diff.Free: "free: every sender from its own state",
}

// Headline returns the first line of a report: what was played, and what the packets held.
func (res *Result) Headline() string {
	s := fmt.Sprintf("diff  %s %s seed %d: %s packets, %s entries read, %s ACKs", res.Block, res.Source, res.Seed,
		report.Count(res.Packets), report.Count(res.Entries), report.Count(res.Acks))
	switch {
	case res.Parted != "":
		s += "; THE MODEL'S PACKETS ARE NOT THE TABLE'S"
	case res.Model > 0:
		s += "; the entries in the cycle-true model's packets are the table's, bit for bit"
	case len(res.Changed) == 1:
		s += "; 1 format is not the contract's"
	case len(res.Changed) > 1:
		s += fmt.Sprintf("; %d formats are not the contract's", len(res.Changed))
	}
	if res.Beyond > 0 {
		s += fmt.Sprintf("; %s ERRORS ARE BEYOND THEIR BOUNDS", report.Count(res.Beyond))
	}
	return s
}

// sheets returns the pieces of the report in their order.
func (res *Result) sheets() (out []report.Sheet) {
	if res.Parted != "" {
		out = append(out, report.Sheet{Title: "The model's packets are not the table's", List: []string{res.Parted}})
	}
	if res.Beyond > 0 {
		out = append(out, report.Sheet{Title: "Errors beyond their bounds", List: res.Examples})
	}
	out = append(out, diff.SettingSheets(res.Changed)...)
	if len(res.Signals) == 0 {
		return out
	}
	entries := figures("Entries and hops against exact numbers", res.Signals)
	entries.Note = "absolute errors in the value's unit; of what comes round, the shorter way. bound: the largest " +
		"that the formats allow a comparison, taken: the largest share of it that an error took. " +
		"u is qLen_min/(B T) + txRate/B of one hop; float64: what that arithmetic costs with exact telemetry"
	out = append(out, entries)
	for i := range res.Modes {
		m := &res.Modes[i]
		s := figures("Utilisation and window, "+modeTitles[m.Mode], m.Signals)
		s.Note = fmt.Sprintf("%s ACKs compared, each rule by itself", report.Count(m.Compared))
		if m.Mode == diff.Free {
			s.Note += "; no bound is stated for windows that have parted"
		}
		out = append(out, s, m.decisions())
		if len(m.Flips) > 0 {
			out = append(out, m.flips())
		}
	}
	return append(out, res.use(), res.acks())
}

func figures(title string, signals []Signal) report.Sheet {
	s := report.Sheet{Title: title, Head: []string{"value", "unit", "compared", "differ", "median", "p99", "max",
		"relative", "LSB", "bias", "bound", "taken", "float64"}}
	var none []string
	for i := range signals {
		v := &signals[i]
		e := &v.Wire
		if e.Differ == 0 && v.Float.Differ == 0 {
			if e.Count > 0 {
				none = append(none, v.Name)
			}
			continue
		}
		known := func(is bool, x any) any {
			if is {
				return x
			}
			return "-"
		}
		s.Row(v.Name, cmp.Or(v.Unit, "-"), e.Count, e.Differ, e.Median, e.P99, e.Max, e.MaxRel, known(v.LSB > 0, e.MaxLSB),
			e.Bias, known(v.Bounded > 0, v.Bound), known(v.Bounded > 0, fmt.Sprintf("%.0f %%", math.Ceil(100*v.Closest-1e-6))),
			known(v.Float.Count > 0, v.Float.Max))
		s.Figures = append(s.Figures, e.Figures(v.Name)...)
	}
	if len(s.Rows) == 0 {
		s.Head = nil
	}
	s.Names("without any error: ", none)
	return s
}

func (m *Measure) decisions() report.Sheet {
	s := report.Sheet{Title: "Decisions, " + modeTitles[m.Mode]}
	var alike, never []string
	for _, d := range m.Decisions {
		switch {
		case d.Compared == 0:
			never = append(never, d.Name)
		case d.WireWrong == 0 && d.FloatWrong == 0:
			alike = append(alike, fmt.Sprintf("%s (%s)", d.Name, report.Count(d.Compared)))
		default:
			s.Row(d.Name, d.Compared, d.WireWrong, d.FloatWrong, d.Apart)
		}
	}
	if len(s.Rows) > 0 {
		s.Head = []string{"decision", "compared", "wire wrong", "float64 wrong", "wire against float64"}
		s.Note = "wrong: not as exact numbers decide"
	}
	s.Names("taken alike: ", alike)
	s.Names("never due: ", never)
	return s
}

func (m *Measure) flips() report.Sheet {
	s := report.Sheet{Title: "Flipped decisions, " + modeTitles[m.Mode],
		Head: []string{"packet", "episode", "ports", "decision", "wire", "float64", "exact", "right", "distance",
			"on the wire"},
		Note: "right: whom exact numbers confirm; distance: of U above eta, or of u of the wire's bottleneck above that of " +
			"the right one, in exact numbers, then as the reader of the wire has it"}
	for _, f := range m.Flips {
		s.Row(f.Packet, f.Episode, f.Ports, f.Decision, f.Wire, f.Float, f.Exact, f.Right, f.Distance, f.WireDistance)
	}
	if m.Lost > 0 {
		s.List = []string{report.Count(m.Lost) + " more, not listed"}
	}
	return s
}

func (res *Result) use() report.Sheet {
	s := report.Sheet{Title: "How the formats were used",
		Head: []string{"value", "format", "LSB", "unit", "quantised", "inexact", "saturated", "wrapped"}}
	for i := range res.Signals {
		if v := &res.Signals[i]; v.Format != "" {
			s.Row(v.Name, v.Format, v.LSB, v.Unit, v.Quantised, v.Inexact, v.Saturated, v.Wrapped)
		}
	}
	return s
}

func (res *Result) acks() report.Sheet {
	s := report.Sheet{Title: "What was not compared", Head: []string{"what", "number"}}
	s.Row("ACKs: the first of a path", res.First)
	s.Row("ACKs: later than half a turn of time or bytes, so the first again", res.Late)
	s.Row("ACKs: time or bytes turned within less, or went back", res.Turned)
	s.Row("hops where time passed for one party only", res.NoTime)
	s.Row("entries whose code stands for no rate", res.NoRate)
	s.Row("packets that end before the place of their entry", res.Empty)
	return s
}

// WriteText prints the result for a terminal.
func (res *Result) WriteText(w io.Writer) error {
	return report.WriteSheets(w, res.Headline(), res.sheets())
}

// WriteJSON prints the result as JSON.
func (res *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(res)
}

// WriteHTML writes the result as a page.
func (res *Result) WriteHTML(w io.Writer) error {
	b := report.Banner{Word: "DONE", Class: "good", Line: res.Headline()}
	if res.Failed() {
		b.Word, b.Class = "MISMATCH", "bad"
	}
	return report.WritePage(w, "Goldwire diff: "+res.Block+" "+res.Source, b, res.sheets())
}

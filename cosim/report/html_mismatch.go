package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// mismatchSection shows the first mismatch. It returns nil if there is none.
func mismatchSection(r *Result) *Section {
	m := r.FirstMismatch
	if m == nil {
		return nil
	}
	s := &Section{Title: "First mismatch"}
	where := fmt.Sprintf("episode %s, seed %d, cycle %d", m.Episode, m.Seed, m.Cycle)
	if by := m.Finder(); by != "" {
		where += ", " + by
	}
	event := Text{Text: m.Unanswered()}
	if m.Event != "" {
		event = Text{Text: "event " + m.Event, Mono: true}
	}
	s.add(Text{Text: where}, event)
	if m.Place != "" {
		s.add(Text{Text: "place " + m.Place})
	}
	if m.Reproduce != "" {
		s.add(Text{Text: "Reproduce", Dim: true}, Command(m.Reproduce))
	}
	t := Table{Columns: []Column{{"field", Code}, {m.Wanted(), Compare}, {m.Given(), Compare},
		{"difference in LSB", Number}}}
	for _, f := range m.Fields {
		row := Cells(f.Name, f.Want, f.Got, cmp.Or(f.Byte, f.DiffLSB))
		row[2].Differs = true
		t.Rows = append(t.Rows, row)
	}
	s.add(t)
	s.add(explanationParts(m.Explanation)...)
	if len(m.Window) > 0 {
		s.add(windowParts(m)...)
	}
	if len(m.Shrunk) > 0 {
		s.add(Heading("Shrunk "+m.shrunkTo()), List{Items: m.Shrunk, Numbered: true})
	}
	if m.Note != "" {
		s.add(Text{Text: m.Note})
	}
	if m.Wave != "" {
		s.add(Text{Text: "Waveform of the failing window: " + m.Wave, Mono: true})
	}
	return s
}

func (s *Section) add(parts ...Part) { s.Parts = append(s.Parts, parts...) }

// window is the cycles around a mismatch, with a row for each field and a column for each cycle.
type window struct {
	Cycles  []windowCycle
	In, Out []gridRow
}

func (window) template() string { return "window" }

type windowCycle struct {
	N  uint64
	At bool
}

// windowParts shows the fields that are not always zero and, if that leaves some out, all fields too.
func windowParts(m *Mismatch) []Part {
	g := newGrid(m)
	long := window{In: g.in, Out: g.out}
	for _, c := range m.Window {
		long.Cycles = append(long.Cycles, windowCycle{c.Cycle, c.Cycle == m.Cycle})
	}
	quiet := func(r gridRow) bool { return !r.active && !r.differs }
	short := window{long.Cycles, slices.DeleteFunc(slices.Clone(g.in), quiet),
		slices.DeleteFunc(slices.Clone(g.out), quiet)}
	out := []Part{Heading("Around the failing cycle"), short}
	if len(short.In)+len(short.Out) < len(g.in)+len(g.out) {
		out = append(out, Fold{"every field, also those that are zero throughout", []Part{long}})
	}
	return out
}

// explanationParts is explanationText for a page.
func explanationParts(x *Explanation) (parts []Part) {
	if x == nil {
		return nil
	}
	parts = append(parts, Heading("Why the model expects it"))
	for i := range x.Rules {
		r := &x.Rules[i]
		parts = append(parts, Text{Text: r.head()})
		for line := range strings.Lines(r.Text) {
			parts = append(parts, Text{Text: strings.TrimRight(line, "\n"), Mono: true})
		}
	}
	if len(x.State) > 0 {
		t := Table{Columns: []Column{{"state of " + x.Concern, Code}, {"before", Number}, {"after", Number}}}
		for _, w := range x.State {
			t.Rows = append(t.Rows, Cells(w.Name, w.Before, w.After))
		}
		parts = append(parts, t)
	}
	if len(x.Steps) > 0 {
		t := Table{Columns: []Column{{"rule", Code}, {"value", Code}, {"model", Compare}, {"design", Compare},
			{"signal", Code}}}
		for i := range x.Steps {
			s := &x.Steps[i]
			row := Cells(s.Rule, s.title(), s.Model, s.Design, s.Probe)
			row[3].Differs = s.Differs
			t.Rows = append(t.Rows, row)
		}
		parts = append(parts, t)
	}
	if x.Note != "" {
		parts = append(parts, Text{Text: x.Note})
	}
	return parts
}

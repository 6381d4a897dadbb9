package report

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// mismatchText prints the failing cycle for a terminal, a JUnit failure or a log.
func mismatchText(b *strings.Builder, m *Mismatch) {
	fmt.Fprintf(b, "  first mismatch: episode %s, seed %d, cycle %d\n", m.Episode, m.Seed, m.Cycle)
	if by := m.Finder(); by != "" {
		fmt.Fprintf(b, "    %s\n", by)
	}
	if m.Event != "" {
		fmt.Fprintf(b, "    event  %s\n", m.Event)
	} else {
		fmt.Fprintf(b, "    %s\n", m.Unanswered())
	}
	if m.Place != "" {
		fmt.Fprintf(b, "    place  %s\n", m.Place)
	}
	t := TextTable{Gap: 2, Indent: "    "}
	t.Add("field", m.Wanted(), m.Given(), "difference in LSB")
	for _, f := range m.Fields {
		if f.Byte == "" {
			t.Add(f.Name, f.Want, f.Got, f.DiffLSB)
		}
	}
	b.WriteString("\n")
	if len(t.Rows) > 1 {
		b.WriteString(t.String())
	}
	for i := range m.Fields {
		if m.Fields[i].Byte != "" {
			bytesText(b, &m.Fields[i])
		}
	}
	if len(m.Window) > 0 {
		b.WriteString("\n    around it (want / got where they differ)\n")
		b.WriteString(windowText(m))
	}
	explanationText(b, m.Explanation)
	shrunkText(b, m)
	if m.Note != "" {
		fmt.Fprintf(b, "\n    %s\n", m.Note)
	}
	if m.Wave != "" {
		fmt.Fprintf(b, "    waveform  %s\n", m.Wave)
	}
	if m.Reproduce != "" {
		fmt.Fprintf(b, "\n  reproduce\n    %s\n", m.Reproduce)
	}
}

// shrunkText lists the shortest events that still fail.
func shrunkText(b *strings.Builder, m *Mismatch) {
	if len(m.Shrunk) == 0 {
		return
	}
	fmt.Fprintf(b, "\n    shrunk %s:\n", m.shrunkTo())
	for i, e := range m.Shrunk {
		last := len(m.Shrunk) - 1
		switch { // The last event shows the fault, so it is always listed.
		case i < shrunkShown-1 || i == last:
			fmt.Fprintf(b, "      %s\n", e)
		case i == shrunkShown-1:
			fmt.Fprintf(b, "      ... %d between; --json and --html list them all\n", last-i)
		}
	}
}

func (m *Mismatch) shrunkTo() string {
	verb := "fail"
	if m.ShrunkTo == 1 {
		verb = "fails"
	}
	return fmt.Sprintf("to %s that still %s", Plural(uint64(m.ShrunkTo), "event"), verb)
}

// WriteSearch prints what was found about a mismatch after WriteResult printed it: the shortest events that still fail,
// the waveform, and additions to the note.
func WriteSearch(w io.Writer, r *Result, printed string) error {
	m := r.FirstMismatch
	if m == nil {
		return WriteResult(w, r)
	}
	var b strings.Builder
	if x := m.Explanation; x != nil && x.probed() { // known only once there are waves
		stepsText(&b, x)
	}
	shrunkText(&b, m)
	if note := strings.TrimPrefix(strings.TrimPrefix(m.Note, printed), "; "); note != "" {
		fmt.Fprintf(&b, "\n    %s\n", note)
	}
	if m.Wave != "" {
		fmt.Fprintf(&b, "    waveform  %s\n", m.Wave)
	}
	if r.Broken != "" {
		fmt.Fprintf(&b, "    broken  %s\n", r.Broken)
	}
	return flush(w, &b)
}

// AddNote adds a clause to the note; an empty text adds nothing.
func (m *Mismatch) AddNote(text string) {
	switch {
	case text == "":
	case m.Note == "":
		m.Note = text
	default:
		m.Note += "; " + text
	}
}

// Unanswered describes a difference that is not in the response to an event.
func (m *Mismatch) Unanswered() string {
	if m.FoundBy != "" {
		return "the event is not known"
	}
	var names []string
	for _, f := range m.Fields {
		switch {
		case f.Name == "assertion":
			return "an assertion of the RTL failed"
		case !strings.HasSuffix(f.Name, "_valid") && !strings.HasSuffix(f.Name, "_ready"):
			names = append(names, f.Name)
		}
	}
	switch len(names) {
	case 0:
		return "a handshake differs, not the response to an event"
	case 1:
		return names[0] + " differs, in an output that is not the response to one event"
	}
	return strings.Join(names, ", ") + " differ, in outputs that are not the response to one event"
}

// bytesPerLine is how many bytes of a packet are printed per line, as in the examples of the contracts.
const bytesPerLine = 16

// bytesText shows two strings of bytes in wire order: the lines of sixteen in which they differ.
func bytesText(out *strings.Builder, f *Field) {
	fmt.Fprintf(out, "    %s in wire order: %s\n", f.Name, f.Byte)
	want, got := strings.ReplaceAll(f.Want, "_", ""), strings.ReplaceAll(f.Got, "_", "")
	for at := 0; at < min(len(want), len(got)); at += 2 * bytesPerLine {
		a, b := want[at:min(at+2*bytesPerLine, len(want))], got[at:min(at+2*bytesPerLine, len(got))]
		if a != b {
			fmt.Fprintf(out, "    %5d  want %s\n           got  %s\n", f.Offset+at/2, spaced(a), spaced(b))
		}
	}
}

func spaced(digits string) string {
	var out []string
	for pair := range slices.Chunk([]byte(digits), 2) {
		out = append(out, string(pair))
	}
	return strings.Join(out, " ")
}

const (
	shrunkShown = 20
	windowShown = 4 // cycles on each side, in text
)

// windowText prints the cycles next to the failing one: inputs that are not zero, and outputs that differ somewhere in
// the window.
func windowText(m *Mismatch) string {
	g := newGrid(m)
	lo, hi := 0, len(m.Window)
	for i := range m.Window {
		if m.Window[i].Cycle == m.Cycle {
			lo, hi = max(0, i-windowShown), min(len(m.Window), i+windowShown+1)
		}
	}
	t := TextTable{Gap: 2, Indent: "    ", Right: func(i int) bool { return i == 1 }}
	head := []string{"", "cycle"}
	for _, row := range g.out {
		if row.differs {
			head = append(head, row.Name)
		}
	}
	t.Add(append(head, "inputs")...)
	for i := lo; i < hi; i++ {
		mark := ""
		if m.Window[i].Cycle == m.Cycle {
			mark = ">"
		}
		cells := []string{mark, utoa(m.Window[i].Cycle)}
		for _, row := range g.out {
			if row.differs {
				cells = append(cells, row.Cells[i].short())
			}
		}
		var in []string
		for _, n := range m.Window[i].Inputs {
			if !zero(n.Value) {
				in = append(in, n.Name+"="+n.Value)
			}
		}
		t.Add(append(cells, clip(strings.Join(in, " "), 100))...)
	}
	return t.String()
}

// grid is the window of a mismatch transposed: a row per field, a column per cycle.
type grid struct{ in, out []gridRow }

type gridRow struct {
	Name    string
	Cells   []gridCell
	differs bool // want and got differ in some cycle
	active  bool // not zero in some cycle
}

type gridCell struct {
	Want, Got string
	Differ    bool
}

func (c gridCell) String() string {
	if c.Differ {
		return orNone(c.Want) + " / " + orNone(c.Got)
	}
	return c.Want
}

// long is the length at which a value no longer fits a column.
const long = 64

// short is String for a column. It reduces long bytes to the first that differs.
func (c gridCell) short() string {
	switch {
	case max(len(c.Want), len(c.Got)) <= long:
		return c.String()
	case c.Differ:
		return c.firstByte()
	}
	return clip(c.Want, 2*byteGroup+1)
}

// firstByte returns the first byte in which two long values differ, as in "[19] 76 / 77".
func (c gridCell) firstByte() string {
	w, g := strings.ReplaceAll(c.Want, "_", ""), strings.ReplaceAll(c.Got, "_", "")
	for at := 0; at+2 <= min(len(w), len(g)); at += 2 {
		if w[at:at+2] != g[at:at+2] {
			return fmt.Sprintf("[%d] %s / %s", at/2, w[at:at+2], g[at:at+2])
		}
	}
	return clip(orNone(c.Want), 2*byteGroup+1) + " / " + clip(orNone(c.Got), 2*byteGroup+1)
}

// byteGroup is how many bytes are written as one word.
const byteGroup = 8

func orNone(s string) string { return cmp.Or(s, "none") }

// newGrid keeps fields in the order in which they first appear.
func newGrid(m *Mismatch) *grid {
	g := &grid{}
	cell := func(rows *[]gridRow, name string, cycle int) *gridCell {
		i := slices.IndexFunc(*rows, func(r gridRow) bool { return r.Name == name })
		if i < 0 {
			i = len(*rows)
			*rows = append(*rows, gridRow{Name: name, Cells: make([]gridCell, len(m.Window))})
		}
		return &(*rows)[i].Cells[cycle]
	}
	for i, w := range m.Window {
		for _, x := range w.Inputs {
			*cell(&g.in, x.Name, i) = gridCell{Want: x.Value, Got: x.Value}
		}
		for _, x := range w.Want {
			cell(&g.out, x.Name, i).Want = x.Value
		}
		for _, x := range w.Got {
			cell(&g.out, x.Name, i).Got = x.Value
		}
	}
	// A field belongs to the comparison of a cycle only if the row differs: otherwise the fields of an idle stream have no
	// meaning.
	for _, rows := range [][]gridRow{g.in, g.out} {
		for k := range rows {
			for i := range rows[k].Cells {
				c := &rows[k].Cells[i]
				c.Differ = m.Window[i].Differ && c.Want != c.Got
				rows[k].differs = rows[k].differs || c.Differ
				rows[k].active = rows[k].active || !zero(c.Want) || !zero(c.Got)
			}
		}
	}
	return g
}

func zero(s string) bool {
	if strings.Trim(strings.TrimPrefix(s, "0x"), "0_") == "" {
		return true
	}
	v, err := strconv.ParseFloat(s, 64)
	return err == nil && v == 0
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Explanation is how the model came to the response that differs.
type Explanation struct {
	Rules   []RuleText  `json:"rules"`             // the contract's rules that decide what differs
	Concern string      `json:"concern,omitempty"` // whose state it is
	State   []StateWord `json:"state,omitempty"`   // words of the state that are not zero before and after, or that change
	Steps   []Derived   `json:"steps,omitempty"`   // in the order of the rules
	Issued  uint64      `json:"issued,omitempty"`  // cycle in which the model decided
	Note    string      `json:"note,omitempty"`
}

// RuleText is a rule of the contract that decides an output.
type RuleText struct {
	Output string `json:"output"`
	Name   string `json:"name"`
	Where  string `json:"where"` // file:line
	Text   string `json:"text"`
	// Deciding are the lines of Text that decide, if known: rows of a table after its head, or a paragraph.
	Deciding []string `json:"deciding,omitempty"`
	By       bool     `json:"by"` // the model's value comes from this rule; otherwise the rule may decide the output
}

// StateWord is a word of the state before and after the event.
type StateWord struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Derived is a value on the way to the response: the model's, and the design's if a signal shows it.
type Derived struct {
	Rule  string `json:"rule"`
	Name  string `json:"name"`
	Model string `json:"model"`
	// Design is the value of the signal Probe in the cycle in which its stage has the event; empty if there is none.
	Design  string `json:"design,omitempty"`
	Probe   string `json:"probe,omitempty"`
	Differs bool   `json:"differs,omitempty"`
	State   bool   `json:"state,omitempty"` // a word of the state that the rule changed

	Raw *big.Int `json:"-"` // the model's value in units of the last place
}

// probed reports whether some value has a signal of the design.
func (x *Explanation) probed() bool {
	return slices.ContainsFunc(x.Steps, func(s Derived) bool { return s.Probe != "" })
}

// ruleLines is how many lines of a rule are shown as text, besides those that decide; the page shows all.
const ruleLines = 12

// explanationText shows the rules, the state and the steps.
func explanationText(b *strings.Builder, x *Explanation) {
	if x == nil {
		return
	}
	for i := range x.Rules {
		r := &x.Rules[i]
		fmt.Fprintf(b, "\n    %s\n", r.head())
		for _, line := range r.short() {
			fmt.Fprintf(b, "      %s\n", line)
		}
	}
	if len(x.State) > 0 {
		fmt.Fprintf(b, "\n    state of %s (words that are 0 throughout are left out)\n", x.Concern)
		t := TextTable{Gap: 2, Indent: "    ", Right: func(i int) bool { return i > 0 }}
		t.Add("word", "before", "after")
		for _, w := range x.State {
			after := w.After
			if after == w.Before {
				after = "same"
			}
			t.Add(w.Name, w.Before, after)
		}
		b.WriteString(t.String())
	}
	stepsText(b, x)
	if x.Note != "" {
		fmt.Fprintf(b, "\n    %s\n", x.Note)
	}
}

// short returns the first lines of the text, and the deciding lines if they come later.
func (r *RuleText) short() []string {
	lines := strings.Split(r.Text, "\n")
	if len(lines) <= ruleLines+1 {
		return lines
	}
	first, rest := lines[:ruleLines:ruleLines], lines[ruleLines:]
	out := append(first, "...")
	if slices.ContainsFunc(r.Deciding, func(line string) bool { return slices.Contains(rest, line) }) {
		out = append(append(out, r.Deciding...), "...")
	}
	return out
}

func (r *RuleText) head() string {
	verb := "may come from"
	switch {
	case r.By && strings.Contains(r.Output, ","):
		verb = "come from"
	case r.By:
		verb = "comes from"
	}
	return fmt.Sprintf("%s %s %s, %s", r.Output, verb, r.Name, r.Where)
}

// stepsText shows the values of the rules, beside the design's if it has some.
func stepsText(b *strings.Builder, x *Explanation) {
	if len(x.Steps) == 0 {
		return
	}
	b.WriteString("\n    how the model decides, rule by rule (= is a word of the state)\n")
	t := TextTable{Gap: 2, Indent: "    ", Right: func(i int) bool { return i == 2 || i == 3 }}
	head := []string{"rule", "value", "model"}
	if x.probed() {
		head = append(head, "design", "signal")
	}
	t.Add(head...)
	for i := range x.Steps {
		s := &x.Steps[i]
		row := []string{s.Rule, s.title(), s.Model}
		if x.probed() {
			row = append(row, s.Design, s.signal())
		}
		t.Add(row...)
	}
	b.WriteString(t.String())
}

func (s *Derived) title() string {
	if s.State {
		return "= " + s.Name
	}
	return s.Name
}

func (s *Derived) signal() string {
	if s.Differs {
		return s.Probe + "  DIFFERS"
	}
	return s.Probe
}

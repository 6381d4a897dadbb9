package report

import (
	"strings"
	"unicode/utf8"
)

// TextWidth is the number of columns of a report for a terminal.
const TextWidth = 100

// TextTable is rows of cells for a terminal. Every column is as wide as its widest cell.
type TextTable struct {
	Rows   [][]string
	Right  func(column int) bool // columns flushed right; nil for all but the first
	Indent string                // before each row
	Gap    int                   // blanks between columns
	// Width is the most characters of a line, 0 for any number. A wider table continues below itself, with its first
	// column repeated; a single column is never broken.
	Width int
}

// Add appends a row.
func (t *TextTable) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Lines returns the rows as lines without trailing blanks.
func (t *TextTable) Lines() (out []string) {
	var width []int
	for _, r := range t.Rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for from := min(1, len(width)); ; {
		to := t.until(width, from)
		for _, r := range t.Rows {
			out = append(out, t.line(r, width, from, to))
		}
		if from = to; from >= len(width) {
			return out
		}
	}
}

// String returns the lines, each with a line break.
func (t *TextTable) String() string {
	var b strings.Builder
	for _, l := range t.Lines() {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// until returns the end of the columns that fit on a line which begins with the first column and continues at column
// from.
func (t *TextTable) until(width []int, from int) int {
	if t.Width == 0 || len(width) == 0 {
		return len(width)
	}
	used := utf8.RuneCountInString(t.Indent) + width[0]
	for i := from; i < len(width); i++ {
		if used += t.Gap + width[i]; used > t.Width && i > from {
			return i
		}
	}
	return len(width)
}

// line returns the first cell of a row and the cells of columns from to to-1.
func (t *TextTable) line(cells []string, width []int, from, to int) string {
	var b strings.Builder
	b.WriteString(t.Indent)
	for i, c := range cells {
		if i > 0 && (i < from || i >= to) {
			continue
		}
		if i > 0 {
			b.WriteString(strings.Repeat(" ", t.Gap))
		}
		pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
		if t.Right == nil && i > 0 || t.Right != nil && t.Right(i) {
			b.WriteString(pad + c)
		} else {
			b.WriteString(c + pad)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Wrap breaks every line of a text at blanks so that it fits TextWidth, and ends it with a line break.
func Wrap(text string) string {
	var b strings.Builder
	for _, whole := range strings.Split(text, "\n") {
		used := 0
		for i, word := range strings.Split(whole, " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case used+1+n > TextWidth:
				b.WriteString("\n")
				used = 0
			default:
				b.WriteString(" ")
				used++
			}
			b.WriteString(word)
			used += n
		}
		b.WriteString("\n")
	}
	return b.String()
}

package report

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Part is a piece of a section on a page: Text, Command, List, Table, Tiles, Figure, Fold, or a type private to this
// package.
type Part interface {
	template() string // its name in page.tmpl
}

// Text is a paragraph.
type Text struct {
	Text string
	Dim  bool
	Mono bool
}

// Heading is a heading below that of the section.
type Heading string

// Command is text to copy.
type Command string

// List is a list of lines.
type List struct {
	Items    []string
	Numbered bool
	Names    bool // narrow items, such as names of bins: two columns if there is room
}

// Tile is one large figure.
type Tile struct{ Name, Value, Note string }

// Tiles are figures side by side.
type Tiles []Tile

// TilesOf returns a tile for each metric that was measured.
func TilesOf(metrics []Metric) (out Tiles) {
	for i := range metrics {
		m := &metrics[i]
		if m.Verdict() == Unmeasured {
			continue
		}
		t := Tile{Name: m.What, Value: si(m.Value), Note: m.Bound.String()}
		if m.Unit != "" {
			t.Value += " " + m.Unit
		}
		out = append(out, t)
	}
	return out
}

// Fold is shown when its name is clicked.
type Fold struct {
	Name  string
	Parts []Part
}

// Table is rows of cells. Without columns, the first cell of a row is its name.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// Column is the head of a column and what its cells hold.
type Column struct {
	Name string
	Kind Kind
}

// Kind is how the cells of a column are shown.
type Kind string

// The kinds of columns.
const (
	Words   Kind = ""
	Code    Kind = "mono"
	Number  Kind = "num"
	Meter   Kind = "meter" // a bar as long as Cell.Share
	Compare Kind = "v"     // a value next to another
)

// Cell is one cell: text, in a tag of class Tag if set, and a link to a place on the page.
type Cell struct {
	Text, Tag, Link string
	Differs         bool
	Share           float64 // of a Meter, in percent
}

// Cells returns a row of plain cells.
func Cells(text ...string) []Cell {
	out := make([]Cell, len(text))
	for i, t := range text {
		out[i].Text = t
	}
	return out
}

// Columns returns columns: the first holds words, the others numbers.
func Columns(names ...string) []Column {
	out := make([]Column, len(names))
	for i, n := range names {
		out[i] = Column{Name: n, Kind: Number}
	}
	if len(out) > 0 {
		out[0].Kind = Words
	}
	return out
}

// Named adds a name with its value.
func (t *Table) Named(name, value string) { t.Rows = append(t.Rows, Cells(name, value)) }

func (Text) template() string    { return "text" }
func (Heading) template() string { return "heading" }
func (Command) template() string { return "command" }
func (List) template() string    { return "list" }
func (Tiles) template() string   { return "tiles" }
func (Fold) template() string    { return "fold" }
func (Table) template() string   { return "table" }
func (Figure) template() string  { return "figure" }

// Page is one self-contained page: a banner with the verdict, sections, and groups of sections with a banner each.
// Every HTML report is one.
type Page struct {
	Banner
	Title    string
	Sections []Section
	Groups   []Group
}

// Banner is a verdict, a word and a line of reasons; Class is its colour: good, warn or bad.
type Banner struct{ Word, Class, Line string }

// Group is the sections of one run. A single group has no banner of its own: the page's banner is enough.
type Group struct {
	Banner
	ID, Title string
	Sections  []Section
}

//go:embed page.tmpl
var pageTemplate string

//go:embed page.css
var pageCSS string

var pages = parsePage()

// parsePage makes the template refer to itself: a part is rendered by the template that its type names.
func parsePage() *template.Template {
	t := template.New("report")
	t.Funcs(template.FuncMap{
		"zero": zero, "none": orNone,
		"css": func() template.CSS { return template.CSS(pageCSS) },
		"outcome": func(s Section) (b Banner) {
			o, why := s.Outcome()
			if why != "" {
				why += "."
			}
			return Banner{string(o), o.class(), why}
		},
		"draw": func(f Figure) template.HTML { return template.HTML(f.SVG()) },
		"part": func(p Part) (template.HTML, error) {
			if p == nil {
				return "", errors.New("a part of a section is nil")
			}
			var b strings.Builder
			err := t.ExecuteTemplate(&b, p.template(), p)
			return template.HTML(b.String()), err
		},
	})
	return template.Must(t.Parse(pageTemplate))
}

// WriteHTML writes the page. Styles and figures are inside; it loads nothing and has no script. It follows the reader's
// light or dark setting and prints in black on white. Equal pages give equal bytes.
func (p *Page) WriteHTML(w io.Writer) error {
	if err := pages.ExecuteTemplate(w, "page", p); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	return nil
}

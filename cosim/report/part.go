package report

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

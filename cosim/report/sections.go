package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
)

// Page is one self-contained page of sections, for results that are no
// co-simulation runs.
type Page struct {
	Title string
	Good  bool   // colour of the banner
	Word  string // in the banner, such as DONE
	Line  string // beside it
	Parts []Section
}

// Section is a heading with a note, a table, plots and a list, each of which may be
// missing. The first column of the table is text, the others numbers.
type Section struct {
	Title, Note string
	Head        []string
	Rows        [][]string
	Plots       []Plot
	List        []string
}

// Plot is a drawing of values that hold until the next sample. At most ten curves
// have colours of their own.
type Plot struct {
	Title  string // what the values are, with the unit
	X      string // what the abscissa is; "" for time in microseconds
	Log    bool   // logarithmic when the values above 0 span more than a decade; others lie on its floor
	Curves []Curve
}

// Curve is one line of a plot: X ascending, as long as Y.
type Curve struct {
	Name string
	X, Y []float64
}

//go:embed sections.tmpl
var sectionsTemplate string

var sections = template.Must(template.New("sections").Funcs(template.FuncMap{
	"draw": func(p Plot) template.HTML { return template.HTML(p.SVG()) },
}).Parse(sectionsTemplate))

// WriteHTML writes the page: styles and plots are inside, it loads nothing and has
// no script.
func (p *Page) WriteHTML(w io.Writer) error {
	if err := sections.Execute(w, struct {
		*Page
		CSS template.CSS
	}{p, template.CSS(pageCSS)}); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	return nil
}

// curveColours are those of the page's style sheet, so that plots follow light,
// dark and paper.
var curveColours = [...]string{"c1", "c3", "up", "down", "hold", "qa", "up3", "c2", "warn", "flat"}

// SVG returns the drawing.
func (p Plot) SVG() string {
	var xs, ys [][]float64
	for _, c := range p.Curves {
		xs, ys = append(xs, c.X), append(ys, c.Y)
	}
	x0, x1 := spread(xs...)
	_, y1 := spread(append(ys, []float64{0})...)
	f := frame{plotLeft, plotWidth - plotRight, 44, 250, x0, x1, 0, y1 * 1.06}
	at, label := ticks(0, f.y1, 5), func(v float64) string {
		if math.Abs(v) < 1 && v != 0 {
			return sig(v)
		}
		return si(v)
	}
	if lo := leastAbove0(ys); p.Log && y1 > 10*lo {
		p.Title += " (logarithmic)"
		f.y0, f.y1 = math.Log10(lo)-0.3, math.Log10(y1)+0.05
		at, label = decades(f.y0, f.y1), func(v float64) string { return si(math.Round(math.Pow(10, v))) }
		for i := range ys {
			ys[i] = logs(ys[i], f.y0)
		}
	}
	s := newSVG(f.bottom+40, p.Title)
	if p.X == "" {
		s.timeAxis(&f, f.top)
	} else {
		for _, v := range ticks(f.x0, f.x1, 8) {
			x := f.x(v)
			s.line("grid", x, f.top, x, f.bottom)
			s.text("tick", x, f.bottom+16, "middle", strconv.FormatFloat(v, 'g', 6, 64))
		}
		s.text("tick", f.right, f.bottom+32, "end", p.X)
	}
	s.text("panel", f.left, 14, "start", p.Title)
	s.panel(&f, "", at, label)
	key := f.left
	for i, c := range p.Curves {
		style := "stroke:var(--" + curveColours[i%len(curveColours)] + ");stroke-width:1.5"
		fmt.Fprintf(s, `<path style="%s" d="%s"><title>%s</title></path>`, style, f.steps(c.X, ys[i]),
			template.HTMLEscapeString(c.Name))
		if len(p.Curves) > 1 || c.Name != "" {
			fmt.Fprintf(s, `<path style="%s" d="M%s 30h18"/>`, style, coord(key))
			s.text("key", key+22, 34, "start", c.Name)
			key += 44 + 7*float64(len([]rune(c.Name)))
		}
	}
	return s.done()
}

// leastAbove0 returns the least value above 0, +Inf when there is none.
func leastAbove0(vs [][]float64) float64 {
	lo := math.Inf(1)
	for _, v := range vs {
		for _, x := range v {
			if x > 0 {
				lo = min(lo, x)
			}
		}
	}
	return lo
}

// logs returns the decimal logarithms, floor for what has none.
func logs(v []float64, floor float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if out[i] = floor; x > 0 {
			out[i] = math.Log10(x)
		}
	}
	return out
}

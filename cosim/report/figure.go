package report

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
)

// Figure is a drawing: panels below each other over one abscissa.
type Figure struct {
	Name  string // heading above it; "" for none
	About string // what it shows, for readers who cannot see it; "" for the title of the first panel
	// X names the abscissa; "" for time in microseconds.
	X string
	// Decades marks an abscissa of decimal logarithms.
	Decades bool
	// Whole marks an abscissa of numbered things, each as wide as from its number to the next.
	Whole  bool
	Panels []Panel
}

// Panel is values over the abscissa: curves, or lanes of marks, or the bars of a histogram.
type Panel struct {
	Title  string // what the values are, with the unit
	Log    bool   // logarithmic if the values above 0 span more than a decade; others lie on the floor
	Curves []Curve
	Lanes  []Lane
	Bars   []Bar
	Spans  []Span
	Limit  *Limit
}

// Curve is values over X, which ascends and is as long as Y.
type Curve struct {
	Name   string
	X, Y   []float64
	Form   Form
	Colour Colour
}

// Form is how a curve is drawn.
type Form uint8

// The forms of curves.
const (
	Steps  Form = iota // a value holds until the next
	Dots               // a dot for each value
	Dashed             // steps as a dashed line, for a target
)

// Colour is a colour of the style sheet, so that figures follow light, dark and paper; "" for the next of the list.
type Colour string

// The colours, in the order in which curves without one take them.
var colours = [...]Colour{"c1", "c3", "up", "down", "hold", "qa", "up3", "c2", "warn", "flat"}

func (c Colour) or(i int) Colour {
	if c != "" {
		return c
	}
	return colours[i%len(colours)]
}

// Lane is a row of marks, one for each X.
type Lane struct {
	Name   string
	X      []float64
	Colour Colour
}

// Bar counts values from From to To on the abscissa. The axis of counts is logarithmic, so that a count of one is
// visible next to a million.
type Bar struct {
	From, To float64
	Count    uint64
	Over     bool // beyond a bound
}

// Span is a row with a bar from From to To. Only UsedFrom to UsedTo is in use; the rest is shaded.
type Span struct {
	Name, Note       string
	From, To         float64
	UsedFrom, UsedTo float64
}

// Limit is a bound on the abscissa.
type Limit struct {
	At   float64
	Name string
}

const (
	lonePanel   = 206.0 // height of the only panel of a figure
	stackedOne  = 150.0 // of one of several
	laneHeight  = 15.0
	spanNames   = 40.0 // more room for the names of spans
	panelTitle  = 24.0 // above the drawing
	legendRow   = 18.0
	panelGap    = 16.0
	underFigure = 40.0 // the abscissa
)

// SVG returns the drawing.
func (f Figure) SVG() string {
	x := f.abscissa()
	body := &svg{}
	y := 0.0
	frames := make([]frame, len(f.Panels))
	legends := make([][]legend, len(f.Panels))
	for i := range f.Panels {
		p := &f.Panels[i]
		if i > 0 {
			y += panelGap
		}
		legends[i] = p.legend()
		y += panelTitle
		if n := len(legends[i]); n > 0 {
			y += legendRow * float64(legends[i][n-1].row+1)
		}
		frames[i] = x
		frames[i].top, frames[i].bottom = y, y+p.height(len(f.Panels) == 1)
		y = frames[i].bottom
	}
	if n := len(frames); n > 0 {
		body.abscissa(&f, &frames[n-1], frames[0].top)
	}
	for i := range f.Panels {
		f.Panels[i].draw(body, &frames[i], legends[i])
	}
	about := f.About
	if about == "" && len(f.Panels) > 0 {
		about = f.Panels[0].Title
	}
	return newSVG(y+underFigure, about) + body.String() + "</svg>"
}

// abscissa returns a frame with the range of X of all panels.
func (f *Figure) abscissa() frame {
	var all [][]float64
	for i := range f.Panels {
		p := &f.Panels[i]
		for _, c := range p.Curves {
			all = append(all, c.X)
		}
		for _, l := range p.Lanes {
			all = append(all, l.X)
		}
		for _, b := range p.Bars {
			all = append(all, []float64{b.From, b.To})
		}
		for _, b := range p.Spans {
			all = append(all, []float64{b.From, b.To})
		}
		if p.Limit != nil {
			all = append(all, []float64{p.Limit.At})
		}
	}
	lo, hi := spread(all...)
	left := float64(plotLeft)
	for i := range f.Panels {
		if len(f.Panels[i].Spans) > 0 {
			left = plotLeft + spanNames
		}
	}
	return frame{left: left, right: plotWidth - plotRight, x0: lo, x1: hi}
}

func (p *Panel) height(lone bool) float64 {
	switch {
	case len(p.Lanes)+len(p.Spans) > 0:
		return laneHeight * float64(len(p.Lanes)+len(p.Spans))
	case lone:
		return lonePanel
	}
	return stackedOne
}

// abscissa draws the vertical grid through all panels and the labels below the last.
func (s *svg) abscissa(fig *Figure, f *frame, top float64) {
	name, scale, label := fig.X, 1.0, func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	at := ticks(f.x0, f.x1, 8)
	switch {
	case fig.Decades:
		at = nil
		for e := math.Ceil(f.x0); e <= f.x1; e++ {
			at = append(at, e)
		}
		label = func(v float64) string { return fmt.Sprintf("1e%d", int(v)) }
	case fig.Whole:
		at = ticks(f.x0, f.x1, max(1, min(8, int(f.x1-f.x0))))
		if n := len(at); n > 1 && at[n-1] >= f.x1 { // the end of the last thing
			at = at[:n-1]
		}
	case name == "":
		name = "time, µs"
		if f.x1-f.x0 > 20000 {
			name, scale = "time, ms", 1e-3
		}
		at = ticks(f.x0*scale, f.x1*scale, 8)
	}
	for _, v := range at {
		x := f.x(v / scale)
		s.line("grid", x, top, x, f.bottom)
		s.text("tick", x, f.bottom+16, "middle", label(v))
	}
	s.text("tick", f.right, f.bottom+32, "end", name)
}

func (p *Panel) draw(s *svg, f *frame, keys []legend) {
	switch {
	case len(p.Lanes) > 0:
		p.drawLanes(s, f)
	case len(p.Spans) > 0:
		p.drawSpans(s, f)
	case len(p.Bars) > 0:
		p.drawBars(s, f)
	default:
		p.drawCurves(s, f)
	}
	top := f.top - 8
	if n := len(keys); n > 0 {
		top -= legendRow * float64(keys[n-1].row+1)
	}
	s.text("panel", f.left, top, "start", p.Title+p.scale())
	for _, k := range keys {
		y := top + legendRow*float64(k.row+1) - 2
		s.curve(&p.Curves[k.curve], k.curve, "M"+coord(k.x)+" "+coord(y-4)+k.stroke)
		s.text("key", k.x+22, y, "start", p.Curves[k.curve].Name)
	}
	if l := p.Limit; l != nil {
		x := f.x(l.At)
		s.line("bound", x, f.top-4, x, f.bottom)
		s.text("key", x, f.top-8, "middle", l.Name)
	}
}

// scale names the scale unless it is linear.
func (p *Panel) scale() string {
	if _, log := p.decades(); log || len(p.Bars) > 0 {
		return " (logarithmic)"
	}
	return ""
}

// decades returns the smallest value above 0, and whether the panel has a logarithmic scale.
func (p *Panel) decades() (lo float64, log bool) {
	if !p.Log {
		return 0, false
	}
	var ys [][]float64
	for _, c := range p.Curves {
		ys = append(ys, c.Y)
	}
	_, hi := spread(append(ys, []float64{0})...)
	lo = leastAbove0(ys)
	return lo, hi > 10*lo
}

func (p *Panel) drawCurves(s *svg, f *frame) {
	ys := make([][]float64, len(p.Curves))
	for i, c := range p.Curves {
		ys[i] = c.Y
	}
	lo, hi := spread(append(ys, []float64{0})...)
	f.y0, f.y1 = min(0, lo*1.06), hi*1.06
	at, label := ticks(f.y0, f.y1, 5), func(v float64) string {
		if math.Abs(v) < 1 && v != 0 {
			return Digits(v)
		}
		return si(v)
	}
	if least, log := p.decades(); log {
		f.y0, f.y1 = math.Log10(least)-0.3, math.Log10(hi)+0.05
		at, label = decades(f.y0, f.y1), func(v float64) string {
			if v < 0 {
				return Digits(math.Pow(10, v))
			}
			return si(math.Round(math.Pow(10, v)))
		}
		for i := range ys {
			ys[i] = logs(ys[i], f.y0)
		}
	}
	s.values(f, at, label)
	for i := range p.Curves {
		c := &p.Curves[i]
		if c.Form == Dots {
			s.curve(c, i, f.dots(c.X, ys[i]))
		} else {
			s.curve(c, i, f.steps(c.X, ys[i]))
		}
	}
}

func (s *svg) curve(c *Curve, i int, d string) {
	if d == "" {
		return
	}
	form := [...]string{Steps: "", Dots: " dots", Dashed: " dashed"}[c.Form]
	fmt.Fprintf(s, `<path class="curve%s" style="stroke:var(--%s)" d="%s"><title>%s</title></path>`, form,
		c.Colour.or(i), d, html.EscapeString(c.Name))
}

// legend is the place of a curve's name.
type legend struct {
	curve, row int
	x          float64
	stroke     string
}

// legend places the names of curves in as many rows as they need. It returns none if the only curve has no name.
func (p *Panel) legend() (out []legend) {
	if len(p.Curves) == 0 || len(p.Curves) == 1 && p.Curves[0].Name == "" {
		return nil
	}
	x, row := float64(plotLeft), 0
	for i, c := range p.Curves {
		width := 44 + 7*float64(len([]rune(c.Name)))
		if x > plotLeft && x+width > plotWidth {
			x, row = plotLeft, row+1
		}
		k := legend{i, row, x, "h18"}
		if c.Form == Dots {
			k.x, k.stroke = x+8, "h0"
		}
		out = append(out, k)
		x += width
	}
	return out
}

// leastAbove0 returns the smallest value above 0, or +Inf if there is none.
func leastAbove0(vs [][]float64) float64 {
	lo := math.Inf(1)
	for _, x := range slices.Concat(vs...) {
		if x > 0 {
			lo = min(lo, x)
		}
	}
	return lo
}

// logs returns the decimal logarithms, with floor for values of 0 or less.
func logs(v []float64, floor float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if out[i] = math.Log10(x); x <= 0 {
			out[i] = floor
		}
	}
	return out
}

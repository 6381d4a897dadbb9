package report

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Figures are small hand-made SVG: no library, no script, and colours from the page's style sheet, so that they follow
// light, dark and paper. This file has the drawing functions that all figures share.

const (
	plotWidth = 960
	plotLeft  = 92
	plotRight = 14
)

// frame maps data to a rectangle of the drawing.
type frame struct {
	left, right, top, bottom float64 // drawing
	x0, x1, y0, y1           float64 // data
}

func (f *frame) x(v float64) float64 {
	return f.left + (v-f.x0)/(f.x1-f.x0)*(f.right-f.left)
}

func (f *frame) y(v float64) float64 {
	return f.bottom - (v-f.y0)/(f.y1-f.y0)*(f.bottom-f.top)
}

// coord writes a coordinate with a tenth of a pixel.
func coord(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// ticks returns about n round values in [lo, hi].
func ticks(lo, hi float64, n int) []float64 {
	if !(hi > lo) || math.IsInf(hi-lo, 0) {
		return []float64{lo}
	}
	raw := (hi - lo) / float64(n)
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * mag
	for _, m := range []float64{1, 2, 5} {
		if m*mag >= raw {
			step = m * mag
			break
		}
	}
	var out []float64
	for k := math.Ceil(lo / step); k*step <= hi*(1+1e-12); k++ {
		out = append(out, k*step)
	}
	return out
}

// decades returns the logarithms of the values 1, 2, 5, 10, ... in 10^lo to 10^hi, or only of powers of ten if those
// would be too many.
func decades(lo, hi float64) []float64 {
	steps := []float64{1, 2, 5}
	if hi-lo > 2.5 {
		steps = steps[:1]
	}
	var out []float64
	for e := math.Floor(lo); e <= hi; e++ {
		for _, m := range steps {
			if v := e + math.Log10(m); v >= lo && v <= hi {
				out = append(out, v)
			}
		}
	}
	return out
}

type svg struct{ strings.Builder }

func newSVG(height float64, about string) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %d %s" role="img" aria-label="%s">`, plotWidth, coord(height),
		html.EscapeString(about))
}

func (s *svg) text(class string, x, y float64, anchor, text string) {
	fmt.Fprintf(s, `<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, coord(x), coord(y), anchor,
		html.EscapeString(text))
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(s, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, coord(x1), coord(y1), coord(x2), coord(y2))
}

// values draws the horizontal grid with its labels, and the axis.
func (s *svg) values(f *frame, at []float64, labels func(float64) string) {
	for _, v := range at {
		y := f.y(v)
		s.line("grid", f.left, y, f.right, y)
		s.text("tick", f.left-6, y+4, "end", labels(v))
	}
	s.line("axis", f.left, f.top, f.left, f.bottom)
}

// steps returns the path of a value that holds until its next sample. Samples that share a pixel column become a
// vertical stroke from the smallest to the largest, so that the picture is exact and its size is limited by the width.
func (f *frame) steps(t, v []float64) string {
	var b strings.Builder
	column, lo, hi, last := "", 0.0, 0.0, 0.0
	flush := func() {
		if column == "" {
			return
		}
		if b.Len() == 0 {
			b.WriteString("M" + column + " " + coord(lo))
		} else {
			b.WriteString("H" + column + "V" + coord(lo))
		}
		if hi != lo {
			b.WriteString("V" + coord(hi))
		}
		if last != hi {
			b.WriteString("V" + coord(last))
		}
	}
	for i := range min(len(t), len(v)) {
		if !isFinite(t[i]) || !isFinite(v[i]) {
			continue
		}
		x, y := coord(math.Round(f.x(t[i])*2)/2), math.Round(f.y(v[i])*10)/10
		if x != column {
			flush()
			column, lo, hi = x, y, y
		}
		lo, hi, last = min(lo, y), max(hi, y), y
	}
	flush()
	return b.String()
}

// dots returns a path of one dot per sample. Dots on the same spot are drawn once.
func (f *frame) dots(t, v []float64) string {
	var b strings.Builder
	seen := map[string]bool{}
	for i := range min(len(t), len(v)) {
		if !isFinite(t[i]) || !isFinite(v[i]) {
			continue
		}
		p := coord(math.Round(f.x(t[i])*2)/2) + " " + coord(math.Round(f.y(v[i])*2)/2)
		if !seen[p] {
			seen[p] = true
			b.WriteString("M" + p + "h0")
		}
	}
	return b.String()
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// spread returns the smallest and largest finite values, and never an empty range.
func spread(vs ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		for _, x := range v {
			if isFinite(x) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	if lo > hi {
		return 0, 1
	}
	if lo == hi {
		return lo, lo + max(1, math.Abs(lo)*0.01)
	}
	return lo, hi
}

// drawLanes draws a row of strokes for each lane.
func (p *Panel) drawLanes(s *svg, f *frame) {
	s.line("axis", f.left, f.top, f.left, f.bottom)
	for k := range p.Lanes {
		l := &p.Lanes[k]
		y := f.top + laneHeight*float64(k)
		s.text("tick", f.left-6, y+laneHeight-4, "end", l.Name)
		s.line("grid", f.left, y+laneHeight, f.right, y+laneHeight)
		fmt.Fprintf(s, `<path class="act" style="stroke:var(--%s)" d="%s"><title>%s: %s</title></path>`, l.Colour.or(k),
			f.marks(l.X, y+2, laneHeight-4), html.EscapeString(l.Name), Plural(uint64(len(l.X)), "event"))
	}
}

// drawSpans draws a row for each span: the part in use and the rest.
func (p *Panel) drawSpans(s *svg, f *frame) {
	s.line("axis", f.left, f.top, f.left, f.bottom)
	for k := range p.Spans {
		b := &p.Spans[k]
		y := f.top + laneHeight*float64(k)
		s.text("tick", f.left-6, y+laneHeight-4, "end", b.Name)
		for _, r := range []struct {
			class    string
			from, to float64
		}{{"span", b.From, b.To}, {"span used", max(b.UsedFrom, b.From), min(b.UsedTo, b.To)}} {
			if r.to > r.from {
				fmt.Fprintf(s, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"><title>%s: %s</title></rect>`, r.class,
					coord(f.x(r.from)), coord(y+2), coord(f.x(r.to)-f.x(r.from)), coord(laneHeight-4), html.EscapeString(b.Name),
					html.EscapeString(b.Note))
			}
		}
	}
}

// marks returns a path of one vertical stroke per value.
func (f *frame) marks(xs []float64, top, height float64) string {
	var b strings.Builder
	last := ""
	for _, v := range xs {
		if !isFinite(v) {
			continue
		}
		if x := coord(f.x(v)); x != last {
			b.WriteString("M" + x + " " + coord(top) + "v" + coord(height))
			last = x
		}
	}
	return b.String()
}

// drawBars draws a histogram on a logarithmic axis of counts. The axis starts half a decade below 1, so that a count of
// one has a bar.
func (p *Panel) drawBars(s *svg, f *frame) {
	most := uint64(1)
	for _, b := range p.Bars {
		most = max(most, b.Count)
	}
	f.y0, f.y1 = -0.5, max(1, math.Ceil(math.Log10(float64(most))+0.15))
	var at []float64
	for e := 0.0; e <= f.y1; e++ {
		at = append(at, e)
	}
	s.values(f, at, func(v float64) string { return Count(uint64(math.Pow(10, v))) })
	s.line("axis", f.left, f.bottom, f.right, f.bottom)
	for _, b := range p.Bars {
		if b.Count == 0 {
			continue
		}
		x, w := f.x(b.From)+2, f.x(b.To)-f.x(b.From)-4
		y := f.y(math.Log10(float64(b.Count)))
		class := "bar"
		if b.Over {
			class = "bar over"
		}
		fmt.Fprintf(s, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"><title>%s to %s: %s</title></rect>`,
			class, coord(x), coord(y), coord(w), coord(f.bottom-y), power(b.From), power(b.To), Plural(b.Count, "event"))
		if w > 30 {
			s.text("count", x+w/2, y-4, "middle", Count(b.Count))
		}
	}
}

// power writes a decimal logarithm as the number, such as 1e-4.
func power(log float64) string { return fmt.Sprintf("1e%g", log) }

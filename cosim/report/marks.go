package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

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

package report

import (
	"fmt"
	"math"
)

// errorPlot draws the histogram of the relative error of cwnd by decades, on a
// logarithmic count axis so that a single bad event shows beside a million good
// ones, with the bound as a line.
func errorPlot(f *FloatDiff) string {
	bound := int(math.Round(math.Log10(MaxRelErrCwnd)))
	lo, hi := bound-1, bound
	most := uint64(1)
	for _, b := range f.ErrHist {
		lo, hi = min(lo, b.Log10), max(hi, b.Log10)
		most = max(most, b.Count)
	}
	fr := frame{plotLeft, plotWidth - plotRight, 30, 210, float64(lo), float64(hi + 1), 0,
		math.Max(1, math.Ceil(math.Log10(float64(most))+0.15))}
	s := newSVG(262, "histogram of the relative error of cwnd, fixed point against float64")
	// A count of one needs a bar: the axis starts half a decade below it.
	fr.y0 = -0.5
	for e := 0.0; e <= fr.y1; e++ {
		s.line("grid", fr.left, fr.y(e), fr.right, fr.y(e))
		s.text("tick", fr.left-6, fr.y(e)+4, "end", group(uint64(math.Pow(10, e))))
	}
	s.text("panel", fr.left, fr.top-12, "start", "events (logarithmic)")
	s.line("axis", fr.left, fr.bottom, fr.right, fr.bottom)
	for e := lo; e <= hi+1; e++ {
		s.text("tick", fr.x(float64(e)), fr.bottom+16, "middle", fmt.Sprintf("1e%d", e))
	}
	s.text("tick", fr.right, fr.bottom+36, "end", "relative error of cwnd after one step")
	for _, b := range f.ErrHist {
		if b.Count == 0 {
			continue
		}
		x, w := fr.x(float64(b.Log10))+2, fr.x(float64(b.Log10+1))-fr.x(float64(b.Log10))-4
		y := fr.y(math.Log10(float64(b.Count)))
		class := "bar"
		if b.Log10 >= bound {
			class = "bar over"
		}
		fmt.Fprintf(s, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"><title>1e%d to 1e%d: %s</title></rect>`,
			class, coord(x), coord(y), coord(w), coord(fr.bottom-y), b.Log10, b.Log10+1, plural(b.Count, "event"))
		if w > 30 {
			s.text("count", x+w/2, y-4, "middle", group(b.Count))
		}
	}
	x := fr.x(float64(bound))
	s.line("bound", x, fr.top-4, x, fr.bottom)
	s.text("key", x, fr.top-10, "middle", "bound "+sig(MaxRelErrCwnd))
	return s.done()
}

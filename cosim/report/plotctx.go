package report

import (
	"fmt"
	"html"
	"math"
	"sort"
	"strings"
)

// actionOrder puts what raises the window above what lowers it; actions that the
// list does not know come last, by name.
var actionOrder = []string{"FAST", "PROP", "FAIR", "RCV_LIMIT", "NOOP", "NO_RTT", "IGNORE", "NONE", "QA", "MD",
	"NACK_DEC", "LOSS_DEC"}

// contextPlot draws what one context did over time, three panels over one time
// axis: the window, the delay with its average and target, and a lane of marks
// for every action that occurs.
func contextPlot(c *Series) string {
	const (
		panelH = 150.0
		gap    = 40.0
		laneH  = 15.0
	)
	names, counts := lanes(c.Action)
	t0, t1 := spread(c.TimeUs)
	top := 24.0
	cw := frame{plotLeft, plotWidth - plotRight, top, top + panelH, t0, t1, 0, 0}
	dl := cw
	dl.top, dl.bottom = cw.bottom+gap, cw.bottom+gap+panelH
	lo, hi := spread(c.DelayUs, c.AvgUs, []float64{0, c.Target})
	dl.y0, dl.y1 = min(0, lo), hi*1.06
	ac := dl
	ac.top = dl.bottom + gap
	ac.bottom = ac.top + laneH*float64(max(1, len(names)))

	s := newSVG(ac.bottom+40, fmt.Sprintf("context %d: window, delay and actions over time", c.Context))
	s.timeAxis(&ac, cw.top)
	s.window(&cw, c)
	s.panel(&dl, "queueing delay, µs", ticks(dl.y0, dl.y1, 4), func(v float64) string { return fmt.Sprintf("%.4g", v) })
	s.legend(&dl, c.Target > 0)
	s.path("delay", dl.dots(c.TimeUs, c.DelayUs))
	s.path("avg", dl.steps(c.TimeUs, c.AvgUs))
	if c.Target > 0 {
		s.line("target", dl.left, dl.y(c.Target), dl.right, dl.y(c.Target))
	}
	s.text("panel", ac.left, ac.top-6, "start", "action of each event")
	s.line("axis", ac.left, ac.top, ac.left, ac.bottom)
	for k, n := range names {
		y := ac.top + laneH*float64(k)
		s.text("tick", ac.left-6, y+laneH-4, "end", n)
		s.line("grid", ac.left, y+laneH, ac.right, y+laneH)
		d := ac.marks(c, n, y+2, laneH-4)
		fmt.Fprintf(s, `<path class="act act-%s" d="%s"><title>%s: %s</title></path>`,
			html.EscapeString(n), d, html.EscapeString(n), plural(uint64(counts[n]), "event"))
	}
	return s.done()
}

// window draws cwnd from zero, or on a logarithmic axis when it spans more than a
// decade: an incast starts at many times the window it settles at.
func (s *svg) window(f *frame, c *Series) {
	lo, hi := spread(c.Cwnd)
	if lo <= 0 || hi < 10*lo {
		f.y1 = hi * 1.06
		s.panel(f, "cwnd, bytes", ticks(0, f.y1, 4), si)
		s.path("cwnd", f.steps(c.TimeUs, c.Cwnd))
		return
	}
	f.y0, f.y1 = math.Log10(lo)-0.05, math.Log10(hi)+0.05
	logs := make([]float64, len(c.Cwnd))
	for i, v := range c.Cwnd {
		logs[i] = math.Log10(v)
	}
	s.panel(f, "cwnd, bytes (logarithmic)", decades(f.y0, f.y1),
		func(v float64) string { return si(math.Round(math.Pow(10, v))) })
	s.path("cwnd", f.steps(c.TimeUs, logs))
}

func (s *svg) legend(f *frame, target bool) {
	x, y := f.right, f.top-6
	if target {
		s.text("key", x, y, "end", "target")
		s.line("target", x-66, y-4, x-44, y-4)
		x -= 82
	}
	s.text("key", x, y, "end", "average")
	s.line("avg", x-76, y-4, x-54, y-4)
	x -= 92
	s.text("key", x, y, "end", "sample")
	s.path("delay", "M"+coord(x-56)+" "+coord(y-4)+"h0")
}

// marks returns a path of one vertical stroke per event with the action name.
func (f *frame) marks(c *Series, name string, top, height float64) string {
	var b strings.Builder
	last := ""
	for i := range min(len(c.Action), len(c.TimeUs)) {
		if c.Action[i] != name || !isFinite(c.TimeUs[i]) {
			continue
		}
		if x := coord(f.x(c.TimeUs[i])); x != last {
			b.WriteString("M" + x + " " + coord(top) + "v" + coord(height))
			last = x
		}
	}
	return b.String()
}

// lanes returns the actions that occur, in the order to draw them.
func lanes(actions []string) (names []string, count map[string]int) {
	count = map[string]int{}
	for _, a := range actions {
		if a != "" {
			count[a]++
		}
	}
	known := map[string]bool{}
	for _, a := range actionOrder {
		known[a] = true
		if count[a] > 0 {
			names = append(names, a)
		}
	}
	var rest []string
	for a := range count {
		if !known[a] {
			rest = append(rest, a)
		}
	}
	sort.Strings(rest)
	return append(names, rest...), count
}

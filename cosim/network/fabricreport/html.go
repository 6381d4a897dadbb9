package fabricreport

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// pageFlows is the most rows of the table of flows on a page.
const pageFlows = 256

// WriteHTML writes the report as one page.
func (r *Report) WriteHTML(w io.Writer) error {
	v, why := r.Verdict()
	p := report.Page{Title: r.Plan.Name, Banner: report.Banner{Word: strings.ToUpper(string(v)), Class: "bad",
		Line: r.conditions()}}
	if v == Done {
		p.Class = "good"
	} else {
		p.Line = why + " (" + p.Line + ")"
	}
	if r.Plan.About != "" {
		p.Title += ": " + r.Plan.About
	}
	p.Sections = r.pageSections()
	return p.WriteHTML(w)
}

func (r *Report) pageSections() (out []report.Section) {
	if len(r.All) == 0 {
		return nil
	}
	bounded := r.bounded()
	if s := r.sideBySide(); s != nil {
		out = append(out, *s)
	}
	out = append(out, r.distributionSection())
	for i, o := range r.All {
		out = append(out, figureSection(bounded[i], o), slowdownSection(o))
		if steps := r.steps(o); len(steps) > 0 {
			out = append(out, report.Section{Title: "Played step by step with " + o.CC,
				Parts: []report.Part{report.List{Items: steps}}})
		}
		if o.Watch != nil && len(o.Runs) > 0 {
			out = append(out, r.watchSection(o))
		}
	}
	if len(r.books) > 0 {
		s := bounded[len(r.All)]
		s.Parts = []report.Part{report.List{Items: r.books}}
		out = append(out, s)
	}
	return out
}

// sideBySide compares congestion controls. It returns nil if only one ran.
func (r *Report) sideBySide() *report.Section {
	c := r.compare()
	if c == nil {
		return nil
	}
	t := report.Table{Columns: report.Columns(append([]string{"flow"}, c.CC...)...)}
	for _, row := range append(r.compareFigures(), r.compareFlows(c, pageFlows)...) {
		t.Rows = append(t.Rows, report.Cells(row...))
	}
	return &report.Section{Title: "Completion times side by side", Parts: []report.Part{t},
		Note: strings.TrimSpace(r.agreement() + " Microseconds.")}
}

func (r *Report) distributionSection() report.Section {
	p := report.Panel{Title: "share of the flows that are done"}
	for _, o := range r.All {
		p.Curves = append(p.Curves, distribution(o))
	}
	return report.Section{Title: "Distribution of completion times",
		Parts: []report.Part{report.Figure{X: "completion time, µs", Panels: []report.Panel{p}}}}
}

func figureSection(s report.Section, o *Outcome) report.Section {
	var t report.Table
	for _, f := range figures(&o.Summary) {
		if f[0] != "slowdown" { // has its own table
			t.Named(f[0], f[1])
		}
	}
	s.Parts = []report.Part{report.TilesOf(s.Metrics), t}
	if len(o.Summary.Unfinished) > 0 {
		var l report.List
		for _, u := range o.Summary.Unfinished {
			l.Items = append(l.Items, "unfinished: "+u)
		}
		s.Parts = append(s.Parts, l)
	}
	return s
}

// slowdownSection shows, by size, completion times relative to those of a flow alone in the network.
func slowdownSection(o *Outcome) report.Section {
	t := report.Table{Columns: report.Columns("bytes", "flows", "mean", "p50", "p99", "max")}
	for _, b := range o.Summary.Slowdown {
		row := []string{sizeRange(b), fmt.Sprint(b.Flows)}
		for _, v := range []float64{b.Mean, b.P50, b.P99, b.Max} {
			row = append(row, fmt.Sprintf("%.3f", v))
		}
		t.Rows = append(t.Rows, report.Cells(row...))
	}
	return report.Section{Title: "Slowdown by flow size with " + o.CC,
		Note: "Completion time over the least possible alone in the network.", Parts: []report.Part{t}}
}

// distribution returns the share of flows done over the completion time.
func distribution(o *Outcome) report.Curve {
	c := report.Curve{Name: o.CC, X: []float64{}, Y: []float64{}}
	all := 0
	for _, r := range o.Runs {
		for i := range r.Flows {
			all++
			if f := &r.Flows[i]; f.Acked >= 0 {
				c.X = append(c.X, float64(f.Acked-f.Start)/1e6)
			}
		}
	}
	slices.Sort(c.X)
	for i := range c.X {
		c.Y = append(c.Y, float64(i+1)/float64(all))
	}
	return c
}

// watchSection draws queues, windows and actions over time.
func (r *Report) watchSection(o *Outcome) report.Section {
	s := report.Section{Title: "Over time with " + o.CC}
	if len(r.Plan.Seeds) > 1 {
		s.Note = fmt.Sprintf("Of seed %d.", r.Plan.Seeds[0])
	}
	draw := func(p report.Panel) { s.Parts = append(s.Parts, report.Figure{Panels: []report.Panel{p}}) }
	if d := o.Runs[0].Depth; d != nil {
		sum, most := report.Curve{Name: "all switch ports"}, report.Curve{Name: "fullest port"}
		ports := make([]report.Curve, len(d.Names))
		for i := range d.Points {
			pt := &d.Points[i]
			t := float64(pt.Time) / 1e6
			sum.X, sum.Y = append(sum.X, t), append(sum.Y, float64(pt.Sum))
			most.X, most.Y = append(most.X, t), append(most.Y, float64(pt.Max))
			for k := range ports {
				ports[k].Name = d.Names[k]
				ports[k].X, ports[k].Y = append(ports[k].X, t), append(ports[k].Y, float64(pt.Ports[k]))
			}
		}
		draw(report.Panel{Title: "queued in all switch ports, bytes", Curves: []report.Curve{sum}})
		draw(report.Panel{Title: "queued in one port, bytes", Curves: append([]report.Curve{most}, ports...)})
	}
	windows := report.Panel{Title: "cwnd, bytes", Log: true}
	for i, id := range o.Watch.ids {
		x, y := o.Watch.window(i)
		windows.Curves = append(windows.Curves, report.Curve{Name: fmt.Sprintf("host %d context %d", id[0], id[1]),
			X: x, Y: y})
	}
	draw(windows)
	if o.Series != nil {
		for _, p := range seriesPanels(o.Series) {
			draw(p)
		}
	}
	if actions := o.Watch.actions(); len(actions.Curves) > 0 {
		draw(actions)
	}
	return s
}

// actions returns how often each action was taken over time.
func (w *Watch) actions() report.Panel {
	p := report.Panel{Log: true, Title: fmt.Sprintf("actions per quadrant and other decisions, events in %.4g µs",
		float64(w.width)/1e6)}
	for _, name := range slices.Sorted(maps.Keys(w.counts)) {
		c := report.Curve{Name: name}
		for i, n := range w.counts[name] {
			c.X, c.Y = append(c.X, float64(i)*float64(w.width)/1e6), append(c.Y, n)
		}
		c.X, c.Y = append(c.X, float64(len(c.X))*float64(w.width)/1e6), append(c.Y, 0)
		p.Curves = append(p.Curves, c)
	}
	return p
}

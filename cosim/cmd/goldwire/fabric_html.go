package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// pageFlows bounds the table of flows on a page.
const pageFlows = 256

func (r *fabricReport) writeHTML(w io.Writer) error {
	p := report.Page{Title: r.plan.name, Good: r.good(), Word: "DONE", Line: r.conditions()}
	if !p.Good {
		p.Word = "INCOMPLETE"
	}
	if r.agree != nil && !*r.agree {
		p.Word = "MISMATCH"
	}
	if r.plan.about != "" {
		p.Title += ": " + r.plan.about
	}
	if c := r.compare(); c != nil {
		p.Parts = append(p.Parts, report.Section{
			Title: "Completion times side by side", Note: strings.TrimSpace(r.agreement() + " Microseconds."),
			Head: append([]string{"flow"}, c.CC...), Rows: append(r.compareFigures(), r.compareFlows(c, pageFlows)...),
		})
	}
	dist := report.Section{Title: "Distribution of completion times",
		Plots: []report.Plot{{Title: "share of the flows that are done", X: "completion time, µs"}}}
	for _, o := range r.all {
		dist.Plots[0].Curves = append(dist.Plots[0].Curves, distribution(o))
	}
	p.Parts = append(p.Parts, dist)
	for _, o := range r.all {
		p.Parts = append(p.Parts, figureSection(o), slowdownSection(o))
		if o.watch != nil {
			p.Parts = append(p.Parts, r.watchSection(o))
		}
	}
	if len(r.books) > 0 {
		p.Parts = append(p.Parts, report.Section{Title: "Books that do not balance", List: r.books})
	}
	return p.WriteHTML(w)
}

func figureSection(o *fabricOutcome) report.Section {
	s := report.Section{Title: "Figures of " + o.cc}
	for _, f := range figures(&o.summary) {
		if f[0] != "slowdown" { // has a table of its own
			s.Rows = append(s.Rows, []string{f[0], f[1]})
		}
	}
	for _, u := range o.summary.Unfinished {
		s.List = append(s.List, "unfinished: "+u)
	}
	return s
}

// slowdownSection shows completion times over those alone in the network, by size.
func slowdownSection(o *fabricOutcome) report.Section {
	s := report.Section{
		Title: "Slowdown by flow size with " + o.cc, Note: "Completion time over the least possible alone in the network.",
		Head: []string{"bytes", "flows", "mean", "p50", "p99", "max"},
	}
	for _, b := range o.summary.Slowdown {
		row := []string{sizeRange(b), fmt.Sprint(b.Flows)}
		for _, v := range []float64{b.Mean, b.P50, b.P99, b.Max} {
			row = append(row, fmt.Sprintf("%.3f", v))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// distribution returns the share of flows done over the completion time.
func distribution(o *fabricOutcome) report.Curve {
	c := report.Curve{Name: o.cc, X: []float64{}, Y: []float64{}}
	all := 0
	for _, r := range o.runs {
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
func (r *fabricReport) watchSection(o *fabricOutcome) report.Section {
	s := report.Section{Title: "Over time with " + o.cc}
	if len(r.plan.seeds) > 1 {
		s.Note = fmt.Sprintf("Of seed %d.", r.plan.seeds[0])
	}
	if d := o.runs[0].Depth; d != nil {
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
		s.Plots = append(s.Plots, report.Plot{Title: "queued in all switch ports, bytes", Curves: []report.Curve{sum}},
			report.Plot{Title: "queued in one port, bytes", Curves: append([]report.Curve{most}, ports...)})
	}
	windows := report.Plot{Title: "cwnd, bytes", Log: true}
	for i, id := range o.watch.ids {
		x, y := o.watch.window(i)
		windows.Curves = append(windows.Curves, report.Curve{Name: fmt.Sprintf("host %d context %d", id[0], id[1]),
			X: x, Y: y})
	}
	s.Plots = append(s.Plots, windows)
	actions := report.Plot{Log: true, Title: fmt.Sprintf("actions per quadrant and other decisions, events in "+
		"%.4g µs", float64(o.watch.width)/1e6)}
	for _, name := range slices.Sorted(maps.Keys(o.watch.counts)) {
		c := report.Curve{Name: name}
		for i, n := range o.watch.counts[name] {
			c.X, c.Y = append(c.X, float64(i)*float64(o.watch.width)/1e6), append(c.Y, n)
		}
		c.X, c.Y = append(c.X, float64(len(c.X))*float64(o.watch.width)/1e6), append(c.Y, 0)
		actions.Curves = append(actions.Curves, c)
	}
	if len(actions.Curves) > 0 {
		s.Plots = append(s.Plots, actions)
	}
	return s
}

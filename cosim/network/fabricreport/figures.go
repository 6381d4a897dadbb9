package fabricreport

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// pausedPorts is the most ports whose pauses are shown: those with the most pauses.
const pausedPorts = 10

// figures returns the figures of a summary as names and text.
func figures(s *result.Summary) (out [][2]string) {
	add := func(name, format string, args ...any) {
		out = append(out, [2]string{name, fmt.Sprintf(format, args...)})
	}
	add("flows", "%d of %d done", s.Done, s.Flows)
	if s.FCT.Flows > 0 {
		add("completion", "mean %.2f  p50 %.2f  p99 %.2f  max %.2f us", s.FCT.Mean, s.FCT.P50, s.FCT.P99, s.FCT.Max)
	}
	if s.CCTBound > 0 && s.Done == s.Flows {
		add("collective", "%.2f us, %.3f of its zero-queue bound of %.2f us", s.CCT, s.CCT/s.CCTBound, s.CCTBound)
	}
	if s.FCT.Flows > 0 {
		add("goodput", "%.1f Gb/s in all, Jain index %.4f", s.Goodput, s.Jain)
	}
	for _, x := range s.Slowdown {
		add("slowdown", "mean %.3f  p50 %.3f  p99 %.3f  max %.3f of %d flows of %s bytes", x.Mean, x.P50, x.P99, x.Max,
			x.Flows, sizeRange(x))
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		add("group", "mean %.2f  p50 %.2f  p99 %.2f  max %.2f us of %d flows of up to %d bytes, %s", g.Mean, g.P50, g.P99,
			g.Max, g.Flows, g.Bytes, kindOf(g))
	}
	if e := s.Error; e != nil {
		add("over seeds", "mean %.2f ± %.2f  p50 %.2f ± %.2f  p99 %.2f ± %.2f us, standard error over %d seeds",
			e.Mean.Mean, e.Mean.Error, e.P50.Mean, e.P50.Error, e.P99.Mean, e.P99.Error, e.Seeds)
	}
	for i := range s.Slow {
		add("slow hosts", "seed %d: %v", s.Slow[i].Seed, &s.Slow[i])
	}
	if s.CNPs > 0 {
		add("notified by", "%d congestion notification packets", s.CNPs)
	}
	if s.Credits > 0 {
		add("granted by", "%d pulls, %d credit requests", s.Credits, s.CreditRequests)
	}
	add("packets", "%d new, %d resent, %d trimmed, %d dropped, %d marked, %d pauses", s.New, s.Rtx, s.Trims, s.Drops,
		s.ECN, s.Pauses)
	if s.CtlLost+s.Copied+s.Delayed > 0 {
		add("links", "%d control packets lost, %d packets doubled, %d delayed", s.CtlLost, s.Copied, s.Delayed)
	}
	add("resent for", "%d NACKs, %d timeouts, %d given up otherwise; %d spurious: their data had arrived; %d probes",
		s.Nacks, s.Timeouts, s.Sleek, s.Spurious, s.Probes)
	for _, p := range s.PausedBy[:min(pausedPorts, len(s.PausedBy))] {
		add("pauses", "%s: %d of its link, %d because of its queue", p.Port, p.Stopped, p.Caused)
	}
	if more := len(s.PausedBy) - pausedPorts; more > 0 {
		add("pauses", "%d more ports; --json has them all", more)
	}
	rate := 0.0
	if s.Seconds > 0 {
		rate = float64(s.PktHops) / s.Seconds
	}
	add("simulation", "%.2f us of time; %d packet-hops in %.3g s, %.3g M/s, %.0f MB", s.SimUs, s.PktHops, s.Seconds,
		rate/1e6, s.RSSMB)
	return out
}

// metrics returns the figures with names. The only bound is on unfinished flows; without flows it is not measured.
func metrics(s *result.Summary) []report.Metric {
	flows, done := uint64(s.Flows), uint64(s.FCT.Flows)
	out := []report.Metric{
		{Name: "unfinished", What: "unfinished flows", Value: float64(max(s.Flows-s.Done, len(s.Unfinished))),
			Samples: flows, Bound: report.AtMost(0)},
		{Name: "done", What: "flows done", Value: float64(s.Done), Samples: flows},
		{Name: "fct_mean", What: "mean completion time", Unit: "µs", Value: s.FCT.Mean, Samples: done},
		{Name: "fct_p50", What: "median completion time", Unit: "µs", Value: s.FCT.P50, Samples: done},
		{Name: "fct_p99", What: "99th percentile of completion times", Unit: "µs", Value: s.FCT.P99, Samples: done},
		{Name: "fct_max", What: "largest completion time", Unit: "µs", Value: s.FCT.Max, Samples: done},
		{Name: "goodput", What: "goodput in all", Unit: "Gb/s", Value: float64(s.Goodput), Samples: done},
		{Name: "jain", What: "Jain index of the flows' rates", Value: float64(s.Jain), Samples: done},
		{Name: "resent", What: "packets resent", Value: float64(s.Rtx), Samples: flows},
		{Name: "dropped", What: "packets dropped", Value: float64(s.Drops), Samples: flows},
		{Name: "trimmed", What: "packets trimmed", Value: float64(s.Trims), Samples: flows},
		{Name: "marked", What: "packets marked", Value: float64(s.ECN), Samples: flows},
	}
	if s.CCTBound > 0 && s.Done == s.Flows {
		out = append(out, report.Metric{Name: "cct_over_bound", What: "completion of all over its zero-queue bound",
			Value: float64(s.CCT / s.CCTBound), Samples: done})
	}
	return out
}

// kindOf names the flows of a group.
func kindOf(g *result.Group) string {
	out := fmt.Sprintf("cc %s, lb %s", cmp.Or(string(g.CC), "of the run"), cmp.Or(string(g.LB), "of the run"))
	if g.Mark {
		out += ", marked"
	}
	if g.Background {
		out += ", background: not measured elsewhere"
	}
	return out
}

// sizeRange writes the sizes of a bin, as in "1000" or "1001 to 9000".
func sizeRange(b result.SizeBin) string {
	if b.Low == b.High {
		return fmt.Sprint(b.High)
	}
	return fmt.Sprintf("%d to %d", b.Low, b.High)
}

// compareFigures returns a row for each figure of the completion times.
func (r *Report) compareFigures() (rows [][]string) {
	for _, f := range []struct {
		name string
		of   func(*result.FCT) float64
	}{
		{"mean", func(f *result.FCT) float64 { return f.Mean }}, {"p50", func(f *result.FCT) float64 { return f.P50 }},
		{"p99", func(f *result.FCT) float64 { return f.P99 }}, {"max", func(f *result.FCT) float64 { return f.Max }},
	} {
		row := []string{f.name}
		for _, o := range r.All {
			row = append(row, fmt.Sprintf("%.6f", f.of(&o.Summary.FCT)))
		}
		rows = append(rows, row)
	}
	return rows
}

// compareFlows returns a row for each flow, at most limit.
func (r *Report) compareFlows(c *Comparison, limit int) (rows [][]string) {
	for _, f := range c.Flows[:min(limit, len(c.Flows))] {
		row := []string{fmt.Sprintf("%d: host %d -> %d", f.Flow, f.Src, f.Dst)}
		if len(r.Plan.Seeds) > 1 {
			row[0] = fmt.Sprintf("seed %d, %s", f.Seed, row[0])
		}
		for _, t := range f.FCT {
			if t == nil {
				row = append(row, "unfinished")
			} else {
				row = append(row, fmt.Sprintf("%.6f", *t))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// textLimit is the most rows of a table of flows in text; JSON and CSV have all.
const textLimit = 40

// WriteText prints the figures of each congestion control, then all of them side by side if there are several.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	head := r.Plan.Name
	if r.Plan.About != "" {
		head += ": " + r.Plan.About
	}
	fmt.Fprintf(&b, "%s\n  %s\n", head, r.conditions())
	for _, o := range r.All {
		fmt.Fprintf(&b, "\n%s\n", o.CC)
		for _, f := range figures(&o.Summary) {
			fmt.Fprintf(&b, "  %-12s%s\n", f[0], f[1])
		}
		for _, u := range o.Summary.Unfinished {
			fmt.Fprintf(&b, "  UNFINISHED  %s\n", u)
		}
		for _, d := range r.steps(o) {
			fmt.Fprintf(&b, "  STEPS  %s\n", d)
		}
		for _, c := range o.compared() {
			fmt.Fprintf(&b, "  %-12s%s\n", "compared", c)
		}
	}
	if c := r.compare(); c != nil {
		fmt.Fprintf(&b, "\ncompletion times side by side, us\n")
		rows := [][]string{append([]string{"flow"}, c.CC...)}
		rows = append(rows, r.compareFigures()...)
		rows = append(rows, r.compareFlows(c, textLimit)...)
		t := report.TextTable{Rows: rows, Indent: "  ", Gap: 2}
		b.WriteString(t.String())
		if n := len(c.Flows) - textLimit; n > 0 {
			fmt.Fprintf(&b, "  ... and %d flows more; --json has all\n", n)
		}
		b.WriteString(r.agreement())
	}
	for _, x := range r.books {
		fmt.Fprintf(&b, "BOOKS DO NOT BALANCE  %s\n", x)
	}
	if v, why := r.Verdict(); v == Empty {
		fmt.Fprintf(&b, "EMPTY  %s\n", why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// conditions describes in one line what was simulated.
func (r *Report) conditions() string {
	s := &r.Plan.Spec // with the graph of a topology file, which results leave out
	seeds := fmt.Sprintf("seed %d", r.Plan.Seeds[0])
	if n := len(r.Plan.Seeds); n > 1 {
		seeds = fmt.Sprintf("%d seeds", n)
	}
	e := derived(r.Plan)
	load := string(s.Workload)
	if r.Plan.Flows != nil {
		load = "flows of the file"
	}
	out := fmt.Sprintf("%s, %d hosts, %s Gb/s, base RTT %.4g us, RTO %.4g us, mtu %d, load balancer %s, %s", load,
		s.Hosts(), rates(s), e.BaseRTTUs, e.RTOUs, s.MTU, e.LB, seeds)
	if len(r.Plan.Sets) > 0 {
		out += "; set " + strings.Join(r.Plan.Sets, " ")
	}
	return out
}

// rates returns the rates of the host links, as in "100" or "100 to 400". For a network from a file it covers all
// links.
func rates(s *settings.Spec) string {
	if s.Graph == nil {
		return fmt.Sprint(s.LinkGbps)
	}
	low, high := s.Graph.Links[0].Gbps, s.Graph.Links[0].Gbps
	for _, l := range s.Graph.Links {
		low, high = min(low, l.Gbps), max(high, l.Gbps)
	}
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%v to %v", low, high)
}

package fabricreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

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
		for _, d := range r.devices(o) {
			fmt.Fprintf(&b, "  STEPS  %s\n", d)
		}
		if c := o.compared(); c != "" {
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
		s.Hosts(), rates(s),
		e.BaseRTTUs, e.RTOUs, s.MTU, e.LB, seeds)
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
	return fmt.Sprintf("%d to %d", low, high)
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/loop"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// fabricReport is what a command simulated.
type fabricReport struct {
	plan *fabricPlan
	all  []*fabricOutcome
	// books are what Verify found besides unfinished flows.
	books []string
	// agree is whether nscc-fixed and nscc-rtl went the same way; nil when not
	// both ran. differ is the first difference.
	agree  *bool
	differ string
}

func newFabricReport(p *fabricPlan, all []*fabricOutcome) *fabricReport {
	r := &fabricReport{plan: p, all: all}
	for _, o := range all {
		for _, run := range o.runs {
			// Unfinished flows have a place of their own: they are no error of a run
			// that was stopped.
			books := *run
			books.Stopped = true
			if err := books.Verify(); err != nil {
				r.books = append(r.books, fmt.Sprintf("%s seed %d: %s", o.cc, run.Spec.Seed, cli.OneLine(err)))
			}
		}
	}
	if a, b := r.of(loop.Fixed), r.of(loop.RTL); a != nil && b != nil {
		r.differ = difference(a, b)
		same := r.differ == ""
		r.agree = &same
	}
	return r
}

// of returns the outcome of a congestion control, nil when it did not run.
func (r *fabricReport) of(cc string) *fabricOutcome {
	if i := slices.IndexFunc(r.all, func(o *fabricOutcome) bool { return o.cc == cc }); i >= 0 {
		return r.all[i]
	}
	return nil
}

// difference returns the first flow whose fate differs, "" when none does, every
// packet arrived at the same time with the same headers, and all counters agree.
func difference(a, b *fabricOutcome) string {
	for i := range a.runs {
		x, y := a.runs[i], b.runs[i]
		for k := range min(len(x.Flows), len(y.Flows)) {
			if f, g := &x.Flows[k], &y.Flows[k]; f.Acked != g.Acked || f.Got != g.Got {
				return fmt.Sprintf("seed %d: %v %s with %s and %s with %s", x.Spec.Seed, f, ends(f), a.cc, ends(g), b.cc)
			}
		}
		if x.Digest != y.Digest || len(x.Flows) != len(y.Flows) {
			return fmt.Sprintf("seed %d: packets arrive at other times or hold other values (digest %016x with %s, "+
				"%016x with %s)", x.Spec.Seed, x.Digest, a.cc, y.Digest, b.cc)
		}
		if x.Counters != y.Counters {
			return fmt.Sprintf("seed %d: %s", x.Spec.Seed, counters(x, y, a.cc, b.cc))
		}
	}
	return ""
}

// counters names the first counter that differs.
func counters(x, y *result.Result, a, b string) string {
	v, w := reflect.ValueOf(x.Counters), reflect.ValueOf(y.Counters)
	for i := range v.NumField() {
		if !v.Field(i).Equal(w.Field(i)) {
			return fmt.Sprintf("counter %s is %v with %s and %v with %s", v.Type().Field(i).Tag.Get("json"), v.Field(i),
				a, w.Field(i), b)
		}
	}
	return ""
}

// ends returns when a flow ended.
func ends(f *result.FlowResult) string {
	if f.Acked < 0 {
		return fmt.Sprintf("stops at %d of %d bytes", f.Got, f.Bytes)
	}
	return fmt.Sprintf("ends at %v", f.Acked)
}

// good reports whether the exit code is 0.
func (r *fabricReport) good() bool {
	ok := len(r.books) == 0 && (r.agree == nil || *r.agree)
	for _, o := range r.all {
		ok = ok && len(o.summary.Unfinished) == 0
	}
	return ok
}

// fabricDoc is the JSON document: the figures of the first congestion control, and
// all of them side by side when there are several.
type fabricDoc struct {
	Name  string   `json:"name"`
	CC    string   `json:"cc"`
	Seed  *uint64  `json:"seed,omitempty"` // when there is one
	Seeds []uint64 `json:"seeds"`
	result.Summary
	Digests []string         `json:"digests"` // one for each seed
	Books   []string         `json:"books"`   // what did not balance
	Compare *fabricCompare   `json:"compare,omitempty"`
	Depth   *net.DepthSeries `json:"depth,omitempty"`
	// Spec is that of the first seed; its workload is "flows" when a file lists them.
	Spec      settings.Spec   `json:"spec"`
	Effective fabricEffective `json:"effective"`
}

// fabricEffective are the values that the run derived where the spec leaves them to it.
// With per_flow_rtt, or links of several rates, flows may have others of their own.
type fabricEffective struct {
	Hosts     int     `json:"hosts"`
	BaseRTTUs float64 `json:"base_rtt_us"`
	BDPBytes  int64   `json:"bdp_bytes"`
	RTOUs     float64 `json:"rto_us"`
	LB        string  `json:"lb"`
}

// derived returns what follows from the spec of the plan, which has the graph of a
// topology's file where results leave it out.
func (p *fabricPlan) derived() fabricEffective {
	s := &p.spec
	e := fabricEffective{Hosts: s.Hosts(), BaseRTTUs: float64(s.EffectiveBaseRTT()) / 1e6, BDPBytes: s.BDP(),
		RTOUs: float64(s.EffectiveRTO()) / 1e6, LB: string(s.LB)}
	if s.LB == "" {
		e.LB = string(lb.Oblivious)
	}
	if settings.IneffectiveFlows([]string{"lb"}, p.flows) != nil {
		e.LB = "of each flow"
	}
	return e
}

type fabricCompare struct {
	CC        []string         `json:"cc"`
	Summaries []result.Summary `json:"summaries"` // in the order of cc
	Digests   [][]string       `json:"digests"`
	Agree     *bool            `json:"fixed_equals_rtl,omitempty"`
	Differ    string           `json:"difference,omitempty"`
	Flows     []fabricFlow     `json:"flows"`
}

// fabricFlow is one flow under each congestion control; a time is null when the
// flow did not finish.
type fabricFlow struct {
	Seed  uint64     `json:"seed"`
	Flow  int32      `json:"flow"`
	Src   int32      `json:"src"`
	Dst   int32      `json:"dst"`
	Bytes int64      `json:"bytes"`
	FCT   []*float64 `json:"fct_us"`
}

func digests(o *fabricOutcome) (out []string) {
	for _, r := range o.runs {
		out = append(out, fmt.Sprintf("%016x", r.Digest))
	}
	return out
}

// compare returns nil when one congestion control ran alone.
func (r *fabricReport) compare() *fabricCompare {
	if len(r.all) < 2 {
		return nil
	}
	c := &fabricCompare{Agree: r.agree, Differ: r.differ}
	for _, o := range r.all {
		c.CC = append(c.CC, o.cc)
		c.Summaries = append(c.Summaries, o.summary)
		c.Digests = append(c.Digests, digests(o))
	}
	for i, run := range r.all[0].runs {
		for k := range run.Flows {
			f := &run.Flows[k]
			row := fabricFlow{Seed: run.Spec.Seed, Flow: f.ID, Src: f.Src, Dst: f.Dst, Bytes: f.Bytes}
			for _, o := range r.all {
				var t *float64
				if g := o.runs[i].Flows; k < len(g) && g[k].Acked >= 0 {
					v := float64(g[k].Acked-g[k].Start) / 1e6
					t = &v
				}
				row.FCT = append(row.FCT, t)
			}
			c.Flows = append(c.Flows, row)
		}
	}
	return c
}

func (r *fabricReport) writeJSON(w io.Writer) error {
	o := r.all[0]
	d := fabricDoc{Name: r.plan.name, CC: o.cc, Seeds: r.plan.seeds, Summary: o.summary, Digests: digests(o),
		Books:   r.books,
		Compare: r.compare(), Depth: o.runs[0].Depth, Spec: o.runs[0].Spec, Effective: r.plan.derived()}
	if r.plan.flows != nil {
		d.Spec.Workload = "flows"
	}
	if d.Books == nil {
		d.Books = []string{}
	}
	if len(r.plan.seeds) == 1 {
		d.Seed = &r.plan.seeds[0]
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}

// textLimit bounds the rows of a table of flows in text; JSON and CSV have all.
const textLimit = 40

func (r *fabricReport) writeText(w io.Writer) error {
	var b strings.Builder
	head := r.plan.name
	if r.plan.about != "" {
		head += ": " + r.plan.about
	}
	fmt.Fprintf(&b, "%s\n  %s\n", head, r.conditions())
	for _, o := range r.all {
		fmt.Fprintf(&b, "\n%s\n", o.cc)
		for _, f := range figures(&o.summary) {
			fmt.Fprintf(&b, "  %-12s%s\n", f[0], f[1])
		}
		for _, u := range o.summary.Unfinished {
			fmt.Fprintf(&b, "  UNFINISHED  %s\n", u)
		}
	}
	if c := r.compare(); c != nil {
		fmt.Fprintf(&b, "\ncompletion times side by side, us\n")
		rows := [][]string{append([]string{"flow"}, c.CC...)}
		rows = append(rows, r.compareFigures()...)
		rows = append(rows, r.compareFlows(c, textLimit)...)
		writeColumns(&b, rows)
		if n := len(c.Flows) - textLimit; n > 0 {
			fmt.Fprintf(&b, "  ... and %d flows more; --json has all\n", n)
		}
		b.WriteString(r.agreement())
	}
	for _, x := range r.books {
		fmt.Fprintf(&b, "BOOKS DO NOT BALANCE  %s\n", x)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// conditions is one line of what was simulated.
func (r *fabricReport) conditions() string {
	s := &r.plan.spec // with the graph of a topology's file, which results leave out
	seeds := fmt.Sprintf("seed %d", r.plan.seeds[0])
	if n := len(r.plan.seeds); n > 1 {
		seeds = fmt.Sprintf("%d seeds", n)
	}
	e := r.plan.derived()
	load := string(s.Workload)
	if r.plan.flows != nil {
		load = "flows of the file"
	}
	out := fmt.Sprintf("%s, %d hosts, %s Gb/s, base RTT %.4g us, RTO %.4g us, mtu %d, load balancer %s, %s", load,
		s.Hosts(), rates(s),
		e.BaseRTTUs, e.RTOUs, s.MTU, e.LB, seeds)
	if len(r.plan.sets) > 0 {
		out += "; set " + strings.Join(r.plan.sets, " ")
	}
	return out
}

// rates returns the rates of the host links, of a network of its own those of all
// links, as in "100" or "100 to 400".
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

// figures returns the figures of a summary as names and text.
func figures(s *result.Summary) [][2]string {
	out := [][2]string{
		{"flows", fmt.Sprintf("%d of %d done", s.Done, s.Flows)},
		{"completion", fmt.Sprintf("mean %.2f  p50 %.2f  p99 %.2f  max %.2f us", s.FCT.Mean, s.FCT.P50, s.FCT.P99,
			s.FCT.Max)},
	}
	if s.Done == 0 {
		out = out[:1]
	}
	if s.CCTBound > 0 && s.Done == s.Flows {
		out = append(out, [2]string{"collective", fmt.Sprintf("%.2f us, %.3f of its zero-queue bound of %.2f us",
			s.CCT, s.CCT/s.CCTBound, s.CCTBound)})
	}
	if s.Done > 0 {
		out = append(out, [2]string{"goodput", fmt.Sprintf("%.1f Gb/s in all, Jain index %.4f", s.Goodput, s.Jain)})
	}
	for _, x := range s.Slowdown {
		out = append(out, [2]string{"slowdown",
			fmt.Sprintf("mean %.3f  p50 %.3f  p99 %.3f  max %.3f of %d flows of %s bytes", x.Mean, x.P50, x.P99, x.Max,
				x.Flows, sizeRange(x))})
	}
	for i := range s.Slow {
		out = append(out, [2]string{"slow hosts", fmt.Sprintf("seed %d: %v", s.Slow[i].Seed, &s.Slow[i])})
	}
	rate := 0.0
	if s.Seconds > 0 {
		rate = float64(s.PktHops) / s.Seconds
	}
	if s.CNPs > 0 {
		out = append(out, [2]string{"notified by", fmt.Sprintf("%d congestion notification packets", s.CNPs)})
	}
	return append(out,
		[2]string{"packets", fmt.Sprintf("%d new, %d resent, %d trimmed, %d dropped, %d marked, %d pauses", s.New,
			s.Rtx, s.Trims, s.Drops, s.ECN, s.Pauses)},
		[2]string{"resent for", fmt.Sprintf("%d NACKs, %d timeouts, %d given up by sleek; %d spurious: their data "+
			"had arrived; %d probes", s.Nacks, s.Timeouts, s.Sleek, s.Spurious, s.Probes)},
		[2]string{"simulation", fmt.Sprintf("%.2f us of time; %d packet-hops in %.3g s, %.3g M/s, %.0f MB", s.SimUs,
			s.PktHops, s.Seconds, rate/1e6, s.RSSMB)})
}

// sizeRange writes the sizes of a bin, as in "1000" or "1001 to 9000".
func sizeRange(b result.SizeBin) string {
	if b.Low == b.High {
		return fmt.Sprint(b.High)
	}
	return fmt.Sprintf("%d to %d", b.Low, b.High)
}

// compareFigures returns a row for each figure of the completion times.
func (r *fabricReport) compareFigures() (rows [][]string) {
	for _, f := range []struct {
		name string
		of   func(*result.FCT) float64
	}{
		{"mean", func(f *result.FCT) float64 { return f.Mean }}, {"p50", func(f *result.FCT) float64 { return f.P50 }},
		{"p99", func(f *result.FCT) float64 { return f.P99 }}, {"max", func(f *result.FCT) float64 { return f.Max }},
	} {
		row := []string{f.name}
		for _, o := range r.all {
			row = append(row, fmt.Sprintf("%.6f", f.of(&o.summary.FCT)))
		}
		rows = append(rows, row)
	}
	return rows
}

// compareFlows returns a row for each flow, at most limit.
func (r *fabricReport) compareFlows(c *fabricCompare, limit int) (rows [][]string) {
	for _, f := range c.Flows[:min(limit, len(c.Flows))] {
		row := []string{fmt.Sprintf("%d: host %d -> %d", f.Flow, f.Src, f.Dst)}
		if len(r.plan.seeds) > 1 {
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

// agreement is the verdict on nscc-fixed and nscc-rtl, "" when not both ran.
func (r *fabricReport) agreement() string {
	switch {
	case r.agree == nil:
		return ""
	case *r.agree:
		return fmt.Sprintf("%s and %s agree exactly: every completion time, and every packet's arrival (digest %s)\n",
			loop.Fixed, loop.RTL, strings.Join(digests(r.of(loop.RTL)), " "))
	}
	return fmt.Sprintf("MISMATCH  %s and %s differ: %s\n", loop.Fixed, loop.RTL, r.differ)
}

// writeColumns writes rows with the first column flush left and the others right.
func writeColumns(b *strings.Builder, rows [][]string) {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len(c))
		}
	}
	for _, r := range rows {
		for i, c := range r {
			if i == 0 {
				fmt.Fprintf(b, "  %-*s", width[i], c)
			} else {
				fmt.Fprintf(b, "  %*s", width[i], c)
			}
		}
		b.WriteString("\n")
	}
}

package fabricreport

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// difference returns the first flow whose fate differs, or how else the runs differ; b is on the RTL. It returns "" if
// every flow ends alike, every packet arrives at the same time with the same headers, all counters agree, and the
// network of b has seen what its design did. compared is the number of flows compared.
func difference(a, b *Outcome) (first string, compared int) {
	if len(a.Runs) != len(b.Runs) {
		return fmt.Sprintf("%d seeds with %s and %d with %s", len(a.Runs), a.CC, len(b.Runs), b.CC), 0
	}
	for i := range a.Runs {
		x, y := a.Runs[i], b.Runs[i]
		compared += min(len(x.Flows), len(y.Flows))
		if first = differ(x, y, a.CC, b.CC); first != "" {
			return fmt.Sprintf("seed %d: %s", x.Spec.Seed, first), compared
		}
	}
	for _, block := range loop.On(b.CC) {
		for i, d := range b.on(block) {
			if d.Left != nil && !d.Step && i < len(b.Runs) { // the network has followed the model
				return fmt.Sprintf("seed %d: the design left the model at %v", b.Runs[i].Spec.Seed, d.Left), compared
			}
		}
	}
	return "", compared
}

// differ is difference for one seed.
func differ(x, y *result.Result, a, b string) string {
	for k := range min(len(x.Flows), len(y.Flows)) {
		if f, g := &x.Flows[k], &y.Flows[k]; f.Acked != g.Acked || f.Got != g.Got {
			return fmt.Sprintf("%v %s with %s and %s with %s", f, ends(f), a, ends(g), b)
		}
	}
	if x.Digest != y.Digest || len(x.Flows) != len(y.Flows) {
		return fmt.Sprintf("packets arrive at other times or hold other values (digest %016x with %s, %016x with %s)",
			x.Digest, a, y.Digest, b)
	}
	if x.Counters != y.Counters {
		return counters(x, y, a, b)
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

func ends(f *result.FlowResult) string {
	if f.Acked < 0 {
		return fmt.Sprintf("stops at %d of %d bytes", f.Got, f.Bytes)
	}
	return fmt.Sprintf("ends at %v", f.Acked)
}

// agreement returns the verdicts on fixed point and RTL, or "" unless both ran.
func (r *Report) agreement() (out string) {
	for _, p := range r.pairs {
		if p.differ != "" {
			out += fmt.Sprintf("MISMATCH  %s and %s differ: %s\n", p.fixed.CC, p.rtl.CC, p.differ)
			continue
		}
		out += fmt.Sprintf("%s and %s agree exactly: every completion time, and every packet's arrival (digest %s)\n",
			p.fixed.CC, p.rtl.CC, strings.Join(digests(p.rtl), " "))
	}
	return out
}

// agree returns whether fixed point and RTL agree, or nil unless both ran, and the first difference.
func (r *Report) agree() (*bool, string) {
	if len(r.pairs) == 0 {
		return nil, ""
	}
	first := ""
	for _, p := range r.pairs {
		first = cmp.Or(first, p.differ)
	}
	same := first == ""
	return &same, first
}

// on returns what the device of a block did, by seed.
func (o *Outcome) on(block string) (out []loop.Device) {
	for i := range o.Played {
		for _, d := range o.Played[i].Devices() {
			if d.Block == block {
				out = append(out, d)
			}
		}
	}
	return out
}

// steps returns a line for each seed in which a device was played event by event, with the reason.
func (r *Report) steps(o *Outcome) (out []string) {
	for i, d := range o.on(loop.Blocks[0]) {
		if i >= len(o.Runs) || !d.Step {
			continue
		}
		line := fmt.Sprintf("seed %d: block %s ran step by step, %d events in %d cycles", o.Runs[i].Spec.Seed, d.Block,
			d.Count, d.Cycles)
		if d.Left != nil {
			line += ", because the design left the model at " + d.Left.String()
		}
		out = append(out, line)
	}
	return out
}

// compared describes how much of the RTL was compared with the model, for each device.
func (o *Outcome) compared() (out []string) {
	for _, block := range loop.Blocks {
		all := o.on(block)
		m, some := o.left(block)
		switch {
		case some:
			count := uint64(0)
			for _, d := range all {
				count += d.Count
			}
			line := fmt.Sprintf("%s of block %s with the model, %s; the design leaves it in %v of %s",
				report.Plural(count, all[0].What), block, all[0].When, m.Value, report.Plural(uint64(len(all)), "run"))
			if m.Excess != "" {
				line += ": " + m.Excess
			}
			out = append(out, line)
		case slices.ContainsFunc(all, func(d loop.Device) bool { return d.Step }):
			out = append(out, "nothing with the model: step by step, the network follows block "+block)
		}
	}
	return out
}

// idle returns the reason why a run did not compare the RTL of a block that a control of the plan needs, or "".
func (r *Report) idle(o *Outcome, block string) string {
	// A control of --cc has its own run; one of single flows is in all of them.
	if !slices.ContainsFunc(r.Plan.Controls(), func(control string) bool {
		return slices.Contains(loop.On(control), block) && (o.CC == control || r.of(control) == nil)
	}) {
		return ""
	}
	for i, d := range o.on(block) {
		if d.Count == 0 && d.Left == nil && i < len(r.Plan.Seeds) {
			return fmt.Sprintf("seed %d: no %s of block %s, so nothing was compared", r.Plan.Seeds[i], d.What, block)
		}
	}
	return ""
}

// left counts the runs in which the design left the model. It reports false if no run compares them, because there is
// no RTL or --step was given.
func (o *Outcome) left(block string) (m report.Metric, compared bool) {
	m = report.Metric{Name: "left", What: "runs with " + o.CC + " in which block " + block + " leaves the model",
		Bound: report.AtMost(0)}
	for i, d := range o.on(block) {
		if d.Count == 0 && d.Left == nil || d.Step && d.Left == nil {
			continue
		}
		compared = true
		m.Samples += d.Count
		if d.Left != nil {
			m.Value++
			m.Samples = max(m.Samples, 1) // the difference is a measurement, if nothing before it was
			if m.Excess == "" && i < len(o.Runs) {
				m.Excess = fmt.Sprintf("seed %d: the design left the model at %v", o.Runs[i].Spec.Seed, d.Left)
			}
		}
	}
	return m, compared
}

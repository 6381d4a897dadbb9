package fabricreport

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// difference returns the first flow whose fate differs, or how else the runs differ. It returns "" if every flow ends
// alike, every packet arrives at the same time with the same headers, and all counters agree. compared is the number of
// flows compared.
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

// agreement returns the verdict on nscc-fixed and nscc-rtl, or "" unless both ran.
func (r *Report) agreement() string {
	switch {
	case r.agree == nil:
		return ""
	case *r.agree:
		return fmt.Sprintf("%s and %s agree exactly: every completion time, and every packet's arrival (digest %s)\n",
			loop.Fixed, loop.RTL, strings.Join(digests(r.of(loop.RTL)), " "))
	}
	return fmt.Sprintf("MISMATCH  %s and %s differ: %s\n", loop.Fixed, loop.RTL, r.differ)
}

// devices returns a line for each seed in which a device of nscc-rtl was played event by event, with the reason.
func (r *Report) devices(o *Outcome) (out []string) {
	for i, p := range o.Played {
		if i >= len(o.Runs) || !p.Step {
			continue
		}
		line := fmt.Sprintf("seed %d: %s ran step by step, %d events in %d cycles", o.Runs[i].Spec.Seed, loop.RTL, p.Events,
			p.Cycles)
		if p.Left != nil {
			line += ", because the design left the model at " + p.Left.String()
		}
		out = append(out, line)
	}
	return out
}

// compared describes how much of the RTL was compared with the model, or returns "" without RTL.
func (o *Outcome) compared() string {
	m, some := o.left()
	switch {
	case some:
		return fmt.Sprintf("%s of %s with the model, in every cycle; the design leaves it in %v of %s",
			report.Plural(m.Samples, "event"), loop.RTL, m.Value, report.Plural(uint64(len(o.Played)), "run"))
	case slices.ContainsFunc(o.Played, func(p loop.Played) bool { return p.Step }):
		return "nothing with the model: step by step, the network follows " + loop.RTL
	}
	return ""
}

// idle returns why a run says nothing about the RTL that the plan puts into it, or "".
func (r *Report) idle(o *Outcome) string {
	if !r.Plan.RTL || o.CC != loop.RTL && r.of(loop.RTL) != nil { // the plan has one control beside the RTL
		return ""
	}
	for i, p := range o.Played {
		if p.Events == 0 && i < len(r.Plan.Seeds) {
			return fmt.Sprintf("seed %d: no event reached %s, so nothing was compared", r.Plan.Seeds[i], loop.RTL)
		}
	}
	return ""
}

// left counts the runs in which the design left the model. It reports false if no run compares them, because there is
// no RTL or --step was given.
func (o *Outcome) left() (m report.Metric, compared bool) {
	m = report.Metric{Name: "left", What: "runs in which the design leaves the model", Bound: report.AtMost(0)}
	for i, p := range o.Played {
		if p.Events == 0 || p.Step && p.Left == nil {
			continue
		}
		compared = true
		m.Samples += p.Events
		if p.Left != nil {
			m.Value++
			if m.Excess == "" && i < len(o.Runs) {
				m.Excess = fmt.Sprintf("seed %d: the design left the model at %v", o.Runs[i].Spec.Seed, p.Left)
			}
		}
	}
	return m, compared
}

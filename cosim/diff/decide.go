package diff

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// decided is one decision as a response shows it.
type decided struct {
	name string
	of   func(*ccc.Response) string
	// by lists the comparisons that may decide it; nil: those of the window and of the request, which a response's view
	// makes.
	by []nscc.Threshold
}

func yes(get func(*ccc.Response) bool) func(*ccc.Response) string {
	return func(r *ccc.Response) string {
		if get(r) {
			return "yes"
		}
		return "no"
	}
}

var quick = []nscc.Threshold{nscc.IgnoredBytes, nscc.WindowQA, nscc.DelayQA, nscc.AchievedGate}

var decisions = []decided{
	{"action", func(r *ccc.Response) string { return r.Action.String() },
		append([]nscc.Threshold{nscc.DelayTarget, nscc.DelayFast, nscc.FiCwnd}, quick...)},
	{"base_fell", yes(func(r *ccc.Response) bool { return r.BaseFell }), []nscc.Threshold{nscc.RTTBase}},
	{"ignored", yes(func(r *ccc.Response) bool { return r.Ignored }), []nscc.Threshold{nscc.IgnoredBytes}},
	{"qa_window", yes(func(r *ccc.Response) bool { return r.QAWindow }), []nscc.Threshold{nscc.IgnoredBytes,
		nscc.WindowQA}},
	{"qa_fired", yes(func(r *ccc.Response) bool { return r.QAFired }), quick},
	{"md_applied", yes(func(r *ccc.Response) bool { return r.MDApplied }),
		[]nscc.Threshold{nscc.AvgTarget, nscc.SinceDec, nscc.DelayTarget}},
	{"fulfilled", yes(func(r *ccc.Response) bool { return r.Fulfilled }),
		append([]nscc.Threshold{nscc.SinceAdjust, nscc.ReceivedBytes}, quick...)},
	{"eta_applied", yes(func(r *ccc.Response) bool { return r.EtaApplied }),
		append([]nscc.Threshold{nscc.SinceAdjust}, quick...)},
	{"rtt_valid", yes(func(r *ccc.Response) bool { return r.RTTValid }), []nscc.Threshold{nscc.RTTBase}},
	{"saved", yes(func(r *ccc.Response) bool { return r.Saved }), nil},
	{"restored", yes(func(r *ccc.Response) bool { return r.Restored }), nil},
	{"state", func(r *ccc.Response) string { return r.State.String() }, nil},
	{"can_send", yes(func(r *ccc.Response) bool { return r.CanSend }), nil},
	{"ack_request", yes(func(r *ccc.Response) bool { return r.AckRequest }), nil},
}

// margin is a comparison with how far the exact and the fixed number were from its threshold.
type margin struct {
	name         string
	exact, fixed float64
}

// crossed reports whether the two lie on different sides.
func (m *margin) crossed() bool {
	return m.exact < 0 != (m.fixed < 0) || m.exact > 0 != (m.fixed > 0)
}

// decisive returns the comparison that explains a flip of a decision: one that the parties found on different sides, or
// else the one nearest to its threshold; its name is "-" when they made none.
func decisive(all []margin) (best margin) {
	best.name = "-"
	for i, m := range all {
		nearer := m.crossed() == best.crossed() && math.Abs(m.exact) < math.Abs(best.exact)
		if i == 0 || m.crossed() && !best.crossed() || nearer {
			best = m
		}
	}
	return best
}

// margins returns the comparisons of a decision that both parties made.
func (t *trio) margins(d *decided, k contextPair) (out []margin) {
	for _, th := range d.by {
		f, ok1 := t.fixed.Rules.Margin(th)
		e, ok2 := t.exact.Rules.Margin(th)
		if ok1 && ok2 {
			out = append(out, margin{th.String(), t.real.Float(e), t.num.Float(f)})
		}
	}
	if d.by == nil {
		fp, ep := t.fixed.Params(k.fixed.Profile), t.exact.Params(k.exact.Profile)
		fr, er := t.num.Sub(k.fixed.State.Cwnd, k.fixed.State.Inflight), t.real.Sub(k.exact.State.Cwnd,
			k.exact.State.Inflight)
		out = append(out, margin{"window", t.real.Float(t.real.Sub(er, ep.MTU)), t.num.Float(t.num.Sub(fr, fp.MTU))})
		if d.name == "ack_request" {
			out = append(out, margin{"ack-trigger", t.real.Float(t.real.Sub(k.exact.State.Cwnd, ep.AckGenTrigger)),
				t.num.Float(t.num.Sub(k.fixed.State.Cwnd, fp.AckGenTrigger))})
		}
	}
	return out
}

// right returns whom exact confirms.
func right(fixed, float, exact string) string {
	switch {
	case fixed == exact && float == exact:
		return "both"
	case fixed == exact:
		return "fixed"
	case float == exact:
		return "float64"
	}
	return "neither"
}

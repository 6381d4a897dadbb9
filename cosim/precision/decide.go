package precision

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// actions maps the reference's actions to the block's codes.
var actions = [nscc.NumActions]ccc.Action{
	nscc.FAIR: ccc.ActionFair, nscc.PROP: ccc.ActionProp, nscc.FAST: ccc.ActionFast, nscc.MD: ccc.ActionMD,
	nscc.NOOP: ccc.ActionNoop, nscc.RcvLimit: ccc.ActionRcvLimit, nscc.NoRTT: ccc.ActionNoRTT,
	nscc.IGNORE: ccc.ActionIgnore, nscc.QA: ccc.ActionQA, nscc.NackDec: ccc.ActionNackDec, nscc.LossDec: ccc.ActionLossDec,
}

// ActionOf returns the block's code for an event: events that decide nothing about the window are NONE there.
func ActionOf(ev *ccc.Event, a nscc.Action) ccc.Action {
	switch ev.Kind {
	case ccc.KindAck, ccc.KindNack, ccc.KindLoss:
		return actions[a]
	}
	return ccc.ActionNone
}

// decisions returns the first decision of an event in which model and reference differ, or ""; rounded is set when it
// may follow from a value that fixed point rounds.
func decisions(ev *ccc.Event, got *ccc.Response, want *nscc.Response) (differs string, rounded bool) {
	action := ActionOf(ev, want.Action)
	for _, d := range [...]struct {
		name             string
		rounded, differs bool
		got, want        any
	}{
		{"rtt_valid", false, got.RTTValid != want.HasRTT, got.RTTValid, want.HasRTT},
		{"rcv_limit", false, got.RcvLimit != want.RcvLimited, got.RcvLimit, want.RcvLimited},
		{"qa_window", false, got.QAWindow != want.QAWindow, got.QAWindow, want.QAWindow},
		{"ignored", false, got.Ignored != want.Ignored, got.Ignored, want.Ignored},
		{"action", true, got.Action != action, got.Action, action},
		{"md_applied", true, got.MDApplied != want.MDApplied, got.MDApplied, want.MDApplied},
		{"fulfilled", true, got.Fulfilled != want.Fulfilled, got.Fulfilled, want.Fulfilled},
		{"eta_applied", true, got.EtaApplied != want.EtaApplied, got.EtaApplied, want.EtaApplied},
		{"qa_fired", true, got.QAFired != want.QAFired, got.QAFired, want.QAFired},
	} {
		if d.differs {
			return fmt.Sprintf("%s: want %v (float), got %v (model)", d.name, d.want, d.got), d.rounded
		}
	}
	return "", false
}

// near reports whether a decision lay within the rounding of one of the two values it compared: the average delay,
// floored once where a sample entered it, with the target; or what was achieved with the gate of a max_wnd that was
// just computed. Every other comparison is between values that both sides hold exactly.
func near(r *nscc.Response, baseFell bool) bool {
	if m, ok := r.Margin(nscc.AvgTarget); ok && r.AvgStepped && math.Abs(m) <= boundAvg {
		return true
	}
	m, ok := r.Margin(nscc.AchievedGate)
	return ok && baseFell && math.Abs(m) <= 1
}

// flags compares the rest of the response. Flags that depend on cwnd are held to its bound.
func (s *Step) flags(ev *ccc.Event, b *bounds, p *nscc.Params, got *ccc.Response, after *ccc.Words,
	want *nscc.State, r *nscc.Response, did Credited) {
	s.worst[responseFlags].Compared++
	room := want.Cwnd - want.Inflight
	sureAck := p.NoWindow || math.Abs(room-p.MTU) > b.cwnd && math.Abs(want.Cwnd-p.AckGenTrigger) > b.cwnd
	sure := p.NoWindow || want.CreditBlocked || math.Abs(room-p.MTU) > b.cwnd
	saturated := r.Flags&(nscc.SatCounter|nscc.SatInc) != 0 || did.Saturated
	// Whether inc_bytes and its quotient by the window were clamped or just fitted depends on a rounding.
	top := b.inc > 0 && want.IncBytes > 1<<48-3 ||
		b.quotient > 0 && math.Abs(r.Fulfilling/r.FulfillingBy-1<<32) <= b.quotient+1
	for _, f := range [...]struct {
		name      string
		judged    bool
		got, want bool
	}{
		{"can_send", sure, got.CanSend, r.CanSend},
		{"ack_request", sureAck, got.AckRequest, r.AckRequest},
		{"state", sure, got.State == ccc.State(r.CCC), true},
		{"lb", true, got.LB == ccc.LB(r.LB), true},
		{"delay", true, float64(got.Delay) == r.Delay, true},
		{"kind", true, got.Kind == ev.Kind, true},
		{"ctx", true, got.Ctx == ev.Ctx, true},
		{"entropy", true, got.Entropy == ev.Entropy, true},
		// The response shows the state that the context has.
		{"cwnd of the response", true, got.Cwnd == after.Cwnd, true},
		{"inflight of the response", true, got.Inflight == after.Inflight, true},
		{"base_rtt of the response", true, got.BaseRTT == after.BaseRTT, true},
		{"avg_delay of the response", true, got.AvgDelay == after.AvgDelay, true},
		{"state of the response", true, got.State == after.CccState, true},
		{"saturated", !top, got.Saturated, saturated},
		{"underflow", true, got.Underflow, r.Flags&nscc.Underflow != 0},
		{"stale", true, got.Stale, r.Flags&nscc.OldAck != 0},
		{"base_fell", true, got.BaseFell, r.BaseFell},
		{"saved", true, got.Saved, r.Saved},
		{"restored", true, got.Restored, r.Restored},
		{"spec_ended", true, got.SpecEnded, did.SpecEnded},
		{"granted", true, got.Granted, did.Granted},
	} {
		if f.judged && f.got != f.want {
			s.beyond(responseFlags, ev, fmt.Sprintf("%s: float and model differ (model: state %v, lb %v, delay %d, flag %v)",
				f.name, got.State, got.LB, got.Delay, f.got))
			return
		}
	}
}

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

// actionOf returns the block's code for an event: events that decide nothing about the window are NONE there.
func actionOf(ev *ccc.Event, a nscc.Action) ccc.Action {
	switch ev.Kind {
	case ccc.KindAck, ccc.KindNack, ccc.KindLoss:
		return actions[a]
	}
	return ccc.ActionNone
}

// decisions returns the first decision of an event in which model and reference differ, or "".
func decisions(ev *ccc.Event, got *ccc.Response, want *nscc.Response) string {
	if a := actionOf(ev, want.Action); got.Action != a {
		return fmt.Sprintf("action: want %v (float), got %v (model)", a, got.Action)
	}
	for _, d := range [...]struct {
		name      string
		got, want bool
	}{
		{"md_applied", got.MDApplied, want.MDApplied},
		{"fulfilled", got.Fulfilled, want.Fulfilled},
		{"eta_applied", got.EtaApplied, want.EtaApplied},
		{"qa_fired", got.QAFired, want.QAFired},
		{"qa_window", got.QAWindow, want.QAWindow},
		{"ignored", got.Ignored, want.Ignored},
		{"rcv_limit", got.RcvLimit, want.RcvLimited},
		{"rtt_valid", got.RTTValid, want.HasRTT},
	} {
		if d.got != d.want {
			return fmt.Sprintf("%s: want %v (float), got %v (model)", d.name, d.want, d.got)
		}
	}
	return ""
}

// near reports whether a decision hung between two values of which fixed point rounds one: the average delay, floored
// once in the event, against the target; and what was achieved against the gate of a max_wnd that was just computed.
// Every other comparison is between values that both sides hold exactly.
func near(r *nscc.Response, baseFell bool) bool {
	if m, ok := r.Margin(nscc.AvgTarget); ok && math.Abs(m) <= 2*lsbAvg {
		return true
	}
	m, ok := r.Margin(nscc.AchievedGate)
	return ok && baseFell && math.Abs(m) <= 1
}

// flags compares the rest of the response. Those that compare cwnd hold to its bound.
func (s *Step) flags(ev *ccc.Event, b *bounds, p *nscc.Params, got *ccc.Response, want *nscc.State, r *nscc.Response) {
	s.worst[responseFlags].Compared++
	room := want.Cwnd - want.Inflight
	sure := math.Abs(room-p.MTU) > b.cwnd
	sureAck := sure && math.Abs(want.Cwnd-p.AckGenTrigger) > b.cwnd
	saturated := r.Flags&(nscc.SatCounter|nscc.SatInc) != 0
	top := b.inc > 0 && want.IncBytes > 1<<48-3 // whether it was clamped or just fits depends on a rounding
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
		{"entropy", true, got.Entropy == ev.Entropy, true},
		{"saturated", !top, got.Saturated, saturated},
		{"underflow", true, got.Underflow, r.Flags&nscc.Underflow != 0},
		{"stale", true, got.Stale, r.Flags&nscc.OldAck != 0},
		{"base_fell", true, got.BaseFell, r.BaseFell},
		{"saved", true, got.Saved, r.Saved},
		{"restored", true, got.Restored, r.Restored},
	} {
		if f.judged && f.got != f.want {
			s.beyond(responseFlags, ev, fmt.Sprintf("%s: float and model differ (model: state %v, lb %v, delay %d, flag %v)",
				f.name, got.State, got.LB, got.Delay, f.got))
			return
		}
	}
}

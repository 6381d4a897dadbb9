package diff

import (
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// comparison is one that can decide an event: a threshold of the rules, or one of what a response shows of the state.
type comparison uint8

const (
	window     = comparison(nscc.NumThresholds) + iota // room for one MTU
	ackTrigger                                         // cwnd against ACK_GEN_TRIGGER
	backlog                                            // against 0, as those below
	waitingRtx
	inflightPkts
	savedCwnd     // before the event
	sample        // RTT of the event
	longestSample // RTT of the event, against the longest that counts
	credit        // against 0, as that below
	rtxBacklog    // before the event
	numComparisons
)

// String returns the comparison's name in reports.
func (c comparison) String() string {
	if c < window {
		return nscc.Threshold(c).String()
	}
	return [...]string{"window", "ack-trigger", "backlog", "waiting-rtx", "inflight-pkts", "saved-cwnd", "rtt",
		"rtt-max", "credit-left", "rtx-backlog"}[c-window]
}

// decided is one decision as a response shows it.
type decided struct {
	name string
	of   func(*ccc.Response) string
	by   []comparison // those that may decide it by themselves
}

func yes(get func(*ccc.Response) bool) func(*ccc.Response) string {
	return func(r *ccc.Response) string {
		if get(r) {
			return "yes"
		}
		return "no"
	}
}

func by(all ...nscc.Threshold) (out []comparison) {
	for _, t := range all {
		out = append(out, comparison(t))
	}
	return out
}

var quick = by(nscc.IgnoredBytes, nscc.WindowQA, nscc.DelayQA, nscc.AchievedGate)

var decisions = []decided{
	{"action", func(r *ccc.Response) string { return r.Action.String() },
		append(by(nscc.DelayTarget, nscc.DelayFast, nscc.FiCwnd), quick...)},
	{"base_fell", yes(func(r *ccc.Response) bool { return r.BaseFell }), by(nscc.RTTBase)},
	{"ignored", yes(func(r *ccc.Response) bool { return r.Ignored }), by(nscc.IgnoredBytes)},
	{"qa_window", yes(func(r *ccc.Response) bool { return r.QAWindow }), by(nscc.IgnoredBytes, nscc.WindowQA)},
	{"qa_fired", yes(func(r *ccc.Response) bool { return r.QAFired }), quick},
	{"md_applied", yes(func(r *ccc.Response) bool { return r.MDApplied }),
		by(nscc.AvgTarget, nscc.SinceDec, nscc.DelayTarget)},
	{"fulfilled", yes(func(r *ccc.Response) bool { return r.Fulfilled }),
		append(by(nscc.SinceAdjust, nscc.ReceivedBytes), quick...)},
	{"eta_applied", yes(func(r *ccc.Response) bool { return r.EtaApplied }), append(by(nscc.SinceAdjust), quick...)},
	{"rtt_valid", yes(func(r *ccc.Response) bool { return r.RTTValid }), []comparison{sample, longestSample}},
	{"saved", yes(func(r *ccc.Response) bool { return r.Saved }), []comparison{savedCwnd}},
	{"restored", yes(func(r *ccc.Response) bool { return r.Restored }), []comparison{savedCwnd}},
	{"state", func(r *ccc.Response) string { return r.State.String() },
		[]comparison{window, backlog, waitingRtx, inflightPkts, credit}},
	{"can_send", yes(func(r *ccc.Response) bool { return r.CanSend }), []comparison{window, credit}},
	{"ack_request", yes(func(r *ccc.Response) bool { return r.AckRequest }),
		[]comparison{window, ackTrigger, backlog, credit}},
	{"spec_ended", yes(func(r *ccc.Response) bool { return r.SpecEnded }), []comparison{rtxBacklog}},
	{"granted", yes(func(r *ccc.Response) bool { return r.Granted }), nil},
}

// decisionsOf returns all decisions of a response as one number: they are alike where it is.
func decisionsOf(r *ccc.Response) uint64 {
	key := uint64(r.Action)<<32 | uint64(r.State)<<24
	for i, b := range [...]bool{r.BaseFell, r.Ignored, r.QAWindow, r.QAFired, r.MDApplied, r.Fulfilled, r.EtaApplied,
		r.RTTValid, r.Saved, r.Restored, r.CanSend, r.AckRequest, r.SpecEnded, r.Granted} {
		if b {
			key |= 1 << i
		}
	}
	return key
}

// margin is a comparison with how far the exact number and that of another party were from its threshold.
type margin struct {
	name         string
	exact, other float64
}

// crossed reports whether the two lie on different sides.
func (m *margin) crossed() bool {
	return m.exact < 0 != (m.other < 0) || m.exact > 0 != (m.other > 0)
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

// margins are how far the numbers of one party were from the thresholds that its event was compared with, as float64.
type margins struct {
	x    [numComparisons]float64
	made [numComparisons]bool
}

// marginsOf returns the comparisons of a party in its last event, which the rules decided and which left c of before.
func marginsOf[N any](num arith.Numbers[N], p *Party[N], ev *ccc.Event, before, c *Context[N]) (m margins) {
	for t := range nscc.NumThresholds {
		if x, ok := p.Rules.Margin(nscc.Threshold(t)); ok {
			m.x[t], m.made[t] = num.Float(x), true
		}
	}
	k, s := p.Params(c.Profile), &c.State
	for at, x := range map[comparison]N{
		window: num.Sub(num.Sub(s.Cwnd, s.Inflight), k.MTU), ackTrigger: num.Sub(s.Cwnd, k.AckGenTrigger),
		backlog: s.Backlog, waitingRtx: s.WaitingRtx, inflightPkts: s.InflightPkts, savedCwnd: before.State.SavedCwnd,
		rtxBacklog: before.State.RtxBacklog,
	} {
		m.x[at], m.made[at] = num.Float(x), true
	}
	if p.credits[c.Profile].On {
		m.x[credit], m.made[credit] = float64(c.Credit.Credit), true
	}
	if rtt, ok := rttOf(num, k, ev); ok {
		m.x[sample], m.made[sample] = num.Float(rtt), true
		m.x[longestSample], m.made[longestSample] = num.Float(num.Sub(rtt, k.MaxSample)), true
	}
	return m
}

// rttOf returns what an event measures, valid or not, and whether it measures at all.
func rttOf[N any](num arith.Numbers[N], k *nscc.ParamsOf[N], ev *ccc.Event) (rtt N, ok bool) {
	if !ev.TxValid || ev.Kind != ccc.KindAck && ev.Kind != ccc.KindNack {
		return rtt, false
	}
	rtt = num.Mod(nscc.ValSince, num.Sub(num.Whole(int64(ev.Now)), num.Whole(int64(ev.TxTime))), k.TimeMod)
	if num.Cmp(num.Add(rtt, rtt), k.TimeMod) >= 0 {
		rtt = num.Sub(rtt, k.TimeMod)
	}
	if ev.Kind == ccc.KindAck {
		rtt = num.Sub(rtt, num.Quantise(nscc.ValService, num.Mul(num.Whole(int64(ev.ServiceTime)), k.ServiceUnit)))
	}
	return rtt, true
}

// evidence returns the comparison that explains why a party decided otherwise than exact numbers, or the reference that
// stands in for them: one that they found on different sides, of those that decide by themselves if there is one; or
// else the one nearest to its threshold.
func (d *decided) evidence(exact, other *margins) margin {
	pairs := func(all []comparison) (out []margin) {
		for _, c := range all {
			if exact.made[c] && other.made[c] {
				out = append(out, margin{c.String(), exact.x[c], other.x[c]})
			}
		}
		return out
	}
	own := decisive(pairs(d.by))
	if own.crossed() {
		return own
	}
	var every []comparison
	for c := range numComparisons {
		every = append(every, c)
	}
	if m := decisive(pairs(every)); m.crossed() {
		return m
	}
	return own
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

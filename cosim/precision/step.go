package precision

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Step compares the model with the float reference event by event. Both start from the model's state, so no error
// accumulates.
type Step struct {
	regs  registers
	res   StateDiff
	worst []StateField
	sides []ThresholdSides
}

// Indices in Step.worst of what is not a number of the NSCC rules: decisions, flags of responses, words.
const (
	decision = iota
	responseFlags
	lastRcvd
	profile
	creditWord
	lastPull
	speculating
	target
	firstField
)

// NewStep returns a comparison for a block with so many profiles, all registers at their reset values.
func NewStep(profiles int) *Step {
	s := &Step{regs: newRegisters(profiles), sides: thresholdNames()}
	s.worst = []StateField{{Name: "decision"}, {Name: "flags"}, {Name: "last_rcvd"}, {Name: "profile"},
		{Name: "credit left"}, {Name: "last_pull"}, {Name: "speculating"},
		{Name: "target", Bound: "1 byte where the share leaves a fraction, rounded up to a quantum"}}
	for _, f := range fields {
		s.worst = append(s.worst, StateField{Name: f.name, Bound: f.about})
	}
	return s
}

// Reset returns the registers to their reset values, as a reset of the block does.
func (s *Step) Reset() { s.regs.reset() }

// Result returns what was seen so far.
func (s *Step) Result() *StateDiff {
	r := s.res
	r.Fields = append([]StateField(nil), s.worst...)
	r.Thresholds = append([]ThresholdSides(nil), s.sides...)
	return &r
}

// Context is the part of a context that one event can change.
type Context struct {
	Valid bool
	Words ccc.Words // LastRcvd is that of the event's slot
}

// Event compares one event. Before and after are the context as the model had it, zero where the event names none; rsp
// is its response. The reference has no rule for some events: those of registers, and those that are refused or have no
// context, must leave the context as it was; LOAD, READ and CLOSE are not compared.
func (s *Step) Event(before, after *Context, ev *ccc.Event, rsp *ccc.Response) {
	s.count(before, ev, rsp)
	if rsp.Refused || rsp.NoContext || ev.Kind == ccc.KindCfgWrite || ev.Kind == ccc.KindCfgRead {
		if *before != *after {
			s.beyond(decision, ev, "the model changed a context that the event leaves as it is")
		}
		switch {
		case !before.Valid || ev.Kind == ccc.KindCfgWrite || ev.Kind == ccc.KindCfgRead:
		case rsp.NoContext:
			s.beyond(decision, ev, "the model found no context, and it is open")
		case ev.Kind == ccc.KindCredit && s.regs.credit[before.Words.Profile].On:
			s.beyond(decision, ev, "the model refused a pull for a context with credit")
		}
		if ev.Kind == ccc.KindCfgWrite && !rsp.Refused {
			s.regs.write(ev)
		}
		return
	}
	number := before.Words.Profile // of the profile
	switch {
	case ev.Kind == ccc.KindOpen:
		number = ev.Profile
	case !before.Valid:
		s.beyond(decision, ev, "the model took an event for a context that is not open")
		return
	}
	if int(number) >= len(s.regs.params) {
		s.beyond(profile, ev, fmt.Sprintf("the model took profile %d, and there are %d", number, len(s.regs.params)))
		return
	}
	p := &s.regs.params[number]
	from := StateOf(&before.Words, 1)
	pdc := nscc.PDC{LastRcvd: before.Words.LastRcvd}
	k, credit := &s.regs.credit[number], CreditOf(&before.Words)
	if ev.Kind == ccc.KindCredit && !k.On {
		s.beyond(decision, ev, "the model took a pull for a context without credit")
		return
	}
	did := k.Apply(&credit, ev)
	from.CreditBlocked = k.Blocked(&credit)
	to, r := from, nscc.Response{}
	if !Apply(p, &to, &pdc, ev, Times{float64(ev.Now), float64(ev.TxTime)}, &r) {
		return
	}
	s.res.Events++
	s.credit(ev, k, p, &after.Words, rsp, to.Cwnd, &credit)
	if bad, rounded := decisions(ev, rsp, &r); bad != "" {
		if rounded && near(&r, to.BaseRTT < from.BaseRTT) {
			s.res.Near++
			return
		}
		s.beyond(decision, ev, bad)
		return
	}
	s.worst[decision].Compared++
	sortThreshold(s.sides, &r)
	b := boundsOf(p, &from, &r, to.BaseRTT < from.BaseRTT)
	s.state(ev, &b, &after.Words, &to, pdc)
	s.worst[profile].Compared++
	if got := after.Words.Profile; got != number {
		s.beyond(profile, ev, fmt.Sprintf("profile: want %d, got %d (model)", number, got))
	}
	r.AckRequest = r.AckRequest || k.Asks(&credit)
	s.flags(ev, &b, p, rsp, &after.Words, &to, &r, did)
}

// count counts an event by its kind, so that an event left out of the comparison is noticed.
func (s *Step) count(before *Context, ev *ccc.Event, rsp *ccc.Response) {
	s.res.Shown++
	if rsp.Refused || rsp.NoContext {
		return
	}
	switch ev.Kind {
	case ccc.KindNewData, ccc.KindSend, ccc.KindAck, ccc.KindNack, ccc.KindLoss:
		s.res.Due++
		if before.Valid {
			s.res.Windows++
		}
	case ccc.KindOpen, ccc.KindBind, ccc.KindSample, ccc.KindCredit:
		s.res.Due++
	}
}

func (s *Step) state(ev *ccc.Event, b *bounds, got *ccc.Words, want *nscc.State, pdc nscc.PDC) {
	model := StateOf(got, 1)
	for i := range fields {
		f, w := &fields[i], &s.worst[firstField+i]
		g, x, bound := f.of(&model), f.of(want), 0.0
		if f.bound != nil {
			bound = f.bound(b)
		}
		w.Compared++
		err := math.Abs(g - x)
		if err == 0 {
			continue
		}
		w.MaxError = max(w.MaxError, err)
		if err <= bound {
			w.Closest = max(w.Closest, err/bound)
			continue
		}
		s.beyond(firstField+i, ev, fmt.Sprintf("%s: want %v (float), got %v (model), bound %v", f.name, x, g, bound))
	}
	s.worst[lastRcvd].Compared++
	if got.LastRcvd != pdc.LastRcvd {
		s.beyond(lastRcvd, ev, fmt.Sprintf("last_rcvd of slot %d: want %d (float), got %d (model)",
			ev.PDC, pdc.LastRcvd, got.LastRcvd))
	}
}

func (s *Step) beyond(at int, ev *ccc.Event, what string) {
	s.worst[at].Beyond++
	s.res.Beyond++
	if s.res.First == "" {
		s.res.First = fmt.Sprintf("event %d, %v of context %d: %s", s.res.Shown-1, ev.Kind, ev.Ctx, what)
	}
}

// Times are an event's time stamps in the unit of the params in use.
type Times struct{ Now, Tx float64 }

// Apply runs one event of the reference and reports whether it has a rule for it. The RTT of a SAMPLE is in ticks.
func Apply(p *nscc.Params, s *nscc.State, pdc *nscc.PDC, ev *ccc.Event, at Times, r *nscc.Response) bool {
	now, size := at.Now, float64(ev.Size)
	switch ev.Kind {
	case ccc.KindOpen:
		*s = nscc.NewState(p, now)
		*pdc = nscc.PDC{}
		*r = nscc.Response{Action: nscc.NOOP, CanSend: s.CanSend(p), AckRequest: s.AckRequest(p)}
	case ccc.KindNewData:
		*r = s.OnNewData(p, &nscc.NewData{Time: now, Bytes: size})
	case ccc.KindSend:
		*r = s.OnSend(p, &nscc.Send{Time: now, Size: size, IsRtx: ev.IsRtx})
	case ccc.KindAck:
		*r = s.OnACK(p, pdc, &nscc.Ack{
			Time: now, Tx: txOf(ev, at.Tx), Service: ev.ServiceTime, RcvdBytes: ev.RcvdBytes,
			Marked: ev.M, Pend: ev.Pend, Restore: ev.RC, AckedPkts: float64(ev.AckedPkts),
			UnmarkedPkts: float64(ev.UnmarkPkts), UnmarkedBytes: float64(ev.UnmarkBytes), Entropy: ev.Entropy,
		})
	case ccc.KindNack:
		*r = s.OnNACK(p, &nscc.Nack{
			Time: now, Tx: txOf(ev, at.Tx), Reason: nscc.Reason(ev.Reason), Size: size, Marked: ev.M, Entropy: ev.Entropy,
		})
	case ccc.KindLoss:
		*r = s.OnInferredLoss(p, &nscc.Loss{Time: now, Size: size, Entropy: ev.Entropy})
	case ccc.KindBind:
		*r = s.OnBind(p, pdc, &nscc.Bind{Time: now, RcvdBytes: ev.RcvdBytes, Surplus: size})
	case ccc.KindSample:
		*r = s.OnSample(p, &nscc.Sample{Time: now, RTT: float64(ev.Data)})
	case ccc.KindCredit:
		*r = s.OnCreditUpdate(p, s.CreditBlocked)
	default:
		return false
	}
	return true
}

func txOf(ev *ccc.Event, sent float64) nscc.Tx {
	if !ev.TxValid {
		return nscc.Tx{Sample: nscc.None}
	}
	return nscc.Tx{Sample: nscc.FromTx, TxTime: sent, RtxCount: ev.RtxCount, Retx: ev.Retx}
}

package ccc

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// StateOf fills words with the state words of the context that an event names, after the events issued so far, as READ
// gives them; the word of last_rcvd is that of the event's slot. It returns "" for an event without a context.
func (m *Model) StateOf(_ int, in, words []uint64) string {
	var ev port.Event
	port.UnpackEvent(in, &ev)
	return m.stateOf(&ev, words)
}

func (m *Model) stateOf(ev *port.Event, words []uint64) string {
	st := m.row(ev.Ctx)
	if st == nil || ev.Kind == port.KindCfgWrite || ev.Kind == port.KindCfgRead {
		return ""
	}
	copy(words, st.words(m.slot(ev)))
	if !st.Valid {
		return fmt.Sprintf("ctx=%d, invalid", ev.Ctx)
	}
	return fmt.Sprintf("ctx=%d", ev.Ctx)
}

// slot returns the slot whose last_rcvd is shown with an event.
func (m *Model) slot(ev *port.Event) uint8 { return min(ev.PDC, m.cfg.numPdcs-1) }

func (s *State) words(slot uint8) []uint64 {
	w := make([]uint64, port.NumWords)
	for addr := range w {
		w[addr] = s.Word(addr, slot)
	}
	return w
}

// Explain has tell called with how each event is decided from now on; nil ends it.
func (m *Model) Explain(tell func(*event.Decision)) { m.tell = tell }

// explained is Apply for an event whose steps are told. They are found on a copy, by the same functions in the order of
// the contract, and hold only if they lead to the same response and state.
func (m *Model) explained(ev *port.Event) {
	d := event.NewDecision("rsp")
	d.Before = make([]uint64, port.NumWords)
	d.Concern = m.stateOf(ev, d.Before)
	row := m.row(ev.Ctx)
	t := &teller{d: d, slot: m.slot(ev), block: port.Schema()}
	if row != nil {
		t.st = *row
	}
	cfg := m.cfg
	t.x = exec{cfg: &cfg, st: &t.st, ev: ev, rsp: &t.rsp}
	t.rsp = port.Response{Kind: ev.Kind, Ctx: ev.Ctx, Entropy: ev.Entropy}
	t.run(row)
	Apply(&m.cfg, row, ev, &m.rsp)
	d.After = make([]uint64, port.NumWords)
	if m.stateOf(ev, d.After) == "" {
		d.Before, d.After = nil, nil
	}
	d.Check(t.rsp == m.rsp && (row == nil || t.st == *row))
	m.tell(d)
}

// teller executes an event rule by rule.
type teller struct {
	d     *event.Decision
	block *event.Block
	x     exec
	st    State
	rsp   port.Response
	slot  uint8
	was   []uint64 // state words, as of the last step
	seen  []uint64 // packed response, with the view
	views bool     // the response has the view
}

// layout returns the places of the outputs.
var layout = sync.OnceValue(func() *event.Layout { return event.NewLayout(port.Schema()) })

// done ends a rule: it tells what became of the state, and which outputs have their value from it.
func (t *teller) done(rule string) {
	now := t.st.words(t.slot)
	for i := range t.block.Words {
		for _, f := range t.block.Words[i].Fields {
			v := now[i] >> f.LSB & (1<<f.Width - 1)
			if v == t.was[i]>>f.LSB&(1<<f.Width-1) {
				continue
			}
			step := event.Step{Rule: rule, Name: f.Name, Value: new(big.Int).SetUint64(v), State: true}
			if f.Signed && v>>(f.Width-1) != 0 {
				step.Value.Sub(step.Value, new(big.Int).Lsh(big.NewInt(1), uint(f.Width)))
			}
			t.d.Steps = append(t.d.Steps, step)
		}
	}
	t.was = now
	out := t.packed()
	l := layout()
	for i := range l.Out.Slots {
		if s := &l.Out.Slots[i]; s.Differs(t.seen, out) {
			name := event.Part{Slot: s}.Name()
			t.d.By[name] = append(t.d.By[name], rule)
		}
	}
	t.seen = out
}

// packed returns the response as it would be after the rules so far.
func (t *teller) packed() []uint64 {
	r, x := t.rsp, t.x
	if t.views {
		x.rsp = &r
		x.view()
	}
	out := make([]uint64, port.OutWords)
	port.PackResponse(&r, out)
	return out
}

// begin notes what the first rule starts from.
func (t *teller) begin(views bool) {
	t.views, t.was = views, t.st.words(t.slot)
	t.seen = t.packed()
}

const dispatch = "dispatch-in-this-order/"

// run executes the event. Row is nil when its context is out of range.
func (t *teller) run(row *State) {
	x, ev := &t.x, t.x.ev
	if row == nil {
		x.st = nil
	}
	onContext := row != nil && row.Valid && ev.Kind < port.NumKinds
	switch ev.Kind {
	case port.KindCfgWrite, port.KindCfgRead, port.KindOpen, port.KindClose:
		onContext = false
	}
	if !onContext {
		t.begin(false)
		Apply(x.cfg, x.st, ev, &t.rsp)
		t.done(t.short(row))
		return
	}
	x.reg = &x.cfg.sets[t.st.Profile]
	if x.refuses() {
		t.begin(false)
		t.rsp.Refused = true
		t.done(dispatch + "7")
		return
	}
	rule := map[port.Kind]string{port.KindLoad: "load-read", port.KindRead: "load-read", port.KindBind: "bind",
		port.KindSample: "sample", port.KindNewData: "new-data", port.KindSend: "send", port.KindLoss: "loss",
		port.KindCredit: "receiver-credit/credit"}[ev.Kind]
	t.begin(true)
	if ev.Kind == port.KindLoad {
		t.st.SetWord(int(ev.Addr), ev.PDC, ev.Data)
		x.reg = &x.cfg.sets[t.st.Profile]
		t.done("load-read")
	}
	x.floor()
	t.done(dispatch + "9")
	switch ev.Kind {
	case port.KindRead:
		t.rsp.Data = t.st.Word(int(ev.Addr), ev.PDC)
	case port.KindBind:
		x.bind()
	case port.KindSample:
		x.sample()
	case port.KindNewData:
		t.st.Backlog = x.sat48(t.st.Backlog, uint64(ev.Size))
	case port.KindSend:
		x.send()
	case port.KindLoss:
		if t.st.RtxBacklog > 0 {
			x.stop()
			t.done("receiver-credit/ack")
		}
		x.loss()
	case port.KindCredit:
		x.pull()
	case port.KindAck:
		t.ack()
	case port.KindNack:
		t.nack()
	}
	if rule != "" {
		t.done(rule)
	}
	t.credit()
	if ev.Kind != port.KindLoad && ev.Kind != port.KindRead {
		x.updateState()
		t.done("parts/update-state")
	}
	x.view()
}

// credit executes the rules of credit that follow those of the event.
func (t *teller) credit() {
	x := &t.x
	switch {
	case !x.reg.creditOn():
	case x.ev.Kind == port.KindSend:
		x.spend()
		t.done("receiver-credit/send")
		want := x.want()
		t.rsp.Target = x.target(want)
		t.d.Steps = append(t.d.Steps, event.Step{Rule: "receiver-credit/target", Name: "want", Value: big.NewInt(want)})
		t.done("receiver-credit/target")
	case x.ev.Kind == port.KindAck || x.ev.Kind == port.KindNack:
		x.stop()
		t.done("receiver-credit/ack")
	}
}

// short returns the rule of an event that needs no valid context, or finds none.
func (t *teller) short(row *State) string {
	switch ev := t.x.ev; {
	case ev.Kind >= port.NumKinds:
		return dispatch + "1"
	case ev.Kind == port.KindCfgWrite || ev.Kind == port.KindCfgRead:
		return dispatch + "2"
	case row == nil:
		return dispatch + "3"
	case ev.Kind == port.KindOpen && t.rsp.Refused:
		return dispatch + "4"
	case ev.Kind == port.KindOpen:
		return "open"
	case !row.Valid:
		return dispatch + "5"
	}
	return dispatch + "6"
}

// ack executes the steps of an ACK.
func (t *teller) ack() {
	x, s, ev := &t.x, &t.st, t.x.ev
	delta := x.newlyReceived()
	t.d.Value("ack/1", "delta", delta)
	t.done("ack/1")
	s.WaitingRtx = x.sub0(s.WaitingRtx, uint32(ev.UnmarkPkts))
	s.RtxBacklog = x.sub0(s.RtxBacklog, ev.UnmarkBytes)
	t.done("ack/2")
	s.Inflight = x.sats32(int64(s.Inflight) + int64(ev.UnmarkBytes) - int64(delta))
	t.done("ack/3")
	s.BytesIgnored = x.sat32(s.BytesIgnored, delta)
	s.ReceivedBytes = x.sat32(s.ReceivedBytes, delta)
	s.AchievedBytes = x.sat32(s.AchievedBytes, delta)
	t.done("ack/4")
	if t.rsp.LB = port.LBNoECN; ev.M {
		t.rsp.LB = port.LBECN
	}
	t.done("ack/5")
	service := uint64(ev.ServiceTime) << x.cfg.timeShift
	raw, ok := x.rttSample(service)
	t.rsp.RTTValid = ok && ev.ServiceTime != 0 && ev.ServiceTime != 0xFFFF
	t.d.Value("ack/6", "service", service)
	t.d.Value("ack/6", "raw", raw)
	t.done("ack/6")
	if ev.Pend > 0 {
		t.d.Value("ack/7", "penalty", uint64(ev.Pend)*delta>>7)
	}
	x.flowControl(delta)
	t.done("ack/7")
	switch {
	case t.rsp.RTTValid:
		t.lowerBase("ack/9", raw)
		delay := raw - uint64(s.BaseRTT)
		t.rsp.Delay = uint32(delay)
		t.d.Value("ack/10", "delay", delay)
		t.done("ack/10")
		sample := delay
		if !ev.M && delay > x.reg[port.RegTargetQDelay] {
			sample = uint64(s.BaseRTT >> 2)
			t.d.Value("ack/11", "outlier", sample)
		}
		t.ewma("ack/11", sample)
		t.control(delay, delta)
	case x.reg[port.RegCtrl]&ctrlAvgNoSample != 0:
		delay := s.AvgDelay >> avgFrac
		t.rsp.Delay = uint32(delay)
		t.d.Value("ack/8", "delay", delay)
		t.done("ack/8")
		t.control(delay, delta)
	default:
		t.rsp.Action = port.ActionNoRTT
		t.done("ack/8")
	}
	s.InflightPkts = x.sub0(s.InflightPkts, uint32(ev.AckedPkts))
	t.done("ack/15")
}

// lowerBase executes base_rtt as a step of the event.
func (t *teller) lowerBase(rule string, raw uint64) {
	if raw < uint64(t.st.BaseRTT) {
		wnd, _ := fxp.MulShift(t.x.reg[port.RegMwndRate], raw, rateFrac)
		t.d.Value(rule, "rate_wnd", wnd)
	}
	t.x.lowerBase(raw)
	t.done(rule)
}

// ewma executes the average as a step of the event.
func (t *teller) ewma(rule string, sample uint64) {
	before := t.st.AvgDelay
	t.x.ewma(sample)
	step := big.NewInt(int64(t.st.AvgDelay - before))
	t.d.Steps = append(t.d.Steps, event.Step{Rule: rule, Name: "avg_step", Value: step})
	t.done(rule)
}

// quickAdapt executes quick adapt as a step of the event and returns the action.
func (t *teller) quickAdapt(rule string, loss, mark bool, qdelay uint64) port.Action {
	s, reg := &t.st, t.x.reg
	if reg[port.RegCtrl]&ctrlNoQuickAdapt == 0 {
		t.d.Value(rule, "gate", uint64(s.MaxWnd>>reg[port.RegQAGate]))
		t.d.Value(rule, "window", max(uint64(s.BaseRTT), reg[port.RegConfigBaseRTT])+reg[port.RegTargetQDelay])
	}
	return t.x.quickAdapt(loss, mark, qdelay)
}

// control executes steps 12 to 14 of an ACK.
func (t *teller) control(delay, delta uint64) {
	x, s, ev := &t.x, &t.st, t.x.ev
	a := t.quickAdapt("ack/12", false, ev.M, delay)
	if a != port.ActionNone {
		t.rsp.Action = a
	}
	t.done("ack/12")
	if a != port.ActionNone {
		return
	}
	target := x.reg[port.RegTargetQDelay]
	switch {
	case ev.M && delay >= target:
		t.rsp.Action = port.ActionMD
		t.decrease(target << avgFrac)
	case ev.M:
		t.rsp.Action = port.ActionNoop
	case ev.Pend > 0:
		t.rsp.Action = port.ActionRcvLimit
	case delay >= target:
		t.rsp.Action = port.ActionFair
		inc, _ := fxp.MulShift(x.reg[port.RegFI], delta, byteFrac)
		t.d.Value("ack/13", "fair_inc", inc)
		s.IncBytes = x.sat48(s.IncBytes, inc)
	case x.fastIncrease(delta, delay):
		t.rsp.Action = port.ActionFast
		grow, _ := fxp.MulShift(delta, x.reg[port.RegFIScale], scaleFrac)
		t.d.Value("ack/13", "fast_inc", grow)
	default:
		t.rsp.Action = port.ActionProp
		inc, _ := fxp.MulShift(x.reg[port.RegAlpha]*delta, target-delay, rateFrac)
		t.d.Value("ack/13", "prop_inc", inc)
		s.IncBytes = x.sat48(s.IncBytes, inc)
	}
	t.done("ack/13")
	cwnd, inc := s.Cwnd, s.IncBytes
	x.fulfil()
	if t.rsp.Fulfilled {
		t.d.Value("ack/14", "quotient", min(inc/uint64(cwnd), 1<<32-1))
	}
	if t.rsp.EtaApplied {
		t.d.Value("ack/14", "eta_bytes", x.reg[port.RegEta]>>byteFrac)
	}
	t.done("ack/14")
}

// decrease executes the decrease of step 13, whose values are told where it applies.
func (t *teller) decrease(target uint64) {
	s, cwnd := &t.st, t.st.Cwnd
	t.d.Value("ack/13", "since", t.x.since(s.LastDecTime))
	if t.x.decrease(); !t.rsp.MDApplied {
		return
	}
	ratio, _ := fxp.Ratio(s.AvgDelay-target, s.AvgDelay, ratioFrac)
	factor := max(1<<32-t.x.reg[port.RegGamma]*ratio, t.x.reg[port.RegMaxMDJump]<<ratioFrac)
	left, _ := fxp.MulShift(uint64(cwnd), factor, 2*ratioFrac)
	t.d.Value("ack/13", "ratio", ratio)
	t.d.Value("ack/13", "factor", factor)
	t.d.Value("ack/13", "decreased", left)
}

// nack executes the steps of a NACK.
func (t *teller) nack() {
	x, s, ev, r := &t.x, &t.st, t.x.ev, &t.rsp
	s.Inflight = x.sats32(int64(s.Inflight) - int64(ev.Size))
	t.done("nack/1")
	raw, ok := x.rttSample(0)
	t.d.Value("nack/2", "raw", raw)
	if r.RTTValid = ok; ok {
		t.lowerBase("nack/2", raw)
	}
	t.done("nack/2")
	first, lastHop := ev.Reason == port.ReasonTrimmed, ev.Reason == port.ReasonTrimmedLasthop
	if first || lastHop {
		t.ewma("nack/3", x.reg[port.RegConfigBaseRTT])
		s.BytesIgnored = x.sat32(s.BytesIgnored, uint64(ev.Size))
	}
	t.done("nack/3")
	r.Action = port.ActionNoop
	if first || lastHop && !x.reg.creditOn() {
		s.TriggerQA = true
		if r.Action = t.quickAdapt("nack/4", true, true, 0); r.Action == port.ActionNone {
			x.shrink(uint64(ev.Size))
			r.Action = port.ActionNackDec
		}
	}
	t.done("nack/4")
	switch {
	case first:
		r.LB = port.LBNack
	case ev.M:
		r.LB = port.LBECN
	default:
		r.LB = port.LBNoECN
	}
	t.done("nack/5")
	x.mark()
	t.done("nack/6")
}

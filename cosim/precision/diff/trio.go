package diff

import (
	"cmp"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
)

// steps is the fineness of exact numbers in free mode, 2^-steps: what is stored would grow without end.
const steps = 192

// trio is the three parties on the same events.
type trio struct {
	mode  Mode
	num   *arith.Fixed
	quiet *arith.Fixed // the same formats, and counts nothing
	real  arith.Exact
	fixed *Party[fixed.Num]
	float *Party[float64]
	exact *Party[arith.Real]

	recFixed *recorder[fixed.Num]
	recFloat *recorder[float64]
	recExact *recorder[arith.Real]

	seen     uint64
	limit    int                     // flips listed
	spans    [nscc.NumValues]float64 // see span
	narrow   bool                    // one of stamps has fewer than 48 bits
	measure  Measure
	wrong    uint64 // events that fixed point decided otherwise than exact
	values   [nscc.NumValues]struct{ fixed, float Tally }
	courses  [nscc.NumValues]course // of fixed point
	ev       ccc.Event              // the last one
	judges   bool                   // the worst event is looked for
	worst    worst
	regs     [ccc.NumRegs]Tally
	compared []Decision
	probe    *probe       // nil but for a baseline
	causes   *causes      // nil but where errors are split
	court    *court       // nil but where flips are judged
	judged   []CauseCount // as flipCauses
	// before is the context of the event before it.
	before struct {
		fixed Context[fixed.Num]
		float Context[float64]
		exact Context[arith.Real]
	}
}

func newTrio(mode Mode, table *formats.Table, size Size, limit int) (*trio, error) {
	num, err := arith.NewFixed(table)
	quiet, err2 := arith.NewFixed(table)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	num.Watch()
	t := &trio{mode: mode, num: num, quiet: quiet, limit: limit, measure: Measure{Mode: mode}, judges: mode == Step,
		compared: make([]Decision, len(decisions))}
	if mode == Free {
		t.real.Steps = steps
	}
	for v := range t.spans {
		t.spans[v] = t.span(nscc.Value(v))
	}
	for _, v := range stamps {
		t.narrow = t.narrow || t.spans[v] < 1<<ccc.TimeW
	}
	t.recFixed = &recorder[fixed.Num]{Numbers: num, rounds: true}
	t.recFloat = &recorder[float64]{Numbers: arith.Float{}}
	t.recExact = &recorder[arith.Real]{Numbers: t.real}
	t.fixed = NewParty[fixed.Num](t.recFixed, size)
	t.float = NewParty[float64](t.recFloat, size)
	t.exact = NewParty[arith.Real](t.recExact, size)
	return t, nil
}

// withoutExact leaves exact numbers out: fixed point is held against float64.
func (t *trio) withoutExact() { t.exact, t.recExact = nil, nil }

func (t *trio) reset() {
	t.fixed.Reset()
	t.float.Reset()
	if t.exact != nil {
		t.exact.Reset()
	}
	if t.court != nil {
		t.court.reset()
	}
	if t.causes != nil {
		t.causes.reset()
	}
}

type contextPair struct {
	fixed *Context[fixed.Num]
	float *Context[float64]
	exact *Context[arith.Real]
}

// copyContext gives a context the state of another in its own numbers.
func copyContext[N any](to *Context[N], from *Context[fixed.Num], conv func(fixed.Num) N) {
	to.Valid, to.Profile, to.Credit, to.pdcs = from.Valid, from.Profile, from.Credit, from.pdcs
	s, f := &to.State, &from.State
	s.CCC, s.Increase, s.TriggerQA, s.QAValid = f.CCC, f.Increase, f.TriggerQA, f.QAValid
	for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
		*s.Word(v) = conv(*f.Word(v))
	}
}

// whole returns a context with its times in 48 bits where the table has narrower ones: the last time before the event
// that the low bits fit, or, of the end of a window that still runs, the next one.
func (t *trio) whole(c *Context[fixed.Num], ev *ccc.Event) *Context[fixed.Num] {
	if !c.Valid || !t.narrow {
		return c
	}
	w, p := *c, t.fixed.Params(c.Profile)
	longest := t.quiet.Add(p.Target, p.ConfigBaseRTT)
	if t.quiet.Cmp(w.State.BaseRTT, p.ConfigBaseRTT) > 0 {
		longest = t.quiet.Add(p.Target, w.State.BaseRTT)
	}
	for _, v := range stamps {
		if t.spans[v] >= 1<<ccc.TimeW {
			continue
		}
		mask := uint64(t.spans[v]) - 1
		ago := (ev.Now - w.State.Word(v).Bits(0)) & mask
		at := ev.Now - ago
		if ahead := -ago & mask; v == nscc.ValQAEnd && t.quiet.Cmp(fixed.OfUnsigned(ahead, 0), longest) <= 0 {
			at = ev.Now + ahead
		}
		*w.State.Word(v) = fixed.OfUnsigned(at&(1<<ccc.TimeW-1), 0)
	}
	return &w
}

// event applies one event to the parties and compares what they made of it.
func (t *trio) event(ev *ccc.Event) error { return t.timedEvent(ev, nil) }

// timedEvent is event with the episode that has handed the event out, for its times in picoseconds.
func (t *trio) timedEvent(ev *ccc.Event, ep *stim.Episode) error {
	number := t.seen
	t.seen++
	t.ev = *ev
	k := contextPair{t.fixed.Context(ev.Ctx), t.float.Context(ev.Ctx), nil}
	if t.exact != nil {
		k.exact = t.exact.Context(ev.Ctx)
	}
	var before contextPair
	var from *Context[fixed.Num]
	if k.fixed != nil {
		before, from = t.start(ev, k)
	}
	if t.probe != nil {
		t.probe.event = number
	}
	if t.court != nil {
		t.court.follow(ev)
	}
	t.recFixed.clear()
	t.recFloat.clear()
	rf, rd, re := &t.fixed.Last, &t.float.Last, &t.float.Last
	t.fixed.Take(ev)
	t.float.Take(ev)
	if t.exact != nil {
		t.recExact.clear()
		t.exact.Take(ev)
		re = &t.exact.Last
	}
	if err := t.num.Err(); err != nil {
		return err
	}
	if ev.Kind == ccc.KindCfgWrite && !rf.Refused {
		t.register(ev)
	}
	var at *times[arith.Real]
	if t.causes != nil {
		var err error
		if at, err = t.causes.times(ev, ep); err != nil {
			return err
		}
		t.causes.event(ev, from, at)
	}
	if t.probe != nil {
		t.probe.numbers(t, number, ev, k.fixed, rf)
	}
	if !t.fixed.Ran {
		return nil
	}
	t.measure.Compared++
	apart := t.decide(number, ev, before, k, rf, rd, re)
	if apart {
		t.measure.Apart++
	}
	if t.probe != nil {
		t.probe.errors(rf, re, t.mode == Step && apart)
	}
	if t.causes != nil {
		t.causes.compare(ev, before.fixed, from, k.fixed, rf, at)
	}
	if t.mode == Free || !apart {
		t.state(before, k)
		if !apart {
			t.intermediate()
		}
	}
	return nil
}

// start brings the parties to where they start an event from, and returns their contexts before it and, in one-step
// mode, the one that they all begin with.
func (t *trio) start(ev *ccc.Event, k contextPair) (before contextPair, from *Context[fixed.Num]) {
	if t.mode == Step {
		from = t.whole(k.fixed, ev)
		copyContext(k.float, from, t.num.Float)
		if t.exact != nil {
			copyContext(k.exact, from, t.real.OfFixed)
		}
	}
	t.before.fixed, t.before.float = *k.fixed, *k.float
	before = contextPair{&t.before.fixed, &t.before.float, nil}
	if t.exact != nil {
		t.before.exact = *k.exact
		before.exact = &t.before.exact
	}
	if from == k.fixed {
		from = before.fixed // the event changes the other
	}
	return before, from
}

// register compares what a register holds with what was written.
func (t *trio) register(ev *ccc.Event) {
	addr := int(ev.Addr)
	raw := ev.Data & (1<<ccc.RegInfo[addr].Width - 1)
	want := t.real.Register(addr, raw)
	t.regs[addr].Add(t.apart(t.real.OfFixed(t.quiet.Register(addr, raw)), want, 0), t.real.Float(want))
}

// stamps are the words that hold a time stamp.
var stamps = []nscc.Value{nscc.ValQAEnd, nscc.ValLastAdjust, nscc.ValLastDec}

// span returns the number of ticks after which a time comes round again, as its format has it, and 0 for a value that
// is no time.
func (t *trio) span(v nscc.Value) float64 {
	switch v {
	case nscc.ValQAEnd, nscc.ValLastAdjust, nscc.ValLastDec, nscc.ValSince:
		f, _ := t.num.Table().Lookup(v.String())
		return math.Ldexp(1, int(f.Format.Int))
	}
	return 0
}

// apart returns x - exact; of times that come round after span ticks the shorter way.
func (t *trio) apart(x, exact arith.Real, span float64) float64 {
	d := t.real.Float(t.real.Sub(x, exact))
	if span > 0 {
		d = math.Remainder(d, span)
	}
	return d
}

// compare compares fixed point with exact numbers, and float64 with them; without e it compares it with float64.
func (t *trio) compare(v nscc.Value, f fixed.Num, d float64, e *arith.Real) {
	span := t.spans[v]
	x, err := d, t.num.Float(f)-d
	if e != nil {
		x, err = t.real.Float(*e), t.apart(t.real.OfFixed(f), *e, span)
		t.values[v].float.Add(t.apart(t.real.OfFloat(d), *e, span), x)
		if v == judged && t.judges {
			t.worse(err, t.num.Float(f), x)
		}
	} else if span > 0 {
		err = math.Remainder(err, span)
	}
	t.courses[v].add(t.seen-1, err)
	t.values[v].fixed.Add(err, x)
}

// state compares the words that the event changed for any party.
func (t *trio) state(before, after contextPair) {
	for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
		f, d := *after.fixed.State.Word(v), *after.float.State.Word(v)
		b := *before.fixed.State.Word(v)
		same := (f == b || t.num.Cmp(f, b) == 0) && d == *before.float.State.Word(v)
		var e *arith.Real
		if t.exact != nil {
			e = after.exact.State.Word(v)
			same = same && t.real.Cmp(*e, *before.exact.State.Word(v)) == 0
		}
		if !same {
			t.compare(v, f, d, e)
		}
	}
}

// intermediate compares what the rules computed on the way, where all parties did.
func (t *trio) intermediate() {
	all := t.recFixed.set & t.recFloat.set
	if t.exact != nil {
		all &= t.recExact.set
	}
	for v := nscc.ValInflightPkts + 1; int(v) < nscc.NumValues; v++ {
		if all>>v&1 == 0 {
			continue
		}
		var e *arith.Real
		if t.exact != nil {
			e = &t.recExact.last[v]
		}
		t.compare(v, t.recFixed.last[v], t.recFloat.last[v], e)
	}
}

// decide compares the decisions of an event and reports whether any differed.
func (t *trio) decide(number uint64, ev *ccc.Event, before, k contextPair, rf, rd, re *ccc.Response) (apart bool) {
	key := decisionsOf(re)
	if key == decisionsOf(rf) && key == decisionsOf(rd) {
		return false
	}
	if key != decisionsOf(rf) {
		t.wrong++
	}
	for i := range decisions {
		d, c := &decisions[i], &t.compared[i]
		f, x, e := d.of(rf), d.of(rd), d.of(re)
		if f == e && x == e {
			continue
		}
		apart = true
		if f != e {
			c.FixedWrong++
		}
		if x != e {
			c.FloatWrong++
		}
		if f != x {
			c.Apart++
		}
		flip := Flip{Event: number, Context: int(ev.Ctx), Kind: ev.Kind.String(), Decision: d.name, Fixed: f, Float: x,
			Threshold: "-"}
		if len(t.measure.Flips) < t.limit {
			flip.Fields = describe(ev)
		}
		if t.exact != nil {
			flip.Exact, flip.Right = e, right(f, x, e)
		}
		if t.court != nil {
			cause, m := t.judge(d, ev, before, k, rf, rd, re)
			flip.Cause, flip.Threshold, flip.Distance, flip.OtherDistance = cause, m.name, m.exact, m.other
			t.judged[slices.Index(flipCauses, cause)].add(flip.Right)
			if cause == NoCause && len(t.measure.Unexplained) < mostUnexplained {
				t.measure.Unexplained = append(t.measure.Unexplained, flip)
			}
		}
		if len(t.measure.Flips) >= t.limit {
			t.measure.Lost++
			continue
		}
		t.measure.Flips = append(t.measure.Flips, flip)
	}
	return apart
}

func (t *trio) result() Measure {
	m := t.measure
	for v := range t.values {
		f, _ := t.num.Table().Lookup(nscc.Value(v).String())
		s := t.signal(f)
		s.Fixed, s.Float = t.values[v].fixed.Result(lsbOf(f.Format.Frac)), t.values[v].float.Result(lsbOf(f.Format.Frac))
		if c := &t.courses[v]; s.Fixed.Differ > 0 {
			s.Course, s.Stretch = c.max, c.width
		}
		m.Signals = append(m.Signals, s)
	}
	for addr := range t.regs {
		for i := range t.num.Table().Values {
			f := &t.num.Table().Values[i]
			if f.Kind == formats.Register && f.Name == ccc.RegInfo[addr].Name {
				s := t.signal(f)
				s.Fixed = t.regs[addr].Result(lsbOf(f.Format.Frac))
				m.Signals = append(m.Signals, s)
			}
		}
	}
	for i := range decisions {
		c := t.compared[i]
		c.Name, c.Compared = decisions[i].name, m.Compared
		m.Decisions = append(m.Decisions, c)
	}
	for _, c := range t.judged {
		if c.Flips > 0 {
			m.Judged = append(m.Judged, c)
		}
	}
	if t.causes != nil {
		m.Causes = t.causes.result()
	}
	if t.worst.Error != 0 {
		w := t.worst.Worst
		w.Fields = describe(&t.worst.ev)
		m.Worst = &w
	}
	return m
}

// signal returns a value's row without its errors.
func (t *trio) signal(f *formats.Value) Signal {
	u := t.num.Use(f.Name)
	s := Signal{Name: f.Name, Kind: string(f.Kind), Format: f.Format.String(), Unit: f.Unit,
		Count: u.Count, Inexact: u.Inexact, Saturated: u.Saturated, Wrapped: u.Wrapped,
		Lo: u.Lo.Float64(), Hi: u.Hi.Float64(), TopBits: int(f.Format.Int)}
	// Bits of the largest magnitude: of 2^n - 1 n, of -2^n n too.
	for _, x := range []float64{s.Hi, -s.Lo - math.Ldexp(1, -int(f.Format.Frac))} {
		if x >= 1 {
			s.TopBits = min(s.TopBits, int(f.Format.Int)-1-math.Ilogb(x))
		}
	}
	s.TopBits = max(s.TopBits, 0)
	return s
}

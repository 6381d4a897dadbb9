package diff

import (
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Cause is why a decision flipped.
type Cause string

// The causes of flips. Of those where fixed point errs, exact numbers judge by taking the event again from fixed
// point's state: they decide otherwise, or they do with the registers' real words, or they decide the same.
const (
	ByArithmetic Cause = "arithmetic" // fixed point's rounding in the event itself
	ByConstants  Cause = "constants"  // the format of a register
	ByState      Cause = "state"      // errors of earlier events in fixed point's state
	ByFloat      Cause = "float64"    // fixed point decided as exact numbers, float64 did not
	// NoCause is a flip that no comparison explains: none was found on different sides by the parties, and no flag of
	// their states differed.
	NoCause Cause = "none"
)

// Causes of flips in the order of a report.
var flipCauses = []Cause{ByArithmetic, ByConstants, ByState, ByFloat, NoCause}

// CauseCount counts the flips of one cause by whom exact numbers confirm.
type CauseCount struct {
	Cause   Cause  `json:"cause"`
	Flips   uint64 `json:"flips"`
	Fixed   uint64 `json:"fixed_right"`
	Float   uint64 `json:"float64_right"`
	Neither uint64 `json:"neither_right"`
}

func (c *CauseCount) add(right string) {
	c.Flips++
	switch right {
	case "fixed":
		c.Fixed++
	case "float64":
		c.Float++
	case "neither":
		c.Neither++
	}
}

// court judges flips: parties in exact numbers that take an event from the state in fixed point.
type court struct {
	words, contract *step // with registers as fixed point holds them, and as their words are
	called          bool  // they took the event
	from            *Context[fixed.Num]
}

// judgeFlips lets a trio judge and list flips.
func (t *trio) judgeFlips() {
	t.court = &court{contract: newStep(t.exact.size, nil)}
	t.court.words = t.court.contract
	if t.changedRegisters() {
		t.court.words = newStep(t.exact.size, t.wordOf)
	}
	for _, c := range flipCauses {
		t.judged = append(t.judged, CauseCount{Cause: c})
	}
}

func (c *court) each(do func(s *step)) {
	do(c.contract)
	if c.words != c.contract {
		do(c.words)
	}
}

func (c *court) reset() { c.each(func(s *step) { s.party.Reset() }) }

// follow writes what an event writes to registers.
func (c *court) follow(ev *ccc.Event) {
	c.called = false
	if ev.Kind == ccc.KindCfgWrite {
		c.each(func(s *step) { s.party.Apply(ev, &s.rsp) })
	}
}

// call lets the parties take the event once.
func (c *court) call(t *trio, ev *ccc.Event, before *Context[fixed.Num]) {
	if c.called {
		return
	}
	c.called, c.from = true, t.whole(before, ev)
	c.each(func(s *step) {
		copyContext(s.party.Context(ev.Ctx), c.from, t.real.OfFixed)
		s.party.Apply(ev, &s.rsp)
	})
}

// margins returns the comparisons of a party of the court.
func (c *court) margins(t *trio, s *step, ev *ccc.Event) margins {
	var from Context[arith.Real]
	copyContext(&from, c.from, t.real.OfFixed)
	return marginsOf[arith.Real](t.real, s.party, ev, &from, s.party.Context(ev.Ctx))
}

// judge returns why the parties did not take a decision alike, with the comparison that shows it.
func (t *trio) judge(d *decided, ev *ccc.Event, before, k contextPair, rf, rd, re *ccc.Response) (Cause, margin) {
	exact := marginsOf[arith.Real](t.real, t.exact, ev, before.exact, k.exact)
	f, x, e := d.of(rf), d.of(rd), d.of(re)
	cause, show := NoCause, margin{name: "-"}
	if x != e {
		float := marginsOf[float64](arith.Float{}, t.float, ev, before.float, k.float)
		show = d.evidence(&exact, &float)
		if show.crossed() || flagsDiffer(before.float, before.exact) {
			cause = ByFloat
		}
		if f == e || cause == NoCause {
			return cause, show
		}
	}
	t.court.call(t, ev, before.fixed)
	mine := marginsOf[fixed.Num](t.quiet, t.fixed, ev, before.fixed, k.fixed)
	show = d.evidence(&exact, &mine)
	words, contract := t.court.words, t.court.contract
	w, c := t.court.margins(t, words, ev), t.court.margins(t, contract, ev)
	proof := show
	switch {
	case d.of(&words.rsp) != f:
		cause, proof = ByArithmetic, d.evidence(&w, &mine)
	case d.of(&contract.rsp) != f:
		cause, proof = ByConstants, d.evidence(&c, &w)
	default:
		cause = ByState
		if !proof.crossed() && flagsDiffer(before.fixed, before.exact) {
			return cause, show
		}
	}
	if !proof.crossed() {
		return NoCause, show
	}
	if !show.crossed() {
		show = proof
	}
	return cause, show
}

// flagsDiffer reports whether two contexts differ in what is no number.
func flagsDiffer[A, B any](a *Context[A], b *Context[B]) bool {
	x, y := &a.State, &b.State
	return x.CCC != y.CCC || x.Increase != y.Increase || x.TriggerQA != y.TriggerQA || x.QAValid != y.QAValid ||
		x.CreditBlocked != y.CreditBlocked || a.Credit.Speculating != b.Credit.Speculating || a.Valid != b.Valid ||
		a.Profile != b.Profile
}

// wordOf returns the number of a register as fixed point holds it.
func (t *trio) wordOf(_, addr int, raw uint64) arith.Real {
	return t.real.OfFixed(t.quiet.Register(addr, raw))
}

// newStep returns a party in exact numbers, with given constants or, without, those that are the registers' words.
func newStep(size Size, of func(profile, addr int, raw uint64) arith.Real) *step {
	rec := &recorder[arith.Real]{Numbers: arith.Exact{}}
	s := &step{party: NewParty[arith.Real](rec, size), rec: rec, own: true}
	s.party.constant = of
	s.party.Reset()
	return s
}

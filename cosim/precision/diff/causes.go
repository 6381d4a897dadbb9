package diff

import (
	"fmt"
	"math/big"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
	"github.com/goldwire/goldwire/vectors/stim"
	source "github.com/goldwire/goldwire/vectors/stim/fabric/ccc"
)

// causes are the steps from fixed point to the rules in real numbers, each a party in exact numbers that starts every
// event from the state in fixed point.
type causes struct {
	t *trio
	// words has the registers as fixed point holds them, real the constants as they were before they became words, timed
	// also times in picoseconds; timed is nil where the source does not know them.
	words, real, timed *step
	tickPs             int64

	known  [][ccc.NumRegs]*constant // by profile and address; nil for none
	values [nscc.NumValues]struct{ arithmetic, constants, tick, whole Tally }
	flips  []CausedFlips
	res    Causes
}

// constant is a number with the word that it was rounded to.
type constant struct {
	word uint64
	x    arith.Real
}

// step is one party.
type step struct {
	party *Party[arith.Real]
	rec   *recorder[arith.Real]
	own   bool // it is not one of the others
	rsp   ccc.Response
}

// splitCauses adds the split by cause to a trio in one-step mode that is to play a source.
func (t *trio) splitCauses(name string, o *stim.Options) error {
	c := &causes{t: t, tickPs: int64(o.TickNs) * 1000, flips: make([]CausedFlips, len(decisions))}
	profiles, err := source.Constants(name, o)
	if err != nil {
		return err
	}
	c.know(profiles)
	c.words = &step{party: t.exact, rec: t.recExact}
	if t.changedRegisters() {
		c.words = newStep(t.exact.size, t.wordOf)
	}
	c.real = &step{party: t.exact, rec: t.recExact}
	if c.res.Constants {
		c.real = newStep(t.exact.size, c.constant)
		// Who knows constants simulates, and knows its times.
		c.timed, c.res.Tick = newStep(t.exact.size, c.constant), true
	}
	t.causes = c
	return nil
}

// know takes the constants of all profiles.
func (c *causes) know(profiles []exact.Registers) {
	c.res.Constants = len(profiles) > 0
	for i := range profiles {
		var regs [ccc.NumRegs]*constant
		for _, q := range profiles[i].Quantised {
			for addr := range regs {
				if ccc.RegInfo[addr].Name == q.Name {
					regs[addr] = &constant{q.Raw, c.t.real.OfRat(q.Value.Rat())}
				}
			}
		}
		c.known = append(c.known, regs)
	}
}

// constant returns the number that a register stands for: what the source rounded to its word, or the word.
func (c *causes) constant(profile, addr int, raw uint64) arith.Real {
	if profile < len(c.known) {
		if k := c.known[profile][addr]; k != nil && k.word == raw {
			return k.x
		}
	}
	return c.t.real.Register(addr, raw)
}

// changedRegisters reports whether a register's format is not that of the words.
func (t *trio) changedRegisters() bool {
	for _, v := range t.num.Table().Changed(ccc.Formats()) {
		if v.Kind == formats.Register {
			return true
		}
	}
	return false
}

// steps are the parties in their order, without the timed one where it is not known.
func (c *causes) steps() []*step {
	if c.timed == nil {
		return []*step{c.words, c.real}
	}
	return []*step{c.words, c.real, c.timed}
}

func (c *causes) reset() {
	for _, s := range c.steps() {
		if s.own {
			s.party.Reset()
		}
	}
}

// times returns the times of the event in ticks, or nil when its episode knows none that are finer. It errors when they
// are not those of the event.
func (c *causes) times(ev *ccc.Event, ep *stim.Episode) (*times[arith.Real], error) {
	if ep == nil || c.timed == nil || ev.Kind == ccc.KindSample { // whose RTT is known in ticks alone
		return nil, nil
	}
	now, tx, ok := ep.Picos()
	if !ok {
		return nil, nil
	}
	const mask = 1<<ccc.TimeW - 1
	if uint64(now/c.tickPs)&mask != ev.Now || ev.TxValid && uint64(tx/c.tickPs)&mask != ev.TxTime {
		return nil, fmt.Errorf("the source has %d and %d ps for %d and %d ticks of %d ps", now, tx, ev.Now, ev.TxTime,
			c.tickPs)
	}
	ticks := func(ps int64) arith.Real { return c.t.real.OfRat(big.NewRat(ps, c.tickPs)) }
	return &times[arith.Real]{ticks(now), ticks(tx)}, nil
}

// event applies an event to the parties of its own, each from the state in fixed point.
func (c *causes) event(ev *ccc.Event, from *Context[fixed.Num], at *times[arith.Real]) {
	for _, s := range c.steps() {
		if !s.own {
			s.rsp = s.party.Last
			continue
		}
		if from != nil {
			copyContext(s.party.Context(ev.Ctx), from, c.t.real.OfFixed)
		}
		s.rec.clear()
		s.party.at = nil
		if s == c.timed {
			s.party.at = at
		}
		s.party.Apply(ev, &s.rsp)
	}
}

// compare splits what an event that the rules decided left in fixed point.
// It began with before, and the others with from.
func (c *causes) compare(ev *ccc.Event, before, from, after *Context[fixed.Num], rf *ccc.Response,
	at *times[arith.Real]) {
	if c.timed != nil && at == nil {
		c.res.Untimed++
		return
	}
	c.res.Compared++
	if c.decided(rf) {
		c.res.Apart++
		return
	}
	for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
		f, b := *after.State.Word(v), c.t.real.OfFixed(*from.State.Word(v))
		changed := c.t.num.Cmp(f, *before.State.Word(v)) != 0
		for _, s := range c.steps() {
			changed = changed || c.t.real.Cmp(*s.state(ev, v), b) != 0
		}
		if changed {
			c.add(v, f, func(s *step) arith.Real { return *s.state(ev, v) })
		}
	}
	all := c.t.recFixed.set
	for _, s := range c.steps() {
		all &= s.rec.set
	}
	for v := nscc.ValInflightPkts + 1; int(v) < nscc.NumValues; v++ {
		if all>>v&1 == 1 {
			c.add(v, c.t.recFixed.last[v], func(s *step) arith.Real { return s.rec.last[v] })
		}
	}
}

func (s *step) state(ev *ccc.Event, v nscc.Value) *arith.Real {
	return s.party.Context(ev.Ctx).State.Word(v)
}

// decided counts the decisions that two parties took differently and reports whether there were any.
func (c *causes) decided(rf *ccc.Response) (apart bool) {
	for i := range decisions {
		d, n := &decisions[i], &c.flips[i]
		f, w, r := d.of(rf), d.of(&c.words.rsp), d.of(&c.real.rsp)
		count := func(at *uint64, differ bool) {
			if differ {
				*at++
				apart = true
			}
		}
		count(&n.Arithmetic, f != w)
		count(&n.Constants, w != r)
		if c.timed != nil {
			count(&n.Tick, r != d.of(&c.timed.rsp))
		}
	}
	return apart
}

// add takes one value of all parties.
func (c *causes) add(v nscc.Value, f fixed.Num, of func(*step) arith.Real) {
	e, span := &c.values[v], c.t.spans[v]
	x, w, r := c.t.real.OfFixed(f), of(c.words), of(c.real)
	last := r
	if c.timed != nil {
		last = of(c.timed)
		e.tick.Add(c.t.apart(r, last, span), c.t.real.Float(last))
	}
	size := c.t.real.Float(last)
	e.arithmetic.Add(c.t.apart(x, w, span), size)
	e.constants.Add(c.t.apart(w, r, span), size)
	e.whole.Add(c.t.apart(x, last, span), size)
}

func (c *causes) result() *Causes {
	out := c.res
	for v := range c.values {
		f, _ := c.t.num.Table().Lookup(nscc.Value(v).String())
		e, lsb := &c.values[v], lsbOf(f.Format.Frac)
		out.Signals = append(out.Signals, CausedError{Name: f.Name, Format: f.Format.String(), Unit: f.Unit,
			Arithmetic: e.arithmetic.Result(lsb), Constants: e.constants.Result(lsb), Tick: e.tick.Result(lsb),
			Whole: e.whole.Result(lsb)})
	}
	for i := range decisions {
		n := c.flips[i]
		n.Name = decisions[i].name
		out.Decisions = append(out.Decisions, n)
	}
	return &out
}

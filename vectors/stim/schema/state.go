package schema

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/expr"
	"github.com/goldwire/goldwire/vectors/stim"
)

// memory holds what the stimulus of a schema remembers between events.
type memory struct {
	states []state
	vars   map[string]*expr.Var // by state: its value, as constraints see it; free until an episode begins
	member map[string]*expr.Var // by set: the member that the next draw takes
	begun  bool                 // an episode has begun: the states have values
}

// state is one number or set.
type state struct {
	*event.StateStimulus
	value   big.Int
	members []*big.Int
	steps   []ownStep
}

// ownStep is one step of a state.
type ownStep struct {
	*event.StateStep
	lane   int
	slots  []*event.Slot // of the fields of its stream
	vars   []*expr.Var
	when   *expr.Constraint
	lookup func(name string) (*big.Int, bool)
}

// mostMembers is the most members of a set.
const mostMembers = 1 << 16

// memberOf returns the name of the variable for a set's member. No name in a schema has two underscores.
func memberOf(set string) string { return set + "__member" }

// newMemory prepares the states of a schema. It returns nil if there are none.
func newMemory(b *event.Block, in *event.Record, params map[string]int) (*memory, error) {
	if b.Stimulus == nil || len(b.Stimulus.States) == 0 {
		return nil, nil
	}
	m := &memory{vars: b.Stimulus.AnyState(), member: map[string]*expr.Var{}}
	for i := range b.Stimulus.States {
		x := state{StateStimulus: &b.Stimulus.States[i]}
		if x.Set {
			m.member[x.Name] = new(expr.Var)
		}
		for k := range x.Steps {
			p := ownStep{StateStep: &x.Steps[k]}
			s := b.Stream(p.Stream)
			p.lane = slices.Index(b.StreamsOf(event.In), s)
			for n := range s.Fields {
				p.slots = append(p.slots, in.Slot(s.Name, s.Fields[n].Name))
				p.vars = append(p.vars, new(expr.Var))
			}
			var err error
			if p.when, err = b.Condition(s, p.When, p.vars, params, m.vars); err != nil {
				return nil, fmt.Errorf("stimulus: state %s: %w", x.Name, err)
			}
			p.lookup = func(name string) (*big.Int, bool) {
				if v := m.vars[name]; v != nil {
					return &v.Lo, true
				}
				for n := range s.Fields {
					if s.Fields[n].Name == name && s.Fields[n].Width <= 64 {
						return &p.vars[n].Lo, true
					}
				}
				v, err := b.Value(s, name, params)
				return v, err == nil
			}
			x.steps = append(x.steps, p)
		}
		m.states = append(m.states, x)
	}
	m.free()
	return m, nil
}

// free lets every state have any value.
func (m *memory) free() {
	if m == nil {
		return
	}
	event.FreeStates(m.vars)
	event.FreeStates(m.member)
}

// begin clears the states, as a reset does.
func (m *memory) begin() {
	if m == nil {
		return
	}
	for i := range m.states {
		x := &m.states[i]
		x.value.SetInt64(x.Start)
		x.members = x.members[:0]
	}
	m.begun = true
	m.show()
}

// show copies the values of the states to the constraints' variables.
func (m *memory) show() {
	if m == nil || !m.begun {
		return
	}
	for i := range m.states {
		x := &m.states[i]
		if x.Set {
			x.value.SetInt64(int64(len(x.members)))
		}
		single(m.vars[x.Name], &x.value)
	}
}

func single(v *expr.Var, x *big.Int) {
	v.Lo.Set(x)
	v.Hi.Set(x)
	v.Step.SetInt64(0)
	v.Rem.SetInt64(0)
}

// draw chooses the member that the next event takes from each set.
func (m *memory) draw(r *stim.Rand) {
	for i := range m.states {
		if x := &m.states[i]; x.Set && len(x.members) > 0 {
			single(m.member[x.Name], x.members[r.N(len(x.members))])
		}
	}
}

// empty reports whether a set has no member.
func (m *memory) empty(set string) bool {
	for i := range m.states {
		if m.states[i].Name == set {
			return len(m.states[i].members) == 0
		}
	}
	return true
}

// take updates the states for an event. Every step sees the values from before the event.
func (m *memory) take(lane int, words []uint64) error {
	if m == nil {
		return nil
	}
	next := make([]*big.Int, len(m.states))
	for i := range m.states {
		x := &m.states[i]
		for k := range x.steps {
			p := &x.steps[k]
			if p.lane != lane {
				continue
			}
			for n, s := range p.slots {
				single(p.vars[n], number(s, words))
			}
			m.show()
			if !p.when.Narrow() {
				continue
			}
			if x.Set {
				v, _ := p.lookup(p.Add + p.Remove)
				if err := x.change(v, p.Add != ""); err != nil {
					return err
				}
				continue
			}
			v, err := expr.Value(p.Next, p.lookup)
			if err != nil {
				return fmt.Errorf("stimulus: state %s: next %q: %w", x.Name, p.Next, err)
			}
			if v.CmpAbs(event.StateBound) > 0 {
				return fmt.Errorf("stimulus: state %s: next %q gives %s, beyond 2^80; limit it, as with %%", x.Name,
					p.Next, v)
			}
			next[i] = new(big.Int).Set(v)
			break
		}
	}
	for i, v := range next {
		if v != nil {
			m.states[i].value.Set(v)
		}
	}
	m.show()
	return nil
}

// change adds a value to a set or removes it.
func (x *state) change(v *big.Int, add bool) error {
	at := slices.IndexFunc(x.members, func(y *big.Int) bool { return y.Cmp(v) == 0 })
	switch {
	case add && at < 0:
		if len(x.members) == mostMembers {
			return fmt.Errorf("stimulus: state %s: it holds %d values; limit it by a constraint such as %s < 1000",
				x.Name, mostMembers, x.Name)
		}
		x.members = append(x.members, new(big.Int).Set(v))
	case !add && at >= 0:
		x.members = slices.Delete(x.members, at, at+1)
	}
	return nil
}

// words returns the values of the states for messages, or "" if there are none or they are not known.
func (m *memory) words() string {
	if m == nil || !m.begun {
		return ""
	}
	var all []string
	for i := range m.states {
		x := &m.states[i]
		all = append(all, fmt.Sprintf("%s is %s", x.Name, &x.value))
	}
	return " where " + strings.Join(all, " and ")
}

// across reports whether the events that one stream allows depend on events of another.
func (m *memory) across(lane int, o *stream) bool {
	for i := range m.states {
		x := &m.states[i]
		named := slices.ContainsFunc(o.draws, func(d *setDraw) bool { return d.set == x.Name })
		for k := range o.rules {
			named = named || slices.Contains(o.rules[k].Vars(), m.vars[x.Name])
		}
		if named && slices.ContainsFunc(x.steps, func(p ownStep) bool { return p.lane != lane }) {
			return true
		}
	}
	return false
}

// setDraw is a field drawn from a set, with one rule for a set with members and one for an empty set.
type setDraw struct {
	set        string
	some, none int // indices of the rules
}

// newDraw adds the rules of a field drawn from a set.
func (o *stream) newDraw(b *event.Block, s *event.Stream, st *event.FieldStimulus, vars []*expr.Var,
	params map[string]int, m *memory) error {
	states := map[string]*expr.Var{memberOf(st.From): m.member[st.From]}
	maps.Copy(states, m.vars)
	when := st.When
	if when == "" {
		when = "1 == 1"
	}
	d := &setDraw{set: st.From}
	for _, r := range []struct {
		at   *int
		text string
	}{{&d.some, fmt.Sprintf("(%s) -> %s == %s", when, st.Name, memberOf(st.From))},
		{&d.none, fmt.Sprintf("!(%s)", when)}} {
		k, err := b.Condition(s, r.text, vars, params, states)
		if err != nil {
			return err
		}
		*r.at = len(o.rules)
		src := &event.Constraint{Text: fmt.Sprintf("%s from %s", st.Name, st.From)}
		o.rules = append(o.rules, rule{Constraint: k, src: src, off: true, drawn: true})
	}
	o.draws = append(o.draws, d)
	return nil
}

// ready prepares the stream for the next event: it resets the fields to the values that the states allow. It returns
// false if none are left.
func (o *stream) ready() bool {
	for i := range o.fields {
		o.base[i].restore(o.fields[i].v)
	}
	if o.memory == nil {
		return true
	}
	for _, d := range o.draws {
		none := o.memory.empty(d.set)
		o.rules[d.some].off, o.rules[d.none].off = none, !none
	}
	o.memory.show()
	return o.narrow(o.all()) == nil
}

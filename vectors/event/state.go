package event

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

// StateStimulus is something that the stimulus remembers from event to event, so that a constraint can relate an
// event to those before it in the episode: a number, or a set of values. It starts again with each reset.
type StateStimulus struct {
	Name  string      `yaml:"name"`
	Start int64       `yaml:"start"` // of a number
	Set   bool        `yaml:"set"`   // it holds values; as a number in a constraint it is how many
	Steps []StateStep `yaml:"steps"`
}

// StateStep is how an event changes a state. For a number, the first step of the event's stream whose condition holds
// applies; for a set, all of them do.
type StateStep struct {
	Stream string `yaml:"stream"`
	When   string `yaml:"when"`   // a constraint's expression over the event and the states; "" always holds
	Next   string `yaml:"next"`   // of a number: an expression
	Add    string `yaml:"add"`    // of a set: the field whose value joins it
	Remove string `yaml:"remove"` // or leaves it
}

// StateBound is the greatest value, of either sign, that a state may have.
var StateBound = new(big.Int).Lsh(big.NewInt(1), 80)

// State returns the state of that name, or nil.
func (st *Stimulus) State(name string) *StateStimulus {
	if st == nil {
		return nil
	}
	return named(st.States, name, func(x *StateStimulus) string { return x.Name })
}

// AnyState returns a variable for each state, which may have any value.
func (st *Stimulus) AnyState() map[string]*expr.Var {
	out := map[string]*expr.Var{}
	if st == nil {
		return out
	}
	for i := range st.States {
		out[st.States[i].Name] = new(expr.Var)
	}
	FreeStates(out)
	return out
}

// FreeStates gives variables of states any value again.
func FreeStates(vars map[string]*expr.Var) {
	for _, v := range vars {
		v.Lo.Neg(StateBound)
		v.Hi.Set(StateBound)
		v.Step.SetInt64(0)
		v.Rem.SetInt64(0)
	}
}

// BindState is Bind for a constraint that may name states, too.
func (c *Constraint) BindState(b *Block, s *Stream, vars []*expr.Var, params map[string]int,
	states map[string]*expr.Var) (*expr.Constraint, error) {
	k, err := c.Expr.Bind(func(name string) (*expr.Var, error) {
		if v := states[name]; v != nil {
			return v, nil
		}
		return b.variable(s, name, vars, params)
	})
	if err != nil {
		return nil, err
	}
	return k, k.Undefined()
}

// variable returns what a name in a stream's constraint stands for.
func (b *Block) variable(s *Stream, name string, vars []*expr.Var, params map[string]int) (*expr.Var, error) {
	for i := range s.Fields {
		if s.Fields[i].Name != name {
			continue
		}
		if s.Fields[i].Width > 64 {
			return nil, fmt.Errorf("field %s has %d bits; a constraint takes up to 64", name, s.Fields[i].Width)
		}
		return vars[i], nil
	}
	x, err := b.Value(s, name, params)
	if err != nil {
		return nil, err
	}
	v := new(expr.Var)
	v.Lo.Set(x)
	v.Hi.Set(x)
	return v, nil
}

// wide returns variables for the fields of a stream that may have any value of their widths.
func (s *Stream) wide() []*expr.Var {
	vars := make([]*expr.Var, len(s.Fields))
	for i := range vars {
		vars[i] = new(expr.Var)
		lo, hi := s.Fields[i].Bounds()
		vars[i].Lo.Set(lo)
		vars[i].Hi.Set(hi)
	}
	return vars
}

// Condition binds the text of a condition over an event of a stream and the states. An empty one always holds.
func (b *Block) Condition(s *Stream, text string, vars []*expr.Var, params map[string]int,
	states map[string]*expr.Var) (*expr.Constraint, error) {
	if text == "" {
		text = "1 == 1"
	}
	e, err := expr.Parse(text)
	if err != nil {
		return nil, err
	}
	return (&Constraint{Text: text, Expr: e}).BindState(b, s, vars, params, states)
}

// states checks the key state of the stimulus.
func (c *checker) states() {
	seen := map[string]bool{}
	for i := range c.b.Stimulus.States {
		x := &c.b.Stimulus.States[i]
		path := at("stimulus", "state", i)
		c.name(path, lowerName, "state", x.Name, seen)
		for k := range c.b.Streams {
			c.refuse(c.b.Streams[k].Field(x.Name) != nil, append(path, "name"),
				"state %s: key \"name\": stream %s has a field of that name; take another", x.Name, c.b.Streams[k].Name)
		}
		c.refuse(x.Set && x.Start != 0, append(path, "start"),
			"state %s: key \"start\": a set begins empty; leave it out", x.Name)
		c.refuse(len(x.Steps) == 0, append(path, "steps"),
			"state %s: key \"steps\": there are none, so it would never change", x.Name)
		for k := range x.Steps {
			c.step(at("stimulus", "state", i, "steps", k), x, &x.Steps[k])
		}
	}
}

func (c *checker) step(path []any, x *StateStimulus, p *StateStep) {
	s := c.b.Stream(p.Stream)
	c.refuse(s == nil || s.Dir != In, append(path, "stream"),
		"state %s: key \"stream\": %q is not an input stream", x.Name, p.Stream)
	if _, err := c.b.Condition(s, p.When, s.wide(), nil, c.b.Stimulus.AnyState()); err != nil {
		c.fail(append(path, "when"), "state %s: key \"when\": %q: %v", x.Name, p.When, err)
	}
	if x.Set {
		c.refuse(p.Next != "" || (p.Add == "") == (p.Remove == ""), path,
			"state %s: a step of a set has one of the keys \"add\" and \"remove\", and no \"next\"", x.Name)
		f := s.Field(p.Add + p.Remove)
		c.refuse(f == nil || f.Width > 64, path, "state %s: %q is not a field of stream %s of up to 64 bits", x.Name,
			p.Add+p.Remove, s.Name)
		return
	}
	c.refuse(p.Next == "" || p.Add != "" || p.Remove != "", path,
		"state %s: a step of a number has the key \"next\", and neither \"add\" nor \"remove\"", x.Name)
	_, err := expr.Value(p.Next, func(name string) (*big.Int, bool) {
		if c.b.Stimulus.State(name) != nil {
			return big.NewInt(1), true
		}
		v, err := c.b.variable(s, name, s.wide(), nil)
		if err != nil {
			return nil, false
		}
		if v.Single() {
			return &v.Lo, true
		}
		return big.NewInt(1), true
	})
	if err != nil && !strings.Contains(err.Error(), "division by") {
		c.fail(append(path, "next"), "state %s: key \"next\": %q: %v", x.Name, p.Next, err)
	}
}

// from checks the keys from and when of a field's stimulus.
func (c *checker) from(path []any, s *Stream, p *FieldStimulus) {
	what := "stimulus of " + s.Name + "." + p.Name
	switch x := c.b.Stimulus.State(p.From); {
	case p.From == "" && p.When != "":
		c.fail(append(path, "when"), "%s: key \"when\": it goes with \"from\"; give a constraint for anything else", what)
	case p.From == "":
		return
	case x == nil || !x.Set:
		c.fail(append(path, "from"), "%s: key \"from\": %q is not a state with set: true", what, p.From)
	case s.Field(p.Name).Width > 64:
		c.fail(append(path, "from"), "%s: key \"from\": the field has %d bits, at most 64", what, s.Field(p.Name).Width)
	}
	if _, err := c.b.Condition(s, p.When, s.wide(), nil, c.b.Stimulus.AnyState()); err != nil {
		c.fail(append(path, "when"), "%s: key \"when\": %q: %v", what, p.When, err)
	}
}

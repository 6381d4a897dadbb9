package event

import "math/big"

// Stateful is a Model that shows its state in the words of the schema.
type Stateful interface {
	Model
	// StateOf fills words, one for each of the schema's state words, with the state that an event concerns, given by its
	// input stream and its record, and returns a name for whose state it is, such as ctx=31. It returns "" where the event
	// concerns none.
	StateOf(lane int, in, words []uint64) string
}

// Explainer is a Model that shows how it decides.
type Explainer interface {
	Model
	// Explain has tell called with each response that the model decides from now on, in the cycle in which it does, and in
	// the order in which the responses of a stream come; nil ends it. Until it is called, a cycle costs nothing more.
	Explain(tell func(*Decision))
}

// Decision is how a model came to a response.
type Decision struct {
	Stream        string // output stream of the response
	Concern       string // whose state words Before and After are, as Stateful names it; "" for none
	Before, After []uint64
	Steps         []Step
	// By has the rules that an output got its value from, in their order, by the names that reports use, such as rsp_cwnd.
	// An output that kept the value it began with is not in it.
	By map[string][]string
	// Places has the deciding line of a long rule, by the rule's name: the first cell of a table row, such as "SEND, hit",
	// or the words with which a paragraph begins.
	Places map[string]string
	// Doubt is set when the steps do not lead to the response, which is a fault of the explanation; they are left out
	// then.
	Doubt string
}

// NewDecision returns a decision on the response of an output stream.
func NewDecision(stream string) *Decision {
	return &Decision{Stream: stream, By: map[string][]string{}}
}

// Value adds an intermediate value of a rule.
func (d *Decision) Value(rule, name string, v uint64) {
	d.Steps = append(d.Steps, Step{Rule: rule, Name: name, Value: new(big.Int).SetUint64(v)})
}

// Flag adds an intermediate value of one bit.
func (d *Decision) Flag(rule, name string, v bool) {
	d.Value(rule, name, map[bool]uint64{true: 1}[v])
}

// From records that fields of the response have their values from a rule.
func (d *Decision) From(rule string, fields ...string) {
	for _, name := range fields {
		d.By[d.Stream+"_"+name] = []string{rule}
	}
}

// Place records which line of a rule decides.
func (d *Decision) Place(rule, line string) {
	if d.Places == nil {
		d.Places = map[string]string{}
	}
	d.Places[rule] = line
}

// Check leaves out the steps if they do not lead to the response.
func (d *Decision) Check(lead bool) {
	if !lead {
		d.Steps, d.By, d.Places, d.Doubt = nil, nil, nil, "the steps do not lead to the model's response"
	}
}

// Step is a value on the way to a response: an intermediate value of a rule, or what became of a word of the state.
type Step struct {
	Rule  string // name of the rule in the contract, such as ack/13
	Name  string // as the contract, the block's table of formats or the schema has it
	Value *big.Int
	State bool // a word of the state that the rule changed
}

// Model is the cycle-true model of a block on packed records: Cycle is one clock cycle, Reset is power-on.
type Model interface {
	Reset()
	Cycle(in, out []uint64)
}

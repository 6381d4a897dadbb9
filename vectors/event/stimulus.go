package event

import (
	"fmt"
	"math/big"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/vectors/event/expr"
)

// Stimulus describes a block's random events.
type Stimulus struct {
	Events  []int            `yaml:"events"` // of an episode: least and most; none stands for 20 and 400
	Resets  string           `yaml:"resets"` // any, which "" stands for: some in mid-episode; start: none but the first
	States  []StateStimulus  `yaml:"state"`  // what constraints may know of the events before
	Streams []StreamStimulus `yaml:"streams"`
}

// StreamStimulus is the stimulus of one input stream.
type StreamStimulus struct {
	Name        string          `yaml:"name"`
	Weight      *int            `yaml:"weight"` // share of the events among the input streams; 1 when it is not given
	Fields      []FieldStimulus `yaml:"fields"`
	Constraints []Constraint    `yaml:"constraints"`
}

// FieldStimulus is the values that a field may have: a range, or values and ranges with weights, else everything that
// fits its width.
type FieldStimulus struct {
	Name    string   `yaml:"name"`
	Range   []string `yaml:"range"` // least and most
	Weights Weights  `yaml:"weights"`
	From    string   `yaml:"from"`    // a state that is a set: a value of it, where When holds
	When    string   `yaml:"when"`    // condition of From; without one it always holds
	Corners *int     `yaml:"corners"` // percent of the draws that go to ends, 0, 1, powers of two; 40 when it is not given
}

// Weights are the entries of a weights key in their order.
type Weights []Weight

// Weight is one value or range and how often it is drawn.
type Weight struct {
	Text   string // VALUE or LEAST..MOST
	Weight int
	Line   int
}

// UnmarshalYAML reads a mapping of values and ranges to weights.
func (w *Weights) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: key \"weights\": give {VALUE: WEIGHT, LEAST..MOST: "+
			"WEIGHT}", n.Line)}}
	}
	*w = Weights{} // none is not the same as no key
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		x := Weight{Text: k.Value, Line: k.Line}
		if err := v.Decode(&x.Weight); err != nil || v.Tag == "!!float" || x.Weight < 0 || x.Weight > 1<<20 {
			return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: key \"weights\": %s: %q is not a weight; give 0 to "+
				"2^20", k.Line, k.Value, v.Value)}}
		}
		*w = append(*w, x)
	}
	return nil
}

// Constraint is an expression over the fields of a stream that every event must satisfy, with its place in the file.
type Constraint struct {
	Text      string
	Expr      *expr.Expr
	Line, Col int // of its first character
}

// UnmarshalYAML reads an expression.
func (c *Constraint) UnmarshalYAML(n *yaml.Node) error {
	c.Text, c.Line, c.Col = n.Value, n.Line, n.Column
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		c.Col++
	}
	var err error
	if n.Kind != yaml.ScalarNode {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: a constraint is text such as: len <= 9216", n.Line)}}
	}
	if c.Expr, err = expr.Parse(n.Value); err != nil {
		return &yaml.TypeError{Errors: []string{c.At(err)}}
	}
	return nil
}

// At returns the text of an error of this constraint with its line and column in the file.
func (c *Constraint) At(err error) string {
	if e, ok := err.(*expr.Error); ok {
		return fmt.Sprintf("line %d:%d: constraint %q: %s", c.Line, c.Col+e.Col-1, c.Text, e.Text)
	}
	return fmt.Sprintf("line %d:%d: constraint %q: %v", c.Line, c.Col, c.Text, err)
}

// Span is the integers from Lo to Hi with their weight.
type Span struct {
	Lo, Hi big.Int
	Weight int
}

// Bounds returns the least and greatest value of a field of at most 64 bits.
func (f *Field) Bounds() (lo, hi *big.Int) {
	one := big.NewInt(1)
	if f.Signed {
		hi = new(big.Int).Lsh(one, uint(f.Width-1))
		return new(big.Int).Neg(hi), new(big.Int).Sub(hi, one)
	}
	return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(f.Width)), one)
}

// Spans returns the values that a field may have: those of st, if not nil, else the named codes of an enum, else
// everything that fits the width. It errors when a value does not fit the field.
func (b *Block) Spans(f *Field, st *FieldStimulus) ([]Span, error) {
	lo, hi := f.Bounds()
	enum := b.Enum(f.Enum)
	value := func(text string) (*big.Int, error) {
		text = strings.TrimSpace(text)
		v, ok := new(big.Int).SetString(text, 0)
		if x := enum.Value(text); x != nil {
			v, ok = new(big.Int).SetUint64(x.Value), true
		}
		switch {
		case !ok:
			return nil, fmt.Errorf("%q is not a number%s", text, map[bool]string{true: " nor a value of enum " +
				f.Enum}[enum != nil])
		case v.Cmp(lo) < 0 || v.Cmp(hi) > 0:
			return nil, fmt.Errorf("%s is not in %s..%s, which its %d bits hold", text, lo, hi, f.Width)
		}
		return v, nil
	}
	span := func(from, to string, weight int) (s Span, err error) {
		a, err := value(from)
		if err != nil {
			return s, err
		}
		z, err := value(to)
		if err == nil && a.Cmp(z) > 0 {
			err = fmt.Errorf("%s..%s: the least comes first", from, to)
		}
		if err == nil {
			s.Lo.Set(a)
			s.Hi.Set(z)
			s.Weight = weight
		}
		return s, err
	}
	var out []Span
	switch {
	case st != nil && st.Range != nil:
		if len(st.Range) != 2 {
			return nil, fmt.Errorf("a range is [LEAST, MOST], not %d values", len(st.Range))
		}
		s, err := span(st.Range[0], st.Range[1], 1)
		return []Span{s}, err
	case st != nil && st.Weights != nil:
		for _, w := range st.Weights {
			from, to, ok := strings.Cut(w.Text, "..")
			if !ok {
				to = from
			}
			s, err := span(from, to, w.Weight)
			if err != nil {
				return nil, err
			}
			if w.Weight > 0 {
				out = append(out, s)
			}
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("no weight is above 0; give one that is")
		}
		return out, nil
	case enum != nil:
		for _, v := range enum.Values {
			s, _ := span(v.Name, v.Name, 1)
			out = append(out, s)
		}
	}
	if enum == nil || f.Open {
		out = append(out, Span{Weight: 1})
		out[len(out)-1].Lo.Set(lo)
		out[len(out)-1].Hi.Set(hi)
	}
	return out, nil
}

// Value returns what a name in a stream's constraint stands for if it is not a field: the value of an enum of
// one of its fields, a constant or a parameter. params has the parameters; nil takes their defaults.
func (b *Block) Value(s *Stream, name string, params map[string]int) (*big.Int, error) {
	var found *big.Int
	for i := range s.Fields {
		v := b.Enum(s.Fields[i].Enum).Value(name)
		if v == nil {
			continue
		}
		x := new(big.Int).SetUint64(v.Value)
		if found != nil && found.Cmp(x) != 0 {
			return nil, fmt.Errorf("%s is a value of several enums; write its number", name)
		}
		found = x
	}
	if found != nil {
		return found, nil
	}
	if v, ok := b.Constant(name); ok {
		return big.NewInt(int64(v)), nil
	}
	if p := b.Param(name); p != nil {
		if v, ok := params[name]; ok {
			return big.NewInt(int64(v)), nil
		}
		return big.NewInt(int64(p.Default)), nil
	}
	return nil, fmt.Errorf("%q is not a field of stream %s, enum value, constant or parameter", name, s.Name)
}

// Bind gives variables to the fields of a stream's constraint; vars has one per field, with the values that the field
// may have. It errors when a name is not known, and when an operation has no value for any values of the fields.
func (c *Constraint) Bind(b *Block, s *Stream, vars []*expr.Var, params map[string]int) (*expr.Constraint, error) {
	return c.BindState(b, s, vars, params, nil)
}

// stimulus checks what can be checked without drawing.
func (c *checker) stimulus() {
	st := c.b.Stimulus
	if st == nil {
		return
	}
	if n := st.Events; len(n) != 0 && (len(n) != 2 || n[0] < 1 || n[1] < n[0] || n[1] > 1<<20) {
		c.fail(at("stimulus", "events"), "stimulus: key \"events\": give [LEAST, MOST] from 1 to 2^20")
	}
	c.refuse(st.Resets != "" && st.Resets != "any" && st.Resets != "start", at("stimulus", "resets"),
		"stimulus: key \"resets\": %q is neither any nor start", st.Resets)
	c.states()
	seen, total := map[string]bool{}, 0
	for i := range st.Streams {
		x := &st.Streams[i]
		path := at("stimulus", "streams", i)
		s := c.b.Stream(x.Name)
		c.refuse(s == nil || s.Dir != In || seen[x.Name], append(path, "name"),
			"stimulus: key \"name\": %q is not an input stream, or appears twice", x.Name)
		seen[x.Name] = true
		if x.Weight != nil && (*x.Weight < 0 || *x.Weight > 1<<20) {
			c.fail(append(path, "weight"), "stimulus of %s: key \"weight\": %d is not in 0..2^20", x.Name, *x.Weight)
		}
		if x.Weight == nil || *x.Weight > 0 {
			total++
		}
		c.streamStimulus(path, s, x)
	}
	c.refuse(total == 0 && len(st.Streams) == len(c.b.StreamsOf(In)), at("stimulus", "streams"),
		"stimulus: every stream has weight 0; give one above 0")
}

func (c *checker) streamStimulus(path []any, s *Stream, x *StreamStimulus) {
	seen := map[string]bool{}
	for i := range x.Fields {
		p := &x.Fields[i]
		fp := append(append([]any(nil), path...), "fields", i)
		f := s.Field(p.Name)
		switch {
		case f == nil || seen[p.Name]:
			c.fail(append(fp, "name"), "stimulus of %s: key \"name\": %q is not a field of the stream, or appears twice",
				s.Name, p.Name)
		case f.Width > 64 && (p.Range != nil || p.Weights != nil):
			c.fail(fp, "stimulus of %s.%s: %d bits; ranges and weights are for up to 64", s.Name, p.Name, f.Width)
		case p.Range != nil && p.Weights != nil:
			c.fail(fp, "stimulus of %s.%s: range and weights are both given; keep one", s.Name, p.Name)
		case p.Corners != nil && (*p.Corners < 0 || *p.Corners > 100):
			c.fail(append(fp, "corners"), "stimulus of %s.%s: key \"corners\": %d is not a percentage",
				s.Name, p.Name, *p.Corners)
		}
		seen[p.Name] = true
		c.from(fp, s, p)
		if f.Width > 64 {
			continue
		}
		if _, err := c.b.Spans(f, p); err != nil {
			key := "range"
			if p.Weights != nil {
				key = "weights"
			}
			c.fail(append(fp, key), "stimulus of %s.%s: key %q: %v", s.Name, p.Name, key, err)
		}
	}
	vars := s.wide()
	for i := range x.Constraints {
		k := &x.Constraints[i]
		c.refuse(k.Expr == nil, append(append([]any(nil), path...), "constraints", i), "stimulus of %s: an empty constraint",
			s.Name)
		if _, err := k.BindState(c.b, s, vars, nil, c.b.Stimulus.AnyState()); err != nil {
			panic(fmt.Errorf("%w %s: %s", ErrSchema, nameOr(c.b.Name), k.At(err)))
		}
	}
}

package bind

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/vectors/event"
)

// resyncState is the value of the key resync with which the reference takes the design's state after each event.
const resyncState = "state"

// toleranceKey is one entry of the key tolerance: exact, ignore, or a mapping.
type toleranceKey struct {
	tolerance.Given
	err error // told at its line
}

// UnmarshalYAML reads exact, ignore, or {absolute, relative, lsb, format, flips}.
func (k *toleranceKey) UnmarshalYAML(y *yaml.Node) error {
	if y.Kind == yaml.ScalarNode {
		switch y.Value {
		case "exact":
			k.Exact = true
		case "ignore":
			k.Ignore = true
		default:
			k.err = fmt.Errorf("%q: give exact, ignore, {absolute: N}, {relative: X}, {lsb: N, format: UQm.n} or {flips: N}",
				y.Value)
		}
		return nil
	}
	if y.Kind != yaml.MappingNode {
		k.err = errors.New("give exact, ignore, or a mapping such as {absolute: 2}")
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(y.Content) && k.err == nil; i += 2 {
		key := y.Content[i].Value
		if k.err = k.entry(key, y.Content[i+1]); seen[key] {
			k.err = fmt.Errorf("%s is given twice; keep one", key)
		}
		seen[key] = true
	}
	return nil
}

var toleranceKeys = []string{"absolute", "relative", "lsb", "format", "flips"}

func (k *toleranceKey) entry(key string, v *yaml.Node) error {
	number := func(to **uint64) error {
		var n uint64
		if v.Tag != "!!int" || v.Decode(&n) != nil {
			return fmt.Errorf("%s: %s is not a whole number of 0 or more", key, v.Value)
		}
		*to = &n
		return nil
	}
	switch key {
	case "absolute":
		return number(&k.Absolute)
	case "lsb":
		return number(&k.LSB)
	case "flips":
		return number(&k.Flips)
	case "format":
		k.Format = v.Value
		return nil
	case "relative":
		var x float64
		if v.Tag != "!!int" && v.Tag != "!!float" || v.Decode(&x) != nil {
			return fmt.Errorf("relative: %s is not a number", v.Value)
		}
		k.Relative = &x
		return nil
	}
	return fmt.Errorf("unknown key %q%s", key, meant(key, toleranceKeys))
}

// Judging is how the answers of a design are judged that need not be equal bit for bit.
type Judging struct {
	Rules  []tolerance.Rule // by value
	Resync bool             // the reference takes the design's state after each event
}

// Any reports whether there is a rule, or a state that the reference follows.
func (j *Judging) Any() bool { return len(j.Rules) > 0 || j.Resync }

// Ignored returns the output fields that are ignored, as STREAM.FIELD.
func (j *Judging) Ignored() (names []string) {
	for i := range j.Rules {
		if r := &j.Rules[i]; r.Form == tolerance.Field && r.Kind == tolerance.Ignored {
			names = append(names, r.Name)
		}
	}
	return names
}

// tolerant reads and checks the keys tolerance and resync of a binding.
type tolerant struct {
	*Binding
	ps *Problems
}

// read takes over how values are judged that need not be equal, and whether the reference follows the design's
// state.
func (b *tolerant) read(f *file) {
	switch f.Resync {
	case "", "none":
	case resyncState:
		b.Judging.Resync = true
		b.resync()
	default:
		b.problem(b.ps, "resync", "resync %q: give none or state%s", f.Resync, meant(f.Resync, []string{"none", "state"}))
	}
	if b.Block == nil || b.misread("tolerance") {
		return
	}
	if len(f.Tolerance) > 0 && b.Latency == Exact {
		b.problem(b.ps, "tolerance", "tolerance: latency exact compares every bit of every cycle; leave it out, or give "+
			"latency: elastic")
		return
	}
	names := tolerance.Names(b.Block)
	for _, name := range slices.Sorted(maps.Keys(f.Tolerance)) {
		k := f.Tolerance[name]
		key := "tolerance." + name
		if k.err != nil {
			b.problem(b.ps, key, "tolerance of %s: %v", name, k.err)
			continue
		}
		if !slices.Contains(names, name) {
			_, err := tolerance.Compile(b.Block, name, k.Given)
			b.problem(b.ps, key, "tolerance of %s: %v%s", name, err, meant(name, names))
			continue
		}
		r, err := tolerance.Compile(b.Block, name, k.Given)
		if err == nil {
			err = b.judges(&r)
		}
		if err != nil {
			b.problem(b.ps, key, "tolerance of %s: %v", name, err)
			continue
		}
		b.Judging.Rules = append(b.Judging.Rules, r)
	}
}

// resync checks that the design's state can be read, and the reference's written.
func (b *tolerant) resync() {
	if b.Block == nil {
		return
	}
	a := tolerance.AccessOf(b.Block)
	switch {
	case b.Latency == Exact:
		b.problem(b.ps, "resync", "resync: latency exact compares every cycle, and the design keeps its own state; leave it "+
			"out, or give latency: elastic")
	case a.Lacks() != nil:
		b.problem(b.ps, "resync", "resync: state reads the design's state after each event: %v; leave it out",
			a.Lacks())
	case b.Order != "stream":
		b.problem(b.ps, "resync", "resync: state takes the answers in the order of the events; give order: stream")
	case b.Map[dataOf(a)].None || len(b.Map) > 0 && !b.comes(dataOf(a)):
		b.problem(b.ps, "resync", "resync: the state comes through %s, which the map does not take from the design; map "+
			"it to a port", dataOf(a))
	}
}

// dataOf returns the name of the field through which a block's state is read, "" for none.
func dataOf(a *tolerance.Access) string {
	if a.Data == nil {
		return ""
	}
	return a.Data.Stream + "." + a.Data.Field.Name
}

// comes reports whether an output field is mapped to something of the design, or was misread, which is another problem.
func (b *tolerant) comes(name string) bool {
	e, ok := b.Map[name]
	return !ok || e.broken || e.ports()
}

// judges returns why a rule cannot hold for this design.
func (b *tolerant) judges(r *tolerance.Rule) error {
	if r.Kind == tolerance.Exact {
		return nil
	}
	field := r.Name
	if r.Form != tolerance.Field {
		field = dataOf(tolerance.AccessOf(b.Block))
	}
	never, err := b.Block.NeverCompared(b.BlockParams)
	if err != nil {
		return nil // block_parameters are told of
	}
	stream, name, _ := strings.Cut(field, ".")
	switch e, ok := b.Map[field]; {
	case ok && e.None:
		return fmt.Errorf("%s is mapped to none, so that it is never compared; leave the tolerance out", field)
	case ok && !e.broken && !e.ports():
		return fmt.Errorf("%s is a constant of the map, so that nothing of the design is compared; leave the tolerance out",
			field)
	case slices.Contains(never, field):
		return fmt.Errorf("no response satisfies the key \"when\" of %s with these block_parameters, so that it is never "+
			"compared; leave the tolerance out", field)
	case r.Kind == tolerance.Flips && !b.Judging.Resync:
		return errors.New("a decision that flips is judged from the states near that of the design; give resync: state")
	case r.Form == tolerance.Field && r.Kind != tolerance.Flips && b.Order != "stream" && name == b.Key:
		return errors.New("responses are matched by it (key), so that it is exact")
	case r.Form == tolerance.Field && r.Kind == tolerance.Ignored && b.Block.Stream(stream).Decides(name) != "":
		return fmt.Errorf("the mask of %s depends on it, so that it cannot be ignored",
			b.Block.Stream(stream).Decides(name))
	case r.Form == tolerance.Field && r.Kind == tolerance.Ignored && b.Judging.Resync &&
		field == dataOf(tolerance.AccessOf(b.Block)):
		return errors.New("resync: state reads the state through it, so that it cannot be ignored")
	}
	return nil
}

// whole finds tolerances with which nothing of the design would be compared.
func (b *tolerant) whole() {
	if b.Block == nil || len(b.Judging.Rules) == 0 {
		return
	}
	ignored := b.Judging.Ignored()
	for i := range b.Judging.Rules {
		r := &b.Judging.Rules[i]
		if r.Form != tolerance.Field && slices.Contains(ignored, dataOf(tolerance.AccessOf(b.Block))) {
			b.problem(b.ps, "tolerance."+r.Name, "tolerance of %s: it comes through %s, which is ignored; keep one", r.Name,
				dataOf(tolerance.AccessOf(b.Block)))
		}
	}
	if b.Judging.Resync && b.wordless() {
		b.problem(b.ps, "tolerance", "every state word is ignored, so that resync: state would take a state that nothing "+
			"was compared of; keep those that can be judged, or leave resync out")
	}
	never, err := b.Block.NeverCompared(b.BlockParams)
	if err != nil {
		return
	}
	compared := func(never []string) bool {
		return slices.ContainsFunc(b.Block.StreamsOf(event.Out), func(s *event.Stream) bool { return b.compares(s, never) })
	}
	if compared(never) && !compared(slices.Concat(never, ignored)) { // otherwise told of the map
		b.problem(b.ps, "tolerance", "no field that the design puts out would be compared: every one is ignored; keep those "+
			"that can be judged")
	}
}

// wordless reports whether every state word is ignored.
func (b *tolerant) wordless() bool {
	return !slices.ContainsFunc(tolerance.Names(b.Block), func(name string) bool {
		return strings.HasPrefix(name, string(tolerance.Word)+".") && !slices.ContainsFunc(b.Judging.Rules,
			func(r tolerance.Rule) bool { return r.Name == name && r.Kind == tolerance.Ignored })
	})
}

// Judgement returns, for a binding, a line for each output field, and for each state word and register with a rule: how
// it is judged.
func Judgement(b *Binding) (lines []string) {
	put := func(name, how string) { lines = append(lines, fmt.Sprintf("%-22s %s", name, how)) }
	rules := map[string]*tolerance.Rule{}
	for i := range b.Judging.Rules {
		rules[b.Judging.Rules[i].Name] = &b.Judging.Rules[i]
	}
	missing, constants := b.Missing(), b.Constants()
	for _, s := range b.Block.StreamsOf(event.Out) {
		for _, f := range s.Fields {
			name := s.Name + "." + f.Name
			switch r := rules[name]; {
			case slices.Contains(missing, name):
				put(name, "not compared: none in the map")
			case slices.Contains(constants, name):
				put(name, "a constant of the map")
			case r != nil:
				put(name, r.String())
			default:
				put(name, "exact")
			}
		}
	}
	for i := range b.Judging.Rules {
		if r := &b.Judging.Rules[i]; r.Form != tolerance.Field {
			put(r.Name, r.String())
		}
	}
	return lines
}

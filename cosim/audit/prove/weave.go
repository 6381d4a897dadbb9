package prove

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// weave joins the two circuits of a miter.
type weave struct {
	*network
	row      *Row
	first    literal             // in the first cycle
	reset    literal             // rst_ni; one without such a port
	compared []string            // what each output of the miter compares
	since    map[int]literal     // so many cycles and more have gone since the last reset
	free     map[literal]literal // what stands for a register that may differ -> while this is 0
	same     []literal           // the conditions, each once
	masks    []uint64            // which of them each gate depends on
	holds    literal             // what is assumed and what is proven of every cycle hold in the next one
}

func newWeave(r *Row) *weave {
	return &weave{network: newNetwork(), row: r, since: map[int]literal{}, free: map[literal]literal{}}
}

// start adds the first cycle, in which there is a reset.
func (w *weave) start() {
	seen := w.register(zero)
	w.next[seen] = one
	w.first = seen.not()
}

func (w *weave) resetBy(l literal) {
	w.reset = l
	w.constraints = append(w.constraints, w.and(w.first, l).not())
}

// own returns a register with its next value still to be set. It starts with a given value where its own is any.
func (w *weave) own(r register, start literal) (value, state literal) {
	if r.init == zero || r.init == one {
		l := w.register(r.init)
		return l, l
	}
	l := w.register(zero)
	return w.choose(w.first, start, l), l
}

// place gives each input of a circuit its literal. Inputs of both circuits are known by name.
func (w *weave) place(c *circuit, known map[string]literal) []literal {
	out := make([]literal, len(c.inputs))
	for i, names := range c.inputs {
		if len(names) == 0 {
			out[i] = w.input()
			continue
		}
		l, ok := known[names[0]]
		if !ok {
			l = w.input()
			known[names[0]] = l
			if names[0] == "rst_ni" {
				w.resetBy(l)
			}
		}
		if late := w.late(names[0]); late > 0 {
			l = w.choose(w.settled(late), l, w.input())
		}
		out[i] = l
	}
	return out
}

// late returns how long after a reset the signal of an instance may differ; 0 for none.
func (w *weave) late(signal string) int {
	if i := strings.LastIndex(signal, "."); i >= 0 {
		signal = signal[:i]
	}
	return w.row.Late[signal]
}

// settled returns whether at least n cycles have gone since the last one of reset.
func (w *weave) settled(n int) literal {
	if l, ok := w.since[n]; ok {
		return l
	}
	var count []literal
	for range bits.Len(uint(n)) {
		count = append(count, w.register(zero))
	}
	done := one
	for i, l := range count {
		if n>>i&1 == 0 {
			l = l.not()
		}
		done = w.and(done, l)
	}
	carry := done.not()
	for _, l := range count {
		w.next[l] = w.and(w.reset, w.xor(l, carry))
		carry = w.and(carry, l)
	}
	done = w.and(done, w.reset)
	w.since[n] = done
	return done
}

// join adds both circuits and compares them.
func (w *weave) join(a, b *circuit) error {
	w.start()
	w.reset = one
	known := map[string]literal{}
	inA := w.place(a, known)
	pair := partners(a, b)
	valA, stateA := make([]literal, len(a.registers)), make([]literal, len(a.registers))
	valB, stateB := make([]literal, len(b.registers)), make([]literal, len(b.registers))
	alone := make([]bool, len(a.registers))
	for i := range alone {
		alone[i] = true
	}
	when := make([]string, len(b.registers))
	for i, r := range b.registers {
		k := pair[i]
		if k < 0 {
			valB[i], stateB[i] = w.own(r, w.input())
			continue
		}
		if when[i] = w.when(r.names); when[i] != "" && (named(r.names, w.row.Keep) || named(r.names, w.row.State)) {
			w.fail("%s stands under when and under keep or state", r.names[0])
		}
		alone[k] = false
		start := w.input()
		switch {
		case named(r.names, w.row.Keep):
			valA[k], stateA[k] = w.own(a.registers[k], start)
			valB[i], stateB[i] = w.own(r, start)
			pair[i] = -1
		case named(r.names, w.row.State):
			valA[k], stateA[k] = w.own(a.registers[k], start)
			valB[i] = valA[k]
		default:
			valA[k], valB[i] = start, start
		}
	}
	for i, r := range a.registers {
		if alone[i] {
			valA[i], stateA[i] = w.own(r, w.input())
		}
	}
	ofA := w.embed(a, inA, valA)
	inB := w.place(b, known)
	ofB1 := w.embed(b, inB, valB) // what is the same under a condition is the same
	inB, valB = slices.Clone(inB), slices.Clone(valB)
	for i := range b.registers {
		w.differ(a, ofA, when[i], &valB[i])
	}
	for i, names := range b.inputs {
		w.differ(a, ofA, w.when(names), &inB[i])
	}
	ofB := w.embed(b, inB, valB)
	w.spread()
	later := w.later(a, ofA)
	for i, r := range a.registers {
		if stateA[i] != zero {
			w.next[stateA[i]] = ofA(r.next)
		}
	}
	for i, r := range b.registers {
		if stateB[i] != zero {
			w.next[stateB[i]] = ofB(r.next)
		}
		if pair[i] >= 0 {
			same := one
			if when[i] != "" {
				same = w.and(w.holds, later(w.condition(a, when[i])))
			}
			w.compare("next "+strings.Join(r.names, " "), same, ofA(a.registers[pair[i]].next), ofB1(r.next), ofB(r.next))
		}
	}
	for _, l := range a.constraints {
		w.constraints = append(w.constraints, ofA(l))
	}
	w.outputs(a, b, ofA, ofB1, ofB)
	return w.err
}

// differ lets a register or an input of the second circuit differ while the wire is 0.
func (w *weave) differ(a *circuit, of func(literal) literal, wire string, l *literal) {
	if wire == "" {
		return
	}
	same, other := of(w.condition(a, wire)), w.input()
	w.free[other] = same
	*l = w.choose(same, *l, other)
}

// spread finds for each gate which of the conditions it depends on.
func (w *weave) spread() {
	place := map[literal]int{}
	for _, l := range slices.Sorted(maps.Keys(w.free)) {
		same := w.free[l]
		if _, ok := place[same]; !ok {
			place[same] = len(w.same)
			w.same = append(w.same, same)
		}
	}
	w.masks = make([]uint64, len(w.kinds))
	for i, kind := range w.kinds {
		if same, ok := w.free[literal(2*i)]; ok {
			w.masks[i] = 1 << (place[same] & 63) // two conditions in one place make one that is weaker
		}
		if kind == 'a' {
			w.masks[i] |= w.masks[w.ands[i][0]/2] | w.masks[w.ands[i][1]/2]
		}
	}
}

// conditions returns whether all conditions hold that a value depends on.
func (w *weave) conditions(l literal) literal {
	all := one
	for i, same := range w.same {
		if w.masks[l/2]>>(i&63)&1 == 1 {
			all = w.and(all, same)
		}
	}
	return all
}

// when returns the wire while which a register or an output is the same in both circuits; empty: always.
func (w *weave) when(names []string) string {
	for _, want := range slices.Sorted(maps.Keys(w.row.When)) {
		if named(names, []string{want}) {
			return w.row.When[want]
		}
	}
	return ""
}

// condition returns the literal of a wire of the notes.
func (w *weave) condition(c *circuit, wire string) literal {
	for _, o := range c.outputs {
		if o.name == wire {
			return o.value
		}
	}
	w.fail("%s is not a wire of one bit of the notes", wire)
	return zero
}

// later returns what a literal of the circuit may be in the next cycle, for any inputs then. It assumes each lemma, but
// in the first cycle, and asserts it in the first cycle and in the next one.
func (w *weave) later(a *circuit, of func(literal) literal) func(literal) literal {
	if len(w.row.When)+len(w.row.Lemma) == 0 {
		return of
	}
	in, registers := make([]literal, len(a.inputs)), make([]literal, len(a.registers))
	for i := range in {
		in[i] = w.input()
	}
	for i, r := range a.registers {
		registers[i] = of(r.next)
	}
	later := w.embed(a, in, registers)
	assumed := one
	for _, l := range a.constraints {
		assumed = w.and(assumed, later(l))
	}
	w.holds = assumed
	for _, wire := range w.row.Lemma {
		l := w.condition(a, wire)
		w.constraints = append(w.constraints, w.or(w.first, of(l)))
		w.compare("at first "+wire, w.first, of(l), one, one)
		w.compare("then "+wire, assumed, later(l), one, one)
		w.holds = w.and(w.holds, later(l))
	}
	return later
}

// partners returns for each register of b the one of a with a name in common and the same start, or -1.
func partners(a, b *circuit) []int {
	at, taken, out := map[string]int{}, map[int]bool{}, make([]int, len(b.registers))
	for i, r := range a.registers {
		for _, name := range r.names {
			at[name] = i
		}
	}
	for i, r := range b.registers {
		out[i] = -1
		for _, name := range r.names {
			k, ok := at[name]
			if ok && !taken[k] && a.registers[k].start() == r.start() {
				out[i], taken[k] = k, true
				break
			}
		}
	}
	return out
}

// compare asserts that x is y; same is y where all conditions hold that y depends on, which is where x and y are mostly
// the same gate. What is the same gate needs no engine; one output is left for it in any case.
func (w *weave) compare(name string, when, x, same, y literal) {
	bad := w.and(when, w.xor(x, y))
	if same != y {
		all := w.conditions(y)
		bad = w.and(when, w.or(w.and(all, w.xor(x, same)), w.and(all.not(), w.xor(x, y))))
	}
	if bad == zero {
		name += " (the same gate)"
	}
	w.compared = append(w.compared, name)
	switch {
	case len(w.bads) == 0 || w.bads[0] == zero:
		w.bads = []literal{bad}
	case bad != zero:
		w.bads = append(w.bads, bad)
	}
}

// outputs compares outputs of the same name. It returns an error for an output that one circuit lacks.
func (w *weave) outputs(a, b *circuit, ofA, ofB1, ofB func(literal) literal) {
	of := map[string]literal{}
	for _, o := range a.outputs {
		of[o.name] = ofA(o.value)
	}
	if len(a.outputs) == 0 || len(a.outputs) != len(b.outputs) || len(of) != len(a.outputs) {
		w.fail("%d and %d outputs, %d names", len(a.outputs), len(b.outputs), len(of))
	}
	conditions := w.row.conditions() // they are those of the first circuit
	for _, o := range b.outputs {
		x, ok := of[o.name]
		if !ok {
			w.fail("output %s is in one circuit alone", o.name)
		}
		if w.late(o.name) > 0 && strings.HasSuffix(o.name, ".rst_ni") || slices.Contains(conditions, o.name) {
			continue
		}
		when := one
		if wire := w.when([]string{o.name}); wire != "" {
			when, ok = of[wire]
			if !ok {
				w.fail("%s is not a wire of one bit of the notes", wire)
			}
		}
		word, _, _ := strings.Cut(o.name, "[")
		if care := w.row.Care[word]; care != "" {
			if when, ok = of[care]; !ok {
				w.fail("care: %s is not an output", care)
			}
		}
		w.compare(o.name, when, x, ofB1(o.value), ofB(o.value))
	}
}

// alone adds one circuit with all its registers and what it must not reach.
func (w *weave) alone(c *circuit) error {
	w.start()
	in := w.place(c, map[string]literal{})
	val, state := make([]literal, len(c.registers)), make([]literal, len(c.registers))
	for i, r := range c.registers {
		val[i], state[i] = w.own(r, w.input())
	}
	of := w.embed(c, in, val)
	for i, r := range c.registers {
		w.next[state[i]] = of(r.next)
	}
	for _, l := range c.bads {
		w.bads = append(w.bads, of(l))
	}
	for _, l := range c.constraints {
		w.constraints = append(w.constraints, of(l))
	}
	return w.err
}

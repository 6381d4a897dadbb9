package tolerance

import (
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// Response is one to be judged.
type Response struct {
	Stream    int      // output stream
	Event     []uint64 // packed event that it answers; nil when unknown
	Want, Got []uint64 // packed responses
	Mask      []uint64 // bits that are compared, word for word
	// Read marks an event that the harness inserted to read the state: a decision that differs there has no cause left
	// to look for.
	Read bool
}

// Judge judges the responses of a run and counts what it saw. It is not for several goroutines.
type Judge struct {
	Rules  []Rule
	Access *Access

	block     *event.Block
	ports     []event.Port
	fields    [][]int          // rules, by output stream
	words     map[uint64][]int // rules, by address of the state word
	registers map[uint64][]int // likewise
	rest      []uint64         // what is compared exactly in the response looked at
	looks     []look           // at the values with rules of that response

	quiet     bool // nothing is counted any more
	judged    uint64
	responses uint64 // to events of the source
	reads     uint64 // to inserted events
	words64   uint64 // state words among what was answered
	taken     uint64 // state words that the reference took over
	beyond    uint64 // responses that were not as the rules say
	seen      []seen // by rule
	flipped   []Flip
}

// look is what was seen of a value with a rule in one response.
type look struct {
	rule      int
	want, got uint64
	differs   bool
	beyond    bool
}

// NewJudge returns the judge of a block's responses under rules that Compile made.
func NewJudge(b *event.Block, rules []Rule) *Judge {
	l := event.NewLayout(b)
	j := &Judge{Rules: rules, Access: AccessOf(b), block: b, ports: l.Outputs(), rest: make([]uint64, l.Out.Words),
		words: map[uint64][]int{}, registers: map[uint64][]int{}, seen: make([]seen, len(rules))}
	j.fields = make([][]int, len(j.ports))
	for i := range rules {
		switch r := &rules[i]; {
		case r.Kind == Exact:
		case r.Form == Word:
			j.words[r.addr] = append(j.words[r.addr], i)
		case r.Form == Register:
			j.registers[r.addr] = append(j.registers[r.addr], i)
		default:
			j.fields[r.stream] = append(j.fields[r.stream], i)
		}
	}
	return j
}

// Quiet ends the counting: a run that is over may play on to explain what it found.
func (j *Judge) Quiet() { j.quiet = true }

// inData returns the rules for what the field data of a response carries.
func (j *Judge) inData(ev []uint64) []int {
	a := j.Access
	switch {
	case ev == nil || !a.HasWords && !a.HasConf:
	case a.HasWords && a.Kind.Get(ev) == a.Read:
		return j.words[a.Addr.Get(ev)]
	case a.HasConf && a.Kind.Get(ev) == a.ReadConf:
		return j.registers[a.Addr.Get(ev)]
	}
	return nil
}

// Look judges a response: ok is set when every value is exact or within its bound, except decisions that may flip, of
// which flips reports whether any differs. What it saw is counted by Keep only.
func (j *Judge) Look(r *Response) (ok, flips bool) {
	copy(j.rest, r.Mask)
	j.looks, ok = j.looks[:0], true
	for _, i := range j.fields[r.Stream] {
		good, flip := j.value(i, r)
		ok, flips = ok && good, flips || flip
	}
	for _, i := range j.inData(r.Event) {
		good, _ := j.value(i, r)
		ok = ok && good
	}
	return ok && !j.ports[r.Stream].Differs(r.Want, r.Got, j.rest), flips
}

// value judges a value with a rule, and takes it from what is compared exactly.
func (j *Judge) value(i int, r *Response) (ok, flip bool) {
	rule := &j.Rules[i]
	if rule.width > 64 { // it is ignored
		open, differs := false, false
		for w, left := rule.slot.Word, rule.slot.Field.Width; left > 0; w, left = w+1, left-64 {
			m := ones(left) & j.rest[w]
			open, differs = open || m != 0, differs || (r.Want[w]^r.Got[w])&m != 0
			j.rest[w] &^= m
		}
		if open {
			j.looks = append(j.looks, look{rule: i, differs: differs})
		}
		return true, false
	}
	bits := rule.mask() & j.rest[rule.slot.Word]
	if bits == 0 {
		return true, false // not compared for another reason
	}
	j.rest[rule.slot.Word] &^= bits
	// What a mask of the schema hides of the value is taken as 0 on both sides.
	open := bits >> (rule.slot.Bit + rule.lsb)
	l := look{rule: i, want: rule.bits(r.Want) & open, got: rule.bits(r.Got) & open}
	if l.differs = l.want != l.got; l.differs {
		flip = rule.Kind == Flips
		l.beyond = rule.Kind == Bounded && !rule.within(l.want, l.got) || flip && r.Read
	}
	j.looks = append(j.looks, l)
	return !l.beyond, flip
}

// Excuse returns an expected response with the values that Look took, though they differ, as they came: what is left
// of the differences is what is wrong.
func (j *Judge) Excuse(r *Response) []uint64 {
	want := slices.Clone(r.Want)
	j.Look(r)
	for k := range j.looks {
		l := &j.looks[k]
		rule := &j.Rules[l.rule]
		switch {
		case !l.differs || l.beyond || rule.Kind == Flips:
		case rule.width > 64:
			for w, left := rule.slot.Word, rule.slot.Field.Width; left > 0; w, left = w+1, left-64 {
				want[w] = want[w]&^ones(left) | r.Got[w]&ones(left)
			}
		default:
			w, m := rule.slot.Word, rule.mask()
			want[w] = want[w]&^m | r.Got[w]&m
		}
	}
	return want
}

// Wrong counts a response that is not as the rules say.
func (j *Judge) Wrong() {
	if !j.quiet {
		j.beyond++
		j.judged++
	}
}

// Where is the place of a response in a run.
type Where struct {
	Episode string
	Cycle   uint64
	Event   []uint64 // packed; nil when unknown
	After   []uint64 // of an inserted READ: the event of the source before it
}

// Keep counts what the last Look saw, a response that is as the rules say.
func (j *Judge) Keep(r *Response, at Where) {
	if j.quiet {
		return
	}
	j.judged++
	if r.Read {
		j.reads++
	} else if j.ports[r.Stream].Ends(r.Got) {
		j.responses++
	}
	if a := j.Access; a.HasWords && r.Event != nil && a.Kind.Get(r.Event) == a.Read {
		j.words64++
	}
	for k := range j.looks {
		l := &j.looks[k]
		j.seen[l.rule].add(&j.Rules[l.rule], l, at)
	}
}

// Taken counts a state word or register that the reference took over from the design.
func (j *Judge) Taken() {
	if !j.quiet {
		j.taken++
	}
}

// Flip is a decision that differed and that a state within the tolerances explains.
type Flip struct {
	Where
	Rule      int
	Want, Got uint64
	Near      string // the state from which the reference decides as the design did
}

// mostListed is how many flips, and how many close calls, a report lists.
const mostListed = 20

// Flipped counts the decisions in which two responses differ that were looked at as r, before the want of another state
// took the place of the first.
func (j *Judge) Flipped(r *Response, near string, at Where) {
	if j.quiet {
		return
	}
	for _, i := range j.fields[r.Stream] {
		rule := &j.Rules[i]
		if rule.Kind != Flips {
			continue
		}
		w, g := rule.bits(r.Want), rule.bits(r.Got)
		if w == g || rule.mask()&r.Mask[rule.slot.Word] == 0 {
			continue
		}
		j.seen[i].flips++
		if len(j.flipped) < mostListed {
			j.flipped = append(j.flipped, Flip{Where: at, Rule: i, Want: w, Got: g, Near: near})
		}
	}
}

// Allowed returns how often a decision may flip among so many responses: in a short run one time, or no larger share of
// them than the largest rule takes.
func (r *Rule) Allowed(responses uint64) uint64 {
	most := max(responses*mostFlips/flipsPer, 1)
	return min(r.Flips*((responses+flipsPer-1)/flipsPer), most)
}

// Near returns, for the raw bits of a state word, those of the states around it: each bounded value in it up to four
// bounds away, nearest first, with words for it.
func (j *Judge) Near(addr, raw uint64, times uint64) (out []Nearby) {
	for _, i := range j.words[addr] {
		r := &j.Rules[i]
		if r.Kind != Bounded {
			continue
		}
		v := raw >> r.lsb & ones(r.width)
		by := r.bound(v) * float64(times)
		if by < 1 || by >= math.MaxInt64 {
			continue
		}
		step, at := uint64(by), r.ordered(v)
		put := func(ordered uint64, how string) {
			n := raw&^(ones(r.width)<<r.lsb) | r.ordered(ordered)<<r.lsb
			out = append(out, Nearby{n, r.Name + " " + how})
		}
		if at >= step {
			put(at-step, digits(step)+" LSB lower")
		}
		if ones(r.width)-at >= step {
			put(at+step, digits(step)+" LSB higher")
		}
	}
	return out
}

// Nearby is a state word near another one.
type Nearby struct {
	Raw uint64
	How string
}

// Flips reports whether a decision may flip.
func (j *Judge) Flips() bool {
	return slices.ContainsFunc(j.Rules, func(r Rule) bool { return r.Kind == Flips })
}

// Soft reports whether any rule takes another value than the expected one.
func Soft(rules []Rule) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.Kind != Exact })
}

// Beyond names the values with rules that the response exceeds, each with its rule.
func (j *Judge) Beyond(r *Response) (texts []string) {
	j.Look(r)
	for k := range j.looks {
		l := &j.looks[k]
		rule := &j.Rules[l.rule]
		switch {
		case l.beyond && rule.Kind == Bounded:
			diff, _ := rule.difference(l.want, l.got)
			texts = append(texts, fmt.Sprintf("%s by %d LSB, where %s is allowed", rule.Name, diff, rule))
		case l.differs && rule.Kind == Flips:
			texts = append(texts, fmt.Sprintf("%s decided otherwise", rule.Name))
		}
	}
	return texts
}

// Part is a state word or register that differs.
type Part struct {
	Name, Want, Got string
	Diff            int64 // LSBs, got - want
}

// DataName returns the field that carries state words and registers, STREAM.FIELD; "" for none.
func (j *Judge) DataName() string {
	if j.Access.Data == nil {
		return ""
	}
	return j.Access.Data.Stream + "." + j.Access.Data.Field.Name
}

// Carried returns the state words, or the register, in which the answers to an event that reads them differ.
func (j *Judge) Carried(ev, want, got []uint64) (parts []Part) {
	a := j.Access
	reads := map[Form]bool{Word: a.HasWords && a.Kind.Get(ev) == a.Read,
		Register: a.HasConf && a.Kind.Get(ev) == a.ReadConf}
	for name, p := range places(j.block) {
		r := Rule{Name: name, place: p}
		w, g := r.bits(want), r.bits(got)
		if !reads[p.Form] || p.addr != a.Addr.Get(ev) || w == g {
			continue
		}
		diff, below := r.difference(w, g)
		n := int64(diff)
		if below {
			n = -n
		}
		parts = append(parts, Part{name, r.text(w, j), r.text(g, j), n})
	}
	return parts
}

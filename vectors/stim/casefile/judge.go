package casefile

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Judge compares a block's answers in a scenario with the demands of the text. It takes the cycle records of a run from
// the first cycle on:
//
//	j := ep.Judge
//	for d.Drive(in) {
//		model.Cycle(in, out)
//		d.Observe(out)
//		j.Cycle(in, out)
//	}
//	compared, wrong := j.Verdict()
type Judge struct {
	lang    *Language
	name    string
	script  *stim.Script
	size    map[string]int
	demands []demand
	finals  []read
	sealed  bool
	steady  bool // no reset may come once an item was taken, and no answer before its item

	byItem   map[int][]int // demands of each item
	unasked  []int         // demands of the stream that answers no item, in order; those from next on are to come
	next     int
	ins      []inLane
	outs     []outLane
	wrong    []string
	compared int
	answered []bool
	rstN     uint64
}

// inLane follows an input stream.
type inLane struct {
	port   event.Port
	items  []int
	packet []bool // by items: whether it begins a packet
	next   int
	beats  [][]uint64 // accepted beats of the packet that is coming in
}

// outLane follows an output stream.
type outLane struct {
	port  event.Port
	owed  []owed       // items that still need an answer, oldest first
	had   [][][]uint64 // answers that no item has claimed yet, each a list of beats
	beats [][]uint64   // beats of the packet that is leaving
}

// owed is an item that waits for its answer, with the beats of its packet.
type owed struct {
	item  int
	beats [][]uint64
}

func judgeOf(l *Language, s *stim.Script, c *Scenario) *Judge {
	j := &Judge{lang: l, name: c.Name, script: s, size: c.Params}
	s.Judge = j
	return j
}

// Size returns the parameters that the demands apply to; nil for all.
func (j *Judge) Size() map[string]int { return j.size }

// Holds reports whether the demands apply to a block with these parameters: those of the case, or else the defaults
// with any number of ports. The number of ports is the first parameter.
func (j *Judge) Holds(params map[string]int) bool {
	want, err := j.lang.Block.Values(j.size)
	if err != nil {
		return false
	}
	for i, p := range j.lang.Block.Params {
		if params[p.Name] != want[p.Name] && (i > 0 || j.size != nil) {
			return false
		}
	}
	return true
}

// Wrong returns the number of wrong values so far.
func (j *Judge) Wrong() int { return len(j.wrong) }

// out returns the number of an output stream of the language.
func (j *Judge) out(name string) int {
	p := j.lang.lay.Port(name)
	if p == nil || p.Dir != event.Out {
		panic(fmt.Sprintf("block %s: no output stream %q", j.lang.Block.Name, name))
	}
	return p.Lane
}

func (j *Judge) demand(d demand) { j.demands = append(j.demands, d) }

// seal takes the complete script, which may hold several scenarios, and resolves the demands on its last reads.
func (j *Judge) seal() {
	l := j.lang.lay
	j.sealed = true
	j.rstN = l.Reset()
	for _, p := range l.Inputs() {
		j.ins = append(j.ins, inLane{port: p})
	}
	for _, p := range l.Outputs() {
		j.outs = append(j.outs, outLane{port: p})
	}
	more := make([]bool, len(j.ins))
	for i := range j.script.Used {
		it := &j.script.Items[i]
		in := &j.ins[it.Lane]
		in.items = append(in.items, i)
		in.packet = append(in.packet, !more[it.Lane])
		more[it.Lane] = it.More
	}
	for _, f := range j.finals {
		if !j.resolve(&f) {
			j.bad("%s: not read at the end", f.at)
		}
	}
	j.byItem = map[int][]int{}
	for i := range j.demands {
		d := &j.demands[i]
		j.byItem[d.item] = append(j.byItem[d.item], i)
	}
	j.answered = make([]bool, len(j.demands))
}

func (j *Judge) bad(format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf(format, args...))
}

// Cycle takes the records of the next cycle.
func (j *Judge) Cycle(in, out []uint64) {
	if !j.sealed {
		j.seal()
	}
	if in[0]&j.rstN == 0 {
		j.reset()
		return
	}
	for i := range j.outs {
		if l := &j.outs[i]; j.steady && l.port.Moves(out, in) && len(l.owed) == 0 {
			j.bad("case %s: an answer at %s before its event", j.name, l.port.Name)
		}
	}
	for i := range j.ins {
		if l := &j.ins[i]; l.port.Moves(in, out) {
			j.took(l, in)
		}
	}
	for i := range j.outs {
		if l := &j.outs[i]; l.port.Moves(out, in) {
			l.beats = append(l.beats, append([]uint64(nil), out...))
			if l.port.Ends(out) {
				l.had = append(l.had, l.beats)
				l.beats = nil
			}
		}
	}
	for i := range j.outs {
		if o := &j.outs[i]; o.port.Name == j.lang.Unasked && len(j.unasked) > 0 {
			j.follow(o)
		} else {
			j.match(o)
		}
	}
}

// follow assigns the transfers of the stream that answers no item to the lines that demand them, in order.
func (j *Judge) follow(l *outLane) {
	for _, beats := range l.had {
		if j.next == len(j.unasked) {
			j.bad("stream %s: a transfer that no line demands", l.port.Name)
			continue
		}
		k := j.unasked[j.next]
		j.next++
		j.compare(k, &j.demands[k], l, owed{}, beats)
	}
	l.had = nil
}

// took records an accepted item.
func (j *Judge) took(l *inLane, in []uint64) {
	if l.next == len(l.items) || !j.is(l, in) {
		// The driver added this item to unblock the streams. Its answer would be taken for another item's.
		j.bad("stream %s took an item that is not in the scenario", l.port.Name)
		return
	}
	l.beats = append(l.beats, append([]uint64(nil), in...))
	item := l.items[l.next+1-len(l.beats)]
	l.next++
	if !l.port.Ends(in) {
		return
	}
	if name, ok := j.lang.Answers[l.port.Name]; ok && !j.dropped(item) {
		o := &j.outs[j.out(name)]
		o.owed = append(o.owed, owed{item, l.beats})
	}
	l.beats = nil
}

// dropped reports whether the text says that the block drops an item. An answer that comes all the same has the wrong
// tag for the next item, or has none.
func (j *Judge) dropped(item int) bool {
	for _, k := range j.byItem[item] {
		if d := &j.demands[k]; d.drops {
			j.answered[k] = true
			j.compared++
			if d.contrary {
				j.bad("%s: dropped, want an answer", d.at)
			}
			return true
		}
	}
	return false
}

// is reports whether the stream carries the next item.
func (j *Judge) is(l *inLane, in []uint64) bool {
	words := j.script.Items[l.items[l.next]].Words
	for w := l.port.From; w < l.port.To; w++ {
		if (words[w]^in[w])&l.port.Mask[w] != 0 {
			return false
		}
	}
	return true
}

// match assigns answers to the items that wait for them.
func (j *Judge) match(l *outLane) {
	for len(l.owed) > 0 && len(l.had) > 0 {
		o, beats := l.owed[0], l.had[0]
		l.owed, l.had = l.owed[1:], l.had[1:]
		j.tagged(l, o, beats[0])
		for _, k := range j.byItem[o.item] {
			if d := &j.demands[k]; d.stream == l.port.Lane {
				j.compare(k, d, l, o, beats)
			}
		}
		if leave := &j.lang.Leaves; leave.By == l.port.Name && !anySet(l.port, beats[0], leave.Unless) &&
			(leave.If == "" || anySet(l.port, beats[0], []string{leave.If})) {
			to := &j.outs[j.out(leave.Stream)]
			to.owed = append(to.owed, owed{item: o.item})
			j.match(to)
		}
	}
}

// tagged reports an answer that repeats the tag of another item than the one whose turn it is.
func (j *Judge) tagged(l *outLane, o owed, answer []uint64) {
	from, to := slotOf(&j.ins[j.script.Items[o.item].Lane].port, j.lang.Tag), slotOf(&l.port, j.lang.Tag)
	if from == nil || to == nil || len(o.beats) == 0 {
		return
	}
	if want, got := from.Get(o.beats[0]), to.Get(answer); want != got {
		j.bad("case %s: an answer with %s %d where that of the item with %d is due", j.name, j.lang.Tag, got, want)
	}
}

func anySet(p event.Port, rec []uint64, flags []string) bool {
	for _, f := range flags {
		if slotOf(&p, f).Get(rec) != 0 {
			return true
		}
	}
	return false
}

func (j *Judge) compare(k int, d *demand, l *outLane, o owed, beats [][]uint64) {
	j.answered[k] = true
	if d.none {
		j.bad("%s: got an answer, want none", d.at)
		return
	}
	j.wrong = append(j.wrong, d.check(j.lang.Block, beats)...)
	j.compared += len(d.fields)
	if d.packet != nil {
		j.compared++
		var in *event.Port
		for i := range j.ins {
			if j.ins[i].port.Last != nil {
				in = &j.ins[i].port
			}
		}
		j.wrong = append(j.wrong, d.packet.check(d.at, &l.port, o.beats, beats, in)...)
	}
}

// reset drops everything in flight, which is never answered, and a packet that is partly in.
func (j *Judge) reset() {
	for i := range j.outs {
		o := &j.outs[i]
		for _, x := range o.owed {
			j.lost(x.item, o.port.Lane)
		}
		o.owed, o.had, o.beats = nil, nil, nil
	}
	for i := range j.ins {
		l := &j.ins[i]
		if j.steady && l.next > 0 {
			j.bad("case %s: a reset after %d of its events", j.name, l.next)
		}
		if name, ok := j.lang.Answers[l.port.Name]; ok && len(l.beats) > 0 {
			j.lost(l.items[l.next-len(l.beats)], j.out(name))
		}
		l.beats = nil
	}
}

// lost counts the demand that an item stays unanswered as met.
func (j *Judge) lost(item, stream int) {
	for _, k := range j.byItem[item] {
		if d := &j.demands[k]; d.none && d.stream == stream && !j.answered[k] {
			j.answered[k] = true
			j.compared++
		}
	}
}

// Verdict returns how many values and packets were compared, and a message for each wrong one: an answer that differs,
// never came, or was not asked for. A scenario without demands is wrong too.
func (j *Judge) Verdict() (compared int, wrong []string) {
	if !j.sealed {
		j.seal()
	}
	wrong = j.wrong
	for k := range j.demands {
		if !j.answered[k] {
			wrong = append(wrong, fmt.Sprintf("%s: never answered", j.demands[k].at))
		}
	}
	for i := range j.outs {
		o := &j.outs[i]
		if o.port.Name == j.lang.Unasked || slices.Contains(j.lang.Beside, o.port.Name) {
			continue // of Unasked follow reports what is too much, and a demand what is missing
		}
		if len(o.had) > 0 || len(o.beats) > 0 {
			wrong = append(wrong, fmt.Sprintf("stream %s: an answer that nothing asked for", o.port.Name))
		}
		if len(o.owed) > 0 {
			wrong = append(wrong, fmt.Sprintf("stream %s: %d items without an answer", o.port.Name, len(o.owed)))
		}
	}
	for i := range j.ins {
		if l := &j.ins[i]; l.next < len(l.items) {
			wrong = append(wrong, fmt.Sprintf("stream %s: %d items were not taken", l.port.Name, len(l.items)-l.next))
		}
	}
	if len(j.demands) == 0 {
		wrong = append(wrong, fmt.Sprintf("case %s demands nothing", j.name))
	}
	if compared = j.compared; compared == 0 && len(wrong) == 0 {
		wrong = append(wrong, fmt.Sprintf("case %s: nothing was compared", j.name))
	}
	return compared, wrong
}

// Contradiction returns a judge of the same script that demands the opposite of each demand: answers that meet every
// demand of j meet none of its demands. A test uses it to show that every demand is checked. Call it before the first
// cycle.
func (j *Judge) Contradiction() *Judge {
	o := &Judge{lang: j.lang, name: j.name, script: j.script, finals: append([]read(nil), j.finals...),
		unasked: j.unasked}
	for i := range o.finals {
		o.finals[i].want ^= 1
	}
	for _, d := range j.demands {
		if d.drops { // no answer comes for it, or every later item would get that of another
			d.contrary = true
			o.demands = append(o.demands, d)
			continue
		}
		d.fields = append([]fieldDemand(nil), d.fields...)
		for k := range d.fields {
			d.fields[k].want ^= d.fields[k].mask & -d.fields[k].mask
		}
		if d.packet != nil {
			p := *d.packet
			p.want = append(append([]byte(nil), p.want...), 0)
			d.packet = &p
		}
		d.none = !d.none && len(d.fields) == 0 && d.packet == nil
		o.demands = append(o.demands, d)
	}
	return o
}

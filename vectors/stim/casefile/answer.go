package casefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// demand is what a line demands of one answer.
type demand struct {
	at     string
	item   int  // index in the script of the item, or of the packet's first beat
	stream int  // output stream of the answer
	none   bool // no answer, because of a reset
	drops  bool // no answer, because the block drops the item
	// contrary is set in a judge that demands an answer of an item that is dropped.
	contrary bool
	fields   []fieldDemand
	packet   *packetDemand
}

// fieldDemand is the value that a field of the answer, without its lowest shift bits, must have in the bits of mask. If
// the answer is a packet, every beat must have it.
type fieldDemand struct {
	slot  *event.Slot
	want  uint64
	mask  uint64
	shift int
}

// expect records what a line demands: answer is its text after ->, leaves its text after =>.
func (w *writer) expect(at string, port *event.Port, frame *sent, answer, leaves string,
	scope func(string) (string, bool)) {
	d := demand{at: at, item: w.last}
	if answer = strings.TrimSpace(answer); answer != "" {
		name, ok := w.lang.Answers[port.Name]
		if !ok {
			fail("stream %s has no answers", port.Name)
		}
		a := d
		a.stream = w.judge.out(name)
		for _, x := range strings.Fields(answer) {
			switch x {
			case "unanswered":
				a.none = true
			case "dropped":
				a.drops = true
			default:
				a.fields = append(a.fields, w.fieldDemand(name, x, scope))
			}
		}
		if (a.none || a.drops) && len(a.fields) > 0 || a.none && a.drops {
			fail("unanswered and dropped exclude fields and each other")
		}
		w.judge.demand(a)
	}
	if leaves = strings.TrimSpace(leaves); leaves != "" {
		name := w.lang.Answers[port.Name]
		if w.lang.Leaves.Stream != "" {
			name = w.lang.Leaves.Stream
		}
		if name == "" {
			fail("stream %s has no answers", port.Name)
		}
		d.stream = w.judge.out(name)
		p := &packetDemand{}
		if frame != nil {
			p.sent = *frame
		}
		for _, x := range strings.Fields(leaves) {
			switch f, ok := w.frames[x]; {
			case ok:
				p.sent = f
			case x == "unanswered":
				d.none = true
			case !p.edit(x, scope):
				d.fields = append(d.fields, w.fieldDemand(name, x, scope))
			}
		}
		if p.data == nil {
			fail("=> must name the frame that leaves")
		}
		if !d.none {
			d.packet = p
			p.settle()
		}
		w.judge.demand(d)
	}
}

// unasked records what a line demands of the next transfer of the stream that answers no item.
func (w *writer) unasked(at string, words []string, scope func(string) (string, bool)) {
	stream := w.lang.Unasked
	d := demand{at: at, item: -1, stream: w.judge.out(stream)}
	for _, x := range words {
		d.fields = append(d.fields, w.fieldDemand(stream, x, scope))
	}
next:
	for _, f := range w.lang.Block.Stream(stream).Fields {
		for _, named := range d.fields {
			if named.slot.Field.Name == f.Name {
				continue next
			}
		}
		if !slices.Contains(w.lang.Loose, f.Name) {
			d.fields = append(d.fields, w.fieldDemand(stream, f.Name+"=0", scope))
		}
	}
	w.judge.unasked = append(w.judge.unasked, len(w.judge.demands))
	w.judge.demand(d)
}

// cutWant splits name=value, +flag or -flag into name and value.
func cutWant(text string) (name, value string) {
	name, value, ok := strings.Cut(text, "=")
	switch {
	case ok:
	case strings.HasPrefix(text, "+"):
		return text[1:], "1"
	case strings.HasPrefix(text, "-"):
		return text[1:], "0"
	default:
		fail("%q: want name=value, +flag or -flag", text)
	}
	return name, value
}

// fieldDemand compiles name=value, name&mask=value, +flag or -flag.
func (w *writer) fieldDemand(stream, text string, scope func(string) (string, bool)) fieldDemand {
	name, value := cutWant(text)
	mask := ^uint64(0)
	name, bits, masked := strings.Cut(name, "&")
	if masked {
		mask = must(number(bits, scope))
	}
	s := w.lang.lay.Out.Slot(stream, name)
	if s == nil || s.Field.Width > 64 {
		fail("stream %s: no field %q", stream, name)
	}
	if mask &= ^uint64(0) >> (64 - s.Field.Width); mask == 0 {
		fail("%q: the mask leaves nothing to compare", text)
	}
	if s.Field.Enum != "" {
		if v, ok := enumCode(w.lang.Block, &s.Field, value); ok {
			return fieldDemand{slot: s, want: v, mask: mask}
		}
	}
	v := must(number(value, scope))
	check(fits(name, v, s.Field.Width))
	return fieldDemand{slot: s, want: v & mask, mask: mask}
}

// check returns a message for each wrong field of an answer. beats has a record for each beat.
func (d *demand) check(b *event.Block, beats [][]uint64) (wrong []string) {
	for _, f := range d.fields {
		for _, rec := range beats {
			if got := f.slot.Get(rec) >> f.shift & f.mask; got != f.want {
				wrong = append(wrong, fmt.Sprintf("%s: %s.%s: want %s, got %s", d.at, f.slot.Stream, f.slot.Field.Name,
					b.Format(&f.slot.Field, f.want), b.Format(&f.slot.Field, got)))
				break
			}
		}
	}
	return wrong
}

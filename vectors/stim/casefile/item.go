package casefile

import (
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// item writes the item or packet of a line and records what must answer it.
func (w *writer) item(at, text string, scope func(string) (string, bool)) {
	text, leaves, _ := strings.Cut(text, " => ")
	text, answer, _ := strings.Cut(text, " -> ")
	text, spec, framed := bracket(text)
	words := strings.Fields(text)
	if len(words) == 0 {
		fail("the stream or the kind of the event is missing")
	}
	head := words[0]
	port, fields := w.port(head)
	if port == nil && head == w.lang.Unasked {
		w.unasked(at, words[1:], scope)
		return
	}
	if port == nil {
		fail("%q is neither a keyword nor a stream nor a kind of event", head)
	}
	mods := modifiers{wait: w.lang.Wait, gap: w.lang.Gap}
	var frame *sent
	wide := map[string][]byte{}
	for _, x := range words[1:] {
		name, value, ok := strings.Cut(x, "=")
		if w.modifier(&mods, name, value, scope) {
			continue
		}
		if _, twice := fields[name]; ok && (twice || wide[name] != nil) {
			fail("%q: %s already has a value", x, name)
		}
		switch f, known := w.frames[x]; {
		case ok && mods.beat && w.bytes(port, name) > 0:
			b, err := event.ParseBytes(value, w.bytes(port, name))
			if err != nil {
				fail("%s: %w", name, err)
			}
			wide[name] = b
		case ok:
			fields[name] = w.value(port, name, value, scope)
		case strings.HasPrefix(x, "+"):
			for _, flag := range strings.Split(x[1:], "+") {
				if flag == "empty" {
					mods.empty = true
					continue
				}
				fields[flag] = 1
			}
		case known:
			frame = &f
		default:
			fail("%q: want field=value, +flag or a frame", x)
		}
	}
	for name, v := range w.defaults[head] {
		if _, ok := fields[name]; !ok {
			fields[name] = v
		}
	}
	if framed {
		f := w.frame(spec, scope)
		frame = &f
	}
	if (frame != nil) != (port.Last != nil) && (frame != nil || !mods.beat) {
		fail("%s: stream %s: packets need a frame, other items take none", head, port.Name)
	}
	w.last = w.s.Used
	if frame != nil {
		fields["frame_bytes"] = uint64(len(frame.data))
	}
	if w.fill != nil {
		w.fill(head, fields)
	}
	delete(fields, "frame_bytes")
	for name, v := range fields {
		f := w.lang.Block.Stream(port.Name).Field(name)
		if f == nil {
			fail("stream %s: no field %q", port.Name, name)
		}
		check(fits(name, v, f.Width))
	}
	switch {
	case mods.paired && frame != nil:
		fail("a packet cannot be paired")
	case mods.paired && w.s.Used == 0:
		fail("the first item cannot be paired: no item precedes it")
	}
	if frame != nil {
		w.lang.Send(w.s, &Packet{Stream: port.Name, Data: frame.data, Empty: mods.empty, Wait: mods.wait, Fields: fields})
	} else {
		words := w.s.Put(port.Lane, mods.wait)
		for name, v := range fields {
			w.lang.lay.In.Slot(port.Name, name).Set(words, v)
		}
		for name, b := range wide {
			w.lang.lay.In.Slot(port.Name, name).SetBytes(words, b)
		}
		if mods.more {
			w.s.More()
		}
	}
	if mods.paired {
		w.s.Alike(mods.gap)
	} else {
		w.s.Items[w.last].Gap = uint16(mods.gap)
	}
	w.expect(at, port, frame, answer, leaves, scope)
}

// modifiers decide when an item is offered, and how a packet is built.
type modifiers struct {
	wait   uint8
	gap    int
	paired bool
	empty  bool
	beat   bool // one beat of a packet, given literally
	more   bool // the next item of the stream continues this one
}

// modifier takes a word that sets a modifier. It returns false for any other word.
func (w *writer) modifier(m *modifiers, name, value string, scope func(string) (string, bool)) bool {
	switch name {
	case "paired":
		m.paired = true
	case "beat":
		m.beat = true
	case "more":
		m.more = true
	case "alone":
		m.wait, m.gap = stim.WaitAll, stim.Settle
	case "gap":
		m.gap = small(name, value, scope)
	case "after":
		switch m.wait = 0; value {
		case "all":
			m.wait = stim.WaitAll
		case "none":
		default:
			for _, name := range strings.Split(value, "+") {
				p, _ := w.port(name)
				if p == nil {
					fail("after=%s: no stream %q", value, name)
				}
				m.wait |= 1 << p.Lane
			}
		}
	default:
		return false
	}
	return true
}

// value returns the value of a field. The text is an enum name, the name of a register or word if the field is addr, or
// an expression.
func (w *writer) value(port *event.Port, name, text string, scope func(string) (string, bool)) uint64 {
	b := w.lang.Block
	if name == "addr" {
		if v, ok := address(b, text); ok {
			return v
		}
	}
	f := b.Stream(port.Name).Field(name)
	if f == nil {
		fail("stream %s: no field %q", port.Name, name)
	}
	if f.Enum != "" {
		if v, ok := enumCode(b, f, text); ok {
			return v
		}
	}
	return must(number(text, scope))
}

// address returns the address of the register with that name, or of the state word with a field of that name.
func address(b *event.Block, name string) (uint64, bool) {
	if r := b.Register(name); r != nil {
		return uint64(r.Addr), true
	}
	for _, x := range b.Words {
		for _, f := range x.Fields {
			if f.Name == name {
				return uint64(x.Addr), true
			}
		}
	}
	return 0, false
}

// bracket cuts the text between [ and ] out of a line.
func bracket(text string) (rest, inside string, ok bool) {
	left, right, ok := strings.Cut(text, "[")
	if !ok {
		return text, "", false
	}
	inside, right, ok = strings.Cut(right, "]")
	return left + " " + right, inside, ok
}

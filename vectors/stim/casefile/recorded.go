package casefile

import (
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// recorded takes a line that only programs write: "seed N" of the driver, "ahead N" items, or "relief ITEM".
func (w *writer) recorded(l *line, text string, scope func(string) (string, bool)) {
	_, rest, _ := strings.Cut(text, " ")
	if l.head == "relief" {
		w.item(l.at, rest, scope)
		w.s.Used--
		w.s.Drive.Relief = append(w.s.Drive.Relief, w.s.Items[w.s.Used].Clone())
		return
	}
	n := must(number(rest, scope))
	switch {
	case l.head == "seed":
		w.s.Seed = n
	case n > stim.Lookahead:
		fail("ahead %d: want at most %d", n, stim.Lookahead)
	default:
		w.s.Drive.Ahead = int(n)
	}
}

// bytes returns the number of bytes that a field of an input stream carries, or 0 if the field is a number.
func (w *writer) bytes(p *event.Port, name string) int {
	s := w.lang.lay.In.Slot(p.Name, name)
	if s == nil || !s.Field.IsBytes() {
		return 0
	}
	return s.Field.Width / 8
}

// Line writes an item as a line of a scenario, beat by beat if the stream carries packets. Parse reads back the same
// item, provided that the language has the same Wait.
func (l *Language) Line(it *stim.Item) string {
	if l.lay == nil {
		l.lay = event.NewLayout(l.Block)
	}
	p := &l.lay.Inputs()[it.Lane]
	head, named := p.Name, false
	w := writer{lang: l}
	for _, s := range p.Slots {
		if s.Field.Name != "kind" || s.Field.Enum == "" {
			continue
		}
		for _, v := range l.Block.Enum(s.Field.Enum).Values {
			if v.Value != s.Get(it.Words) {
				continue
			}
			if q, _ := w.port(v.Name); q != nil && q.Lane == it.Lane {
				head, named = v.Name, true
			}
		}
	}
	var t strings.Builder
	t.WriteString(head)
	if p.Last != nil {
		t.WriteString(" beat")
	}
	if it.More {
		t.WriteString(" more")
	}
	for _, s := range p.Slots {
		if s.Field.IsBytes() {
			fmt.Fprintf(&t, " %s=%s", s.Field.Name, event.BytesText(s.Bytes(it.Words)))
		} else if v := s.Get(it.Words); v != 0 && (s.Field.Name != "kind" || !named) {
			fmt.Fprintf(&t, " %s=%d", s.Field.Name, v)
		}
	}
	if it.Pair {
		t.WriteString(" paired")
	} else if it.Wait != l.Wait {
		t.WriteString(" after=" + l.waits(it.Wait))
	}
	if it.Gap > 0 {
		fmt.Fprintf(&t, " gap=%d", it.Gap)
	}
	return t.String()
}

// waits names a set of streams.
func (l *Language) waits(wait uint8) string {
	var names []string
	for _, p := range l.lay.Inputs() {
		if wait>>p.Lane&1 != 0 {
			names = append(names, p.Name)
		}
	}
	switch {
	case wait == stim.WaitAll:
		return "all"
	case len(names) == 0:
		return "none"
	}
	return strings.Join(names, "+")
}

package elastic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// What a design does to a response that its consumer is not ready for: the Text of an Unstable finding.
const (
	Withdrawn = "withdrawn before it was taken"
	Altered   = "changed before it was taken"
)

// What a wrong response looks like next to its neighbours: the Text of a Wrong finding.
const (
	SeemsTwice = "it equals the response before: one seems to have come twice"
	SeemsLost  = "it is the response that is owed next: the one owed here seems to be missing"
)

// broke returns what happened, in an output record, to a response that waited for ready; "" when it still waits.
func (s *port) broke(was, out []uint64) string {
	switch {
	case !s.Offered(out):
		return Withdrawn
	case !slices.Equal(was, s.fields(out)):
		return Altered
	}
	return ""
}

// Broke looks at two cycles of a block, one after the other, and returns the output stream that broke the
// handshake in the second, and how; -1 when none did. What is shown in reset does not count.
func Broke(b *event.Block, before, now Cycle) (stream int, how string) {
	l := event.NewLayout(b)
	_, outs := portsOf(l)
	if before.In[0]&now.In[0]&l.Reset() == 0 {
		return -1, ""
	}
	for i := range outs {
		o := &outs[i]
		if !o.Offered(before.Out) || o.Taken(before.In) {
			continue
		}
		if how := o.broke(o.fields(before.Out), now.Out); how != "" {
			return i, how
		}
	}
	return -1, ""
}

// steady watches the handshake of a block's outputs, cycle by cycle.
type steady struct {
	spec    *Spec // whose relaxed rules hold
	outs    []port
	rstN    uint64
	stalled [][]uint64 // by output stream: the response that waits for ready
	held    []uint64   // the response that look returned, as it was shown before
}

func newSteady(spec *Spec, outs []port, rstN uint64) steady {
	return steady{spec: spec, outs: outs, rstN: rstN, stalled: make([][]uint64, len(outs))}
}

// forget starts again: what waits is lost.
func (s *steady) forget() { clear(s.stalled) }

// look looks at a cycle and returns the output stream that broke the handshake, and how: a valid that is up stays up,
// with the same fields, until ready takes it. It returns -1 when none did.
func (s *steady) look(in, out []uint64) (stream int, how string) {
	stream = -1
	relaxed := func(rule []bool, i int) bool { return i < len(rule) && rule[i] }
	if in[0]&s.rstN == 0 {
		s.forget()
		return stream, ""
	}
	for i := range s.outs {
		o := &s.outs[i]
		valid, ready := o.Offered(out), o.Taken(in)
		if was := s.stalled[i]; was != nil && stream < 0 {
			switch text := o.broke(was, out); {
			case text == Withdrawn && relaxed(s.spec.MayDrop, i):
			case text == Altered && relaxed(s.spec.MayChange, i):
				s.stalled[i] = nil
			case text != "":
				stream, how, s.held = i, text, was
			}
		}
		switch {
		case !valid || ready:
			s.stalled[i] = nil
		case s.stalled[i] == nil:
			s.stalled[i] = o.fields(out)
		}
	}
	return stream, how
}

func (p *player) stable() (stream int, how string) { return p.steady.look(p.in, p.out) }

// unstable returns the finding of a broken handshake.
func (p *player) unstable(stream int, how string) Finding {
	f := Finding{Kind: Unstable, Stream: stream, Want: p.steady.held, Got: p.outs[stream].fields(p.out), Text: how}
	if c, q := p.board.cause[stream], p.board.events[stream]; c >= 0 && len(q) > 0 {
		f.Lane, f.Event = c, q[0]
	}
	return f
}

// shifted returns what a wrong response looks like next to its neighbours, "" if it resembles neither.
func (p *player) shifted(i int, got []uint64) string {
	s := &p.outs[i]
	same := func(want []uint64) bool { return !p.differ(i, want, got) }
	if last := p.last[i]; last != nil && same(last) {
		return SeemsTwice
	}
	if s.key != nil {
		return ""
	}
	if o, ok, err := p.board.next(i); err == nil && ok && same(o.want) {
		return SeemsLost
	}
	return ""
}

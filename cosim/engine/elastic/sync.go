package elastic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/engine/tolerance"
)

// synced is an Expect that takes the state of the device, which it gets from the events that reads inserts: what one
// event rounds away does not add up, and the next is judged from equal states. It gives its source one event at a time,
// in the order of acceptance, because the state is taken between them.
//
// The state is taken after each event, and not only after one whose response differs: most of the state shows in no
// response.
type synced struct {
	inner Expect
	judge *tolerance.Judge
	waits []held   // accepted and not given to the source
	last  held     // given last
	own   []uint64 // event of the episode given last
	was   []uint64 // the state words before the next event of the episode, or that given last, where they are read
}

// held is an accepted event.
type held struct {
	words []uint64
	mark  mark
}

func newSynced(inner Expect, j *tolerance.Judge) *synced { return &synced{inner: inner, judge: j} }

func (s *synced) Reset() error {
	s.waits, s.last, s.own, s.was = nil, held{}, nil, nil
	return s.inner.Reset()
}

// Accept is not called: accept is.
func (s *synced) Accept(int, bool, []uint64) error {
	return errors.New("resync: an event came without its kind, by a fault of the harness")
}

func (s *synced) accept(words []uint64, m mark) { s.waits = append(s.waits, held{words, m}) }

// Next gives the source the next event and returns its answer.
func (s *synced) Next(stream int) ([]uint64, bool, error) {
	for len(s.waits) > 0 {
		was := s.last.mark
		s.last, s.waits = s.waits[0], s.waits[1:]
		switch {
		case s.last.mark == ofEpisode:
			s.own = s.last.words
		case s.last.mark == readAhead && was != readAhead:
			s.was = s.was[:0]
		}
		w, ok, err := s.ask(s.last.words)
		if err != nil || ok {
			return w, ok, err
		}
	}
	return s.inner.Next(stream)
}

// ask gives the source an event and returns its answer.
func (s *synced) ask(words []uint64) ([]uint64, bool, error) {
	if err := s.inner.Accept(0, false, words); err != nil {
		return nil, false, err
	}
	return s.inner.Next(0)
}

// tell gives the source an event of the harness, whose answer it must give.
func (s *synced) tell(ev []uint64, kind, addr, data uint64) ([]uint64, error) {
	a := s.judge.Access
	words := slices.Clone(ev)
	a.Kind.Set(words, kind)
	a.Addr.Set(words, addr)
	a.In.Set(words, data)
	w, ok, err := s.ask(words)
	if err == nil && !ok {
		err = fmt.Errorf("resync: the reference does not answer an event of kind %d, addr %d", kind, addr)
	}
	return w, err
}

// take makes the source hold what the device answered to a READ or CFG_READ, where that differs. It returns what the
// source answers after it: a source that holds something else cannot be in the device's state.
func (s *synced) take(want, got []uint64) (held []uint64, err error) {
	a, ev := s.judge.Access, s.last.words
	load, kind := a.Load, a.Kind.Get(ev)
	switch {
	case kind == a.Read:
	case a.HasConf && kind == a.ReadConf:
		load = a.WriteConf
	default:
		return got, nil
	}
	data := a.Data.Get(got)
	if s.last.mark == readAhead {
		s.was = append(s.was, data)
	}
	if a.Data.Get(want) == data {
		return got, nil
	}
	s.judge.Taken()
	if _, err := s.tell(ev, load, a.Addr.Get(ev), data); err != nil {
		return nil, err
	}
	held, err = s.tell(ev, kind, a.Addr.Get(ev), 0)
	if err == nil && a.Data.Get(held) == data {
		return got, nil
	}
	return held, err
}

// nearest are the multiples of its bound by which a value of the state is moved to explain a decision.
var nearest = []uint64{1, 2, 4}

// near looks for a state around that before the event given last from which the source answers as fits; it stays in the
// state that follows from it. The answer is nil when there is none.
func (s *synced) near(fits func(want []uint64) bool) (want []uint64, how string, err error) {
	a := s.judge.Access
	if s.last.mark != ofEpisode || len(s.was) != len(a.Words) {
		return nil, "", nil
	}
	for _, times := range nearest {
		for k, addr := range a.Words {
			for _, n := range s.judge.Near(addr, s.was[k], times) {
				for i, to := range a.Words {
					data := s.was[i]
					if i == k {
						data = n.Raw
					}
					if _, err := s.tell(s.own, a.Load, to, data); err != nil {
						return nil, "", err
					}
				}
				w, ok, err := s.ask(s.own)
				if err != nil || ok && fits(w) {
					return w, n.How, err
				}
			}
		}
	}
	return nil, "", nil
}

// What a tolerated response comes to when the reference cannot go on from it: the Text of a Wrong finding.
const (
	Unheld = "the reference cannot hold the state that the design has: want is what it holds after it was loaded with got"
	NoNear = "no state within four bounds of the one before the event makes the reference decide so"
	// ReadAhead is what the event of such a finding is.
	ReadAhead = "inserted to read the state before the next event"
)

// inserted reports whether the response looked at answers an event that reads inserted.
func (p *player) inserted() bool { return p.synced != nil && p.synced.last.mark != ofEpisode }

// beyond judges a response by the tolerances, with what is owed in its place. Where a decision may flip, it takes the
// answer of a near state for what is owed. It returns whether the response is wrong, and what is known of why.
func (p *player) beyond(i int, o *owed, got []uint64) (wrong bool, text string, err error) {
	j := p.spec.Judge
	r := tolerance.Response{Stream: i, Event: o.event, Want: o.want, Got: got, Mask: p.compared(i, o.want),
		Read: p.inserted()}
	at := tolerance.Where{Episode: p.name, Cycle: max(p.res.Cycles, 1) - 1, Event: o.event}
	if r.Read && p.synced.last.mark == readAfter {
		at.After = p.synced.own
	}
	ok, flips := j.Look(&r)
	if ok && flips {
		ok = false
		var near []uint64
		var how string
		if p.synced != nil {
			near, how, err = p.synced.near(func(want []uint64) bool {
				c := r
				c.Want, c.Mask = want, p.compared(i, want)
				good, flip := j.Look(&c)
				return good && !flip
			})
		}
		if err != nil {
			return false, "", p.owing.Errs(err)
		}
		if text = NoNear; near != nil {
			r.Mask = p.compared(i, o.want)
			j.Flipped(&r, how, at)
			o.want = near
			r.Want, r.Mask = near, p.compared(i, near)
			ok, text = true, ""
			j.Look(&r)
		}
	}
	if !ok {
		j.Wrong()
		return true, text, nil
	}
	j.Keep(&r, at)
	if p.synced != nil {
		held, err := p.synced.take(o.want, got)
		if err != nil {
			return false, "", p.owing.Errs(err)
		}
		if a := j.Access; a.Data.Get(held) != a.Data.Get(got) {
			j.Wrong()
			o.want = slices.Clone(o.want)
			a.Data.Set(o.want, a.Data.Get(held))
			return true, Unheld, nil
		}
	}
	return false, "", nil
}

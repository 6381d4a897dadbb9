package elastic

import "github.com/goldwire/goldwire/cosim/engine/tolerance"

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
			return false, "", p.owing.noted(err)
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
			return false, "", p.owing.noted(err)
		}
		if a := j.Access; a.Data.Get(held) != a.Data.Get(got) {
			j.Wrong()
			want := append([]uint64(nil), o.want...)
			a.Data.Set(want, a.Data.Get(held))
			o.want = want
			return true, Unheld, nil
		}
	}
	return false, "", nil
}

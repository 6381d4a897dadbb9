package elastic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// owed is a response that is due, with the event that it answers.
type owed struct {
	want  []uint64
	lane  int
	event []uint64 // nil when unknown
}

// Noted is an Expect whose errors pass through a function, which gets those that are not nil.
type Noted struct {
	Expect
	Note func(error) error
}

// Errs passes an error through the function; nil for nil.
func (n *Noted) Errs(err error) error {
	if err != nil {
		err = n.Note(err)
	}
	return err
}

// Reset is that of the Expect, as are Accept and Next.
func (n *Noted) Reset() error { return n.Errs(n.Expect.Reset()) }

func (n *Noted) Accept(stream int, pair bool, words []uint64) error {
	return n.Errs(n.Expect.Accept(stream, pair, words))
}

func (n *Noted) Next(stream int) ([]uint64, bool, error) {
	w, ok, err := n.Expect.Next(stream)
	return w, ok, n.Errs(err)
}

// board matches what comes with what is owed.
type board struct {
	ins, outs []port
	exp       Expect
	pending   [][]owed     // by output stream: taken from exp and not matched
	events    [][][]uint64 // by output stream: first transfers of the events whose responses exp has not given
	cause     []int        // by output stream: the input stream that it answers, or -1
	inside    []bool       // by input stream: a packet goes on
	ended     []int        // by input stream: packets that ended since the reset
	left      []int        // by output stream: packets that agreed since the reset
}

func newBoard(ins, outs []port, exp Expect) *board {
	b := &board{ins: ins, outs: outs, exp: exp, cause: make([]int, len(outs))}
	for i := range outs {
		b.cause[i] = event.Cause(names(ins), names(outs), i)
	}
	b.reset()
	return b
}

func names(ps []port) (out []string) {
	for i := range ps {
		out = append(out, ps[i].Name)
	}
	return out
}

func (b *board) reset() {
	b.pending, b.events = make([][]owed, len(b.outs)), make([][][]uint64, len(b.outs))
	b.inside, b.ended, b.left = make([]bool, len(b.ins)), make([]int, len(b.ins)), make([]int, len(b.outs))
}

// accept notes a transfer, for the description of a finding.
func (b *board) accept(i int, words []uint64) {
	if !b.inside[i] {
		for o, c := range b.cause {
			if c == i {
				b.events[o] = append(b.events[o], words)
			}
		}
	}
	if b.inside[i] = !b.ins[i].Ends(words); !b.inside[i] {
		b.ended[i]++
	}
}

// next takes one more response of a stream from exp.
func (b *board) next(i int) (owed, bool, error) {
	words, ok, err := b.exp.Next(i)
	if err != nil || !ok {
		return owed{}, false, err
	}
	o := owed{want: words, lane: max(b.cause[i], 0)}
	if q := b.events[i]; len(q) > 0 {
		o.event = q[0]
		if b.outs[i].Ends(words) {
			b.events[i] = q[1:]
		}
	}
	return o, true, nil
}

// claim returns what was owed where a response came; false when nothing was.
func (b *board) claim(i int, got []uint64) (owed, bool, error) {
	key := b.outs[i].key
	if key == nil {
		return b.next(i)
	}
	same := func(o owed) bool { return key.Get(o.want) == key.Get(got) }
	if k := slices.IndexFunc(b.pending[i], same); k >= 0 {
		o := b.pending[i][k]
		b.pending[i] = slices.Delete(b.pending[i], k, k+1)
		return o, true, nil
	}
	for {
		o, ok, err := b.next(i)
		switch {
		case err != nil:
			return owed{}, false, err
		case ok && same(o):
			return o, true, nil
		case ok:
			b.pending[i] = append(b.pending[i], o)
			continue
		case len(b.pending[i]) > 0:
			// Nothing is owed with this key: most likely the key itself is wrong.
			return b.pending[i][0], true, nil
		}
		return owed{}, false, nil
	}
}

// oldest returns what is owed longest on a stream.
func (b *board) oldest(i int) (owed, bool, error) {
	if len(b.pending[i]) > 0 {
		return b.pending[i][0], true, nil
	}
	return b.next(i)
}

// due reports whether the packet that begins with what is owed must come: it ends, and no packet that goes on can be
// what it answers. A design may keep all of a packet until then.
func (b *board) due(i int, o owed) (bool, error) {
	for !b.outs[i].Ends(o.want) {
		var ok bool
		var err error
		if o, ok, err = b.next(i); err != nil || !ok {
			return false, err
		}
	}
	c := b.cause[i]
	return c < 0 || !b.inside[c] || b.left[i] < b.ended[c], nil
}

package elastic

import (
	"slices"
	"strings"
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
}

func newBoard(ins, outs []port, exp Expect) *board {
	b := &board{ins: ins, outs: outs, exp: exp, cause: make([]int, len(outs))}
	for i := range outs {
		b.cause[i] = Cause(names(ins), names(outs), i)
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

// Cause returns the input stream whose events the transfers of an output stream answer one by one, by its
// name, or -1.
func Cause(ins, outs []string, out int) int {
	known := map[string]string{"rsp": "ev", "gr": "grant", "note": "rx", "tx": "rx"}
	name := outs[out]
	from, ok := known[name]
	switch {
	case len(ins) == 1 && len(outs) == 1:
		return 0
	case !ok:
		from = strings.TrimSuffix(name, "r")
	case name == "tx" && slices.Contains(outs, "note"):
		return -1 // packets leave in another order than they came
	}
	return slices.Index(ins, from)
}

func (b *board) reset() {
	b.pending, b.events = make([][]owed, len(b.outs)), make([][][]uint64, len(b.outs))
	b.inside = make([]bool, len(b.ins))
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
	b.inside[i] = !b.ins[i].Ends(words)
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

package elastic

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

func incrBlock(t *testing.T) *event.Block {
	b, err := event.Parse([]byte(`
block: incr
title: a number and one
doc: the answer to x is x + 1
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: id, width: 2, doc: who}, {name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: answers, fields: [{name: id, width: 2, doc: who}, {name: y, width: 8, doc: answer}]}
`))
	require.NoError(t, err)
	return b
}

// Places in the records of the block: control bits, then id, then the number.
const (
	rstN, evValid, rspReady = 1, 2, 4 // of inputs
	evReady, rspValid       = 1, 2    // of outputs
)

func inFields(w uint64) (id, x uint64)  { return w >> 3 & 3, w >> 5 & 0xff }
func outFields(id, y uint64) uint64     { return id<<2 | y&0xff<<4 }
func evWords(id, x uint64) (w []uint64) { return []uint64{id<<3 | x<<5} }

// device answers each event after a latency of its own that depends on the number. What is wrong with it is
// up to the test.
type device struct {
	every    int // ready in one of so many cycles
	keyed    bool
	neverRdy bool
	wrongAt  int // answer number that is off by one
	dropAt   int
	twiceAt  int
	stuckAt  int
	badID    int
	fail     error
	atEnd    error // of the last clock edge
	drop     bool  // withdraws a response after a cycle of stall
	alter    bool  // changes it
	room     int   // answers that it holds, beyond which it loses them; 0: any number
	keeps    bool  // what it holds survives a reset

	cycle, answers, accepted int
	queue                    []reply
	steps                    int // calls
	held                     uint64
	shown                    bool
	gap                      int // nothing is shown up to this cycle
}

type reply struct {
	due  int
	id   uint64
	word uint64
}

func (d *device) Restart(uint32) error {
	*d = device{every: d.every, keyed: d.keyed, neverRdy: d.neverRdy, wrongAt: d.wrongAt, dropAt: d.dropAt,
		twiceAt: d.twiceAt, stuckAt: d.stuckAt, badID: d.badID, fail: d.fail, drop: d.drop, alter: d.alter, room: d.room,
		keeps: d.keeps}
	return nil
}

func (d *device) one(in uint64) uint64 {
	d.cycle++
	if in&rstN == 0 {
		if !d.keeps {
			d.queue, d.shown = nil, false
		}
		return 3 // noise: reset does not silence it
	}
	out := uint64(0)
	ready := d.cycle%max(d.every, 1) == 0 && !d.neverRdy && (d.stuckAt == 0 || d.accepted < d.stuckAt)
	if ready {
		out |= evReady
	}
	// What is shown stays until it is taken.
	if !d.shown && d.cycle > d.gap {
		at := -1
		for i := range d.queue {
			first := !slices.ContainsFunc(d.queue[:i], func(r reply) bool { return r.id == d.queue[i].id })
			if (i == 0 || d.keyed && first) && d.queue[i].due <= d.cycle {
				at = i
				break
			}
		}
		if at >= 0 {
			d.held, d.shown = d.queue[at].word, true
			d.queue = slices.Delete(d.queue, at, at+1)
		}
	}
	if d.shown {
		out |= rspValid | d.held
		if in&rspReady != 0 {
			d.shown = false
		} else if d.accepted > 20 {
			if d.drop {
				d.shown, d.gap = false, d.cycle+2
			}
			if d.alter {
				d.held ^= 1 << 4
			}
		}
	}
	if ready && in&evValid != 0 {
		d.accepted++
		id, x := inFields(in)
		y := x + 1
		d.answers++
		if d.answers == d.wrongAt {
			y++
		}
		if d.answers == d.badID {
			id ^= 1
		}
		r := reply{d.cycle + 1 + int(x%7), id, outFields(id, y)}
		if d.answers != d.dropAt && (d.room == 0 || len(d.queue) < d.room) {
			d.queue = append(d.queue, r)
		}
		if d.answers == d.twiceAt {
			d.queue = append(d.queue, r)
		}
	}
	return out
}

func (d *device) Step(in, out []uint64) error {
	d.steps++
	for i := range in {
		out[i] = d.one(in[i])
	}
	return d.fail
}

func (d *device) StepUntil(in, out []uint64, watch uint64) (int, error) {
	d.steps++
	for i := range out {
		if out[i] = d.one(in[min(i, len(in)-1)]); out[i]&watch != 0 {
			return i + 1, d.fail
		}
	}
	return len(out), d.fail
}

func (d *device) End() error { return d.atEnd }

// expect owes x + 1.
type expect struct {
	owed   [][]uint64
	resets int
}

func (e *expect) Reset() error { e.owed, e.resets = nil, e.resets+1; return nil }
func (e *expect) Accept(_ int, _ bool, w []uint64) error {
	id, x := inFields(w[0])
	e.owed = append(e.owed, []uint64{outFields(id, x+1)})
	return nil
}
func (e *expect) Next(int) ([]uint64, bool, error) {
	if len(e.owed) == 0 {
		return nil, false, nil
	}
	w := e.owed[0]
	e.owed = e.owed[1:]
	return w, true, nil
}
func (e *expect) Close() error { return nil }

func episode(n int, drive stim.DriveSpec) *stim.Episode {
	items := make([]stim.Item, n)
	for i := range items {
		items[i].Words = evWords(uint64(i%4), uint64(i*37%256))
	}
	if drive.Resets == nil {
		drive.Resets = []stim.Reset{{Low: 2}}
	}
	return stim.Recorded("test/0", "incr", 1, drive, items)
}

func play(t *testing.T, d *device, edit func(*Spec), drive stim.DriveSpec) Outcome {
	t.Helper()
	s := DefaultSpec(incrBlock(t))
	s.Patience, s.Flush = 3000, 64
	if edit != nil {
		edit(&s)
	}
	require.NoError(t, d.Restart(1))
	out, err := Play(t.Context(), d, &expect{}, episode(200, drive), s)
	require.NoError(t, err)
	return out
}

func TestPlayAgrees(t *testing.T) {
	stall := stim.DriveSpec{Stall: stim.Density(100), Idle: stim.Density(60)}
	for _, drive := range []stim.DriveSpec{{}, stall, {Stall: stim.Bursts(5, 90)}} {
		for _, every := range []int{1, 3, 40} {
			d := &device{every: every}
			out := play(t, d, nil, drive)
			require.Nil(t, out.Finding)
			require.Equal(t, []uint64{200, 200}, []uint64{out.Events, out.Responses})
			if every == 40 {
				require.Less(t, d.steps, 6*200+100, "many cycles a round trip")
			}
			again := play(t, d, nil, drive)
			require.Equal(t, out, again)
		}
	}
	// A reset in mid-stream drops what was under way on both sides.
	out := play(t, &device{every: 1}, nil, stim.DriveSpec{Resets: []stim.Reset{{Low: 1}, {After: 100, Low: 3}}})
	require.Nil(t, out.Finding)
	require.Equal(t, uint64(200), out.Events)
	require.Less(t, out.Responses, uint64(200))
}

func TestPlayOrders(t *testing.T) {
	out := play(t, &device{keyed: true}, nil, stim.DriveSpec{})
	require.NotNil(t, out.Finding, "a device that overtakes is wrong where order is demanded")
	for _, o := range []Order{Context, Tag} {
		out = play(t, &device{keyed: true}, func(s *Spec) { s.Order, s.Key = o, "id" }, stim.DriveSpec{})
		require.Nil(t, out.Finding)
		require.Equal(t, uint64(200), out.Responses)
	}
	keyed := func(s *Spec) { s.Order, s.Key = Context, "id" }
	out = play(t, &device{keyed: true, wrongAt: 50}, keyed, stim.DriveSpec{})
	require.Equal(t, Wrong, out.Finding.Kind)
	require.Equal(t, evWords(1, 49*37%256), out.Finding.Event)
	out = play(t, &device{keyed: true, badID: 200}, keyed, stim.DriveSpec{})
	require.Equal(t, Wrong, out.Finding.Kind)
	// The last of its key is missing, and others came after it.
	out = play(t, &device{keyed: true, dropAt: 197}, keyed, stim.DriveSpec{})
	require.NotNil(t, out.Finding)
	require.Equal(t, Missing, out.Finding.Kind)
	require.Equal(t, evWords(0, 196*37%256), out.Finding.Event)
	// What was overtaken and lost in a reset is owed no more.
	lost := false
	for after := range 40 {
		out = play(t, &device{keyed: true}, keyed,
			stim.DriveSpec{Resets: []stim.Reset{{Low: 1}, {After: 100 + after, Low: 3}}})
		require.Nil(t, out.Finding)
		lost = lost || out.Responses < 199
	}
	require.True(t, lost)
}

func TestPlayFinds(t *testing.T) {
	out := play(t, &device{wrongAt: 50}, nil, stim.DriveSpec{})
	f := out.Finding
	require.Equal(t, Wrong, f.Kind)
	require.Equal(t, uint64(49), out.Responses)
	require.Equal(t, evWords(1, 49*37%256), f.Event)
	require.Equal(t, f.Want[0]+1<<4, f.Got[0])
	last := f.Window[len(f.Window)-1]
	require.Equal(t, f.Cycle, last.N)
	require.Equal(t, f.Got[0], last.Out[0]&^3)

	out = play(t, &device{wrongAt: 50}, func(s *Spec) { s.Skip = []uint64{0xff << 4} }, stim.DriveSpec{})
	require.Nil(t, out.Finding, "a field that the design does not have is not compared")

	out = play(t, &device{dropAt: 200}, nil, stim.DriveSpec{})
	require.Equal(t, Missing, out.Finding.Kind)
	require.Equal(t, evWords(3, 199*37%256), out.Finding.Event)

	out = play(t, &device{twiceAt: 200}, nil, stim.DriveSpec{})
	require.Equal(t, Extra, out.Finding.Kind)

	out = play(t, &device{stuckAt: 70}, nil, stim.DriveSpec{})
	require.Equal(t, Stuck, out.Finding.Kind)
	require.False(t, out.Finding.Never)
	require.Equal(t, uint64(70), out.Events)

	out = play(t, &device{neverRdy: true}, nil, stim.DriveSpec{})
	require.True(t, out.Finding.Never)
	s := DefaultSpec(incrBlock(t))
	require.ErrorIs(t, s.Refused(out.Finding), ErrNeverReady)
	require.Less(t, out.Cycles, uint64(5000))
}

func TestPlaySides(t *testing.T) {
	s := DefaultSpec(incrBlock(t))
	out, err := Play(t.Context(), &device{fail: &client.RTLError{Cycle: 7, Text: "assertion"}}, &expect{},
		episode(3, stim.DriveSpec{}), s)
	require.NoError(t, err)
	require.Equal(t, RTL, out.Finding.Kind)
	require.Equal(t, uint64(7), out.Finding.Cycle)
	// At the last clock edge, which no step follows.
	out, err = Play(t.Context(), &device{atEnd: &client.RTLError{Cycle: 9, Text: "assertion"}}, &expect{},
		episode(3, stim.DriveSpec{}), s)
	require.NoError(t, err)
	require.Equal(t, RTL, out.Finding.Kind)
	require.Equal(t, uint64(9), out.Finding.Cycle)
	// An assertion that fails on the other side is not a finding of this one.
	for at := range 3 {
		ref := newLogger(t)
		require.NoError(t, ref.Restart(1))
		_, err = Play(t.Context(), newLogger(t), &breaks{NewPeer(t.Context(), ref, severalSpec(t)), at,
			&client.RTLError{Cycle: 7, Text: "assertion"}},
			numbers(t, "test/0", 20, stim.DriveSpec{}), severalSpec(t))
		var rtl *client.RTLError
		require.ErrorAs(t, err, &rtl, "%d", at)
	}
	gone := errors.New("gone")
	_, err = Play(t.Context(), &device{fail: gone}, &expect{}, episode(3, stim.DriveSpec{}), s)
	require.ErrorIs(t, err, gone)

	d := &device{neverRdy: true}
	require.ErrorIs(t, Probe(d, s), ErrNeverReady)
	require.NoError(t, Probe(&device{every: 900}, s))
	for _, bad := range []func(*Spec){func(s *Spec) { s.Order = "random" },
		func(s *Spec) { s.Order, s.Key = Tag, "nothing" }, func(s *Spec) { s.Flush = 0 }} {
		s := DefaultSpec(incrBlock(t))
		bad(&s)
		_, err = Play(t.Context(), d, &expect{}, episode(1, stim.DriveSpec{}), s)
		require.Error(t, err)
	}
}

// A response that is withdrawn or changed while it waits for ready is a broken handshake, not a wrong answer.
func TestPlayHandshake(t *testing.T) {
	for how, d := range map[string]*device{Withdrawn: {drop: true}, Altered: {alter: true}} {
		for _, drive := range []stim.DriveSpec{{Stall: stim.Density(500)}, {Stall: stim.Bursts(5, 90)}} {
			f := play(t, d, nil, drive).Finding
			require.NotNil(t, f)
			require.Equal(t, Unstable, f.Kind)
			require.Equal(t, how, f.Text)
			require.NotNil(t, f.Event)
		}
		require.Nil(t, play(t, d, nil, stim.DriveSpec{}).Finding, "without back-pressure nothing is wrong")
	}
}

// A response that is left out or comes twice is told from one that is wrong.
func TestPlayShifted(t *testing.T) {
	for want, d := range map[string]*device{"seems to be missing": {dropAt: 50},
		"seems to have come twice": {twiceAt: 50}} {
		f := play(t, d, nil, stim.DriveSpec{}).Finding
		require.Equal(t, Wrong, f.Kind)
		require.Contains(t, f.Text, want)
	}
	require.Empty(t, play(t, &device{wrongAt: 50}, nil, stim.DriveSpec{}).Finding.Text)
}

// breaks is an Expect one of whose calls fails.
type breaks struct {
	Expect
	at  int
	err error
}

func (b *breaks) Reset() error {
	if b.at == 0 {
		return b.err
	}
	return b.Expect.Reset()
}

func (b *breaks) Accept(stream int, pair bool, words []uint64) error {
	if b.at == 1 {
		return b.err
	}
	return b.Expect.Accept(stream, pair, words)
}

func (b *breaks) Next(stream int) ([]uint64, bool, error) {
	if b.at == 2 {
		return nil, false, b.err
	}
	return b.Expect.Next(stream)
}

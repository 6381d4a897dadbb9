package elastic

import (
	"context"
	"slices"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Chunk is how many cycles the reference runs ahead before the device runs the same.
const Chunk = 128

// PlayExact plays an episode on two devices that must agree cycle by cycle: the reference's ready decides what
// comes next. The caller has restarted both. The Finding's Want and Got are whole output records.
func PlayExact(ctx context.Context, dev, ref Device, ep *stim.Episode, spec Spec) (Outcome, error) {
	if err := spec.Validate(); err != nil {
		return Outcome{}, err
	}
	x := newExact(dev, &spec)
	x.driver.Begin(spec.Calm(ep))
	x.next = func() (bool, error) {
		more, err := x.drive(ref)
		return more, referred(err)
	}
	return x.play(ctx)
}

// PlayCycles plays recorded cycles on a device, which the caller has restarted: next fills in what is driven
// and what must be seen, or returns false at the end.
func PlayCycles(ctx context.Context, dev Device, next func(in, want []uint64) (bool, error),
	spec Spec) (Outcome, error) {
	if err := spec.Validate(); err != nil {
		return Outcome{}, err
	}
	x := newExact(dev, &spec)
	x.next = func() (bool, error) { return next(x.in, x.want) }
	x.recorded = true
	return x.play(ctx)
}

func newExact(dev Device, spec *Spec) *exact {
	p := newPlayer(dev, nil, spec)
	theirs := *spec
	theirs.Port = spec.RefPort
	return &exact{player: p, want: make([]uint64, p.outWords), tail: newTail(len(p.outs)), theirs: &theirs,
		judge: NewWatch(&theirs)}
}

func (x *exact) play(ctx context.Context) (Outcome, error) {
	return x.ended(x.all(ctx))
}

// exact is an episode of cycles whose outputs are known.
type exact struct {
	*player
	next   func() (bool, error) // fills in the inputs and the wanted outputs of the next cycle
	want   []uint64             // of one cycle
	inputs []uint64             // input records of the chunk
	wants  []uint64
	idle   int    // cycles since a stream moved in the reference
	tail   tail   // of the reference
	theirs *Spec  // of the reference, for messages
	judge  *Watch // of the reference
	// recorded is set when the reference is a file: a cycle of it that breaks the handshake is compared like any other,
	// and the file is at fault only when the device breaks it in the same way.
	recorded bool
}

// all plays until there is no next cycle.
func (x *exact) all(ctx context.Context) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		x.inputs, x.wants = x.inputs[:0], x.wants[:0]
		for range Chunk {
			var err error
			if more, err = x.next(); err == nil && more {
				if err = referred(x.judge.Look(x.in, x.want)); err != nil && x.recorded {
					x.inputs, x.wants = append(x.inputs, x.in...), append(x.wants, x.want...)
				}
			}
			if err != nil {
				return x.gaveUp(err)
			}
			if !more {
				break
			}
			x.inputs = append(x.inputs, x.in...)
			x.wants = append(x.wants, x.want...)
		}
		if err := x.follow(); err != nil || x.res.Finding != nil {
			return err
		}
	}
	return x.dev.End()
}

// gaveUp returns the error of a reference that gave up, once the device has run the cycles that it gave before: what
// differs there was found before it broke, and counts.
func (x *exact) gaveUp(err error) error {
	stuck := x.res.Finding // the event that the reference refused
	x.res.Finding = nil
	if follow := x.follow(); follow != nil || x.res.Finding != nil {
		return follow
	}
	x.broke, x.res.Finding = true, stuck
	return err
}

// drive runs a cycle of the reference; false when the episode is over and the reference has been silent for as
// long as an answer may take.
func (x *exact) drive(ref Device) (bool, error) {
	if x.driver.Drained() && x.idle >= x.spec.Flush {
		return false, ref.End()
	}
	if x.driver.Drained() {
		if err := x.tail.check(x.theirs); err != nil {
			return false, err
		}
	}
	if x.driver.Drained() || !x.driver.Drive(x.in) {
		clear(x.in)
		x.in[0] = x.rstN | readies(x.outs)
	}
	if err := ref.Step(x.in, x.want); err != nil {
		return false, err
	}
	x.driver.Observe(x.want)
	x.idle++
	x.tail.cycles++
	if x.in[0]&x.rstN == 0 {
		x.idle = 0
		x.tail.begin()
		return true, nil
	}
	for i := range x.ins {
		s := &x.ins[i]
		switch {
		case !s.Offered(x.in):
		case s.Taken(x.want):
			x.wait[i], x.idle = 0, 0
			x.tail.begin()
		default:
			if x.wait[i]++; x.wait[i] >= x.spec.Patience {
				f := Finding{Kind: Stuck, Stream: i, Lane: i, Event: s.fields(x.in)}
				x.res.Finding = &f
				return false, x.theirs.Stopped(&f, x.driver.Accepted() > 0)
			}
		}
	}
	for i := range x.outs {
		if x.outs[i].Offered(x.want) {
			x.idle = 0
			x.tail.transfers[i]++
		}
	}
	return true, nil
}

// follow runs the chunk on the device and compares.
func (x *exact) follow() error {
	n := len(x.inputs) / len(x.in)
	if n == 0 {
		return nil
	}
	out := x.many[:n*x.outWords]
	if err := x.dev.Step(x.inputs, out); err != nil {
		return err
	}
	in := x.in
	defer func() { x.in = in }()
	for i := range n {
		x.in, x.out = x.inputs[i*len(in):(i+1)*len(in)], out[i*x.outWords:(i+1)*x.outWords]
		want := x.wants[i*x.outWords : (i+1)*x.outWords]
		x.note(x.out)
		stream, how := x.stable()
		bad := x.differs(want)
		x.judgedWhole(want)
		if bad >= 0 && stream >= 0 {
			x.found(x.unstable(stream, how))
			return nil
		}
		if bad >= 0 {
			f := Finding{Kind: Differs, Want: slices.Clone(want), Got: slices.Clone(x.out)}
			if c := x.board.cause[min(bad, len(x.outs)-1)]; bad < len(x.outs) && c >= 0 && len(x.board.events[bad]) > 0 {
				f.Stream, f.Lane, f.Event = bad, c, x.board.events[bad][0]
			}
			x.shown(want)
			x.found(f)
			return nil
		}
		x.agreed(want)
	}
	return nil
}

// differs returns the first output stream that differs, len(outs) for a ready, -1 for none.
func (x *exact) differs(want []uint64) int {
	for i := range x.outs {
		o := &x.outs[i]
		if (want[0]^x.out[0])&o.Valid != 0 {
			return i
		}
		if o.Offered(want) && x.differ(i, want, x.out) {
			return i
		}
	}
	for i := range x.ins {
		if (want[0]^x.out[0])&x.ins[i].Ready != 0 {
			return len(x.outs)
		}
	}
	return -1
}

// shown counts the responses that either side shows in a cycle that differs.
func (x *exact) shown(want []uint64) {
	for i := range x.outs {
		switch s := &x.outs[i]; {
		case s.Offered(want):
			x.differing(i, want, want)
		case s.Offered(x.out):
			x.differing(i, nil, x.out)
		}
	}
}

// agreed counts what moved in a cycle on which both agree.
func (x *exact) agreed(want []uint64) {
	if x.in[0]&x.rstN == 0 {
		x.board.reset()
		x.clearFrames()
		return
	}
	for i := range x.ins {
		if s := &x.ins[i]; s.Moves(x.in, want) {
			x.took(i, s.fields(x.in))
		}
	}
	for i := range x.outs {
		s := &x.outs[i]
		if !s.Moves(want, x.in) {
			continue
		}
		x.matched(i, want, s.fields(want))
		x.frames[i].Take(want, s.Ends(want))
		if s.Ends(want) {
			x.res.Responses++
			if q := x.board.events[i]; len(q) > 0 {
				x.board.events[i] = q[1:]
			}
		}
	}
}

package elastic

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/gen"
)

// chunk is how many cycles the reference runs ahead before the device runs the same.
const chunk = 128

// PlayExact plays an episode on two devices that must agree cycle by cycle: the reference's ready decides what
// comes next. The caller has restarted both. The Finding's Want and Got are whole output records.
func PlayExact(ctx context.Context, dev, ref Device, ep *gen.Episode, spec Spec) (Outcome, error) {
	if err := spec.Validate(); err != nil {
		return Outcome{}, err
	}
	p := newPlayer(dev, nil, &spec)
	p.driver.Begin(spec.calm(ep))
	x := exact{player: p, ref: ref, want: make([]uint64, p.outWords)}
	err := x.all(ctx)
	p.res.Digest = uint64(p.digest)
	var rtl *client.RTLError
	if errors.As(err, &rtl) && !x.refBroke {
		err = nil
		p.found(Finding{Kind: RTL, Text: rtl.Text})
		p.res.Finding.Cycle = rtl.Cycle
	}
	return p.res, err
}

// exact is an episode on two devices.
type exact struct {
	*player
	ref      Device
	want     []uint64 // of one cycle
	ins2     []uint64 // input records of the chunk
	wants    []uint64
	refBroke bool
	idle     int // cycles since a stream moved in the reference
}

// all plays until the driver is done and the reference has been silent for as long as an answer may take.
func (x *exact) all(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		x.ins2, x.wants = x.ins2[:0], x.wants[:0]
		done := false
		for range chunk {
			if x.driver.Drained() && x.idle >= x.spec.Flush {
				done = true
				break
			}
			if err := x.lead(); err != nil {
				return err
			}
		}
		if err := x.follow(); err != nil || x.res.Finding != nil || done {
			return err
		}
		for i := range x.wait {
			if x.wait[i] >= x.spec.Patience {
				x.found(Finding{Kind: Stuck, Stream: i, Lane: i, Event: x.ins[i].fields(x.in), Never: !x.ready[i]})
				return nil
			}
		}
	}
}

// lead runs a cycle of the reference.
func (x *exact) lead() error {
	if x.driver.Drained() || !x.driver.Drive(x.in) {
		clear(x.in)
		x.in[0] = x.rstN
		for _, o := range x.outs {
			x.in[0] |= o.ready
		}
	}
	if err := x.ref.Step(x.in, x.want); err != nil {
		x.refBroke = true
		return err
	}
	x.driver.Observe(x.want)
	x.ins2 = append(x.ins2, x.in...)
	x.wants = append(x.wants, x.want...)
	x.idle++
	if x.in[0]&x.rstN == 0 {
		x.idle = 0
	}
	for i := range x.ins {
		s := &x.ins[i]
		x.ready[i] = x.ready[i] || x.want[0]&s.ready != 0
		switch {
		case x.in[0]&s.valid == 0:
		case x.want[0]&s.ready == 0 && x.in[0]&x.rstN != 0:
			x.wait[i]++
		default:
			x.wait[i], x.idle = 0, 0
		}
	}
	for i := range x.outs {
		if x.want[0]&x.outs[i].valid != 0 {
			x.idle = 0
		}
	}
	return nil
}

// follow runs the chunk on the device and compares.
func (x *exact) follow() error {
	n := len(x.ins2) / len(x.in)
	if n == 0 {
		return nil
	}
	out := x.many[:n*x.outWords]
	if err := x.dev.Step(x.ins2, out); err != nil {
		return err
	}
	in := x.in
	defer func() { x.in = in }()
	for i := range n {
		x.in, x.out = x.ins2[i*len(in):(i+1)*len(in)], out[i*x.outWords:(i+1)*x.outWords]
		want := x.wants[i*x.outWords : (i+1)*x.outWords]
		x.note(x.out)
		if bad := x.differs(want); bad >= 0 {
			f := Finding{Kind: Differs, Want: append([]uint64(nil), want...), Got: append([]uint64(nil), x.out...)}
			if c := x.board.cause[min(bad, len(x.outs)-1)]; bad < len(x.outs) && c >= 0 && len(x.board.events[bad]) > 0 {
				f.Stream, f.Lane, f.Event = bad, c, x.board.events[bad][0]
			}
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
		if (want[0]^x.out[0])&o.valid != 0 {
			return i
		}
		for w, m := range o.mask {
			if want[0]&o.valid != 0 && (want[w]^x.out[w])&m != 0 {
				return i
			}
		}
	}
	for i := range x.ins {
		if (want[0]^x.out[0])&x.ins[i].ready != 0 {
			return len(x.outs)
		}
	}
	return -1
}

// agreed counts what moved in a cycle on which both agree.
func (x *exact) agreed(want []uint64) {
	if x.in[0]&x.rstN == 0 {
		x.board.reset()
		return
	}
	for i := range x.ins {
		s := &x.ins[i]
		if x.in[0]&s.valid == 0 || want[0]&s.ready == 0 {
			continue
		}
		if s.ends(x.in) {
			x.res.Events++
		}
		x.res.Taken[i]++
		words := s.fields(x.in)
		x.digest = x.digest.Add(words)
		x.board.accept(i, words)
	}
	for i := range x.outs {
		s := &x.outs[i]
		if want[0]&s.valid == 0 || x.in[0]&s.ready == 0 {
			continue
		}
		x.digest = x.digest.Add(s.fields(want))
		if s.ends(want) {
			x.res.Responses++
			if q := x.board.events[i]; len(q) > 0 {
				x.board.events[i] = q[1:]
			}
		}
	}
}

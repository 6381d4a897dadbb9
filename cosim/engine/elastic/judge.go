package elastic

import (
	"context"
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// ReferenceError is a failure of the second design of PlayExact, of the recorded cycles of PlayCycles or of the device
// of Holds: not of the design under test.
type ReferenceError struct{ Err error }

func (e *ReferenceError) Error() string { return e.Err.Error() } // the caller adds its name

// Unwrap returns what failed.
func (e *ReferenceError) Unwrap() error { return e.Err }

// referred marks an error as one of the reference; nil for nil.
func referred(err error) error {
	if err == nil {
		return nil
	}
	return &ReferenceError{err}
}

// HandshakeError is the error of a device that breaks the handshake of an output stream, so that it cannot serve as a
// reference.
type HandshakeError struct {
	Stream string
	How    string // Withdrawn or Altered
	Cycle  uint64 // of the episode
	text   string
}

func (e *HandshakeError) Error() string { return e.text }

// Watch watches the handshake of a device that serves as a reference.
type Watch struct {
	steady
	cycle uint64
}

// NewWatch returns a watch for an episode. It uses only the block, the relaxed rules, Skip and Port of the spec.
func NewWatch(spec *Spec) *Watch {
	l := event.NewLayout(spec.Block)
	_, outs := portsOf(l)
	for i := range outs {
		for w := range spec.Skip {
			outs[i].mask[w] &^= spec.Skip[w]
		}
	}
	return &Watch{steady: newSteady(spec, outs, l.Reset())}
}

// Begin begins an episode.
func (w *Watch) Begin() {
	w.forget()
	w.cycle = 0
}

// Look looks at the next cycle. Its error is a *HandshakeError.
func (w *Watch) Look(in, out []uint64) error {
	cycle := w.cycle
	w.cycle++
	i, how := w.look(in, out)
	if i < 0 {
		return nil
	}
	name := w.outs[i].Name
	return &HandshakeError{Stream: name, How: how, Cycle: cycle,
		text: fmt.Sprintf("it breaks the handshake: in cycle %d a response of %s that waited for %s was %s",
			cycle, w.spec.Control(name+"_valid"), w.spec.Control(name+"_ready"), how)}
}

// Holds plays an episode on a reference for its handshake alone, with the idles, back-pressure and resets of the
// episode, and returns how many events it took. It is for a reference whose outputs are open when it is compared (see
// Peer), so that what it does under back-pressure does not show there. The caller has restarted it. The error is a
// *ReferenceError that wraps a *HandshakeError, or that of a device that broke. A reference that stops under
// back-pressure, by itself or by an assertion, only ends the episode here: the comparison finds it where it matters.
func Holds(ctx context.Context, ref Device, ep *stim.Episode, spec Spec) (events uint64, err error) {
	if err := spec.Validate(); err != nil {
		return 0, err
	}
	p, watch := newPlayer(ref, nil, &spec), NewWatch(&spec)
	p.driver.Begin(spec.Calm(ep))
	for n, quiet := 0, 0; p.driver.Drive(p.in); n++ {
		if n&0xFF == 0 && ctx.Err() != nil {
			return events, context.Cause(ctx)
		}
		low, times := p.in[0]&p.rstN == 0, 1
		if low && !p.low {
			times = spec.ResetCycles
		}
		p.low = low
		for range times {
			err := ref.Step(p.in, p.out)
			var rtl *client.RTLError
			if errors.As(err, &rtl) {
				return events, nil
			}
			if err == nil {
				err = watch.Look(p.in, p.out)
			}
			if err != nil {
				return events, referred(err)
			}
		}
		p.driver.Observe(p.out)
		quiet++
		if taken := uint64(p.driver.Accepted()); taken != events || low {
			events, quiet = taken, 0
		}
		if quiet >= spec.Patience || p.driver.Drained() && quiet >= spec.Flush {
			break
		}
	}
	return events, nil
}

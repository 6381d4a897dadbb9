package elastic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// ErrReset marks a design that does not behave in reset, or right after it, as its binding promises.
var ErrReset = errors.New("the reset does not hold the design")

// resetSeeds is how many initial register contents ProbeReset tries: a valid that no reset clears shows in
// half of them. resetIdle is for how many cycles it watches each.
const resetSeeds, resetIdle = 4, 64

// Early returns the error of a design that shows an output valid, by its place among the output streams,
// although it was given no event; when describes the moment.
func (s *Spec) Early(stream int, when string) error {
	fix := "check the reset's polarity (reset.active) and its length (reset.cycles) in the binding"
	if s.NoReset {
		fix = "the binding has reset: none, so the design needs initial values that keep it silent, or name its reset"
	}
	return fmt.Errorf("%w: %s is high %s; %s", ErrReset, s.control(event.Out, stream, "_valid"), when, fix)
}

// ProbeReset checks, before anything is compared, that a design's reset is as the binding describes it: held in
// reset no output may be valid, after it none before an event was offered, and a design that answers events in
// reset and not after it has the other polarity. Spontaneous allows outputs that come without an event. The
// error is ErrReset or the device's own; the device must be restarted afterwards.
func ProbeReset(dev Device, spec Spec, spontaneous bool) error {
	p := newPlayer(dev, nil, &spec)
	for seed := range uint32(resetSeeds) {
		if err := dev.Restart(seed + 1); err != nil {
			return err
		}
		if err := p.hold(); err != nil {
			return err
		}
		if i := p.shown(p.out); i >= 0 {
			return spec.Early(i, fmt.Sprintf("in reset, after %d cycles of it", spec.ResetCycles))
		}
		if spontaneous {
			continue
		}
		p.in[0] = p.rstN
		if i, err := p.until(resetIdle); err != nil {
			return err
		} else if i >= 0 {
			return spec.Early(i, "after reset and before any event was offered")
		}
	}
	if err := dev.Restart(1); err != nil {
		return err
	}
	if err := p.hold(); err != nil { // otherwise the initial contents would answer
		return err
	}
	in, err := p.offered(0, resetIdle)
	if err != nil || in < 0 {
		return err
	}
	if err := p.hold(); err != nil {
		return err
	}
	if after, err := p.offered(p.rstN, spec.Patience); err != nil || after >= 0 {
		return err
	}
	return spec.Early(in, fmt.Sprintf("in reset with events offered, and stays low for %d cycles of them after it",
		max(resetIdle, spec.Flush)))
}

// hold holds the device in reset with nothing offered, a cycle longer than the binding asks for.
func (p *player) hold() error {
	clear(p.in)
	for range p.spec.ResetCycles + 1 {
		if err := p.dev.Step(p.in, p.out); err != nil {
			return err
		}
	}
	return nil
}

// offered offers events of zeros with open outputs and returns the output stream that shows a response once
// one was taken, or -1: within patience none was, or none came.
func (p *player) offered(word uint64, patience int) (int, error) {
	clear(p.in)
	ready := readies(p.ins)
	p.in[0] = word | valids(p.ins) | readies(p.outs)
	for taken := false; !taken; {
		if patience <= 0 {
			return -1, nil
		}
		n, err := p.dev.StepUntil(p.in, p.many[:min(leap, patience)*p.outWords], ready)
		if err != nil {
			return -1, err
		}
		patience -= n
		last := p.many[(n-1)*p.outWords : n*p.outWords]
		if taken = last[0]&ready != 0; taken && p.shown(last) >= 0 {
			return p.shown(last), nil
		}
	}
	return p.until(max(resetIdle, p.spec.Flush))
}

// until runs this many cycles and returns the output stream that becomes valid first, or -1.
func (p *player) until(cycles int) (int, error) {
	for cycles > 0 {
		n, err := p.dev.StepUntil(p.in, p.many[:min(leap, cycles)*p.outWords], valids(p.outs))
		if err != nil {
			return -1, err
		}
		if i := p.shown(p.many[(n-1)*p.outWords : n*p.outWords]); i >= 0 {
			return i, nil
		}
		cycles -= n
	}
	return -1, nil
}

// shown returns the first output stream that is valid in a record, or -1.
func (p *player) shown(out []uint64) int {
	return slices.IndexFunc(p.outs, func(o port) bool { return o.Offered(out) })
}

// Probe resets a device and offers it an event of zeros on every input stream until one of them is ready. It
// errors with ErrNeverReady when none is within Spec.Patience, and with the device's own error. The device
// must be restarted afterwards.
func Probe(dev Device, spec Spec) error {
	p := newPlayer(dev, nil, &spec)
	for range spec.ResetCycles {
		if err := dev.Step(p.in, p.out); err != nil {
			return err
		}
	}
	p.in[0] = p.rstN | valids(p.ins) | readies(p.outs)
	watch := readies(p.ins)
	for cycles := 0; cycles < spec.Patience; {
		n, err := dev.StepUntil(p.in, p.many, watch)
		if err != nil {
			return err
		}
		if p.many[(n-1)*p.outWords]&watch != 0 {
			return nil
		}
		cycles += n
	}
	return spec.Refused(&Finding{Stream: 0, Cycle: uint64(spec.Patience)})
}

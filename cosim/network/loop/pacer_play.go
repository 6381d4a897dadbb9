package loop

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/golden/units"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// newPacer makes the pacers of hosts whose senders name a control that has them in hardware.
func (r *closed) newPacer(spec transport.PacerSpec) (transport.Pacer, error) {
	var fixed, rtl string
	for _, pair := range Pairs[1:] {
		if slices.Contains(spec.Controls, pair[0]) {
			fixed = pair[0]
		}
		if slices.Contains(spec.Controls, pair[1]) {
			rtl = pair[1]
		}
	}
	switch {
	case rtl != "" && fixed != "":
		return nil, fmt.Errorf("one pacer serves all senders of a host; these name both %s and %s: use one of them",
			fixed, rtl)
	case rtl == "" && fixed == "":
		return nil, nil
	}
	p, err := newPacer(spec, nil)
	if err != nil {
		return nil, err
	}
	p.rtl = rtl != ""
	r.pacers = append(r.pacers, p)
	return p, nil
}

// Paced is what the device of pacers did in one run: the pacers of all hosts, one after the other.
type Paced struct {
	Pacers int
	Pulls  uint64 // that the network got, each compared; of the pacers before Left
	Cycles uint64
	Left   *Left // where the design left the model, which the network has followed all the same
}

// pullKind is Left.Kind of a pacer.
const pullKind = "pull"

// playPacers plays the pacers of a run that is over on the device. It returns an error if the block refused an event,
// the model gives other pulls than the network got, or the device has not compared every cycle.
func (r *closed) playPacers() (done Paced, err error) {
	var all []*pacer
	for _, p := range r.pacers {
		if p.err != nil {
			return done, fmt.Errorf("pacer of host %d: %w", p.spec.Host, p.err)
		}
		if p.rtl && len(p.wants) > 0 {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return done, nil
	}
	if err := r.BuildPacer(r.ctx); err != nil {
		return done, err
	}
	d, err := r.startPlaying(r.Pacer)
	if err != nil {
		return done, err
	}
	defer d.dev.Close()
	for i, p := range all {
		if done.Left, err = d.play(p, uint32(i+1)); err != nil {
			return done, fmt.Errorf("pacer of host %d: %w", p.spec.Host, err)
		}
		done.Pacers++
		done.Cycles += d.cycles
		if done.Left != nil {
			break
		}
		done.Pulls += uint64(len(p.gave))
	}
	return done, nil
}

// play holds the device against a new model of the pacer in every cycle that is played, and the model
// against what the network got.
func (d *playing) play(p *pacer, seed uint32) (*Left, error) {
	var again *pacer
	out, err := d.run(port.Schema(), seed, func(each func(in, out []uint64) bool) (err error) {
		again, err = p.replay(each)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case out.Failed():
		return p.left(&out)
	}
	return nil, again.same(p)
}

// same returns an error unless the pulls of a pacer that was played again are those that the network got.
func (p *pacer) same(first *pacer) error {
	want := append(slices.Clone(first.gave), first.pulls...)
	for i, x := range p.pulls {
		if i >= len(want) || x != want[i] {
			return fmt.Errorf("the model gives pull %d, %v, other than the network got", i+1, x)
		}
	}
	if len(p.pulls) < len(want) {
		return fmt.Errorf("the model gives %d pulls and the network got %d", len(p.pulls), len(want))
	}
	return nil
}

// left returns where the device left the model of the pacer.
func (p *pacer) left(out *device.Outcome) (*Left, error) {
	cycles := out.FailedAt()
	x := &Left{Cycle: cycles, Kind: pullKind, NIC: p.spec.Host}
	again, err := p.replay(func(_, _ []uint64) bool { cycles--; return cycles+1 > 0 })
	if err != nil {
		return nil, err
	}
	x.Event, x.Time = uint64(len(again.pulls))+1, units.Picos(again.cycle)*fields.CreditCycle
	if out.RTL != nil {
		x.RTL = out.RTL.Text
	}
	return x, nil
}

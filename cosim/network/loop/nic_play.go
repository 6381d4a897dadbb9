package loop

import (
	"fmt"
	"math/bits"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
	model "github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// tape holds what a NIC was given in every cycle: equal inputs that follow each other once, and of each its words other
// than 0.
type tape struct {
	runs   []tapeRun
	words  []uint64
	last   [port.InWords]uint64
	rule   *wire.Rule
	sum    wire.Digest // of all outputs
	cycles uint64
	idle   uint64 // cycles before the network begins
}

// tapeRun is a number of cycles with the same inputs, and which of their words are not 0.
type tapeRun struct {
	cycles uint32
	mask   uint16
}

func newTape() *tape {
	schema := port.Schema()
	return &tape{rule: wire.NewRule(schema, event.NewLayout(schema))}
}

// add takes a cycle.
func (t *tape) add(in, out []uint64) {
	t.sum = t.rule.Digest(t.sum, out)
	if t.cycles++; len(t.runs) > 0 && [port.InWords]uint64(in) == t.last && t.runs[len(t.runs)-1].cycles+1 != 0 {
		t.runs[len(t.runs)-1].cycles++
		return
	}
	r := tapeRun{cycles: 1}
	for i, w := range in {
		if w != 0 {
			r.mask |= 1 << i
			t.words = append(t.words, w)
		}
	}
	t.runs, t.last = append(t.runs, r), [port.InWords]uint64(in)
}

// play gives the cycles to a new model, and those and its outputs to each, until that returns false.
func (t *tape) play(params model.Spec, each func(in, out []uint64) bool) error {
	m, err := model.New(params)
	if err != nil {
		return err
	}
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	words := t.words
	for _, r := range t.runs {
		clear(in[:])
		for mask := r.mask; mask != 0; mask &= mask - 1 {
			in[bits.TrailingZeros16(mask)], words = words[0], words[1:]
		}
		for range r.cycles {
			m.Cycle(in[:], out[:])
			if !each(in[:], out[:]) {
				return nil
			}
		}
	}
	return nil
}

// Carried is what the device of NICs did in one run: the NICs of all hosts, one after the other.
type Carried struct {
	NICs   int
	Frames uint64 // that came in and left; of the NICs before Left
	Cycles uint64
	Left   *Left // where the design left the model, which the network has followed all the same
}

// nicKind is Left.Kind of a NIC.
const nicKind = "frame"

// playNICs plays the NICs of a run that is over on the device. It returns an error if the model does other than in the
// network, or the device has not compared every cycle.
func (r *closed) playNICs() (done Carried, err error) {
	var all []*hostNIC
	for _, n := range r.nics {
		if n.block != nil && n.tape != nil {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return done, nil
	}
	if err := r.BuildNIC(r.ctx); err != nil {
		return done, err
	}
	d, err := r.startPlaying(r.NIC)
	if err != nil {
		return done, err
	}
	defer d.dev.Close()
	for i, n := range all {
		out, err := d.run(port.Schema(), uint32(i+1), func(each func(in, out []uint64) bool) error {
			return n.tape.play(n.host.params, each)
		})
		if err == nil && !out.Failed() && (d.cycles != n.tape.cycles || d.sum != n.tape.sum) {
			err = fmt.Errorf("the model gives other outputs than the network got in %d cycles", n.tape.cycles)
		}
		if err != nil {
			return done, fmt.Errorf("NIC of host %d: %w", n.spec.Host, err)
		}
		done.NICs++
		done.Cycles += d.cycles
		if out.Failed() {
			done.Left = n.left(&out)
			break
		}
		done.Frames += n.frames
	}
	return done, nil
}

// left returns where the design left the model of a NIC.
func (n *hostNIC) left(out *device.Outcome) *Left {
	at := out.FailedAt()
	x := &Left{Cycle: at, Kind: nicKind, NIC: n.spec.Host}
	if at > n.tape.idle {
		x.Time = units.Picos(at-n.tape.idle) * transport.Period
	}
	if out.RTL != nil {
		x.RTL = out.RTL.Text
		return x
	}
	m := out.Mismatch
	record := func(all []uint64) []uint64 { return all[(m.Cycle-m.From)*port.OutWords:][:port.OutWords] }
	for part := range event.NewLayout(port.Schema()).Differ(record(m.Want), record(m.Got)) {
		x.Port = part.Name()
		break
	}
	return x
}

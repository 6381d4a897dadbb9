package loop

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event"
	port "github.com/goldwire/goldwire/vectors/event/nic"
)

// tape holds what a NIC was given and gave in every cycle: equal cycles that follow each other once, and of each its
// words other than 0.
type tape struct {
	runs  []tapeRun
	words []uint64
	last  ports
	idle  uint64 // cycles before the network begins
}

// ports is what a NIC is given and gives in a cycle.
type ports struct {
	in  [port.InWords]uint64
	out [port.OutWords]uint64
}

// tapeRun is a number of equal cycles, and which of their words are not 0.
type tapeRun struct {
	cycles, out uint32
	in          uint16
}

// add takes n equal cycles.
func (t *tape) add(c *ports, n int) {
	if k := len(t.runs) - 1; k >= 0 && *c == t.last && t.runs[k].cycles <= math.MaxUint32-uint32(n) {
		t.runs[k].cycles += uint32(n)
		return
	}
	t.runs, t.last = append(t.runs, tapeRun{cycles: uint32(n), in: uint16(t.keep(c.in[:])), out: t.keep(c.out[:])}), *c
}

// keep keeps the words that are not 0, and returns which these are.
func (t *tape) keep(words []uint64) (mask uint32) {
	for i, w := range words {
		if w != 0 {
			mask |= 1 << i
			t.words = append(t.words, w)
		}
	}
	return mask
}

// play gives the cycles to each, until that returns false.
func (t *tape) play(each func(in, out []uint64) bool) {
	kept := t.words
	fill := func(words []uint64, mask uint32) {
		clear(words)
		for ; mask != 0; mask &= mask - 1 {
			words[bits.TrailingZeros32(mask)], kept = kept[0], kept[1:]
		}
	}
	var c ports
	for _, r := range t.runs {
		fill(c.in[:], uint32(r.in))
		fill(c.out[:], r.out)
		for range r.cycles {
			if !each(c.in[:], c.out[:]) {
				return
			}
		}
	}
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

// playNICs plays the NICs of a run that is over on the device. It returns an error if the device has not compared every
// cycle.
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
			n.tape.play(each)
			return nil
		})
		if all := n.tape.idle + uint64(n.next); err == nil && !out.Failed() && d.cycles != all {
			err = fmt.Errorf("of the %d cycles of the network, the device played %d", all, d.cycles)
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

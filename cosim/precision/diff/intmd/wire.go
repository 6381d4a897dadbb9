package intmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// field is a value of the table.
type field uint8

// The values, in the order of the table. The first two are registers.
const (
	step field = iota
	setTime
	clock
	sent
	queue
	rate
	ts
	txBytes
	qLen
	numFields
)

var fieldNames = [numFields]string{"STEP", "TIME", "time", "tx", "ql", "B", "TS", "txBytes", "qLen"}

// wire is the arithmetic of a table of formats.
type wire struct {
	fixed.Context
	values [numFields]formats.Value
	units  [numFields]int64 // of one step of the integer bits, in ns, bytes or 1
	use    [numFields]fixed.Counts
}

// newWire returns the arithmetic, and an error when the table lacks a value.
func newWire(t *formats.Table) (*wire, error) {
	w := &wire{}
	for f, name := range fieldNames {
		v, ok := t.Lookup(name)
		if !ok || v.Name != name {
			return nil, fmt.Errorf("formats: value %s is missing", name)
		}
		w.values[f], w.units[f] = *v, 1
		if strings.HasSuffix(v.Unit, " bytes") {
			if _, err := fmt.Sscanf(v.Unit, "%d bytes", &w.units[f]); err != nil || w.units[f] < 1 {
				return nil, fmt.Errorf("formats: value %s: unit %q: give a number of bytes", name, v.Unit)
			}
		}
	}
	return w, nil
}

// Changeable returns an error when a table has a format that the measurement has no meaning for.
func Changeable(t *formats.Table) error {
	w, err := newWire(t)
	if err != nil {
		return err
	}
	for f := range numFields {
		v := &w.values[f]
		if v.Format.Signed {
			return fmt.Errorf("value %s: no value of intmd is negative; give an unsigned format", v.Name)
		}
		if (f == clock || f == sent || f == queue) && v.Over != formats.Wrap {
			return fmt.Errorf("value %s: a counter that stops at its end is of no use to a reader; give wrap", v.Name)
		}
	}
	if v := &w.values[queue]; v.Format.Int > 32 {
		return errors.New("value ql: reports of queues are modulo 2^32; give at most 32 integer bits")
	}
	// A time of more bits would need more than float64 has, in which bounds are computed.
	if v := &w.values[clock]; int(v.Format.Int)+int(v.Format.Frac) > 48 {
		return errors.New("value time: give at most 48 bits")
	}
	return nil
}

// fit returns x / unit in the format of a value.
func (w *wire) fit(f field, x fixed.Num) (fixed.Num, fixed.Flags) {
	v, flags := &w.values[f], fixed.Flags(0)
	if w.units[f] != 1 {
		x, flags = w.Quo(x, fixed.Of(w.units[f], 0), v.Format.Frac, v.Round)
	}
	y, more := w.Quantise(x, v.Format, v.Round, v.Over)
	flags |= more
	w.use[f].Note(flags)
	return y, flags
}

// real returns a number of a value in ns, bytes or 1.
func (w *wire) real(f field, x fixed.Num) fixed.Num {
	if w.units[f] == 1 {
		return x
	}
	return w.Mul(x, fixed.Of(w.units[f], 0))
}

package event

import "iter"

// This file is the compare rule of the package comment in Go: every control bit of an output record counts, and the
// fields of a stream where the record that is wanted has its valid. Everything that compares records calls it, with two
// deliberate exceptions: the C++ shell, which compares in the simulator and whose verdict the digest of bridge/wire
// checks, and vectors/tool/diff, which compares the columns of files whose schemas may differ.

// Part is the unit of comparison: a control bit, or a field of a stream.
type Part struct {
	Control *Control // nil for a field
	Port    *Port    // of the field; nil for a control bit
	Slot    *Slot    // the field; nil for a control bit
}

// Name returns the name of the part's port, for example rsp_valid or rsp_cwnd.
func (p Part) Name() string {
	if p.Slot == nil {
		return p.Control.Name
	}
	return p.Slot.Stream + "_" + p.Slot.Field.Name
}

// Differ yields the parts in which an output record differs from the one that is wanted: control bits first, then
// fields, in the order of the schema.
func (l *Layout) Differ(want, got []uint64) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		for i := range l.Out.Controls {
			if c := &l.Out.Controls[i]; (want[0]^got[0])>>c.Bit&1 != 0 && !yield(Part{Control: c}) {
				return
			}
		}
		for i := range l.outputs {
			p := &l.outputs[i]
			if !p.Offered(want) {
				continue
			}
			for _, s := range p.Slots {
				if s.Differs(want, got) && !yield(Part{Port: p, Slot: s}) {
					return
				}
			}
		}
	}
}

// Equal reports whether two output records agree under the compare rule of the package comment.
func (l *Layout) Equal(want, got []uint64) bool {
	if (want[0]^got[0])&l.Out.ControlMask() != 0 {
		return false
	}
	for i := range l.outputs {
		if p := &l.outputs[i]; p.Offered(want) && p.Differs(want, got, p.Mask) {
			return false
		}
	}
	return true
}

// Differs reports whether the fields of the stream differ in two records, valid or not, in a bit of a mask.
func (p *Port) Differs(want, got, mask []uint64) bool {
	for w := p.From; w < p.To; w++ {
		if (want[w]^got[w])&p.Mask[w]&mask[w] != 0 {
			return true
		}
	}
	return false
}

// Differs reports whether a field differs in two records.
func (s *Slot) Differs(want, got []uint64) bool {
	for w, left := s.Word, s.Field.Width; left > 0; w, left = w+1, left-64 {
		if (want[w]^got[w])>>s.Bit&ones(min(left, 64)) != 0 {
			return true
		}
	}
	return false
}

package elastic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// compared returns the bits of an output stream that count where want is expected; they are valid until it is called
// for the stream again.
func (p *player) compared(i int, want []uint64) []uint64 {
	if p.masks == nil {
		return p.outs[i].mask
	}
	m := p.scratch
	copy(m, p.outs[i].mask)
	p.masks.Clear(i, want, m)
	return m
}

// differ reports whether a response differs from what is expected in a bit that counts.
func (p *player) differ(i int, want, got []uint64) bool {
	return p.outs[i].Differs(want, got, p.compared(i, want))
}

// matched adds a response that agrees to the digest, without the bits that do not count, and notes which those were.
func (p *player) matched(i int, want, got []uint64) {
	if p.spec.Gave != nil && !p.inserted() {
		p.spec.Gave(i, got)
	}
	m := p.compared(i, want)
	if !p.inserted() {
		p.res.Fields += p.fieldsOf(i, m)
	}
	if p.masks == nil {
		p.digest = p.digest.Add(got)
		return
	}
	masked := make([]uint64, len(got))
	for w := range got {
		masked[w] = got[w] & m[w]
	}
	p.digest = p.digest.Add(masked)
}

// fieldsOf returns how many fields of a response are compared under a mask, and notes what the masks of the schema
// hide.
func (p *player) fieldsOf(i int, mask []uint64) uint64 {
	n := p.outs[i].compared
	if p.masks != nil {
		n -= min(n, uint64(p.masks.Count(i, p.outs[i].counted, mask)))
		p.res.Masked = p.masks.Counts()
	}
	return n
}

// differing counts the response of a finding, which was compared as well. Want is nil where none is owed.
func (p *player) differing(i int, want, got []uint64) {
	if p.inserted() {
		return
	}
	if want != nil {
		p.res.Differing.Fields += p.fieldsOf(i, p.compared(i, want))
	}
	if p.outs[i].Ends(got) {
		p.res.Differing.Responses++
	}
}

// Spare returns an expected output record in which what does not count is as in got: the bits that the device does
// not have, and those under a mask of the schema.
func (s *Spec) Spare(want, got []uint64) []uint64 {
	l := event.NewLayout(s.Block)
	masks, err := event.NewMasks(s.Block, l, s.Params)
	out := slices.Clone(want)
	for i := range l.Outputs() {
		p := &l.Outputs()[i]
		mask := slices.Clone(p.Mask)
		for w := range s.Skip {
			mask[w] &^= s.Skip[w]
		}
		if masks != nil && err == nil && p.Offered(want) {
			masks.Clear(i, want, mask)
		}
		for w, m := range p.Mask {
			out[w] = out[w]&^(m&^mask[w]) | got[w]&(m&^mask[w])
		}
	}
	return out
}

// judged passes on the comparison of a response; want is nil where none is owed, so that the valid is what differs.
func (p *player) judged(i int, want []uint64, got answer, right bool) {
	if p.spec.Judged == nil {
		return
	}
	v := Verdict{Cycle: got.cycle, Want: make([]uint64, p.outWords), Compared: make([]uint64, p.outWords)}
	if want == nil {
		v.Compared[0] = p.outs[i].Valid
	} else {
		copy(v.Want, want)
		copy(v.Compared, p.compared(i, want))
		v.Want[0] |= p.outs[i].Valid
		v.Excused = right && p.outs[i].Differs(want, got.words, v.Compared)
	}
	p.spec.Judged(v)
}

// judgedWhole passes on the comparison of all outputs of the cycle just run.
func (x *exact) judgedWhole(want []uint64) {
	if x.spec.Judged == nil {
		return
	}
	v := Verdict{Cycle: x.res.Cycles - 1, Want: slices.Clone(want), Compared: make([]uint64, x.outWords)}
	for i := range x.ins {
		v.Compared[0] |= x.ins[i].Ready
	}
	for i := range x.outs {
		v.Compared[0] |= x.outs[i].Valid
		if x.outs[i].Offered(want) {
			for w, m := range x.compared(i, want) {
				v.Compared[w] |= m
			}
		}
	}
	x.spec.Judged(v)
}

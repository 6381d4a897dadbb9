package elastic

import "slices"

// judged passes on the comparison of the response in the cycle just run; want is nil where none is owed, so that the
// valid is what differs.
func (p *player) judged(i int, want []uint64, right bool) {
	if p.spec.Judged == nil {
		return
	}
	v := Verdict{Cycle: p.res.Cycles - 1, Want: make([]uint64, p.outWords), Compared: make([]uint64, p.outWords)}
	if want == nil {
		v.Compared[0] = p.outs[i].Valid
	} else {
		copy(v.Want, want)
		copy(v.Compared, p.compared(i, want))
		v.Want[0] |= p.outs[i].Valid
		v.Excused = right && p.outs[i].Differs(want, p.out, v.Compared)
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

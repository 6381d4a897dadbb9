package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// aimOpen draws the number that the credit of a context begins with.
func aimOpen(r *stim.Rand, ev *ccc.Event) {
	ev.Credit = uint32(stim.Pick(r, 0, 1<<24-1<<12, mask24-r.LogN(8), r.Bits(24)))
}

// aimCredit draws the number of a pull around the last one, around the ends of what counts as later, and so that the
// credit comes out near 0 and near the largest.
func (s *random) aimCredit(ev *ccc.Event, st *mirror) {
	r := &s.Rand
	most := s.sh.regs(st.profile).mostCredit()
	quanta := stim.Pick(r, 0, 1, 1+r.LogN(6), 1+r.LogN(6), r.LogN(12), -r.LogN(12), r.Near(1<<23, 24), r.Bits(24),
		uint64(-st.credit)>>8+uint64(r.N(3)), uint64(most-st.credit)>>8+uint64(r.N(3)))
	ev.Credit = uint32(st.lastPull+quanta) & mask24
}

// aimSpend draws whether a packet is a credit request, its share, and now and then a size at which credit ends.
func aimSpend(r *stim.Rand, ev *ccc.Event, st *mirror) {
	ev.NoCredit = r.One(6)
	ev.Share = uint16(stim.Pick(r, 0, 0, 1<<16/uint64(2+r.N(9)), 1, 1<<15, 1<<16-1, r.Corner(16), r.Bits(16)))
	if r.One(6) {
		ev.Size = uint32(stim.Pick(r, r.Near(uint64(st.credit), 32), uint64(st.credit+1<<31)+uint64(r.N(3))-1))
	}
}

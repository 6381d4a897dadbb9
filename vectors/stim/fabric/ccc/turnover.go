package ccc

import (
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fields"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim/fabric"
)

// simulations are what ccc is fed with. turnover gives it the events that long flows on lasting connections do not:
// short flows, each on a connection of its own, so that slots are bound anew (BIND), and loss recovery by SLEEK, whose
// probes measure the RTT (SAMPLE).
var simulations = append(slices.Clone(fabric.NICTurnover), "credit", "credit_alone")

// credited are the simulations with receiver credit.
var credited = map[string]struct{ preset, control string }{
	"credit":       {"incast32", fields.Both},
	"credit_alone": {"permutation", fields.RCCC},
}

// slotBook turns each flow into a connection of its own: the simulation sends one flow after another on a connection,
// and the block sees the slot go to a new PDC each time. A flow begins when the one before it is acknowledged, so that
// nothing of the former PDC is outstanding; what is still in flight for it no longer belongs to any PDC of the block.
type slotBook struct {
	slots map[[2]int32]*slot // by host and number of the connection
	now   cc.Event           // the event as the block's PDC has it
}

// slot is what the sender knows of the connection that a slot has.
type slot struct {
	used, bound bool
	base        uint32 // bytes that the receiver had of the connection when the slot was bound
	rcvd        uint32 // the most it has acknowledged
}

// see takes an event of the simulation and returns it as the block's PDC has it, whether the block is given it, and
// whether the slot is bound anew before it, with bind.
func (b *slotBook) see(t *cc.Event, bind *ccc.Event) (as *cc.Event, keep, anew bool) {
	key := [2]int32{t.NIC, t.NICPDC}
	x := b.slots[key]
	if x == nil {
		x = &slot{}
		b.slots[key] = x
	}
	switch t.Kind {
	case cc.KindNewData:
		if anew = x.used; anew {
			surplus := -(x.rcvd - x.base) & 255 // bytes that rounding up to units of 256 took too many from inflight
			*bind = ccc.Event{Kind: ccc.KindBind, PDC: t.PDC, Size: surplus}
			x.base, x.bound = x.rcvd, true
		}
		x.used = true
	case cc.KindAck:
		// An ACK of a flow acknowledges bytes of it; one that does not still belongs to the flow before.
		if x.bound && int32(t.RcvdExact-x.base) <= 0 {
			return t, false, false
		}
		if int32(t.RcvdExact-x.rcvd) > 0 {
			x.rcvd = t.RcvdExact
		}
		b.now = *t
		b.now.RcvdBytes = (t.RcvdExact - x.base + 255) >> 8
		return &b.now, true, false
	}
	return t, true, anew
}

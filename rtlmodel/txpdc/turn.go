package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// Turn executes the job of a turn. Call it only when Waiting. Source: contract.md, "Turn".
func (s *Source) Turn(now uint64, act *port.Act) bool {
	c := int(s.ready.leave())
	x := s.contexts.Row(c)
	x.queued = false
	s.counters[port.WordTurns]++
	if !s.eligible(c) {
		return false
	}
	slot := s.pick(c)
	x.next, x.waits = uint8(slot+1)%port.Slots, true
	k := c*port.Slots + slot
	*act = port.Act{Kind: port.ActionSent, PDC: uint16(k), Now: now, Tx: true}
	p := s.pdcs.Row(k)
	if i, again := p.lost(); again {
		p.marked.clear(i)
		p.resent.set(i)
		act.PSN, act.IsRtx = p.una+uint32(i), true
		r := s.row(k, act.PSN)
		r.stamp = uint32(now)
		act.Size = uint32(r.size)
		s.counters[port.WordResends]++
	} else {
		m := min(p.left, 1<<s.cfg[port.RegPayload])
		act.PSN, act.Size = p.una+uint32(p.n), m+s.cfg[port.RegHeader]
		*s.row(k, act.PSN) = row{size: uint16(act.Size), stamp: uint32(now)}
		p.acked.clear(p.n)
		p.marked.clear(p.n)
		p.resent.clear(p.n)
		p.left -= m
		p.n++
		p.sum += act.Size
		act.Eom = p.left == 0
	}
	if act.Syn = p.syn; p.syn {
		act.PSNOffset = uint16(act.PSN-p.start) & (1<<12 - 1)
	} else {
		act.Peer = p.peer
	}
	act.Ar = act.IsRtx || act.Eom || p.n >= p.limit()
	s.counters[port.WordSent]++
	return true // the context waits now, and is not eligible
}

// pick returns the slot whose turn it is in an eligible context: the first with a packet to send again, from next on,
// or else the first with any.
func (s *Source) pick(c int) int {
	next, work := int(s.contexts.Row(c).next), -1
	for i := range port.Slots {
		slot := (next + i) % port.Slots
		p := s.pdcs.Row(c*port.Slots + slot)
		if !p.sends() {
			continue
		}
		if _, again := p.lost(); again {
			return slot
		}
		if work < 0 && p.fresh() {
			work = slot
		}
	}
	return work
}

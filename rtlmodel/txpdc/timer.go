package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// maxShift is the most by which timeouts in a row stretch the next one, in bits.
const maxShift = 6

// maxTries is the greatest count of them.
const maxTries = 1<<port.WordTriesWidth - 1

// timeout returns the retransmission timeout of a PDC in ticks.
func (s *Source) timeout(p *pdc) uint32 { return s.cfg[port.RegRto] << min(p.tries, maxShift) }

// late reports whether the timeout has passed since a stamp.
func (s *Source) late(p *pdc, now uint64, since uint32) bool {
	return uint32(now)-since >= s.timeout(p)
}

// Retires returns the number of packets that the next job of the timer unmarks, which make it longer.
func (s *Source) Retires() int { return s.retires(s.scan) }

// retires is the same for the job that looks at PDC k.
func (s *Source) retires(k int) int {
	p := s.pdcs.Row(k)
	if !p.valid || !p.stopped {
		return 0
	}
	return p.marked.andNot(p.acked).and(below(p.n)).ones()
}

// after returns the PDC that the timer looks at after PDC k.
func (s *Source) after(k int) int { return (k + 1) % s.spec.Pdcs() }

// due reports whether the timer has an action when it looks at PDC k.
func (s *Source) due(k int, now uint64) bool {
	switch p := s.pdcs.Row(k); {
	case !p.valid:
		return false
	case p.stopped:
		return p.n > 0
	case p.closing:
		return s.late(p, now, p.closedAt)
	}
	return s.expired(k, now) >= 0
}

// Timer executes the job of the timer. Source: contract.md, "Timer".
func (s *Source) Timer(now uint64, act *port.Act) bool {
	k := s.scan
	s.scan = s.after(k)
	p := s.pdcs.Row(k)
	if !p.valid {
		return false
	}
	*act = port.Act{PDC: uint16(k), Now: now}
	switch {
	case p.stopped:
		return s.retire(k, act)
	case p.closing:
		return s.closes(p, now, act)
	}
	i := s.expired(k, now)
	if i < 0 {
		return false
	}
	if p.resent.has(i) && s.giveUp(p, act) {
		return true
	}
	p.marked.set(i)
	act.Kind, act.PSN = port.ActionLost, p.una+uint32(i)
	act.Size = uint32(s.row(k, act.PSN).size)
	s.counters[port.WordLosses]++
	s.list(k / port.Slots)
	return true
}

// expired returns the packet in flight that is lost, from una on, -1 if none is: the lowest that was sent once, or else
// the lowest that was resent.
func (s *Source) expired(k int, now uint64) int {
	p := s.pdcs.Row(k)
	flight := p.flight()
	if flight.empty() {
		return -1
	}
	for _, b := range [...]bitmap{flight.andNot(p.resent), flight.and(p.resent)} {
		if i := b.lowest(); !b.empty() && s.late(p, now, s.row(k, p.una+uint32(i)).stamp) {
			return i
		}
	}
	return -1
}

// giveUp counts a timeout of what was sent before. It stops the PDC and returns true after TRIES of them.
func (s *Source) giveUp(p *pdc, act *port.Act) bool {
	if uint32(p.tries) >= s.cfg[port.RegTries] {
		p.stopped = true
		act.Kind = port.ActionStopped
		return true
	}
	p.tries = min(p.tries+1, maxTries)
	return false
}

// closes has a CLOSE sent again, when it is time.
func (s *Source) closes(p *pdc, now uint64, act *port.Act) bool {
	if !s.late(p, now, p.closedAt) {
		return false
	}
	if !s.giveUp(p, act) {
		p.closedAt = uint32(now)
		act.Kind, act.PSN, act.Peer, act.IsRtx = port.ActionClosing, p.una, p.peer, true
	}
	return true
}

// retire takes what a stopped PDC has outstanding out of the network, if there is anything.
func (s *Source) retire(k int, act *port.Act) bool {
	p := s.pdcs.Row(k)
	if p.n == 0 {
		return false
	}
	act.Kind, act.Done = port.ActionAcked, p.left == 0
	s.tally(k, below(p.n).andNot(p.acked), act)
	p.rcvd = uint32((uint64(p.sum)+1<<8-1)>>8) & numbers
	act.RcvdBytes = p.rcvd
	p.una += uint32(p.n)
	p.n, p.acked, p.marked, p.resent = 0, bitmap{}, bitmap{}, bitmap{}
	return true
}

package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// maxShift is the most by which timeouts in a row stretch the next one, in bits.
const maxShift = 6

// maxTries is the greatest count of them.
const maxTries = 1<<port.WordTriesWidth - 1

// timeout returns the retransmission timeout of a PDC in ticks.
func (s *Source) timeout(p *pdc) uint32 { return s.cfg[port.RegRto] << min(p.tries, maxShift) }

// Timer executes the job of the timer. Source: contract.md, "Timer".
func (s *Source) Timer(now uint64, act *port.Act) bool {
	k := s.scan
	s.scan = (k + 1) % s.spec.Pdcs()
	p := s.pdcs.Row(k)
	if !p.valid || p.stopped {
		return false
	}
	since, i := p.closedAt, 0
	if !p.closing {
		if i = p.flight().lowest(); i >= p.n {
			return false
		}
		since = s.row(k, p.una+uint32(i)).stamp
	}
	if uint32(now)-since < s.timeout(p) {
		return false
	}
	*act = port.Act{PDC: uint16(k), Now: now}
	again := p.closing || p.resent.has(i)
	if again && uint32(p.tries) >= s.cfg[port.RegTries] {
		p.stopped = true
		act.Kind = port.ActionStopped
		return true
	}
	if again {
		p.tries = min(p.tries+1, maxTries)
	}
	act.PSN = p.una + uint32(i)
	if p.closing {
		p.closedAt = uint32(now)
		act.Kind, act.Peer, act.IsRtx = port.ActionClosing, p.peer, true
		return true
	}
	p.marked.set(i)
	act.Kind, act.Size = port.ActionLost, uint32(s.row(k, act.PSN).size)
	s.counters[port.WordLosses]++
	s.list(k / port.Slots)
	return true
}

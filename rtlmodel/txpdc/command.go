package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// Payloads that PAYLOAD may be set to, in bits.
const (
	minPayload = 7
	maxPayload = 13
)

// Command executes a command and fills all of rsp. Source: contract.md, "Command".
func (s *Source) Command(c *port.Cmd, now uint64, rsp *port.Response, act *port.Act) bool {
	*rsp = port.Response{Kind: c.Kind, PDC: c.PDC}
	if rsp.Refused = !s.allows(c); rsp.Refused {
		return false
	}
	switch c.Kind {
	case port.KindLoad:
		s.load(c)
		return false
	case port.KindRead:
		w := s.Words(int(c.PDC), c.PSN)
		rsp.Data = uint32(w.Word(int(c.Addr)))
		return false
	case port.KindCfgWrite:
		s.cfg[c.Addr] = register(c)
		return false
	case port.KindCfgRead:
		rsp.Data = s.cfg[c.Addr]
		return false
	}
	*act = port.Act{PDC: c.PDC, Now: now}
	p := s.pdcs.Row(int(c.PDC))
	switch c.Kind {
	case port.KindOpen:
		rsp.Busy = !p.open(c.Data, act)
	case port.KindMessage:
		rsp.Busy = !s.message(p, c.Data, act)
	default:
		rsp.Busy = !p.close(now, act)
	}
	if !rsp.Busy {
		s.list(int(c.PDC) / port.Slots)
	}
	return !rsp.Busy
}

// register returns the bits of a CFG_WRITE that its register has.
func register(c *port.Cmd) uint32 { return c.Data & (1<<port.RegInfo[c.Addr].Width - 1) }

// allows reports whether a command is not refused.
func (s *Source) allows(c *port.Cmd) bool {
	exists := int(c.PDC) < s.spec.Pdcs()
	switch c.Kind {
	case port.KindLoad:
		return c.Addr < port.NumWords && (exists || c.Addr >= port.WordSent) && c.Addr != port.WordCanSend &&
			(c.Addr != port.WordOutstanding || c.Data&(1<<port.WordOutstandingWidth-1) <= port.Window)
	case port.KindRead:
		return c.Addr < port.NumWords && (exists || c.Addr >= port.WordSent)
	case port.KindCfgWrite:
		if c.Addr >= port.NumRegs {
			return false
		}
		switch v := register(c); c.Addr {
		case port.RegPayload:
			return v >= minPayload && v <= maxPayload
		case port.RegRto, port.RegTick, port.RegTries:
			return v != 0
		}
		return true
	case port.KindCfgRead:
		return c.Addr < port.NumRegs
	case port.KindMessage:
		return exists && c.Data != 0 && c.Data>>port.WordLeftWidth == 0
	case port.KindOpen, port.KindClose:
		return exists
	}
	return false
}

// load executes a LOAD that is allowed.
func (s *Source) load(c *port.Cmd) {
	k := int(c.PDC)
	switch {
	case c.Addr >= port.WordSent:
		s.counters[c.Addr] = c.Data
	case c.Addr == port.WordSize:
		s.row(k, c.PSN).size = uint16(c.Data)
	case c.Addr == port.WordStamp:
		s.row(k, c.PSN).stamp = c.Data
	default:
		var w port.Words
		p := s.pdcs.Row(k)
		p.words(&w)
		w.SetWord(int(c.Addr), uint64(c.Data))
		p.setWords(&w)
		s.list(k / port.Slots)
	}
}

// open executes an OPEN, unless the PDC is busy.
func (p *pdc) open(psn uint32, act *port.Act) bool {
	if p.valid {
		return false
	}
	act.Kind = port.ActionOpened
	if z := p.rcvd<<8 - p.sum; z < 1<<8 {
		act.Size = z
	}
	*p = pdc{valid: true, syn: true, start: psn, una: psn}
	return true
}

// message executes a MESSAGE, unless the PDC is busy.
func (s *Source) message(p *pdc, size uint32, act *port.Act) bool {
	if !p.sends() || p.left > 0 {
		return false
	}
	p.left = size
	payload := s.cfg[port.RegPayload]
	packets := (size + 1<<payload - 1) >> payload
	act.Kind, act.Size = port.ActionMessage, size+packets*s.cfg[port.RegHeader]
	return true
}

// close executes a CLOSE, unless the PDC is busy.
func (p *pdc) close(now uint64, act *port.Act) bool {
	gone := p.valid && p.stopped && p.n == 0
	switch {
	case !gone && (!p.sends() || p.left > 0 || p.n > 0):
		return false
	case gone, p.syn:
		p.valid = false
		act.Kind = port.ActionFreed
		return true
	}
	p.closing, p.closedAt, p.tries = true, uint32(now), 0
	act.Kind, act.PSN, act.Peer = port.ActionClosing, p.una, p.peer
	return true
}

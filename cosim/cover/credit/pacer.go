package credit

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

const numbers = 1<<24 - 1 // mask of a number

// diff is a - b modulo 2^24, signed.
func diff(a, b uint32) int { return int(int32((a-b)<<8) >> 8) }

// sender is what the receiver keeps of a sender.
type sender struct {
	open, active, idle bool
	target, granted    uint32
}

// pacer is the state that jobs change.
type pacer struct {
	senders      []sender
	active, idle cover.Queue[int] // the lists, first to last
}

func (x *pacer) clear() {
	clear(x.senders)
	x.active.Clear()
	x.idle.Clear()
}

// effect is what an event does, with the response.
type effect struct {
	credit.Response
	load int // counter that is loaded, -1 for none
	rise int // of a target
}

// event plays an event.
func (x *pacer) event(e *credit.Event, regs []uint64, counts []uint32) (f effect) {
	f.load = -1
	f.Kind, f.Sender = e.Kind, e.Sender
	a, k := int(e.Addr), int(e.Sender)
	own := e.Kind >= credit.KindOpen && e.Kind <= credit.KindWant ||
		(e.Kind == credit.KindLoad || e.Kind == credit.KindRead) && a <= credit.WordGranted
	if own && k >= len(x.senders) {
		f.Refused = true
		return f
	}
	var s *sender
	if own {
		s = &x.senders[k]
	}
	number := e.Data & numbers
	switch e.Kind {
	case credit.KindLoad:
		switch {
		case a == credit.WordTarget:
			s.target = number
		case a == credit.WordGranted:
			s.granted = number
		case a >= credit.WordEvents && a < credit.NumWords:
			f.load = a
		default:
			f.Refused = true
		}
	case credit.KindRead:
		f.Data, f.Refused = x.word(s, a, counts)
	case credit.KindCfgWrite:
		f.Refused = a >= credit.NumRegs || a == credit.RegQuanta && e.Data&0xff == 0 || a == credit.RegGap && number == 0
	case credit.KindCfgRead:
		if f.Refused = a >= credit.NumRegs; !f.Refused {
			f.Data = uint32(regs[a])
		}
	case credit.KindOpen:
		if f.Refused = s.open; !f.Refused {
			s.open, s.target, s.granted = true, number, number
		}
	case credit.KindClose:
		f.NoSender = !s.open
		s.open = false
	case credit.KindTarget, credit.KindWant:
		if f.NoSender = !s.open; f.NoSender {
			break
		}
		if e.Kind == credit.KindTarget {
			f.rise = diff(number, s.target)
			if f.Raised = f.rise > 0; !f.Raised {
				break
			}
			s.target = number
		}
		if f.Joined = !s.active; f.Joined {
			s.active = true
			x.active.Push(k)
		}
	default:
		f.Refused = true
	}
	return f
}

// word returns a word, and whether there is none.
func (x *pacer) word(s *sender, a int, counts []uint32) (uint32, bool) {
	switch {
	case a == credit.WordOpen:
		v := uint32(0)
		for i, on := range []bool{s.open, s.active, s.idle} {
			if on {
				v |= 1 << i
			}
		}
		return v, false
	case a == credit.WordTarget:
		return s.target, false
	case a == credit.WordGranted:
		return s.granted, false
	case a == credit.WordActives:
		return uint32(len(x.active)) | uint32(len(x.idle))<<16, false
	case a < credit.NumWords:
		return counts[a], false
	}
	return 0, true
}

// grant is what the job of a pull does.
type grant struct {
	credit.Pull
	stale  bool // the sender was closed: no pull
	demand int  // before it
	excess int  // of a slow one, after it
	left   bool // the sender is in no list after it
	twice  bool // it was in the idle list already
}

// pull plays the job of a pull. One of the lists is not empty.
func (x *pacer) pull(regs []uint64) (g grant) {
	most := uint32(regs[credit.RegQuanta])
	list := &x.active
	if g.Slow = len(x.active) == 0; g.Slow {
		list = &x.idle
	}
	k := list.Pop()
	s := &x.senders[k]
	if g.Slow {
		s.idle = false
	} else {
		s.active = false
	}
	g.Sender = uint16(k)
	if g.stale = !s.open; g.stale {
		return g
	}
	g.demand = max(diff(s.target, s.granted), 0)
	n := most
	if !g.Slow {
		n = min(most, uint32(g.demand))
	}
	s.granted = (s.granted + n) & numbers
	g.Number, g.Quanta = s.granted, uint8(n)
	g.excess = diff(s.granted, s.target)
	switch {
	case !g.Slow && g.demand > int(n):
		s.active = true
		x.active.Push(k)
	case !g.Slow && s.idle:
		g.twice = true
	case !g.Slow, g.excess >= 0 && g.excess < int(regs[credit.RegWindow]):
		s.idle = true
		x.idle.Push(k)
	default:
		g.left = true
	}
	return g
}

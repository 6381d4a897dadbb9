package credit

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// Pacer is the state of the block inside its ports, without the time of the next pull. Its methods execute events and
// pulls on that state, without timing. It is not safe for concurrent use.
type Pacer struct {
	spec     Spec
	cfg      Config
	counters Counters
	senders  clk.RAM[sender]
	active   list
	idle     list
}

// NewPacer returns a pacer without an open sender and with the configuration after a reset. The spec must be valid.
func NewPacer(spec Spec) *Pacer {
	p := &Pacer{spec: spec}
	p.senders.Init(spec.Senders)
	p.active.Init(spec.Senders)
	p.idle.Init(spec.Senders)
	p.reset()
	for !p.senders.Swept() {
		p.senders.Tick()
	}
	return p
}

// reset starts the sweep. The senders keep their contents until it reaches them.
func (p *Pacer) reset() {
	p.cfg, p.counters = DefaultConfig(), Counters{}
	p.senders.StartSweep()
	p.active.Reset()
	p.idle.Reset()
}

// Event executes one event and fills all of rsp. Source: contract.md, "Events".
func (p *Pacer) Event(ev *port.Event, rsp *port.Response) {
	*rsp = port.Response{Kind: ev.Kind, Sender: ev.Sender}
	switch ev.Kind {
	case port.KindLoad:
		rsp.Refused = !p.load(ev)
	case port.KindRead:
		if rsp.Refused = !p.has(ev); !rsp.Refused {
			w := p.Words(int(ev.Sender))
			rsp.Data = uint32(w.Word(int(ev.Addr)))
		}
	case port.KindCfgWrite:
		rsp.Refused = !p.configure(ev)
	case port.KindCfgRead:
		if rsp.Refused = ev.Addr >= port.NumRegs; !rsp.Refused {
			rsp.Data = p.cfg[ev.Addr]
		}
	case port.KindOpen, port.KindClose, port.KindTarget, port.KindWant:
		if rsp.Refused = int(ev.Sender) >= p.spec.Senders; !rsp.Refused {
			p.request(ev, rsp)
		}
	default:
		rsp.Refused = true
	}
	p.counters[port.WordEvents]++ // on top of a LOAD, and a READ does not see it
}

// has reports whether there is the word that a LOAD or READ names.
func (p *Pacer) has(ev *port.Event) bool {
	return ev.Addr < port.NumWords && (ev.Addr > port.WordGranted || int(ev.Sender) < p.spec.Senders)
}

// load executes a LOAD and reports whether it is allowed.
func (p *Pacer) load(ev *port.Event) bool {
	if !p.has(ev) {
		return false
	}
	switch addr := ev.Addr; {
	case addr >= port.WordEvents:
		p.counters[addr] = ev.Data
	case addr == port.WordTarget:
		p.senders.Row(int(ev.Sender)).target = ev.Data & numbers
	case addr == port.WordGranted:
		p.senders.Row(int(ev.Sender)).granted = ev.Data & numbers
	default:
		return false
	}
	return true
}

// configure executes a CFG_WRITE and reports whether it is allowed.
func (p *Pacer) configure(ev *port.Event) bool {
	if ev.Addr >= port.NumRegs {
		return false
	}
	data := ev.Data & (1<<port.RegInfo[ev.Addr].Width - 1)
	if data == 0 && ev.Addr != port.RegWindow {
		return false
	}
	p.cfg[ev.Addr] = data
	return true
}

// request executes an event of a sender that exists.
func (p *Pacer) request(ev *port.Event, rsp *port.Response) {
	s := p.senders.Row(int(ev.Sender))
	if ev.Kind == port.KindOpen {
		if rsp.Refused = s.open; !s.open {
			s.open, s.target, s.granted = true, ev.Data&numbers, ev.Data&numbers
		}
		return
	}
	if rsp.NoSender = !s.open; !s.open {
		return
	}
	switch ev.Kind {
	case port.KindClose:
		s.open = false
		return
	case port.KindTarget:
		if rsp.Raised = diff(ev.Data, s.target) > 0; !rsp.Raised {
			return
		}
		s.target = ev.Data & numbers
	}
	if rsp.Joined = !s.active; !s.active {
		p.join(ev.Sender, s)
	}
}

// join makes a sender the last of the active list.
func (p *Pacer) join(k uint16, s *sender) {
	s.active = true
	p.active.add(k)
}

// rest makes a sender the last of the idle list, unless it is in it.
func (p *Pacer) rest(k uint16, s *sender) {
	if !s.idle {
		s.idle = true
		p.idle.add(k)
	}
}

// Waiting reports whether a list is not empty.
func (p *Pacer) Waiting() bool { return p.active.Len() > 0 || p.idle.Len() > 0 }

// Pull executes the job of a pull. It fills all of x, or returns false if the job ends without a pull. Call it only
// when Waiting. Source: contract.md, "Pull".
func (p *Pacer) Pull(x *port.Pull) bool {
	*x = port.Pull{Slow: p.active.Len() == 0}
	var s *sender
	if x.Slow {
		x.Sender = p.idle.leave()
		s = p.senders.Row(int(x.Sender))
		s.idle = false
	} else {
		x.Sender = p.active.leave()
		s = p.senders.Row(int(x.Sender))
		s.active = false
	}
	if !s.open {
		p.counters[port.WordStale]++
		return false
	}
	demand, quanta := s.demand(), p.cfg[port.RegQuanta]
	if !x.Slow {
		quanta = min(quanta, demand)
	}
	s.granted = (s.granted + quanta) & numbers
	x.Number, x.Quanta = s.granted, uint8(quanta)
	excess := diff(s.granted, s.target)
	switch {
	case !x.Slow && demand > quanta:
		p.join(x.Sender, s)
	case !x.Slow, excess >= 0 && excess < int32(p.cfg[port.RegWindow]):
		p.rest(x.Sender, s)
	}
	p.count(x)
	return true
}

// count counts a pull.
func (p *Pacer) count(x *port.Pull) {
	p.counters[port.WordPulls]++
	p.counters[port.WordQuanta] += uint32(x.Quanta)
	if x.Slow {
		p.counters[port.WordSlowPulls]++
	}
	if x.Quanta == 0 {
		p.counters[port.WordEmptyPulls]++
	}
}

// Gap returns the time from the start of a pull of that many quanta to the start of the next one, in cycles/2^FRAC: g
// of the contract.
func (p *Pacer) Gap(quanta uint8) uint64 {
	n := uint64(quanta)
	if n == 0 {
		n = port.Empty
	}
	return n * uint64(p.cfg[port.RegGap])
}

// Config returns the configuration after the events so far.
func (p *Pacer) Config() Config { return p.cfg }

// Counters returns the counters after the events and pulls so far.
func (p *Pacer) Counters() Counters { return p.counters }

// Words returns the state words of a sender as READ returns them; without a sender of that number, those that all
// senders share.
func (p *Pacer) Words(k int) (w port.Words) {
	if k >= 0 && k < p.spec.Senders {
		s := p.senders.Row(k)
		w = port.Words{Open: s.open, Active: s.active, Idle: s.idle, Target: s.target, Granted: s.granted}
	}
	w.Actives, w.Idles = uint16(p.active.Len()), uint16(p.idle.Len())
	for addr := port.WordEvents; addr < port.NumWords; addr++ {
		w.SetWord(addr, uint64(p.counters[addr]))
	}
	return w
}

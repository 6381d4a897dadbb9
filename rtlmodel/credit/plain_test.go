package credit

import port "github.com/goldwire/goldwire/vectors/event/credit"

// plainPacer implements the contract line by line: numbers are ints, and lists are slices.
type plainPacer struct {
	sender       []plainSender
	active, idle []int
	reg          [3]int
	counter      map[string]int
}

type plainSender struct {
	open, active, idle bool
	target, granted    int
}

// plainCounters are the counters by address.
var plainCounters = map[int]string{4: "events", 5: "pulls", 6: "slow_pulls", 7: "empty_pulls", 8: "quanta", 9: "stale"}

func newPlain(senders int) *plainPacer {
	return &plainPacer{sender: make([]plainSender, senders), reg: [3]int{63, 338934, 3516}, counter: map[string]int{}}
}

// plainDiff is diff(a, b) of the contract.
func plainDiff(a, b int) int {
	d := (a - b) % 16777216
	switch {
	case d < -8388608:
		d += 16777216
	case d > 8388607:
		d -= 16777216
	}
	return d
}

func (p *plainPacer) event(e port.Event) port.Response {
	r := port.Response{Kind: e.Kind, Sender: e.Sender}
	loaded := ""
	s := &plainSender{}
	exists := int(e.Sender) < len(p.sender)
	if exists {
		s = &p.sender[e.Sender]
	}
	a, number := int(e.Addr), int(e.Data)%16777216
	switch e.Kind.String() {
	case "LOAD":
		switch {
		case exists && a == 1:
			s.target = number
		case exists && a == 2:
			s.granted = number
		case plainCounters[a] != "":
			loaded = plainCounters[a]
		default:
			r.Refused = true
		}
	case "READ":
		switch {
		case a < 3 && exists:
			r.Data = s.word(a)
		case a == 3:
			r.Data = uint32(len(p.active) + 65536*len(p.idle))
		case plainCounters[a] != "":
			r.Data = uint32(p.counter[plainCounters[a]])
		default:
			r.Refused = true
		}
	case "CFG_WRITE":
		switch {
		case a == 0 && e.Data%256 > 0:
			p.reg[0] = int(e.Data % 256)
		case a == 1 && number > 0:
			p.reg[1] = number
		case a == 2:
			p.reg[2] = int(e.Data % 65536)
		default:
			r.Refused = true
		}
	case "CFG_READ":
		if a > 2 {
			r.Refused = true
		} else {
			r.Data = uint32(p.reg[a])
		}
	case "OPEN":
		if !exists || s.open {
			r.Refused = true
		} else {
			s.open, s.target, s.granted = true, number, number
		}
	case "CLOSE", "TARGET", "WANT":
		if !exists {
			r.Refused = true
			break
		}
		if !s.open {
			r.NoSender = true
			break
		}
		if e.Kind == port.KindClose {
			s.open = false
			break
		}
		joins := true
		if e.Kind == port.KindTarget {
			joins = plainDiff(number, s.target) > 0
			r.Raised = joins
			if joins {
				s.target = number
			}
		}
		if joins && !s.active {
			r.Joined = true
			s.active = true
			p.active = append(p.active, int(e.Sender))
		}
	default:
		r.Refused = true
	}
	if loaded != "" {
		p.counter[loaded] = int(e.Data)
	}
	p.add("events", 1)
	return r
}

func (p *plainPacer) add(name string, n int) { p.counter[name] = (p.counter[name] + n) % 4294967296 }

// word returns a word of a sender as READ gives it.
func (s *plainSender) word(addr int) (v uint32) {
	switch addr {
	case 1:
		return uint32(s.target)
	case 2:
		return uint32(s.granted)
	}
	for i, on := range []bool{s.open, s.active, s.idle} {
		if on {
			v += []uint32{1, 2, 4}[i]
		}
	}
	return v
}

// pull is the job of a pull; it returns nil where that has none.
func (p *plainPacer) pull() *port.Pull {
	var k, n int
	slow := false
	if len(p.active) > 0 {
		k, p.active = p.active[0], p.active[1:]
		s := &p.sender[k]
		s.active = false
		if !s.open {
			p.add("stale", 1)
			return nil
		}
		demand := plainDiff(s.target, s.granted)
		if demand < 0 {
			demand = 0
		}
		n = p.reg[0]
		if demand < n {
			n = demand
		}
		s.granted = (s.granted + n) % 16777216
		if demand > n {
			p.active = append(p.active, k)
			s.active = true
		} else if !s.idle {
			p.idle = append(p.idle, k)
			s.idle = true
		}
	} else {
		k, p.idle = p.idle[0], p.idle[1:]
		s := &p.sender[k]
		s.idle = false
		if !s.open {
			p.add("stale", 1)
			return nil
		}
		n, slow = p.reg[0], true
		s.granted = (s.granted + n) % 16777216
		if x := plainDiff(s.granted, s.target); x >= 0 && x < p.reg[2] {
			p.idle = append(p.idle, k)
			s.idle = true
		}
	}
	p.add("pulls", 1)
	p.add("quanta", n)
	if slow {
		p.add("slow_pulls", 1)
	}
	if n == 0 {
		p.add("empty_pulls", 1)
	}
	return &port.Pull{Sender: uint16(k), Number: uint32(p.sender[k].granted), Quanta: uint8(n), Slow: slow}
}

// plainBlock implements the timing by its recurrences: every count is a number, and every FIFO is a slice.
type plainBlock struct {
	*plainPacer
	t       int // cycles with rst_n high since the reset
	q, c, p int
	turn    int
	wait    int // cycles/2^16
	late    int // cycles
	ev      []port.Event
	job     plainJob
	rsp     []port.Response
	pulls   []port.Pull
}

// plainJob is a job that runs from its first cycle to its last one; the zero value is one of before the reset.
type plainJob struct {
	from, to int
	pull     bool
	ev       port.Event
}

func newPlainBlock(senders int) *plainBlock {
	return &plainBlock{plainPacer: newPlain(senders), job: plainJob{from: -1, to: -1}}
}

type plainIn struct {
	rstN, evValid, rspReady, pullReady bool
	ev                                 port.Event
}

type plainOut struct {
	evReady, rspValid, pullValid bool
	rsp                          port.Response
	pull                         port.Pull
}

// plainSeen is what happened in a cycle, for the tests.
type plainSeen struct{ startE, startP, event, due, stale bool }

func (b *plainBlock) cycle(in plainIn) (out plainOut, seen plainSeen) {
	if !in.rstN {
		*b = *newPlainBlock(len(b.sender))
		return out, seen
	}
	t, up := b.t, b.t >= len(b.sender)
	out.evReady = up && b.q < 2
	if len(b.rsp) > 0 {
		out.rspValid, out.rsp = true, b.rsp[0]
	}
	if len(b.pulls) > 0 {
		out.pullValid, out.pull = true, b.pulls[0]
	}
	accept := in.evValid && out.evReady
	takeR, takeP := out.rspValid && in.rspReady, out.pullValid && in.pullReady

	idle := b.job.to < t
	event := b.q > 0 && b.c < 8
	due := b.wait < 65536 && b.p < 4 && len(b.active)+len(b.idle) > 0
	startP := idle && up && due && (!event || b.turn == 1)
	startE := idle && event && !startP
	seen = plainSeen{startE: startE, startP: startP, event: idle && event, due: idle && due}
	if startE {
		b.job = plainJob{from: t, to: t + 4 - 1, ev: b.ev[0]}
		b.ev = b.ev[1:]
	}
	if startP {
		b.job = plainJob{from: t, to: t + 5 - 1, pull: true}
	}
	if takeR {
		b.rsp = b.rsp[1:]
	}
	if takeP {
		b.pulls = b.pulls[1:]
	}
	if accept {
		b.ev = append(b.ev, in.ev)
	}

	runs := b.job.from <= t && t <= b.job.to
	none := false
	wait, late := b.wait, b.late
	switch {
	case runs && b.job.pull && t == b.job.to:
		if x := b.pull(); x != nil {
			b.pulls = append(b.pulls, *x)
			g := int(x.Quanta) * b.reg[1]
			if x.Quanta == 0 {
				g = 4 * b.reg[1]
			}
			back := 5
			if b.late < 64 {
				back += b.late
			}
			wait, late = b.wait+g-65536*back, 0
			if wait < 0 {
				wait = 0
			}
		} else {
			none = true
		}
	case runs && b.job.pull:
	case b.wait >= 65536:
		wait = b.wait - 65536
	case b.late < 64:
		late = b.late + 1
	}
	if runs && !b.job.pull && t == b.job.to {
		b.rsp = append(b.rsp, b.event(b.job.ev))
	}
	seen.stale = none

	n := func(x bool) int { return map[bool]int{true: 1}[x] }
	b.q += n(accept) - n(startE)
	b.c += n(startE) - n(takeR)
	b.p += n(startP) - n(takeP) - n(none)
	switch {
	case startE:
		b.turn = 1
	case startP:
		b.turn = 0
	}
	b.wait, b.late = wait, late
	b.t++
	return out, seen
}

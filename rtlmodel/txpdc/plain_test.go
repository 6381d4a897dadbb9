package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// Powers of two of the contract.
const (
	two24 = 16777216
	two31 = 2147483648
	two32 = 4294967296
)

// plainSource implements the contract line by line: numbers are ints, bits are bools, and the list is a slice.
type plainSource struct {
	pdc     []plainPDC
	ctx     []plainContext
	ready   []int
	scan    int
	payload int
	header  int
	rto     int
	tick    int
	tries   int
	counter map[string]int
}

type plainPDC struct {
	valid, syn, closing, stopped bool

	tries, mpr, peer, start, una, n, left, sum, rcvd, closedAt int

	acked, marked, resent [128]bool
	size, stamp           [128]int // by psn mod WINDOW
}

type plainContext struct {
	canSend, waits, queued bool
	next                   int
}

// plainCounters are the counters by address.
var plainCounters = map[int]string{23: "sent", 24: "resends", 25: "acks", 26: "nacks", 27: "losses", 28: "stray",
	29: "stale", 30: "turns"}

func newPlain(contexts int) *plainSource {
	return &plainSource{pdc: make([]plainPDC, 4*contexts), ctx: make([]plainContext, contexts), payload: 12, header: 64,
		rto: 40000, tick: 1, tries: 10, counter: map[string]int{}}
}

// mod is x modulo n, never negative.
func mod(x, n int) int { return (x%n + n) % n }

func (s *plainSource) add(name string) { s.counter[name] = mod(s.counter[name]+1, two32) }

func (p *plainPDC) limit() int {
	if p.mpr == 0 || p.mpr > 128 {
		return 128
	}
	return p.mpr
}

// again returns the lowest PSN to be sent again, -1 if there is none below the limit.
func (p *plainPDC) again() int {
	for i := range p.n {
		if p.marked[i] && !p.acked[i] {
			if i < p.limit() {
				return i
			}
			return -1
		}
	}
	return -1
}

func (p *plainPDC) work() bool {
	fresh := p.left > 0 && p.n < p.limit()
	return p.valid && !p.closing && !p.stopped && (p.again() >= 0 || fresh)
}

func (p *plainPDC) inFlight(i int) bool { return i < p.n && !p.acked[i] && !p.marked[i] }

func (s *plainSource) eligible(c int) bool {
	any := false
	for k := 4 * c; k < 4*c+4; k++ {
		any = any || s.pdc[k].work()
	}
	return s.ctx[c].canSend && !s.ctx[c].waits && any
}

func (s *plainSource) list(c int) {
	if s.eligible(c) && !s.ctx[c].queued {
		s.ctx[c].queued = true
		s.ready = append(s.ready, c)
	}
}

func (s *plainSource) viewed(v port.View) {
	if int(v.Ctx) < len(s.ctx) {
		defer s.list(int(v.Ctx))
	}
	if v.Kind == 9 || v.Kind == 10 || v.Kind == 14 || v.Kind == 15 || v.Refused || int(v.Ctx) >= len(s.ctx) {
		return
	}
	c := &s.ctx[v.Ctx]
	c.canSend = v.CanSend
	if v.Kind == 5 {
		c.waits = false
	}
}

// refuses is the first rule of commands.
func (s *plainSource) refuses(e port.Cmd) bool {
	a, d := int(e.Addr), int(e.Data)
	missing := int(e.PDC) >= len(s.pdc)
	switch e.Kind {
	case 1:
		return a >= 31 || a == 22 || missing && a < 23 || a == 3 && d%256 > 128
	case 2:
		return a >= 31 || missing && a < 23
	case 3:
		switch a {
		case 0:
			return d%16 < 7 || d%16 > 13
		case 1:
			return false
		case 2:
			return d%two24 == 0
		case 3:
			return d%65536 == 0
		case 4:
			return d%16 == 0
		}
		return true
	case 4:
		return a >= 5
	case 5, 7:
		return missing
	case 6:
		return missing || d == 0 || d >= two31
	}
	return true
}

func (s *plainSource) command(e port.Cmd, now int) (port.Response, *port.Act) {
	r := port.Response{Kind: e.Kind, PDC: e.PDC}
	if s.refuses(e) {
		r.Refused = true
		return r, nil
	}
	k, a, d := int(e.PDC), int(e.Addr), int(e.Data)
	if e.Kind != port.KindCfgRead && e.Kind != port.KindCfgWrite && k < len(s.pdc) {
		defer s.list(k / 4)
	}
	x := &port.Act{PDC: e.PDC, Now: uint64(now)}
	switch e.Kind.String() {
	case "LOAD":
		if plainCounters[a] != "" {
			s.counter[plainCounters[a]] = d
			return r, nil
		}
		s.pdc[k].load(a, int(e.PSN), d)
		return r, nil
	case "READ":
		if plainCounters[a] != "" {
			r.Data = uint32(s.counter[plainCounters[a]])
		} else {
			r.Data = uint32(s.word(k, a, int(e.PSN)))
		}
		return r, nil
	case "CFG_WRITE":
		*[]*int{&s.payload, &s.header, &s.rto, &s.tick, &s.tries}[a] = d % []int{16, 128, two24, 65536, 16}[a]
		return r, nil
	case "CFG_READ":
		r.Data = uint32([]int{s.payload, s.header, s.rto, s.tick, s.tries}[a])
		return r, nil
	case "OPEN":
		p := &s.pdc[k]
		if p.valid {
			r.Busy = true
			return r, nil
		}
		x.Kind = port.ActionOpened
		if z := mod(256*p.rcvd-p.sum, two32); z < 256 {
			x.Size = uint32(z)
		}
		*p = plainPDC{valid: true, syn: true, start: d, una: d, size: p.size, stamp: p.stamp}
	case "MESSAGE":
		p := &s.pdc[k]
		if !p.valid || p.closing || p.stopped || p.left > 0 {
			r.Busy = true
			return r, nil
		}
		p.left = d
		full := 1
		for range s.payload {
			full *= 2
		}
		packets := d / full
		if d%full > 0 {
			packets++
		}
		x.Kind, x.Size = port.ActionMessage, uint32(d+s.header*packets)
	case "CLOSE":
		p := &s.pdc[k]
		switch {
		case p.valid && p.stopped && p.n == 0:
			p.valid = false
			x.Kind = port.ActionFreed
		case !p.valid || p.closing || p.stopped || p.left > 0 || p.n > 0:
			r.Busy = true
			return r, nil
		case p.syn:
			p.valid = false
			x.Kind = port.ActionFreed
		default:
			p.closing, p.closedAt, p.tries = true, mod(now, two32), 0
			x.Kind, x.PSN, x.Peer = port.ActionClosing, uint32(p.una), uint16(p.peer)
		}
	}
	return r, x
}

// numbers returns the words of a PDC that are one number.
func (p *plainPDC) numbers() map[int]*int {
	return map[int]*int{1: &p.start, 2: &p.una, 3: &p.n, 4: &p.left, 5: &p.sum, 6: &p.rcvd, 7: &p.closedAt}
}

// moduli are what they are kept modulo.
var moduli = map[int]int{1: two32, 2: two32, 3: 256, 4: two31, 5: two32, 6: two24, 7: two32}

// words32 returns 32 bits of a word from 8 on.
func (p *plainPDC) words32(a int) []bool {
	b := [][]bool{p.acked[:], p.marked[:], p.resent[:]}[(a-8)/4]
	return b[32*((a-8)%4):][:32]
}

func (p *plainPDC) load(a, psn, d int) {
	switch {
	case a == 0:
		p.valid, p.syn, p.closing, p.stopped = d%2 == 1, d/2%2 == 1, d/4%2 == 1, d/8%2 == 1
		p.tries, p.mpr, p.peer = d/16%16, d/256%256, d/65536%65536
	case a <= 7:
		*p.numbers()[a] = d % moduli[a]
	case a <= 19:
		for i := range p.words32(a) {
			p.words32(a)[i] = d%2 == 1
			d /= 2
		}
	case a == 20:
		p.size[psn%128] = d % 65536
	case a == 21:
		p.stamp[psn%128] = d
	}
}

// number returns bits as a number, the lowest first.
func number(on ...bool) (v int) {
	for i := len(on) - 1; i >= 0; i-- {
		v *= 2
		if on[i] {
			v++
		}
	}
	return v
}

func (s *plainSource) word(k, a, psn int) int {
	p, c := &s.pdc[k], &s.ctx[k/4]
	switch {
	case a == 0:
		return number(p.valid, p.syn, p.closing, p.stopped) + 16*p.tries + 256*p.mpr + 65536*p.peer
	case a <= 7:
		return *p.numbers()[a]
	case a <= 19:
		return number(p.words32(a)...)
	case a == 20:
		return p.size[psn%128]
	case a == 21:
		return p.stamp[psn%128]
	}
	return number(c.canSend, c.waits, c.queued) + 16*c.next
}

func (s *plainSource) turned(now int) *port.Act {
	c := s.ready[0]
	s.ready = s.ready[1:]
	x := &s.ctx[c]
	x.queued = false
	defer s.list(c)
	s.add("turns")
	if !s.eligible(c) {
		return nil
	}
	slot := -1
	for _, resend := range []bool{true, false} {
		for j := x.next; j < x.next+4 && slot < 0; j++ {
			p := &s.pdc[4*c+j%4]
			if p.work() && (!resend || p.again() >= 0) {
				slot = j % 4
			}
		}
	}
	x.next = (slot + 1) % 4
	k := 4*c + slot
	p := &s.pdc[k]
	act := &port.Act{Kind: port.ActionSent, PDC: uint16(k), Now: uint64(now), Tx: true, Syn: p.syn}
	var psn int
	if i := p.again(); i >= 0 {
		p.marked[i], p.resent[i] = false, true
		psn = mod(p.una+i, two32)
		act.Size, act.IsRtx = uint32(p.size[psn%128]), true
		s.add("resends")
	} else {
		i, m := p.n, 1
		for range s.payload {
			m *= 2
		}
		if p.left < m {
			m = p.left
		}
		psn = mod(p.una+i, two32)
		p.left -= m
		p.n++
		p.acked[i], p.marked[i], p.resent[i] = false, false, false
		p.size[psn%128] = m + s.header
		p.sum = mod(p.sum+m+s.header, two32)
		act.Size, act.Eom = uint32(m+s.header), p.left == 0
	}
	p.stamp[psn%128] = mod(now, two32)
	x.waits = true
	s.add("sent")
	act.PSN = uint32(psn)
	if p.syn {
		act.PSNOffset = uint16(mod(psn-p.start, 4096))
	} else {
		act.Peer = uint16(p.peer)
	}
	act.Ar = act.IsRtx || act.Eom || p.n >= p.limit()
	return act
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

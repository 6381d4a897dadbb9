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
		act.Size, act.Last = uint32(m+s.header), p.left == 0
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
	act.Ar = act.IsRtx || act.Last || p.n >= p.limit()
	return act
}

// judge returns the PDC of a record, nil for a stray.
func (s *plainSource) judge(r port.Rec) *plainPDC {
	if r.Dpdcid == 0 || int(r.Dpdcid) > len(s.pdc) {
		return nil
	}
	p := &s.pdc[r.Dpdcid-1]
	if !p.valid || p.stopped {
		return nil
	}
	switch r.PdsType {
	case 10, 12:
		return p
	case 7, 8, 9:
		if p.syn || int(r.Spdcid) == p.peer {
			return p
		}
	}
	return nil
}

// newly returns the PSNs that an ACK acknowledges, from una on, and whether it is stale.
func (p *plainPDC) newly(r port.Rec) (list []int, stale bool) {
	d := mod(int(r.PSN)+1-p.una, two32)
	if d >= two31 {
		d -= two32
	}
	if p.closing {
		return nil, d != 1
	}
	a := d
	if d < 0 {
		a = 0
	}
	if a > p.n || d < -4096 || p.syn && p.n == 0 {
		return nil, true
	}
	for i := range p.n {
		z := mod(p.una+i-int(r.SackBase), two32)
		covered := i < a || (r.PdsType == 8 || r.PdsType == 9) && z < 64 && r.SackBitmap>>z%2 == 1
		if covered && !p.acked[i] {
			list = append(list, i)
		}
	}
	return list, false
}

// unmarks returns u of a record.
func (s *plainSource) unmarks(r port.Rec) (u int) {
	p := s.judge(r)
	if p == nil || r.PdsType == 10 || r.PdsType == 12 {
		return 0
	}
	list, _ := p.newly(r)
	for _, i := range list {
		if p.marked[i] {
			u++
		}
	}
	return u
}

func (s *plainSource) recorded(r port.Rec, now int) *port.Act {
	p := s.judge(r)
	if p == nil {
		s.add("stray")
		return nil
	}
	k := int(r.Dpdcid) - 1
	defer s.list(k / 4)
	x := &port.Act{PDC: uint16(k), Now: uint64(now)}
	var counter string
	if r.PdsType == 10 || r.PdsType == 12 {
		counter = "nacks"
		if !p.nacked(r, x) {
			counter = "stale"
		}
	} else {
		counter = "acks"
		if !p.ack(r, x) {
			counter = "stale"
		}
	}
	s.add(counter)
	if counter == "stale" {
		return nil
	}
	return x
}

func (p *plainPDC) ack(r port.Rec, x *port.Act) bool {
	n, stale := p.newly(r)
	if stale {
		return false
	}
	if p.closing {
		p.valid = false
		x.Kind = port.ActionFreed
		return true
	}
	x.Kind, x.M, x.Retx, x.Entropy = port.ActionAcked, r.M, r.Retx, r.Entropy
	if p.syn {
		p.syn, p.peer = false, int(r.Spdcid)
	}
	if r.PdsType != 7 {
		p.mpr = int(r.Mpr)
	}
	for _, i := range n {
		if !r.Probe && mod(int(r.AckPSN)-p.una, two32) == i {
			x.Tx, x.PSN = true, r.AckPSN
		}
		if p.marked[i] {
			x.UnmarkPkts++
			x.UnmarkBytes += uint32(p.size[(p.una+i)%128])
		} else {
			x.AckedPkts++
		}
		p.acked[i], p.marked[i] = true, false
		p.tries = 0
	}
	x.RcvdBytes = uint32(p.rcvd)
	if r.PdsType == 8 && r.CcType == 0 {
		x.RcvdBytes, x.ServiceTime, x.Pend, x.RC = r.RcvdBytes, r.ServiceTime, r.Pend, r.RC
		if mod(int(r.RcvdBytes)-p.rcvd, two24) < two24/2 {
			p.rcvd = int(r.RcvdBytes)
		}
	}
	for p.n > 0 && p.acked[0] {
		p.una = mod(p.una+1, two32)
		p.n--
		for _, b := range []*[128]bool{&p.acked, &p.marked, &p.resent} {
			copy(b[:], b[1:])
			b[127] = false
		}
	}
	x.Done = p.n == 0 && p.left == 0
	return true
}

func (p *plainPDC) nacked(r port.Rec, x *port.Act) bool {
	code := int(r.NackCode)
	if p.closing {
		if int(r.PSN) != p.una || code != 14 && code != 15 {
			return false
		}
		p.valid = false
		x.Kind = port.ActionFreed
		return true
	}
	i := mod(int(r.PSN)-p.una, two32)
	if i >= p.n {
		return false
	}
	all := true
	for j := range i {
		all = all && p.acked[j]
	}
	for _, stop := range []int{0x0E, 0x0F, 0x10, 0x11, 0x15, 0x16, 0x17} {
		if code == stop && (code != 0x10 || all) {
			p.stopped = true
			x.Kind, x.Code = port.ActionStopped, r.NackCode
			return true
		}
	}
	if !p.inFlight(i) || p.resent[i] != r.Retx {
		return false
	}
	p.marked[i] = true
	*x = port.Act{Kind: port.ActionNacked, PDC: x.PDC, Now: x.Now, PSN: r.PSN, Size: uint32(p.size[r.PSN%128]), Tx: true,
		Code: r.NackCode, M: r.M, Retx: r.Retx, Entropy: r.Entropy}
	return true
}

func (s *plainSource) timed(now int) *port.Act {
	k := s.scan
	s.scan = (s.scan + 1) % len(s.pdc)
	p := &s.pdc[k]
	defer s.list(k / 4)
	if !p.valid {
		return nil
	}
	x := &port.Act{PDC: uint16(k), Now: uint64(now)}
	if p.stopped {
		if p.n == 0 {
			return nil
		}
		x.Kind, x.Done = port.ActionAcked, p.left == 0
		for i := range p.n {
			switch {
			case p.inFlight(i):
				x.AckedPkts++
			case !p.acked[i]:
				x.UnmarkPkts++
				x.UnmarkBytes += uint32(p.size[(p.una+i)%128])
			}
		}
		p.rcvd = p.sum / 256
		if p.sum%256 > 0 {
			p.rcvd++
		}
		p.rcvd %= two24
		x.RcvdBytes = uint32(p.rcvd)
		p.una, p.n = mod(p.una+p.n, two32), 0
		p.acked, p.marked, p.resent = [128]bool{}, [128]bool{}, [128]bool{}
		return x
	}
	wait := s.rto
	for i := 0; i < p.tries && i < 6; i++ {
		wait *= 2
	}
	stops := func() bool {
		if p.tries >= s.tries {
			p.stopped = true
			x.Kind = port.ActionStopped
			return true
		}
		p.tries = least(p.tries+1, 15)
		return false
	}
	if p.closing {
		if mod(now-p.closedAt, two32) < wait {
			return nil
		}
		if !stops() {
			p.closedAt = mod(now, two32)
			x.Kind, x.PSN, x.Peer, x.IsRtx = port.ActionClosing, uint32(p.una), uint16(p.peer), true
		}
		return x
	}
	for _, resent := range []bool{false, true} {
		for i := range p.n {
			if !p.inFlight(i) || p.resent[i] != resent {
				continue
			}
			psn := mod(p.una+i, two32)
			if mod(now-p.stamp[psn%128], two32) < wait {
				break
			}
			if resent && stops() {
				return x
			}
			p.marked[i] = true
			x.Kind, x.PSN, x.Size = port.ActionLost, uint32(psn), uint32(p.size[psn%128])
			s.add("losses")
			return x
		}
	}
	return nil
}

// retires returns u of the timer's next job.
func (s *plainSource) retires() (u int) {
	for i, p := 0, &s.pdc[s.scan]; p.valid && p.stopped && i < p.n; i++ {
		u += number(p.marked[i] && !p.acked[i])
	}
	return u
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

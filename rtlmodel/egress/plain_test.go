package egress

import (
	"math/big"
	"slices"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// plainPacket is a packet with an unbounded integer as its length.
type plainPacket struct {
	id                    uint32
	len                   int64
	trimmed, lastHop, ect bool
}

// plainQueues implements contract.md literally: queues are slices, contents are summed each time they are needed,
// counters are maps, and registers have names.
type plainQueues struct {
	spec    Spec
	reg     map[string]int64
	queue   map[[2]int][]plainPacket
	count   map[string]map[[2]int]int64
	deficit map[[2]int]int64
	ptr     map[int]int
	xoff    map[int]bool
	lfsr    uint32
}

var counters = []string{"", "", "enq_pkts", "enq_bytes", "deq_pkts", "deq_bytes", "trims", "drops", "marks"}

func (p *plainQueues) reset() {
	p.reg = map[string]int64{}
	for _, r := range port.RegInfo {
		p.reg[r.Name] = int64(r.Reset)
	}
	p.queue, p.deficit = map[[2]int][]plainPacket{}, map[[2]int]int64{}
	p.count = map[string]map[[2]int]int64{}
	for _, name := range counters {
		p.count[name] = map[[2]int]int64{}
	}
	p.ptr, p.xoff, p.lfsr = map[int]int{}, map[int]bool{}, 1
}

func (p *plainQueues) bytes(pt, c int) (sum int64) {
	for _, x := range p.queue[[2]int{pt, c}] {
		sum += x.len
	}
	return sum
}

func (p *plainQueues) portBytes(pt int) int64 {
	return p.bytes(pt, 0) + p.bytes(pt, 1) + p.bytes(pt, 2)
}

func (p *plainQueues) sharedBytes() (sum int64) {
	for pt := range p.spec.NumPorts {
		sum += p.portBytes(pt)
	}
	return sum
}

func (p *plainQueues) evaluate(pt int) {
	b := p.portBytes(pt)
	if b >= p.reg["XOFF"] {
		p.xoff[pt] = true
	} else if b <= p.reg["XON"] {
		p.xoff[pt] = false
	}
}

func (p *plainQueues) enq(e port.Enq) (r port.Enqr) {
	refused := port.Enqr{Kind: e.Kind, Port: e.Port, Id: e.Id, Refused: true}
	r = port.Enqr{Kind: e.Kind, Port: e.Port, Id: e.Id}
	if e.Kind >= 5 {
		return refused
	}
	if e.Kind == port.KindCfgWrite || e.Kind == port.KindCfgRead {
		if e.Addr >= 19 {
			return refused
		}
		info := port.RegInfo[e.Addr]
		if e.Kind == port.KindCfgRead {
			r.Data = uint32(p.reg[info.Name])
			return r
		}
		p.reg[info.Name] = int64(e.Data) % (1 << info.Width)
		if info.Name == "SEED" {
			if e.Data == 0 {
				p.reg["SEED"] = 1
			}
			p.lfsr = uint32(p.reg["SEED"])
		}
		return r
	}
	if int(e.Port) >= p.spec.NumPorts || e.Cls == 3 {
		return refused
	}
	pt, at := int(e.Port), [2]int{int(e.Port), int(e.Cls)}
	if e.Kind != port.KindEnq && e.Addr >= 14 {
		return refused
	}
	if e.Kind == port.KindRead {
		switch e.Addr {
		case 0:
			r.Data = uint32(p.bytes(pt, int(e.Cls)))
		case 1:
			r.Data = uint32(len(p.queue[at]))
		case 9:
			r.Data = uint32(p.deficit[at])
		case 10:
			r.Data = uint32(p.portBytes(pt))
		case 11:
			r.Data = uint32(p.ptr[pt])
			if p.xoff[pt] {
				r.Data += 16
			}
		case 12:
			r.Data = uint32(p.sharedBytes())
		case 13:
			r.Data = p.lfsr
		default:
			r.Data = uint32(p.count[counters[e.Addr]][at] % (1 << 32))
		}
		return r
	}
	if e.Kind == port.KindLoad {
		switch {
		case e.Addr >= 2 && e.Addr <= 8:
			p.count[counters[e.Addr]][at] = int64(e.Data)
		case e.Addr == 9:
			p.deficit[at] = int64(e.Data) % (1 << 24)
		case e.Addr == 11 && e.Data%4 != 3:
			p.ptr[pt] = int(e.Data % 4)
		case e.Addr == 13 && e.Data == 0:
			p.lfsr = 1
		case e.Addr == 13:
			p.lfsr = e.Data
		default:
			return refused
		}
		return r
	}
	return p.admit(e, r)
}

func (p *plainQueues) admit(e port.Enq, r port.Enqr) port.Enqr {
	pt, c, n := int(e.Port), int(e.Cls), int64(e.Len)
	limit := p.reg["TRIM"]
	if e.LastHop {
		limit = p.reg["TRIM_LASTHOP"]
	}
	due := c == 0 && e.Trimmable && p.reg["TRIM_EN"] == 1 && p.bytes(pt, 0)+n > limit
	if due && e.TrimSize != 0 {
		p.count["trims"][[2]int{pt, 0}]++
		c, r.Trimmed, n = 1, true, int64(e.TrimSize)
	}
	at := [2]int{pt, c}
	drop := p.reg[[]string{"DROP_LOW", "DROP_MED", "DROP_HIGH"}[c]]
	r.Verdict = port.VerdictDrop
	if due && e.TrimSize == 0 {
		r.Cause = port.CauseUntrimmable
	} else if p.bytes(pt, c)+n > drop {
		r.Cause = port.CauseLimit
	} else if p.sharedBytes()+n > p.reg["SHARED"] {
		r.Cause = port.CauseShared
	} else if len(p.queue[at]) == p.spec.Depth {
		r.Cause = port.CauseFull
	} else {
		r.Verdict = port.VerdictAdmit
		if r.Trimmed {
			r.Verdict = port.VerdictTrim
		}
		p.queue[at] = append(p.queue[at], plainPacket{e.Id, n, r.Trimmed, e.LastHop, e.Ect})
		p.count["enq_pkts"][at]++
		p.count["enq_bytes"][at] += n
	}
	if r.Verdict == port.VerdictDrop {
		p.count["drops"][at]++
	}
	p.evaluate(pt)
	r.Cls, r.Len, r.Depth = port.Cls(c), uint16(n), uint32(p.bytes(pt, c))
	r.PortBytes, r.Xoff = uint32(p.portBytes(pt)), p.xoff[pt]
	return r
}

func (p *plainQueues) deq(e port.Deq) port.Deqr {
	pt := int(e.Port)
	if pt >= p.spec.NumPorts {
		return port.Deqr{Port: e.Port, Refused: true}
	}
	var busy []int // classes, highest first
	for c := 2; c >= 0; c-- {
		if len(p.queue[[2]int{pt, c}]) > 0 {
			busy = append(busy, c)
		}
	}
	if len(busy) == 0 {
		p.evaluate(pt)
		return port.Deqr{Port: e.Port, Empty: true, Xoff: p.xoff[pt]}
	}
	c := busy[0]
	if p.reg["SCHED"] == 1 || p.reg["SCHED"] == 2 && c != 2 {
		c = p.drr(pt, busy)
	}
	at := [2]int{pt, c}
	x := p.queue[at][0]
	p.queue[at] = p.queue[at][1:]
	p.count["deq_pkts"][at]++
	p.count["deq_bytes"][at] += x.len
	r := port.Deqr{
		Port: e.Port, Cls: port.Cls(c), Id: x.id, Len: uint16(x.len), Trimmed: x.trimmed, LastHop: x.lastHop,
		Depth: uint32(p.bytes(pt, c)), PortBytes: uint32(p.portBytes(pt)),
	}
	if c == 0 && x.ect {
		r.Ce = p.ecn(p.bytes(pt, 0))
	}
	if r.Ce {
		p.count["marks"][at]++
	}
	p.evaluate(pt)
	r.Xoff = p.xoff[pt]
	return r
}

// drr serves one of the busy classes; with high strict over DRR, class 2 is not among them.
func (p *plainQueues) drr(pt int, busy []int) int {
	head := func(c int) int64 { return p.queue[[2]int{pt, c}][0].len }
	def := func(c int) int64 { return p.deficit[[2]int{pt, c}] }
	ptr := p.ptr[pt]
	var c int
	if slices.Contains(busy, ptr) && def(ptr) >= head(ptr) {
		c = ptr
		p.deficit[[2]int{pt, c}] -= head(c)
	} else {
		for _, c = range []int{(ptr + 1) % 3, (ptr + 2) % 3, ptr} {
			if slices.Contains(busy, c) {
				break
			}
		}
		p.ptr[pt] = c
		d := def(c) + p.reg[[]string{"QUANTUM_LOW", "QUANTUM_MED", "QUANTUM_HIGH"}[c]]
		if d > 1<<24-1 {
			d = 1<<24 - 1
		}
		p.deficit[[2]int{pt, c}] = max(d-head(c), 0)
	}
	if len(p.queue[[2]int{pt, c}]) == 1 {
		p.deficit[[2]int{pt, c}] = 0
	}
	return c
}

func (p *plainQueues) ecn(d int64) bool {
	switch p.reg["ECN_MODE"] {
	case 1:
		return d > p.reg["K_DET"]
	case 2:
		if d <= p.reg["K_MIN"] {
			return false
		}
		if d >= p.reg["K_MAX"] {
			return true
		}
		for range 16 {
			b := p.lfsr % 2
			p.lfsr /= 2
			if b == 1 {
				p.lfsr ^= 0x80200003
			}
		}
		r := new(big.Int).Mul(big.NewInt(int64(p.lfsr&0xffff)), big.NewInt(p.reg["K_MAX"]-p.reg["K_MIN"]))
		return r.Cmp(new(big.Int).Mul(big.NewInt(d-p.reg["K_MIN"]), big.NewInt(p.reg["P_MAX"]))) < 0
	}
	return false
}

// plainBlock keeps the whole history since the last reset and applies the timing rules by searching it.
type plainBlock struct {
	plainQueues
	t            int
	enqs         []port.Enq // accepted
	deqs         []port.Deq
	enqAt, deqAt []int // cycles of issue
	enqrs        []port.Enqr
	deqrs        []port.Deqr
	enqrN, deqrN int // taken
}

type plainIn struct {
	rstN, enqValid, deqValid, enqrReady, deqrReady bool
	enq                                            port.Enq
	deq                                            port.Deq
}

type plainOut struct {
	enqReady, deqReady, enqrValid, deqrValid bool
	enqr                                     port.Enqr
	deqr                                     port.Deqr
}

func (b *plainBlock) cycle(in plainIn) (out plainOut) {
	if !in.rstN {
		*b = plainBlock{plainQueues: plainQueues{spec: b.spec}}
		b.reset()
		return out
	}
	t, up := b.t, b.t >= b.spec.NumPorts
	b.t++
	qe, qd := len(b.enqs)-len(b.enqAt), len(b.deqs)-len(b.deqAt)
	oe, od := len(b.enqAt)-b.enqrN, len(b.deqAt)-b.deqrN
	out.enqReady, out.deqReady = up && qe < 2, up && qd < 2
	if b.enqrN < len(b.enqrs) && b.enqAt[b.enqrN]+4 <= t {
		out.enqrValid, out.enqr = true, b.enqrs[b.enqrN]
	}
	if b.deqrN < len(b.deqrs) && b.deqAt[b.deqrN]+4 <= t {
		out.deqrValid, out.deqr = true, b.deqrs[b.deqrN]
	}

	excl, recent := false, false
	if qe > 0 {
		k := b.enqs[len(b.enqAt)].Kind
		excl = k == port.KindCfgWrite || k == port.KindLoad
	}
	for _, at := range slices.Concat(b.enqAt, b.deqAt) {
		if t-3 <= at && at <= t-1 {
			recent = true
		}
	}
	issueE := qe > 0 && oe < 8 && !(excl && recent)
	issueD := qd > 0 && od < 8 && !(excl && oe < 8)
	if issueD {
		if n := len(b.deqAt); n > 0 && b.deqAt[n-1] == t-1 && b.deqs[n-1].Port == b.deqs[n].Port {
			issueD = false
		}
	}
	if issueD {
		b.deqrs = append(b.deqrs, b.deq(b.deqs[len(b.deqAt)]))
		b.deqAt = append(b.deqAt, t)
	}
	if issueE {
		b.enqrs = append(b.enqrs, b.enq(b.enqs[len(b.enqAt)]))
		b.enqAt = append(b.enqAt, t)
	}
	if in.enqValid && out.enqReady {
		b.enqs = append(b.enqs, in.enq)
	}
	if in.deqValid && out.deqReady {
		b.deqs = append(b.deqs, in.deq)
	}
	if out.enqrValid && in.enqrReady {
		b.enqrN++
	}
	if out.deqrValid && in.deqrReady {
		b.deqrN++
	}
	return out
}

package intmd

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// plainPlan is the result of the decision of contract.md, with its steps written as one list.
type plainPlan struct {
	cause       port.Cause
	l2, h, g, i int
	v4          bool
	ack         bool
	index       int
	hops        int
}

func plainDecide(reg []uint32, numPorts int, frame []byte, beats int, side Side) (p plainPlan) {
	a, f := min(len(frame), 128), len(frame)
	if beats > 2 {
		f = int(side.Len)
	}
	seen := func(i int) int { // 0 for bytes not seen, so that every condition can be evaluated
		if i < a {
			return int(frame[i])
		}
		return 0
	}
	word := func(i int) int { return seen(i)*256 + seen(i+1) }
	type step struct {
		applies bool
		cause   port.Cause
	}
	steps := []step{{a < 14, port.CauseTruncated}}
	v := 0
	for v < 2 && (word(12+4*v) == 0x8100 || word(12+4*v) == 0x88A8) {
		steps = append(steps, step{a < 18+4*v, port.CauseTruncated})
		v++
	}
	p.l2 = 14 + 4*v
	kind := word(p.l2 - 2)
	p.v4 = kind == 0x0800
	steps = append(steps, step{kind != 0x0800 && kind != 0x86DD, port.CauseEthertype})
	var plen int
	if p.v4 {
		hl, tot := 4*(seen(p.l2)%16), word(p.l2+2)
		p.h, plen = p.l2+hl, tot-hl
		steps = append(steps,
			step{a < p.l2+20, port.CauseTruncated},
			step{seen(p.l2)/16 != 4 || seen(p.l2)%16 < 5, port.CauseHeader},
			step{a < p.h, port.CauseTruncated},
			step{tot < hl, port.CauseLength},
			step{f < p.l2+tot, port.CauseTruncated},
			step{word(p.l2+6)%0x4000 != 0, port.CauseFragment},
			step{seen(p.l2+9) != 17, port.CauseProtocol})
	} else {
		p.h, plen = p.l2+40, word(p.l2+4)
		n := seen(p.l2 + 6)
		steps = append(steps,
			step{a < p.h, port.CauseTruncated},
			step{seen(p.l2)/16 != 6, port.CauseHeader},
			step{f < p.h+plen, port.CauseTruncated},
			step{n == 44, port.CauseFragment},
			step{n == 0 || n == 43 || n == 50 || n == 51 || n == 60 || n == 135, port.CauseExtension},
			step{n != 17, port.CauseProtocol})
	}
	u := seen(p.h+8) / 8
	o := frames.UETHeader(uint8(u))
	p.ack = u == 7 || u == 8
	mode, index := reg[port.RegMode]/2%2, int(side.OutPort)
	if p.ack {
		mode, index = reg[port.RegMode]%2, int(side.InPort)
	}
	p.index = index
	p.g = p.h + 8 + o
	hops, hmax := seen(p.g+2), seen(p.g+3)
	p.i, p.hops = p.g+8+8*hops, hops+1
	steps = append(steps,
		step{plen < 10 || word(p.h+4) != plen, port.CauseLength},
		step{word(p.h+2) != int(reg[port.RegUdpPort]), port.CausePort},
		step{o == 0, port.CauseType},
		step{mode == 0, port.CauseOff},
		step{plen < 8+o+8 || word(p.g) != int(reg[port.RegMagic]), port.CauseAbsent},
		step{seen(p.g+4) != 0x12 || seen(p.g+5)+hmax != 255 || hops > hmax, port.CauseMalformed},
		step{plen < 8+o+8+8*hops, port.CauseLength},
		step{hops == hmax || p.h+plen+8 > int(reg[port.RegMaxFrame]), port.CauseNoRoom},
		step{index >= numPorts, port.CauseRange})
	for _, s := range steps {
		if s.applies {
			p.cause = s.cause
			return p
		}
	}
	return p
}

// plainInsert returns the output frame of a packet with an insertion. Checksums are computed modulo
// 65535.
func plainInsert(frame []byte, p plainPlan, entry uint64) []byte {
	out := append([]byte(nil), frame...)
	e := binary.BigEndian.AppendUint64(nil, entry)
	word := func(b []byte, i int) int64 { return int64(b[i])*256 + int64(b[i+1]) }
	put := func(i int, v int64) { out[i], out[i+1] = byte(v/256), byte(v) }
	fix := func(at int, gain int64) int64 {
		return 65535 - (65535-word(frame, at)+gain+10*65535)%65535
	}
	out[p.g+2]++
	put(p.h+4, word(frame, p.h+4)+8)
	if p.v4 {
		put(p.l2+2, word(frame, p.l2+2)+8)
		c := fix(p.l2+10, 8)
		if c == 65535 {
			c = 0 // a sum is never 0, so its complement is never all ones
		}
		put(p.l2+10, c)
	} else {
		put(p.l2+4, word(frame, p.l2+4)+8)
	}
	if word(frame, p.h+6) != 0 {
		gain := 2*8 + int64(256)
		for i := 0; i < 8; i += 2 {
			gain += word(e, i)
		}
		// This sum is never 0 either, and a complement of 0 is written as all ones.
		put(p.h+6, fix(p.h+6, gain%65535))
	}
	if len(frame) >= p.i {
		out = append(append(append([]byte(nil), out[:p.i]...), e...), out[p.i:]...)
	}
	return out
}

// plainPacket is a whole packet, which the test knows before it offers the first beat.
type plainPacket struct {
	beats []port.Rx
	frame []byte
	side  Side
	plan  plainPlan
	entry uint64
}

// outBeats returns the packet's beats at tx. Call it only when entry is known.
func (k *plainPacket) outBeats() (txs []port.Tx) {
	inserted := k.plan.cause == 0
	stamp := func(x port.Tx) {
		x.OutPort, x.Inserted, x.Cause = k.side.OutPort, inserted, k.plan.cause
		if inserted {
			x.Hops = uint8(k.plan.hops)
		}
		txs = append(txs, x)
	}
	if !inserted {
		for _, x := range k.beats {
			stamp(port.Tx{Data: x.Data, Keep: x.Keep, Last: x.Last})
		}
		return txs
	}
	out := plainInsert(k.frame, k.plan, k.entry)
	n := max(len(k.beats), (len(out)+63)/64)
	for i := range n {
		var x port.Tx
		for j := 64 * i; j < min(len(out), 64*i+64); j++ {
			x.Data[j%64/8] |= uint64(out[j]) << (8 * (j % 8))
			x.Keep |= 1 << (j % 64)
		}
		x.Last = i == n-1
		stamp(x)
	}
	return txs
}

type plainBeat struct {
	rx     port.Rx
	packet *plainPacket
	number int
}

// plainBlock implements the timing by its recurrences: every count is a number, every list is a slice that only grows,
// and the whole table is computed at every tick.
type plainBlock struct {
	numPorts       int
	t              int
	reg            []uint32
	counter        [port.NumWords]uint32
	q, s, avail, w int
	x              bool
	rel            map[int]int
	rx             []plainBeat
	issued, popped int
	last           *plainPacket // the packet whose beat was emitted last
	out            []port.Tx
	outAt          []int
	taken          int
	cfg            []port.Cfg
	cfgr           []port.Cfgr
	cfgAt          []int
	cfgrN          int
	cnt            []port.Cnt
	cntN           int
	txBytes, ql    []uint32
	rate           []uint32
	entry          []uint64
	time           uint64
	age            uint64
}

func (b *plainBlock) reset() {
	*b = plainBlock{numPorts: b.numPorts, rel: map[int]int{}}
	for _, r := range port.RegInfo {
		b.reg = append(b.reg, uint32(r.Reset))
	}
	for range b.numPorts {
		b.txBytes, b.ql = append(b.txBytes, 0), append(b.ql, 0)
		b.rate, b.entry = append(b.rate, 4), append(b.entry, 0)
	}
}

type plainIn struct {
	rstN, rxValid, cntValid, cfgValid, txReady, cfgrReady bool
	rx                                                    plainBeat
	cnt                                                   port.Cnt
	cfg                                                   port.Cfg
}

type plainOut struct {
	rxReady, cntReady, cfgReady, txValid, cfgrValid bool
	tx                                              port.Tx
	cfgr                                            port.Cfgr
}

func num(x bool) int {
	if x {
		return 1
	}
	return 0
}

func (b *plainBlock) cycle(in plainIn) (o plainOut) {
	if !in.rstN {
		b.reset()
		return o
	}
	t, up := b.t, b.t >= b.numPorts
	b.t++
	qc, oc := len(b.cfg)-len(b.cfgr), len(b.cfgr)-b.cfgrN
	qn := len(b.cnt) - b.cntN
	o.rxReady, o.cntReady, o.cfgReady = up && b.q < 2, up && qn < 2, up && qc < 2
	if b.taken < len(b.out) && b.outAt[b.taken]+4 <= t {
		o.txValid, o.tx = true, b.out[b.taken]
	}
	if b.cfgrN < len(b.cfgr) && b.cfgAt[b.cfgrN]+2 <= t {
		o.cfgrValid, o.cfgr = true, b.cfgr[b.cfgrN]
	}
	accept, take := in.rxValid && o.rxReady, o.txValid && in.txReady
	issue := b.q > 0 && b.s < 16
	emit := b.w < 8 && (b.x || b.avail > 0)
	pop := emit && !b.x

	var inc [port.NumWords]uint32
	if issue {
		b.rel[t] = b.issueBeat()
	}
	nextX := b.x
	if emit {
		nextX = false
		if b.x {
			all := b.last.outBeats()
			b.out = append(b.out, all[len(all)-1])
			inc[17] = 1
		} else {
			x := b.rx[b.popped]
			b.popped++
			k := x.packet
			b.last = k
			if x.number == 0 {
				inc[0] = 1
				if k.plan.cause != 0 {
					inc[k.plan.cause] = 1
				} else {
					inc[15], inc[16] = uint32(num(k.plan.ack)), uint32(num(!k.plan.ack))
					k.entry = b.entry[k.plan.index]
				}
			}
			all := k.outBeats()
			b.out = append(b.out, all[x.number])
			nextX = x.rx.Last && len(all) > x.number+1
		}
		b.outAt = append(b.outAt, t)
	}
	next := *b // registers and table of the next cycle
	if up {
		next.table(b)
	}
	if qc > 0 && oc < 8 {
		next.cfgr = append(b.cfgr, next.configure(b, b.cfg[len(b.cfgr)]))
		next.cfgAt = append(b.cfgAt, t)
	}
	if qn > 0 {
		r := b.cnt[b.cntN]
		next.cntN++
		if int(r.Port) >= b.numPorts {
			inc[18] = 1
		} else if r.Op == port.OpSet {
			next.txBytes[r.Port], next.ql[r.Port] = r.TxBytes, r.Qlen
		} else {
			next.txBytes[r.Port] += r.TxBytes
			next.ql[r.Port] += r.Qlen
		}
	}
	for i := range inc {
		next.counter[i] += inc[i]
	}
	if accept {
		next.rx = append(b.rx, in.rx)
	}
	if in.cntValid && o.cntReady {
		next.cnt = append(b.cnt, in.cnt)
	}
	if in.cfgValid && o.cfgReady {
		next.cfg = append(b.cfg, in.cfg)
	}
	next.taken += num(take)
	next.cfgrN += num(o.cfgrValid && in.cfgrReady)
	next.x = nextX
	next.q += num(accept) - num(issue)
	next.s += num(issue) - num(pop)
	next.avail += b.rel[t+1-4] - num(pop)
	next.w += num(emit) - num(take)
	*b = next
	return o
}

// table fills in the clock and the table of the cycle after now. It copies slices, so that now is unchanged.
func (b *plainBlock) table(now *plainBlock) {
	b.txBytes, b.ql = append([]uint32(nil), now.txBytes...), append([]uint32(nil), now.ql...)
	b.rate, b.entry = append([]uint32(nil), now.rate...), append([]uint64(nil), now.entry...)
	b.reg = append([]uint32(nil), now.reg...)
	b.time = (now.time + uint64(now.reg[port.RegStep])) % (1 << 40)
	b.age = now.age + 1
	period := uint64(now.reg[port.RegPeriod])
	if period <= 1 || now.age+1 >= period {
		b.age = 0
		for p := range b.entry {
			qlen := now.ql[p] / 80
			if qlen > 65535 {
				qlen = 65535
			}
			b.entry[p] = uint64(now.rate[p])*(1<<60) + now.time/65536*(1<<36) +
				uint64(now.txBytes[p]/128%(1<<20))*65536 + uint64(qlen)
		}
	}
}

// configure executes a cfg event on b, the state of the next cycle, from now, the state of this cycle.
func (b *plainBlock) configure(now *plainBlock, e port.Cfg) port.Cfgr {
	r := port.Cfgr{Kind: e.Kind, Port: e.Port}
	exists := int(e.Port) < b.numPorts
	switch {
	case e.Kind == port.KindLoad && e.Addr < 19:
		b.counter[e.Addr] = e.Data
	case e.Kind == port.KindRead && e.Addr < 19:
		r.Data = uint64(now.counter[e.Addr])
	case e.Kind == port.KindCfgWrite && e.Addr == 6:
		b.time = uint64(e.Data%(1<<24)) * 65536
	case e.Kind == port.KindCfgWrite && e.Addr < 6:
		b.reg[e.Addr] = uint32(uint64(e.Data) % (1 << port.RegInfo[e.Addr].Width))
	case e.Kind == port.KindCfgRead && e.Addr == 6:
		r.Data = now.time / 65536
	case e.Kind == port.KindCfgRead && e.Addr < 6:
		r.Data = uint64(now.reg[e.Addr])
	case e.Kind == port.KindRateWrite && exists:
		b.rate[e.Port] = e.Data % 16
	case e.Kind == port.KindEntryRead && exists:
		r.Data = now.entry[e.Port]
	default:
		r.Refused = true
	}
	return r
}

// issueBeat issues a beat and returns the number of beats released. It decides on a packet at its beat 1, or at its
// only beat.
func (b *plainBlock) issueBeat() int {
	x := b.rx[b.issued]
	b.issued++
	if x.number == 0 && !x.rx.Last {
		return 0
	}
	if x.number > 1 {
		return 1
	}
	k := x.packet
	k.plan = plainDecide(b.reg, b.numPorts, k.frame, len(k.beats), k.side)
	return x.number + 1
}

package ackgen

import (
	"encoding/binary"
	"math/big"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// plainReasons are the counters of the decision, plainVerdicts those of the jobs, by their addresses less 19.
var plainReasons = []string{"PASSED", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION", "PROTOCOL", "LENGTH",
	"IP_SUM", "UDP_SUM", "PORT", "TYPE", "SHORT", "CTL_TYPE", "PDCID"}

var plainCounters = map[string]int{"frames": 19, "ACCEPTED": 34, "DUPLICATE": 35, "ASKED": 36, "PROBED": 37,
	"CLOSED": 38, "EARLY": 39, "REFUSED": 40, "opens": 41, "ACK": 42, "ACK_CC": 43}

var plainNacks = map[string]byte{"TRIMMED": 1, "TRIMMED_LASTHOP": 2, "NO_PDC": 4, "PSN_OOR": 11, "ROD_OOO": 13,
	"INV_DPDCID": 14, "PDC_HDR_MISMATCH": 15, "CLOSING": 16, "PKT_NOT_RCVD": 18, "PDC_MODE_MISMATCH": 22,
	"NEW_START_PSN": 23}

const (
	plainMod  = 1 << 32
	plainHalf = 1 << 31
)

// plainSigned reads a number modulo 2^32 as signed.
func plainSigned(x int) int { return (x+plainHalf)&(plainMod-1) - plainHalf }

// plainPDC is a PDC with each number in an int, seen as a list and src as bytes.
type plainPDC struct {
	valid, ipv6, rod, started, asking, ce, wantClose, refuse bool

	spdcid, cack, rcvd, pending, asked, start int

	seen [256]bool
	src  [16]byte
}

// plainReceiver is the contract, sentence by sentence.
type plainReceiver struct {
	reg     []uint32
	counter [44]uint32
	pdc     []plainPDC
}

func newPlain(pdcs int) *plainReceiver {
	return &plainReceiver{reg: []uint32{4793, 253, 2, 128, 16384, 1024, 40, 46, 16, 18, 128, 0},
		pdc: make([]plainPDC, pdcs)}
}

// plainRequest is a packet that gets a job.
type plainRequest struct {
	plain.Found
	frame          []byte
	kind, ctl      int
	retx, ar, syn  bool
	rod, ce        bool
	psn, offset    int
	spdcid, dpdcid int
	dscp           int
	src            [16]byte
	tick, p        int // when its last beat issued
}

// decide makes the decision; "PASSED" comes with the request.
func (r *plainReceiver) decide(frame []byte) (string, plainRequest) {
	steps, f := plain.Walk(r.reg, frame)
	at := func(i int) int { return plain.Byte(frame, i) }
	word := func(i int) int { return plain.Word(frame, i) }
	y := word(f.P)
	kind, ctl := y/2048, y/128%16
	o := map[int]int{2: 12, 3: 12, 11: 16, 13: 16, 14: 16}[kind]
	q := plainRequest{Found: f, frame: frame, kind: kind, ctl: ctl, retx: y/16%2 == 1, ar: y/8%2 == 1, syn: y/4%2 == 1,
		psn: word(f.P+4)<<16 | word(f.P+6), spdcid: word(f.P + 8)}
	steps.Drop(o == 0, "TYPE")
	steps.Drop(f.E-f.P < o, "SHORT")
	steps.Drop(kind == 11 && ctl != 1 && ctl != 4 && ctl != 6, "CTL_TYPE")
	steps.Drop(q.spdcid == 0 || word(f.P+10) == 0 && !q.syn, "PDCID")
	if steps.Reason != "" {
		return steps.Reason, q
	}
	if q.syn {
		q.offset = word(f.P+10) % 4096
	} else {
		q.dpdcid = word(f.P + 10)
	}
	q.rod = kind == 3 || kind == 14 || kind == 11 && y/32%2 == 1
	class := at(f.L2 + 1)
	if f.V6 {
		class = word(f.L2) / 16 % 256
		copy(q.src[:], frame[f.L2+8:])
	} else {
		copy(q.src[12:], frame[f.L2+12:f.L2+16])
	}
	q.ce, q.dscp = class%4 == 3, class/4
	return "PASSED", q
}

// plainResult is what comes of a job.
type plainResult struct {
	verdict, nack string
	k             int // -1: no PDC
	opened        bool
	answer        []byte
}

func (x *plainResult) ind(q *plainRequest, tag uint32) port.Ind {
	verdict := map[string]port.Verdict{"ACCEPTED": 1, "DUPLICATE": 2, "ASKED": 3, "PROBED": 4, "CLOSED": 5, "REFUSED": 6,
		"EARLY": 7}[x.verdict]
	return port.Ind{Tag: tag, Verdict: verdict, NackCode: port.NackCode(plainNacks[x.nack]), Pdcid: uint16(x.k + 1),
		PSN: uint32(q.psn), Opened: x.opened, Answered: x.answer != nil}
}

// run executes the job of a packet that ends at a tick and a p.
func (r *plainReceiver) run(q *plainRequest, tick, p int) plainResult {
	x := r.search(q)
	if x.verdict == "" {
		r.decideJob(q, &x)
	}
	if x.opened {
		r.counter[plainCounters["opens"]]++
	}
	if x.nack != "" {
		x.verdict = "REFUSED"
		x.answer = r.answer(q, r.nack(q, &x))
	}
	r.counter[plainCounters[x.verdict]]++
	acknowledged := x.answer != nil && x.nack == ""
	if acknowledged {
		c := &r.pdc[x.k]
		name := "ACK_CC"
		if r.reg[2]/8%2 == 1 && c.ones() == 0 && (q.kind != 11 || q.ctl == 4) {
			name = "ACK"
		}
		r.counter[plainCounters[name]]++
		x.answer = r.answer(q, r.ack(q, c, x.k, name, tick, p))
		c.pending, c.ce = 0, false
	}
	if x.verdict == "CLOSED" {
		r.pdc[x.k].valid = false
	}
	return x
}

// search is step 1 of a job.
func (r *plainReceiver) search(q *plainRequest) plainResult {
	x := plainResult{k: -1}
	key := func(c *plainPDC) bool { return c.ipv6 == q.V6 && c.src == q.src && c.spdcid == q.spdcid }
	if !q.syn {
		k := q.dpdcid - 1
		switch {
		case k >= len(r.pdc) || !r.pdc[k].valid:
			x.verdict, x.nack = "REFUSED", "INV_DPDCID"
		case !key(&r.pdc[k]):
			x.verdict, x.nack = "REFUSED", "PDC_HDR_MISMATCH"
		default:
			x.k = k
		}
		return x
	}
	s := (q.psn - q.offset) & (plainMod - 1)
	for k := range r.pdc {
		if c := &r.pdc[k]; c.valid && key(c) {
			x.k = k
			if c.start != s {
				x.verdict, x.nack = "REFUSED", "NEW_START_PSN"
			}
			return x
		}
	}
	if q.kind == 11 {
		x.verdict = "EARLY"
		return x
	}
	for k := range r.pdc {
		if !r.pdc[k].valid {
			r.pdc[k] = plainPDC{valid: true, ipv6: q.V6, src: q.src, spdcid: q.spdcid, rod: q.rod, start: s,
				cack: (s - 1) & (plainMod - 1)}
			x.k, x.opened = k, true
			return x
		}
	}
	x.verdict, x.nack = "REFUSED", "NO_PDC"
	return x
}

// arrived reports whether PSN u + d has arrived.
func (c *plainPDC) arrived(d int) bool { return d < 0 || d < 256 && c.seen[d] }

func (c *plainPDC) ones() (n int) {
	for _, x := range c.seen {
		if x {
			n++
		}
	}
	return n
}

// ask sets asking if the PSN is beyond what is asked for.
func (c *plainPDC) ask(psn int) {
	if psn &= plainMod - 1; !c.asking || plainSigned(c.asked-psn) < 0 {
		c.asking, c.asked = true, psn
	}
}

// decideJob is steps 2 to 4. A non-nil answer means that there is one.
func (r *plainReceiver) decideJob(q *plainRequest, x *plainResult) {
	c, some := &r.pdc[x.k], []byte{}
	d := plainSigned(q.psn - (c.cack + 1))
	if c.rod != q.rod {
		x.nack = "PDC_MODE_MISMATCH"
		return
	}
	if q.kind == 11 {
		switch q.ctl {
		case 1:
			x.verdict, x.answer, c.ce = "ASKED", some, c.ce || q.ce
			if d >= 0 && d < 256 {
				c.ask(q.psn + 1)
			}
		case 6:
			x.verdict, x.answer, c.ce = "PROBED", some, c.ce || q.ce
		case 4:
			if d != 0 || c.ones() != 0 {
				x.nack = "PKT_NOT_RCVD"
				return
			}
			x.verdict, x.answer, c.ce, c.cack = "CLOSED", some, c.ce || q.ce, q.psn
		}
		return
	}
	if c.arrived(d) {
		x.verdict, x.answer, c.ce = "DUPLICATE", some, c.ce || q.ce
		return
	}
	above := false
	for i := d + 1; i < 256; i++ {
		above = above || c.seen[i]
	}
	for _, refused := range []struct {
		applies bool
		nack    string
	}{{d >= int(r.reg[3]), "PSN_OOR"}, {c.refuse && !above, "CLOSING"}, {q.dscp == int(r.reg[8]), "TRIMMED"},
		{q.dscp == int(r.reg[9]), "TRIMMED_LASTHOP"}, {c.rod && d != 0, "ROD_OOO"}} {
		if refused.applies {
			x.nack = refused.nack
			return
		}
	}
	x.verdict = "ACCEPTED"
	c.seen[d] = true
	for range 256 { // one PSN after the other becomes cumulative
		if !c.seen[0] {
			break
		}
		copy(c.seen[:], c.seen[1:])
		c.seen[255] = false
		c.cack = (c.cack + 1) & (plainMod - 1)
	}
	size := q.E - q.H + int(r.reg[6])
	c.rcvd = (c.rcvd + size) & (plainMod - 1)
	c.pending = min(c.pending+max(size, int(r.reg[5])), plainMod-1)
	c.ce = c.ce || q.ce
	if !c.started || q.ar || r.reg[2]/2%2 == 1 && c.ce || r.reg[2]/4%2 == 1 && q.syn || c.pending >= int(r.reg[4]) ||
		c.asking && plainSigned(q.psn-c.asked) < 0 {
		x.answer = some
	}
	c.started = true
	if q.ar {
		c.ask(q.psn)
	}
	if plainSigned(c.cack+1-c.asked) >= 0 {
		c.asking = false
	}
}

// plainPDS collects a PDS header.
type plainPDS []byte

func (b *plainPDS) put(bytes, v int) {
	for i := bytes - 1; i >= 0; i-- {
		*b = append(*b, byte(v>>(8*i)))
	}
}

func plainFlags(on ...bool) (v int) {
	for i, x := range on {
		if x {
			v |= 0x20 >> i
		}
	}
	return v
}

func (r *plainReceiver) nack(q *plainRequest, x *plainResult) (b plainPDS) {
	b.put(2, 10*2048+plainFlags(q.ce, q.retx))
	b.put(1, int(plainNacks[x.nack]))
	b.put(1, 0)
	b.put(4, q.psn)
	b.put(2, x.k+1)
	b.put(2, q.spdcid)
	b.put(4, 0)
	return b
}

func (r *plainReceiver) ack(q *plainRequest, c *plainPDC, k int, name string, tick, p int) (b plainPDS) {
	asks := q.kind == 11 && q.ctl != 4
	near := func(x int) bool { return plainSigned(x) >= -32768 && plainSigned(x) <= 32767 }
	b.put(2, map[string]int{"ACK": 7, "ACK_CC": 8}[name]*2048+plainFlags(c.ce, q.retx, asks, c.wantClose))
	switch {
	case asks:
		b.put(2, plain.Word(q.frame, q.P+2))
	case near(q.psn - c.cack):
		b.put(2, q.psn-c.cack)
	default:
		b.put(2, 0)
	}
	b.put(4, c.cack)
	b.put(2, k+1)
	b.put(2, q.spdcid)
	if name == "ACK" {
		return b
	}
	u := c.cack + 1
	base := u
	if q.kind == 11 && q.ctl == 6 {
		base = plain.Word(q.frame, q.P+12)<<16 | plain.Word(q.frame, q.P+14)
	} else if plainSigned(q.psn-u) > 63 {
		base = q.psn - 63
	}
	if !near(base - c.cack) {
		base = u
	}
	b.put(1, 0)
	b.put(1, int(r.reg[3]))
	b.put(2, base-c.cack)
	bits := new(big.Int)
	for j := range 64 {
		if c.arrived(plainSigned(base + j - u)) {
			bits.SetBit(bits, j, 1)
		}
	}
	b = append(b, bits.FillBytes(make([]byte, 8))...)
	v := tick - q.tick
	if p < q.p {
		v--
	}
	if v &= plainMod - 1; v == 0 {
		v = 1
	}
	b.put(2, min(v, 65535))
	b.put(1, int(r.reg[11]))
	n := c.rcvd / 256
	if c.rcvd%256 > 0 {
		n++
	}
	b.put(3, n)
	b.put(2, c.ones())
	return b
}

// answer puts the headers before a PDS header.
func (r *plainReceiver) answer(q *plainRequest, pds plainPDS) []byte {
	f := q.frame
	var a plainPDS
	a = append(a, f[6:12]...)
	a = append(a, f[0:6]...)
	a = append(a, f[12:q.L2]...)
	plen := 8 + len(pds)
	if q.Native {
		plen -= 4
	}
	ip := len(a)
	if q.V6 {
		a.put(4, 6<<28+int(r.reg[7])<<22)
		a.put(2, plen)
		a.put(1, int(f[q.L2+6]))
		a.put(1, 64)
		a = append(a, f[q.L2+24:q.L2+40]...)
		a = append(a, f[q.L2+8:q.L2+24]...)
	} else {
		a = append(a, 0x45, byte(r.reg[7]<<2))
		a.put(2, 20+plen)
		a = append(a, 0, 0, 0x40, 0, 64, f[q.L2+9], 0, 0)
		a = append(a, f[q.L2+16:q.L2+20]...)
		a = append(a, f[q.L2+12:q.L2+16]...)
		binary.BigEndian.PutUint16(a[ip+10:], frames.Checksum(a[ip:]))
	}
	h := len(a)
	a = append(a, f[q.H], f[q.H+1])
	if q.Native {
		a.put(2, 0)
	} else {
		a = append(a, f[q.H+2], f[q.H+3])
		a.put(2, plen)
		a.put(2, 0)
	}
	a = append(a, pds...)
	if !q.Native {
		addresses := a[ip+12 : ip+20]
		if q.V6 {
			addresses = a[ip+8 : ip+40]
		}
		sum := append(append(plainPDS{}, addresses...), 0, 17, 0, byte(plen))
		c := frames.Checksum(append(sum, a[h:]...))
		if c == 0 {
			c = 0xFFFF
		}
		binary.BigEndian.PutUint16(a[h+6:], c)
	}
	for len(a) < 60 {
		a = append(a, 0)
	}
	return a
}

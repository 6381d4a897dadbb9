package ackgen

import (
	"encoding/binary"
	"math"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	"github.com/goldwire/goldwire/rtlmodel/packet"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// Flags of a PDS header.
const (
	flagM         = 0x20
	flagRetx      = 0x10
	flagP         = 0x08
	flagWantClose = 0x04
)

// Lengths of the PDS headers of the answers.
const (
	lenAck   = 12
	lenAckCC = 32
	lenNack  = 16

	// maxAnswer is the length of the longest answer: an ACK_CC over UDP and IPv6, after two tags.
	maxAnswer = maxHead + 8 + lenAckCC
)

// answer is the frame that answers a packet. Lengths and offsets are in bytes.
type answer struct {
	tag   uint32
	h, e  int // where the payload of the IP header starts and ends
	o     int // of the PDS header, which ends at e
	len   int
	bytes [(maxAnswer + beats.Size - 1) / beats.Size * beats.Size]byte // 0 from len on
}

// build builds the answer to a packet after its job, at tick now. What an ACK tells of the PDC's ce and pending is
// cleared.
func (r *Receiver) build(q *request, o *outcome, now Instant, a *answer) {
	if o.answer == typeNack {
		a.nack(&r.cfg, q, o)
		return
	}
	p := r.pdcs.rows.Row(o.k)
	a.ack(&r.cfg, q, p, now, o)
	p.pending, p.ce = 0, false
}

// header fills all but the PDS header, which it returns: o zeros for the caller to fill. Call finish after that.
func (a *answer) header(cfg *Config, q *request, o int) (pds []byte) {
	*a = answer{tag: q.tag}
	b := a.bytes[:]
	copy(b, q.head[6:12])
	copy(b[6:], q.head[:6])
	copy(b[12:], q.head[12:q.l2])
	plen := 8 + o
	if q.native {
		plen = 4 + o
	}
	class, ip := 4*cfg[port.RegAckDscp], b[q.l2:]
	a.h = q.l2 + 20
	if q.v6 {
		a.h = q.l2 + 40
		put32(ip, 0, 6<<28|class<<20)
		put16(ip, 4, plen)
		ip[6], ip[7] = q.proto, 64
		copy(ip[8:], q.head[q.l2+24:][:16])
		copy(ip[24:], q.head[q.l2+8:][:16])
	} else {
		ip[0], ip[1] = 0x45, byte(class)
		put16(ip, 2, 20+plen)
		ip[6], ip[8], ip[9] = 0x40, 64, q.proto
		copy(ip[12:], q.head[q.l2+16:][:4])
		copy(ip[16:], q.head[q.l2+12:][:4])
		put16(ip, 10, int(^fxp.Fold16(fxp.Sum16(ip[:20]))))
	}
	payload := b[a.h : a.h+plen]
	copy(payload, q.ports[:2])
	if !q.native {
		copy(payload[2:], q.ports[2:])
		put16(payload, 4, plen)
	}
	a.e, a.o = a.h+plen, o
	a.len = max(a.e, port.MinFrame)
	return payload[plen-o:]
}

// finish sets the checksum of UDP.
func (a *answer) finish(q *request) {
	if q.native {
		return
	}
	w := packet.Walk{Headers: trimmer.Headers{V6: q.v6, L2: q.l2, H: a.h, E: a.e}}
	c := ^fxp.Fold16(w.Sum(a.bytes[:]))
	if c == 0 {
		c = 0xFFFF
	}
	put16(a.bytes[:], a.h+6, int(c))
}

// nack builds a NACK.
func (a *answer) nack(cfg *Config, q *request, o *outcome) {
	b := a.header(cfg, q, lenNack)
	put16(b, 0, typeNack<<11|flag(flagM, q.ce)|flag(flagRetx, q.retx))
	b[2] = byte(o.nack)
	put32(b, 4, q.psn)
	put16(b, 8, o.k+1)
	put16(b, 10, int(q.spdcid))
	a.finish(q)
}

// ack builds an ACK or an ACK_CC of the PDC as the job leaves it.
func (a *answer) ack(cfg *Config, q *request, p *pdc, now Instant, o *outcome) {
	n := lenAck
	if o.answer == typeAckCC {
		n = lenAckCC
	}
	b := a.header(cfg, q, n)
	put16(b, 0, int(o.answer)<<11|flag(flagM, p.ce)|flag(flagRetx, q.retx)|flag(flagP, q.keepsTime())|
		flag(flagWantClose, p.wantClose))
	put16(b, 2, int(ackOffset(q, p)))
	put32(b, 4, p.cack)
	put16(b, 8, o.k+1)
	put16(b, 10, int(q.spdcid))
	if o.answer == typeAckCC {
		base := sackBase(q, p)
		b[13] = byte(cfg[port.RegMpr])
		put16(b, 14, int(base-p.cack))
		binary.BigEndian.PutUint64(b[16:], p.seen.window(int32(base-p.cack-1)))
		put16(b, 24, int(serviceTime(q, now)))
		b[26] = byte(cfg[port.RegPressure])
		put32(b, 27, uint32((uint64(p.rcvd)+255)/256)<<8)
		put16(b, 30, p.seen.ones())
	}
	a.finish(q)
}

// ackOffset returns the third and fourth byte of an ACK.
func ackOffset(q *request, p *pdc) uint16 {
	if q.keepsTime() {
		return q.opaque
	}
	if d := q.psn - p.cack; fits16(d) {
		return uint16(d)
	}
	return 0
}

// sackBase returns the PSN of the first bit of the bitmap.
func sackBase(q *request, p *pdc) uint32 {
	u := p.cack + 1
	base := u
	switch {
	case q.kind == typeCP && q.ctl == ctlProbe:
		base = q.base
	case int32(q.psn-u) > 63:
		base = q.psn - 63
	}
	if !fits16(base - p.cack) {
		return u
	}
	return base
}

// fits16 reports whether a signed number modulo 2^32 is one of 16 bits.
func fits16(d uint32) bool { return int32(d) == int32(int16(d)) }

// serviceTime returns the ticks since the last beat of the packet issued, 1 to 65535.
func serviceTime(q *request, now Instant) uint32 {
	return min(max(now.since(q.came), 1), math.MaxUint16)
}

func flag(bit int, on bool) int {
	if on {
		return bit
	}
	return 0
}

func put16(b []byte, i, v int) { binary.BigEndian.PutUint16(b[i:], uint16(v)) }

func put32(b []byte, i int, v uint32) { binary.BigEndian.PutUint32(b[i:], v) }

// beat fills the beat that begins with byte sent.
func (a *answer) beat(sent int, tx *port.Tx) {
	tx.Tag, tx.Last, tx.Keep = a.tag, a.len-sent <= beats.Size, ^uint64(0)
	if tx.Last {
		tx.Keep >>= beats.Size - (a.len - sent)
	}
	beats.Set(&tx.Data, a.bytes[sent:])
}

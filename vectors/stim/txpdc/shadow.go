package txpdc

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// set is a bit for each PSN of a window.
type set [txpdc.Window / 32]uint32

func (b *set) at(i int) bool { return b[i/32]>>(i%32)&1 != 0 }

func (b *set) put(i int, on bool) {
	b[i/32] &^= 1 << (i % 32)
	if on {
		b[i/32] |= 1 << (i % 32)
	}
}

// down moves the bits down by one.
func (b *set) down() {
	for i := range b {
		b[i] >>= 1
		if i+1 < len(b) {
			b[i] |= b[i+1] << 31
		}
	}
}

// pdc is what a source keeps of a PDC, as far as the aim of the stimulus needs it: without time, so that what the timer
// does is not in it.
type pdc struct {
	no                          int
	valid, syn, closing, halted bool
	peer                        uint16 // of its destination, also before the block knows it
	mpr                         int
	una                         uint32
	n                           int
	left                        uint32
	rcvd                        uint32
	acked, marked, resent       set
}

func (p *pdc) limit() int {
	if p.mpr == 0 || p.mpr > txpdc.Window {
		return txpdc.Window
	}
	return p.mpr
}

// again returns the lowest PSN to be sent again, from una on, or -1.
func (p *pdc) again() int {
	for i := range min(p.n, p.limit()) {
		if p.marked.at(i) && !p.acked.at(i) {
			return i
		}
	}
	return -1
}

func (p *pdc) work() bool {
	return p.valid && !p.closing && !p.halted && (p.again() >= 0 || p.left > 0 && p.n < p.limit())
}

// turn sends a packet with so many bytes at most.
func (p *pdc) turn(payload uint32) {
	if i := p.again(); i >= 0 {
		p.marked.put(i, false)
		p.resent.put(i, true)
		return
	}
	p.left -= min(p.left, payload)
	p.acked.put(p.n, false)
	p.marked.put(p.n, false)
	p.resent.put(p.n, false)
	p.n++
}

// close plays a CLOSE. It assumes that the timer has retired the packets of a PDC that stopped.
func (p *pdc) close() {
	switch {
	case p.halted:
		p.valid = false
	case p.valid && !p.closing && p.left == 0 && p.n == 0:
		p.closing, p.valid = !p.syn, !p.syn
	}
}

// take plays a record that is for the PDC.
func (p *pdc) take(x *txpdc.Rec) {
	d := int(int32(x.PSN + 1 - p.una))
	isAck := x.PdsType <= txpdc.PdsTypeAckCcx
	switch {
	case p.closing:
		over := d == 1 && (isAck || x.NackCode == codeInvalid || x.NackCode == codeHeader)
		p.valid = p.valid && !over
	case isAck && d <= p.n && d >= -4096 && !(p.syn && p.n == 0):
		if p.syn {
			p.syn, p.peer = false, x.Spdcid // that of its destination, unless the record is spoiled
		}
		sack := x.PdsType != txpdc.PdsTypeAck
		if sack {
			p.mpr = int(x.Mpr)
		}
		for i := range p.n {
			z := p.una + uint32(i) - x.SackBase
			if i < d || sack && z < 64 && x.SackBitmap>>z&1 != 0 {
				p.acked.put(i, true)
				p.marked.put(i, false)
			}
		}
		s := 0
		for s < p.n && p.acked.at(s) {
			s++
		}
		for range s {
			p.acked.down()
			p.marked.down()
			p.resent.down()
		}
		p.una += uint32(s)
		p.n -= s
		if x.PdsType == txpdc.PdsTypeAckCc && x.CcType == 0 && (x.RcvdBytes-p.rcvd)&0xffffff < 1<<23 {
			p.rcvd = x.RcvdBytes
		}
	case isAck || d < 1 || d > p.n:
	case fatal(x.NackCode) && (x.NackCode != codeClosing || d == 1): // or nothing is missing below
		p.halted = true
	case !p.acked.at(d-1) && p.resent.at(d-1) == x.Retx:
		p.marked.put(d-1, true)
	}
}

// load takes a word.
func (p *pdc) load(addr int, data uint32) {
	var w txpdc.Words
	w.SetWord(addr, uint64(data))
	switch {
	case addr == txpdc.WordValid:
		p.valid, p.syn, p.closing, p.halted = w.Valid, w.Syn, w.Closing, w.Stopped
		p.mpr, p.peer = int(w.Mpr), w.Peer
	case addr == txpdc.WordUna:
		p.una = w.Una
	case addr == txpdc.WordOutstanding:
		p.n = min(int(w.Outstanding), txpdc.Window)
	case addr == txpdc.WordLeft:
		p.left = w.Left
	case addr == txpdc.WordRcvd:
		p.rcvd = w.Rcvd
	case addr >= txpdc.WordResent0 && addr < pdcWords:
		p.resent[addr-txpdc.WordResent0] = data
	case addr >= txpdc.WordMarked0 && addr < pdcWords:
		p.marked[addr-txpdc.WordMarked0] = data
	case addr >= txpdc.WordAcked0 && addr < pdcWords:
		p.acked[addr-txpdc.WordAcked0] = data
	}
}

// context is what a source knows of a context.
type context struct {
	no         int
	can, waits bool
	next       int
	pdcs       [txpdc.Slots]*pdc // those that the episode uses
}

// turn plays the context's turn, if it is due, and reports whether it was.
func (c *context) turn(payload uint32) bool {
	if !c.can || c.waits {
		return false
	}
	best := -1
	for k := range txpdc.Slots {
		slot := (c.next + k) % txpdc.Slots
		if p := c.pdcs[slot]; p != nil && p.work() && (best < 0 || p.again() >= 0 && c.pdcs[best].again() < 0) {
			best = slot
		}
	}
	if best < 0 {
		return false
	}
	c.pdcs[best].turn(payload)
	c.next, c.waits = (best+1)%txpdc.Slots, true
	return true
}

// NACK codes by which txpdc decides.
const (
	codeInvalid = uint8(ackgen.NackCodeInvDpdcid)
	codeHeader  = uint8(ackgen.NackCodePDCHdrMismatch)
	codeClosing = uint8(ackgen.NackCodeClosing)
)

// fatalCodes end a PDC.
var fatalCodes = []uint8{codeInvalid, codeHeader, codeClosing, 0x11, 0x15, uint8(ackgen.NackCodePDCModeMismatch),
	uint8(ackgen.NackCodeNewStartPSN)}

func fatal(code uint8) bool { return slices.Contains(fatalCodes, code) }

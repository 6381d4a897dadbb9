package txpdc

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// span has a flag for each PSN from una on.
type span [txpdc.Window]bool

// pdc is the state of a PDC.
type pdc struct {
	valid, syn, closing, stopped bool
	tries, mpr                   uint8
	peer                         uint16
	start, una                   uint32
	n                            int
	left, sum, rcvd, closedAt    uint32
	acked, marked, resent        span
	size                         [txpdc.Window]uint16
	stamp                        [txpdc.Window]uint32
}

// row returns the place of the i-th PSN from una on.
func (p *pdc) row(i int) int { return int(p.una+uint32(i)) % txpdc.Window }

// limit is how many PSNs may be outstanding.
func (p *pdc) limit() int {
	if p.mpr == 0 || p.mpr > txpdc.Window {
		return txpdc.Window
	}
	return int(p.mpr)
}

// again returns which PSN is to be sent again, -1 for none.
func (p *pdc) again() int {
	for i := range p.n {
		if p.marked[i] && !p.acked[i] {
			if i < p.limit() {
				return i
			}
			break
		}
	}
	return -1
}

func (p *pdc) fresh() bool { return p.left > 0 && p.n < p.limit() }

func (p *pdc) sends() bool { return p.valid && !p.closing && !p.stopped }

func (p *pdc) work() bool { return p.sends() && (p.again() >= 0 || p.fresh()) }

// flight returns the lowest PSN in flight that was resent, or was not, -1 for none.
func (p *pdc) flight(resent bool) int {
	for i := range p.n {
		if !p.acked[i] && !p.marked[i] && p.resent[i] == resent {
			return i
		}
	}
	return -1
}

func (f *span) word(i int) (x uint32) {
	for k := range 32 {
		if f[32*i+k] {
			x |= 1 << k
		}
	}
	return x
}

func (f *span) load(i int, x uint32) {
	for k := range 32 {
		f[32*i+k] = x>>k&1 != 0
	}
}

// down drops the flags of the lowest s PSNs.
func (f *span) down(s int) {
	k := copy(f[:], f[s:])
	clear(f[k:])
}

// read returns a word, of rows that of the PSN.
func (p *pdc) read(addr int, psn uint32) uint32 {
	w := txpdc.Words{Valid: p.valid, Syn: p.syn, Closing: p.closing, Stopped: p.stopped, Tries: p.tries, Mpr: p.mpr,
		Peer: p.peer, Start: p.start, Una: p.una, Outstanding: uint8(p.n), Left: p.left, Sum: p.sum, Rcvd: p.rcvd,
		ClosedAt: p.closedAt, Size: p.size[psn%txpdc.Window], Stamp: p.stamp[psn%txpdc.Window]}
	switch {
	case addr < txpdc.WordAcked0 || addr >= txpdc.WordSize:
		return uint32(w.Word(addr))
	case addr < txpdc.WordMarked0:
		return p.acked.word(addr - txpdc.WordAcked0)
	case addr < txpdc.WordResent0:
		return p.marked.word(addr - txpdc.WordMarked0)
	}
	return p.resent.word(addr - txpdc.WordResent0)
}

// load writes a word.
func (p *pdc) load(addr int, psn, data uint32) {
	var w txpdc.Words
	w.SetWord(addr, uint64(data))
	switch {
	case addr == txpdc.WordValid:
		p.valid, p.syn, p.closing, p.stopped = w.Valid, w.Syn, w.Closing, w.Stopped
		p.tries, p.mpr, p.peer = w.Tries, w.Mpr, w.Peer
	case addr == txpdc.WordStart:
		p.start = data
	case addr == txpdc.WordUna:
		p.una = data
	case addr == txpdc.WordOutstanding:
		p.n = int(w.Outstanding)
	case addr == txpdc.WordLeft:
		p.left = w.Left
	case addr == txpdc.WordSum:
		p.sum = data
	case addr == txpdc.WordRcvd:
		p.rcvd = w.Rcvd
	case addr == txpdc.WordClosedAt:
		p.closedAt = data
	case addr < txpdc.WordMarked0:
		p.acked.load(addr-txpdc.WordAcked0, data)
	case addr < txpdc.WordResent0:
		p.marked.load(addr-txpdc.WordMarked0, data)
	case addr < txpdc.WordSize:
		p.resent.load(addr-txpdc.WordResent0, data)
	case addr == txpdc.WordSize:
		p.size[psn%txpdc.Window] = w.Size
	case addr == txpdc.WordStamp:
		p.stamp[psn%txpdc.Window] = data
	}
}

// context is the state of a congestion-control context.
type context struct {
	can, waits, queued bool
	next               int
}

// nic is all that jobs use and change.
type nic struct {
	pdcs     []pdc
	contexts []context
	list     cover.Queue[int] // ready contexts, first to last
	regs     []uint64
	counts   [txpdc.NumWords]uint32 // counters by word
	scan     int
	tick     uint64
}

func (x *nic) clear() {
	clear(x.pdcs)
	clear(x.contexts)
	x.list.Clear()
	x.counts = [txpdc.NumWords]uint32{}
	x.scan, x.tick = 0, 0
}

func (x *nic) eligible(c int) bool {
	k := &x.contexts[c]
	for slot := range txpdc.Slots {
		if k.can && !k.waits && x.pdcs[c*txpdc.Slots+slot].work() {
			return true
		}
	}
	return false
}

// join lists a context that may send, and reports whether it did.
func (x *nic) join(c int) bool {
	k := &x.contexts[c]
	if k.queued || !x.eligible(c) {
		return false
	}
	k.queued = true
	x.list.Push(c)
	return true
}

// late reports whether a time is a timeout away, and how far from it.
func (x *nic) late(since uint32, tries uint8) (over int64, late bool) {
	over = int64(uint32(x.tick)-since) - int64(x.regs[txpdc.RegRto])<<min(tries, 6)
	return over, over >= 0
}

// act returns an action of a PDC.
func (x *nic) act(kind txpdc.Action, pdc int) txpdc.Act {
	return txpdc.Act{Kind: kind, PDC: uint16(pdc), Now: x.tick}
}

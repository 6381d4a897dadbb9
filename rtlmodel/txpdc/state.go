package txpdc

import (
	"github.com/goldwire/goldwire/rtlmodel/clk"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Counters holds the counters by address; those below WordSent, where the other words are, stay 0.
type Counters [port.NumWords]uint32

// pdc is what the block keeps of a PDC; the fields are those of the contract's words.
type pdc struct {
	valid, syn, closing, stopped bool

	tries, mpr uint8
	peer       uint16
	n          int // PSNs from una on that have been used: outstanding
	start, una uint32
	left, sum  uint32 // bytes
	rcvd       uint32 // 256 bytes
	closedAt   uint32 // ticks

	acked, marked, resent bitmap
}

// row is what the block keeps of a packet.
type row struct {
	size  uint16 // bytes
	stamp uint32 // ticks
}

// context is what the block keeps of a congestion-control context.
type context struct {
	canSend, waits, queued bool

	next uint8 // slot
}

// numbers are the bits of a count of received bytes.
const numbers = 1<<port.WordRcvdWidth - 1

// limit returns the number of PSNs from una on that may be used.
func (p *pdc) limit() int {
	if p.mpr == 0 || p.mpr > port.Window {
		return port.Window
	}
	return int(p.mpr)
}

// sends reports whether the PDC is neither closing nor stopped.
func (p *pdc) sends() bool { return p.valid && !p.closing && !p.stopped }

// lost returns the lowest PSN that waits to be sent again, from una on, and whether it may be: `again` of the contract.
func (p *pdc) lost() (i int, again bool) {
	i = p.marked.andNot(p.acked).lowest()
	return i, i < p.n && i < p.limit()
}

// fresh reports whether a packet may be sent that has not been.
func (p *pdc) fresh() bool { return p.left > 0 && p.n < p.limit() }

// work reports whether the PDC has a packet to send.
func (p *pdc) work() bool {
	if !p.sends() {
		return false
	}
	_, again := p.lost()
	return again || p.fresh()
}

// flight returns the PSNs that are in flight.
func (p *pdc) flight() bitmap { return below(p.n).andNot(p.acked).andNot(p.marked) }

// words fills the words 0 to 19 in w.
func (p *pdc) words(w *port.Words) {
	w.Valid, w.Syn, w.Closing, w.Stopped = p.valid, p.syn, p.closing, p.stopped
	w.Tries, w.Mpr, w.Peer, w.Outstanding = p.tries, p.mpr, p.peer, uint8(p.n)
	w.Start, w.Una, w.Left, w.Sum, w.Rcvd, w.ClosedAt = p.start, p.una, p.left, p.sum, p.rcvd, p.closedAt
	w.Acked0, w.Acked1, w.Acked2, w.Acked3 = p.acked.words()
	w.Marked0, w.Marked1, w.Marked2, w.Marked3 = p.marked.words()
	w.Resent0, w.Resent1, w.Resent2, w.Resent3 = p.resent.words()
}

// setWords is the inverse of words.
func (p *pdc) setWords(w *port.Words) {
	*p = pdc{
		valid: w.Valid, syn: w.Syn, closing: w.Closing, stopped: w.Stopped,
		tries: w.Tries, mpr: w.Mpr, peer: w.Peer, n: int(w.Outstanding),
		start: w.Start, una: w.Una, left: w.Left, sum: w.Sum, rcvd: w.Rcvd, closedAt: w.ClosedAt,
		acked:  join(w.Acked0, w.Acked1, w.Acked2, w.Acked3),
		marked: join(w.Marked0, w.Marked1, w.Marked2, w.Marked3),
		resent: join(w.Resent0, w.Resent1, w.Resent2, w.Resent3),
	}
}

func (b *bitmap) words() (w0, w1, w2, w3 uint32) {
	return uint32(b[0]), uint32(b[0] >> 32), uint32(b[1]), uint32(b[1] >> 32)
}

func join(w0, w1, w2, w3 uint32) bitmap {
	return bitmap{uint64(w1)<<32 | uint64(w0), uint64(w3)<<32 | uint64(w2)}
}

// list is a list of contexts with room for all of them. Its changes take effect at once.
type list struct{ clk.FIFO[uint16] }

// add makes c the last.
func (l *list) add(c uint16) {
	*l.Push() = c
	l.Tick()
}

// leave removes the first and returns it.
func (l *list) leave() uint16 {
	c := *l.Front()
	l.Pop()
	l.Tick()
	return c
}

// instant is a time: tick and p of the contract.
type instant struct {
	tick  uint64
	phase uint32 // cycles
}

// ticks are the bits of a tick.
const ticks = 1<<48 - 1

// pass is a cycle, with period of TICK in force in it.
func (t *instant) pass(period uint32) {
	if t.phase++; t.phase >= period {
		t.tick, t.phase = (t.tick+1)&ticks, 0
	}
}

// skip is n cycles.
func (t *instant) skip(n int, period uint32) {
	first := max(int(period)-int(t.phase), 1) // cycles up to the next tick
	if n < first {
		t.phase += uint32(n)
		return
	}
	n -= first
	t.tick, t.phase = (t.tick+1+uint64(n/int(period)))&ticks, uint32(n%int(period))
}

package sack

// afterHole is the number of packets sent later whose arrival makes a packet a hole.
const afterHole = 3

// Board is the scoreboard of one connection. The zero value is empty.
type Board struct {
	ring   []entry  // by PSN; grows when two outstanding PSNs fall on one place
	sent   []sentAs // in the order of sending, from head on; may hold packets sent again or acknowledged since
	head   int
	orders uint64
	top    [afterHole]uint64 // the latest orders that have arrived, the latest first
	count  int
}

type entry struct {
	psn   uint32
	state state
	order uint64 // of its last transmission, from 1
	at    float64
}

type sentAs struct {
	psn   uint32
	order uint64
}

type state uint8

const (
	free   state = iota
	flight       // sent, nothing known
	hole         // found to be a hole
	lost         // given up: waits to be resent
)

// Outstanding returns the number of packets sent and not acknowledged.
func (b *Board) Outstanding() int { return b.count }

// entry returns the place of a PSN that is outstanding, or nil.
func (b *Board) entry(psn uint32) *entry {
	if len(b.ring) == 0 {
		return nil
	}
	if e := &b.ring[psn&uint32(len(b.ring)-1)]; e.state != free && e.psn == psn {
		return e
	}
	return nil
}

// grow doubles the ring until no two outstanding PSNs nor psn share a place.
func (b *Board) grow(psn uint32) {
	old := b.ring
	for size := max(64, 2*len(old)); ; size *= 2 {
		b.ring = make([]entry, size)
		mask := uint32(size - 1)
		b.ring[psn&mask] = entry{psn: psn, state: flight}
		clash := false
		for _, e := range old {
			if e.state == free {
				continue
			}
			at := &b.ring[e.psn&mask]
			clash = clash || at.state != free
			*at = e
		}
		if !clash {
			b.ring[psn&mask] = entry{}
			return
		}
	}
}

// Sent notes a transmission of a packet, first or repeated, at a time.
func (b *Board) Sent(psn uint32, now float64) {
	e := b.entry(psn)
	if e == nil {
		b.count++
		if len(b.ring) == 0 || b.ring[psn&uint32(len(b.ring)-1)].state != free {
			b.grow(psn)
		}
		e = &b.ring[psn&uint32(len(b.ring)-1)]
	}
	b.orders++
	*e = entry{psn: psn, state: flight, order: b.orders, at: now}
	if b.head > 64 && b.head > len(b.sent)/2 {
		b.sent = b.sent[:copy(b.sent, b.sent[b.head:])]
		b.head = 0
	}
	b.sent = append(b.sent, sentAs{psn, b.orders})
}

// Acked notes the arrival of a packet, and reports whether it was outstanding.
func (b *Board) Acked(psn uint32) bool {
	e := b.entry(psn)
	if e == nil {
		return false
	}
	o := e.order
	for i := range b.top {
		if o > b.top[i] {
			o, b.top[i] = b.top[i], o
		}
	}
	e.state = free
	b.count--
	return true
}

// Lost notes that a packet is given up until it is sent again.
func (b *Board) Lost(psn uint32) {
	if e := b.entry(psn); e != nil {
		e.state = lost
	}
}

// Find appends the packets that have become holes since it was called last, in the order of their sending.
func (b *Board) Find(to []uint32) []uint32 {
	for ; b.head < len(b.sent) && b.sent[b.head].order < b.top[afterHole-1]; b.head++ {
		s := b.sent[b.head]
		if e := b.entry(s.psn); e != nil && e.order == s.order && e.state == flight {
			e.state = hole
			to = append(to, s.psn)
		}
	}
	return to
}

// IsHole reports whether a packet is a hole, found and not given up.
func (b *Board) IsHole(psn uint32) bool {
	e := b.entry(psn)
	return e != nil && e.state == hole
}

// SentAt returns when an outstanding packet was sent last.
func (b *Board) SentAt(psn uint32) (at float64, ok bool) {
	if e := b.entry(psn); e != nil {
		return e.at, true
	}
	return 0, false
}

// InFlight appends the packets of which nothing is known, in the order of their sending.
func (b *Board) InFlight(to []uint32) []uint32 {
	for _, s := range b.sent[b.head:] {
		if e := b.entry(s.psn); e != nil && e.order == s.order && e.state == flight {
			to = append(to, s.psn)
		}
	}
	return to
}

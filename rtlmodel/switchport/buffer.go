package switchport

import (
	"math/bits"

	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// slotBeat is a beat in the buffer, as received.
type slotBeat struct {
	data [8]uint64
	keep uint64
	last bool
}

// record holds the data that a slot keeps about its packet.
type record struct {
	id     uint32
	inPort uint8
	beats  int
	len    uint16 // bytes
}

// buffer holds the slots, the set of free slots and the set of judged slots, those whose packet has had its verdict
// taken. A slot freed or judged in a cycle counts as such from the next cycle.
type buffer struct {
	records []record
	beats   []slotBeat // SLOT_BEATS per slot
	free    []uint64   // one bit a slot
	freed   []int      // in this cycle: by the reader, by a verdict
	judged  []uint64   // one bit a slot
	verdict int        // slot judged in this cycle, -1 if none
}

func (b *buffer) init(slots int) {
	*b = buffer{
		records: make([]record, slots),
		beats:   make([]slotBeat, slots*port.SlotBeats),
		free:    make([]uint64, (slots+63)/64),
		freed:   make([]int, 0, 2),
		judged:  make([]uint64, (slots+63)/64),
	}
}

func (b *buffer) reset() {
	for i := range b.free {
		b.free[i] = ^uint64(0)
	}
	if n := len(b.records); n < 64 {
		b.free[0] = 1<<n - 1
	}
	b.freed = b.freed[:0]
	clear(b.judged)
	b.verdict = -1
}

// lowest returns the lowest-numbered free slot, or -1 if there is none.
func (b *buffer) lowest() int {
	for i, w := range b.free {
		if w != 0 {
			return 64*i + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// take takes a free slot. Neither the reader nor a verdict refers to it in this cycle.
func (b *buffer) take(slot int) {
	b.free[slot/64] &^= 1 << (slot % 64)
	b.judged[slot/64] &^= 1 << (slot % 64)
}

func (b *buffer) release(slot int) { b.freed = append(b.freed, slot) }

func (b *buffer) judge(slot int) { b.verdict = slot }

func (b *buffer) isJudged(slot int) bool { return b.judged[slot/64]>>(slot%64)&1 != 0 }

func (b *buffer) beat(slot, i int) *slotBeat { return &b.beats[slot*port.SlotBeats+i] }

// tick is the clock edge.
func (b *buffer) tick() {
	for _, slot := range b.freed {
		b.free[slot/64] |= 1 << (slot % 64)
	}
	b.freed = b.freed[:0]
	if slot := b.verdict; slot >= 0 {
		b.judged[slot/64] |= 1 << (slot % 64)
		b.verdict = -1
	}
}

// inUse returns the number of slots that are not free before the clock edge.
func (b *buffer) inUse() int {
	n := len(b.records)
	for _, w := range b.free {
		n -= bits.OnesCount64(w)
	}
	return n
}

// writer is the packet that is being written.
type writer struct {
	number int // of the next beat, from 0
	slot   int
	first  header
	cfg    trimmer.Config // the trimmer's registers by which the packet is judged
}

// header holds the sideband fields of a packet's first beat.
type header struct {
	id        uint32
	port      uint8
	inPort    uint8
	cls       port.Cls
	trimmable bool
	ect       bool
	lastHop   bool
}

// request is a packet that waits to enter egress.
type request struct {
	header
	slot     int
	len      uint16
	trimSize uint16 // bytes that trimming would leave; 0: the packet cannot be trimmed
}

// write moves the oldest beat of the rx FIFO into its slot, if it may.
func (m *Model) write() {
	if m.rx.Len() == 0 {
		return
	}
	x, w := m.rx.Front(), &m.writer
	slot := w.slot
	if w.number == 0 {
		if slot = m.buffer.lowest(); slot < 0 {
			return
		}
	}
	if x.Last && m.requests.Full() {
		return
	}
	m.rx.Pop()
	if w.number == 0 {
		m.buffer.take(slot)
		w.slot = slot
		w.first = header{x.Id, x.Port, x.InPort, x.Cls, x.Trimmable, x.Ect, x.LastHop}
	}
	if x.Last && w.number < headBeats || w.number == headBeats-1 {
		w.cfg = m.copies.now
	}
	if w.number < port.SlotBeats {
		*m.buffer.beat(slot, w.number) = slotBeat{x.Data, x.Keep, x.Last}
	}
	if !x.Last {
		w.number++
		return
	}
	n := 64*w.number + bits.TrailingZeros64(^x.Keep)
	m.buffer.records[slot] = record{w.first.id, w.first.inPort, w.number + 1, uint16(n)}
	r := m.requests.Push()
	*r = request{header: w.first, slot: slot, len: uint16(n)}
	if w.number >= port.SlotBeats { // egress refuses class 3, which frees the slot
		r.cls, r.len = port.Cls(3), 0
		m.why.unsized()
	} else {
		r.trimSize = m.trimSize(slot, n)
	}
	w.number = 0
}

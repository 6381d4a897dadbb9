package frame

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/cosim/cover"
)

// Watch is what the watchers of trimmer and intmd share; P is a packet on its way through the block.
type Watch[P any] struct {
	cover.Streams
	cover.Disagreement
	Beats BeatBins
	Wide  WideBins
	Edges Edges
	Flow  Flow
	Cfg   Registers

	RxEnd  cover.BeatEnd
	Count  int  // packets begun
	Taken  int  // packets seen to the end at tx
	Inside bool // rx is in mid-packet

	packets cover.Queue[P] // in the block
	First   int            // number of the oldest since the last reset
}

// Packet returns a packet in the block by its number.
func (w *Watch[P]) Packet(n int) *P { return &w.packets[n-w.First] }

// Newest returns the packet that began last.
func (w *Watch[P]) Newest() *P { return w.Packet(w.Count - 1) }

// Begin takes a packet that begins at rx.
func (w *Watch[P]) Begin(p P) {
	w.packets = append(w.packets, p)
	w.Count++
}

// Drop forgets the oldest packet.
func (w *Watch[P]) Drop() {
	w.packets.Pop()
	w.First++
}

// Clear is what rst_n low does.
func (w *Watch[P]) Clear() {
	w.Flow.Clear()
	w.Edges.Clear()
	w.Cfg.Clear()
	w.packets, w.First, w.Count, w.Taken, w.Inside = w.packets[:0], 0, 0, 0, false
}

// Reset takes a cycle with rst_n low.
func (w *Watch[P]) Reset(hits cover.Hits, _ []uint64) {
	if !w.InReset() {
		w.Beats.Reset(hits, &w.Flow)
	}
	w.Streams.Reset(hits)
	w.Clear()
}

// SortSum sorts the checksum of a packet that the block changes, whose words add up to sum; odd is 1 if its last byte
// has no other beside it. A multiple of 0xffff comes out as 0 and is sent as 0xffff.
func SortSum(hits cover.Hits, checksum, carry *cover.Cross, q *Packet, sum, odd int) {
	SortCarry(hits, carry, q.Sum != 0, sum)
	hits[checksum.At2([...]int{0, 2, 1}[cover.First(q.Sum == 0, sum > 0 && sum%0xffff == 0)], odd)]++
}

// SortCarry sorts a sum that is due by a carry that runs round twice.
func SortCarry(hits cover.Hits, carry *cover.Cross, due bool, sum int) {
	if due && sum > 2*65535+256 {
		k := cover.Among(sum%65535, 1, 256)
		hits.If(k < 2, carry.At1(k))
	}
}

// beatBytes is the length of every beat but the last of a packet.
const beatBytes = 64

// Head is how much of a packet has come in, and how much of that was kept.
type Head struct {
	N     int // bytes kept, from the first
	Beats int // accepted
	Last  int // bytes of its last beat, 0 before that
}

// Take takes a beat. Its bytes are kept as far as there is room.
func (h *Head) Take(room []byte, data *[8]uint64, keep uint64, last bool) {
	n := beatBytes
	if last {
		n = LastBytes(keep)
		h.Last = n
	}
	if at := beatBytes * h.Beats; at < len(room) {
		for k := range data {
			binary.LittleEndian.PutUint64(room[at+8*k:], data[k])
		}
		h.N = at + n
	}
	h.Beats++
}

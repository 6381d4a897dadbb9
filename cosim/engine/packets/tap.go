package packets

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
)

// tap assembles packets from the beats of one stream.
type tap struct {
	data, keep int // words of a record
	buf        []byte
	open       bool // a packet continues
}

// newTap returns a tap of a stream in a record.
func newTap(r *event.Record, stream string) *tap {
	return &tap{data: r.Slot(stream, "data").Word, keep: r.Slot(stream, "keep").Word}
}

// beat takes a transfer; last marks the end of a packet. It returns the packet so far, valid until the next call, and
// reports whether the transfer is the packet's first.
func (t *tap) beat(rec []uint64, last bool) (frame []byte, first bool) {
	if first = !t.open; first {
		t.buf = t.buf[:0]
	}
	at, n := len(t.buf), 64
	if cap(t.buf) < at+64 {
		t.buf = slices.Grow(t.buf, max(64, at)) // double, instead of a quarter more as slices would: frames grow beat by beat
	}
	t.buf = t.buf[:at+64]
	to, from := (*[64]byte)(t.buf[at:]), (*[8]uint64)(rec[t.data:])
	for k, w := range from {
		binary.LittleEndian.PutUint64(to[8*k:], w)
	}
	if t.open = !last; last {
		n = bits.TrailingZeros64(^rec[t.keep])
	}
	t.buf = t.buf[:at+n]
	return t.buf, first
}

// give hands over the frame; the next one is assembled in spare.
func (t *tap) give(spare []byte) []byte {
	frame := t.buf
	t.buf = spare[:0]
	return frame
}

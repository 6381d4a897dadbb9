package frame

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/vectors/stim"
)

// BeatCount returns the number of 64-byte beats for n bytes, at least one.
func BeatCount(n int) int { return max(1, (n+63)/64) }

// Beat is one beat of a frame as the streams carry it.
type Beat struct {
	Data [8]uint64
	Keep uint64
	Last bool
}

// Beats cuts a frame into beats and calls f with each in b. Bytes and keep bits that do not count are noise. If empty
// is set, a frame that fills its last beat is followed by one more last beat, without bytes.
func Beats(r *stim.Rand, b *Beat, frame []byte, empty bool, f func(i int, b *Beat)) {
	n := BeatCount(len(frame))
	if empty && len(frame)%64 == 0 && len(frame) > 0 {
		n++
	}
	var buf [64]byte
	for i := range n {
		for k := range 8 {
			binary.LittleEndian.PutUint64(buf[8*k:], r.U64())
		}
		part := frame[min(64*i, len(frame)):min(64*i+64, len(frame))]
		copy(buf[:], part)
		for k := range 8 {
			b.Data[k] = binary.LittleEndian.Uint64(buf[8*k:])
		}
		b.Last = i == n-1
		b.Keep = r.U64()
		if b.Last && len(part) == 64 {
			b.Keep = ^uint64(0)
		} else if b.Last {
			// Ones above the lowest zero do not count.
			b.Keep = b.Keep<<len(part)<<1 | (1<<len(part) - 1)
		}
		f(i, b)
	}
}

// Script writes an episode of a block that frames come in to.
type Script struct {
	*stim.Script
	buf  []byte // storage of a frame
	beat Beat   // and of the beat being written
}

// Bytes returns the bytes of a frame, valid until the next call.
func (s *Script) Bytes(f *Frame) []byte {
	s.buf = f.Bytes(&s.Rand, s.buf)
	return s.buf
}

// Beats appends the beats of a frame to a stream; wait is for the first. pack fills in the words of the i-th.
func (s *Script) Beats(lane int, wait uint8, data []byte, empty bool, pack func(i int, b *Beat, words []uint64)) {
	Beats(&s.Rand, &s.beat, data, empty, func(i int, b *Beat) {
		words := s.Put(lane, wait)
		if wait = 0; !b.Last {
			s.More()
		}
		pack(i, b, words)
	})
}

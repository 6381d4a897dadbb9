package frame

import "github.com/goldwire/goldwire/vectors/stim"

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

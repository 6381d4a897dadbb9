package gen

import "encoding/binary"

// beatCount is the number of 64-byte beats of n bytes, at least one.
func beatCount(n int) int { return max(1, (n+63)/64) }

// beat is one beat of a frame as the streams carry it.
type beat struct {
	data [8]uint64
	keep uint64
	last bool
}

// beats cuts a frame into beats and calls f for each, in b. Bytes and keep bits that do not count are noise. An
// empty tail adds a last beat without bytes where the frame ends on a beat.
func beats(r *rng, b *beat, frame []byte, empty bool, f func(i int, b *beat)) {
	n := beatCount(len(frame))
	if empty && len(frame)%64 == 0 && len(frame) > 0 {
		n++
	}
	var buf [64]byte
	for i := range n {
		for k := range 8 {
			binary.LittleEndian.PutUint64(buf[8*k:], r.u64())
		}
		part := frame[min(64*i, len(frame)):min(64*i+64, len(frame))]
		copy(buf[:], part)
		for k := range 8 {
			b.data[k] = binary.LittleEndian.Uint64(buf[8*k:])
		}
		b.last = i == n-1
		b.keep = r.u64()
		if b.last && len(part) == 64 {
			b.keep = ^uint64(0)
		} else if b.last {
			// Ones above the lowest zero do not count.
			b.keep = b.keep<<len(part)<<1 | (1<<len(part) - 1)
		}
		f(i, b)
	}
}

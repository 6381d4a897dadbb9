package ackgen

import (
	"math/bits"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// bitmap is `seen` of a PDC: bit k is PSN u + k. The lowest word comes first.
type bitmap [port.Seen / 64]uint64

// has reports whether bit d is 1; d is 0 to 255.
func (b *bitmap) has(d int32) bool { return b[d>>6]>>(d&63)&1 != 0 }

// set sets bit d.
func (b *bitmap) set(d int32) { b[d>>6] |= 1 << (d & 63) }

// empty reports whether no bit is 1.
func (b *bitmap) empty() bool { return b[0]|b[1]|b[2]|b[3] == 0 }

// above reports whether a bit above d is 1.
func (b *bitmap) above(d int32) bool {
	w := b[d>>6] >> (d & 63) >> 1
	for _, x := range b[d>>6+1:] {
		w |= x
	}
	return w != 0
}

// ones returns the number of ones.
func (b *bitmap) ones() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// advance shifts the ones below the lowest zero out and returns their number.
func (b *bitmap) advance() (n uint32) {
	for k := 64; k == 64 && n < port.Seen; n += uint32(k) {
		if k = bits.TrailingZeros64(^b[0]); k > 0 {
			b[0], b[1], b[2], b[3] = b[0]>>k|b[1]<<(64-k), b[1]>>k|b[2]<<(64-k), b[2]>>k|b[3]<<(64-k), b[3]>>k
		}
	}
	return n
}

// window returns bits d to d+63 as a word. Below bit 0 all are ones, beyond the last all are zeros.
func (b *bitmap) window(d int32) (out uint64) {
	switch {
	case d <= -64:
		return ^uint64(0)
	case d < 0:
		return b[0]<<-d | (1<<-d - 1)
	case d >= port.Seen:
		return 0
	}
	i := d >> 6
	out = b[i] >> (d & 63)
	if i < 3 {
		out |= b[i+1] << (64 - d&63) // 0 where d is a multiple of 64
	}
	return out
}

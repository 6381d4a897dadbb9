package txpdc

import (
	"math/bits"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// bitmap has a bit for each PSN of a PDC that may be outstanding: bit i is PSN una + i. The lowest word comes first.
type bitmap [port.Window / 64]uint64

// below returns a bitmap of n ones, from bit 0 on.
func below(n int) bitmap {
	switch {
	case n <= 0:
		return bitmap{}
	case n < 64:
		return bitmap{1<<n - 1}
	case n < port.Window:
		return bitmap{^uint64(0), 1<<(n-64) - 1}
	}
	return bitmap{^uint64(0), ^uint64(0)}
}

// at returns the 64 bits of w with their lowest at bit d of a bitmap; what is outside of it is lost.
func at(w uint64, d int) bitmap {
	switch {
	case d <= -64 || d >= port.Window:
		return bitmap{}
	case d < 0:
		return bitmap{w >> -d}
	case d < 64:
		return bitmap{w << d, w >> (64 - d)}
	}
	return bitmap{0, w << (d - 64)}
}

func (b bitmap) and(x bitmap) bitmap    { return bitmap{b[0] & x[0], b[1] & x[1]} }
func (b bitmap) or(x bitmap) bitmap     { return bitmap{b[0] | x[0], b[1] | x[1]} }
func (b bitmap) andNot(x bitmap) bitmap { return bitmap{b[0] &^ x[0], b[1] &^ x[1]} }

func (b *bitmap) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b *bitmap) set(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *bitmap) clear(i int)    { b[i>>6] &^= 1 << (i & 63) }

// empty reports whether no bit is 1.
func (b bitmap) empty() bool { return b[0]|b[1] == 0 }

// ones returns the number of ones.
func (b bitmap) ones() int { return bits.OnesCount64(b[0]) + bits.OnesCount64(b[1]) }

// lowest returns the lowest bit that is 1, WINDOW if none is.
func (b bitmap) lowest() int {
	if b[0] != 0 {
		return bits.TrailingZeros64(b[0])
	}
	return 64 + bits.TrailingZeros64(b[1])
}

// down moves all bits down by s, 0 to WINDOW.
func (b *bitmap) down(s int) {
	if s >= 64 {
		b[0], b[1] = b[1], 0
		s -= 64
	}
	b[0], b[1] = b[0]>>s|b[1]<<(64-s), b[1]>>s
}

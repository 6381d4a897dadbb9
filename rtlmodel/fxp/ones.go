package fxp

import "encoding/binary"

// Fold16 returns the ones' complement sum of the 16-bit words whose plain sum is x: carries out of 16 bits are added
// back at the low end. Only x = 0 gives 0. Source: RFC 1071.
func Fold16(x uint64) uint16 {
	for x>>16 != 0 {
		x = x&0xffff + x>>16
	}
	return uint16(x)
}

// Sum16 returns the plain sum of the big-endian 16-bit words of b, with a zero byte added where its length is odd.
func Sum16(b []byte) (sum uint64) {
	for ; len(b) >= 8; b = b[8:] {
		w := binary.BigEndian.Uint64(b)
		sum += w>>48 + w>>32&0xffff + w>>16&0xffff + w&0xffff
	}
	for ; len(b) >= 2; b = b[2:] {
		sum += uint64(binary.BigEndian.Uint16(b))
	}
	if len(b) == 1 {
		sum += uint64(b[0]) << 8
	}
	return sum
}

package beats

import (
	"encoding/binary"
	"math/bits"
)

// Size is the width of a beat in bytes.
const Size = 64

// Data is the payload of a beat; its first byte is the lowest byte of word 0.
type Data = [Size / 8]uint64

// Get writes the bytes of a beat to the first Size of dst.
func Get(data *Data, dst []byte) {
	_ = dst[Size-1]
	for i, w := range data {
		binary.LittleEndian.PutUint64(dst[8*i:], w)
	}
}

// Set takes the bytes of a beat from the first Size of src.
func Set(data *Data, src []byte) {
	_ = src[Size-1]
	for i := range data {
		data[i] = binary.LittleEndian.Uint64(src[8*i:])
	}
}

// Count returns the number of valid bytes of a beat: Size, except in the last beat of a packet, where it is the number
// of ones of keep below its lowest zero.
func Count(keep uint64, last bool) int {
	if !last {
		return Size
	}
	return bits.TrailingZeros64(^keep)
}

// Seen returns the number of bytes seen of a packet of which n beats have issued, and the length of its frame. keep and
// last belong to the newest beat; length is used only if the packet continues after it.
func Seen(n int, keep uint64, last bool, length uint16) (seen, frame int) {
	seen = Size*(n-1) + Count(keep, last)
	if last {
		return seen, seen
	}
	return seen, int(length)
}

package wire

import (
	"encoding/binary"
	"unsafe"
)

// littleEndian reports whether words in memory already have the order of the wire.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// Bytes returns the words as they are sent, 8 bytes each, little-endian. On a little-endian machine the
// result shares the memory of words, elsewhere it is a copy.
func Bytes(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	if littleEndian {
		return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
	}
	b := make([]byte, 8*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
	return b
}

// fixOrder turns words read as wire bytes into numbers.
func fixOrder(words []uint64, raw []byte) {
	if littleEndian {
		return
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
}

// raw returns the memory of words as bytes, whatever the order.
func raw(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
}

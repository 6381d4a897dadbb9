package event

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// IsBytes reports whether the field carries bytes of a packet, not a number: it is wider than any number that a block
// computes with, and a whole number of bytes.
func (f *Field) IsBytes() bool { return f.Width > 64 && f.Width%8 == 0 }

// Bytes returns the bytes of a field for which IsBytes holds, in wire order: byte k is bits 8k+7..8k.
func (s *Slot) Bytes(record []uint64) []byte {
	b := make([]byte, s.Field.Width/8)
	for k := range b {
		b[k] = byte(record[s.Word+k/8] >> (8 * (k % 8)))
	}
	return b
}

// SetBytes is the inverse of Bytes.
func (s *Slot) SetBytes(record []uint64, b []byte) {
	for k := range b {
		w, shift := &record[s.Word+k/8], 8*(k%8)
		*w = *w&^(0xff<<shift) | uint64(b[k])<<shift
	}
}

// byteGroup is how many bytes are written together in text.
const byteGroup = 8

// BytesText returns bytes in hex, byte 0 first, in groups of eight joined by underscores, so that they stay one
// word: 0200000000020200_0000000108004522.
func BytesText(b []byte) string {
	var t strings.Builder
	for i := 0; i < len(b); i += byteGroup {
		if i > 0 {
			t.WriteByte('_')
		}
		t.WriteString(hex.EncodeToString(b[i:min(i+byteGroup, len(b))]))
	}
	return t.String()
}

// ParseBytes reads the output of BytesText, however grouped. It errors when the text is not n bytes.
func ParseBytes(text string, n int) ([]byte, error) {
	b, err := hex.DecodeString(strings.ReplaceAll(text, "_", ""))
	if err != nil || len(b) != n {
		return nil, fmt.Errorf("%q is not %d bytes in hex, byte 0 first", text, n)
	}
	return b, nil
}

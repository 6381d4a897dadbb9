package fxp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFold16(t *testing.T) {
	for x, want := range map[uint64]uint16{
		0: 0, 1: 1, 0xFFFF: 0xFFFF, 0x10000: 1, 0x1FFFE: 0xFFFF, 0x1FFFF: 1, 0xFFFF_FFFF: 0xFFFF, 0xFFFF_0001: 1,
		1<<63 + 5: 0x8005,
	} {
		require.Equal(t, want, Fold16(x), "%#x", x)
	}
	for x := uint64(1); x < 1<<40; x = x*3 + 1 {
		require.Equal(t, x%0xFFFF, uint64(Fold16(x))%0xFFFF, "a sum modulo 2^16 - 1")
	}
}

// Bytes at even places are the high halves of words, for every length.
func TestSum16(t *testing.T) {
	var b []byte
	want := uint64(0)
	for i := range 100 {
		require.Equal(t, want, Sum16(b), "%d bytes", i)
		x := byte(0xFF - i*i)
		b = append(b, x)
		want += uint64(x) << (8 * (1 - i%2))
	}
}

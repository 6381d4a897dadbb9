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

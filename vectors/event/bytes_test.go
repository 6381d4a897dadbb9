package event

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBytesAreInWireOrder(t *testing.T) {
	s := Slot{Word: 1, Field: Field{Name: "data", Width: 128}}
	require.True(t, s.Field.IsBytes())
	for _, w := range []int{1, 64, 70} {
		require.False(t, (&Field{Width: w}).IsBytes())
	}
	b := s.Bytes([]uint64{9, 0x0706050403020100, 0x0f0e0d0c0b0a0908})
	text := BytesText(b)
	require.Equal(t, "0001020304050607_08090a0b0c0d0e0f", text)
	back, err := ParseBytes(text, 16)
	require.NoError(t, err)
	require.Equal(t, b, back)
	for _, bad := range []string{text[:30], "0x" + text, ""} {
		_, err := ParseBytes(bad, 16)
		require.ErrorContains(t, err, "16 bytes")
	}
	require.Equal(t, "00010203", BytesText(b[:4]))
}

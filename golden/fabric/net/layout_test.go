package net

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A packet is one line of the cache, and a port four, in the order that Port describes.
func TestLayout(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(Packet{}))
	require.EqualValues(t, 256, unsafe.Sizeof(Port{}))
	var p Port
	require.EqualValues(t, 64, unsafe.Offsetof(p.Q)+unsafe.Sizeof(p.Q[0]), "first line")
	require.EqualValues(t, 128, unsafe.Offsetof(p.kin)+8, "second")
	require.EqualValues(t, 192, unsafe.Offsetof(p.room)+8, "third")
}

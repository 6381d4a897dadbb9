package cache

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

func TestDamageIsFound(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 3, items: 10}
	want, _ := b.pass(l)
	good, err := os.ReadFile(b.file())
	require.NoError(t, err)
	file := b.file()
	damaged := func(name string, bad []byte) {
		require.NoError(t, os.WriteFile(file, bad, 0o600))
		b.log.Reset()
		got, read := b.pass(l)
		require.False(t, read, name)
		require.Equal(t, want, got, name)
		require.Contains(t, b.log.String(), file, name)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Len(t, again, len(good), name) // made again
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		damaged("flipped", bad)
	}
	for n := range len(good) {
		if n%7 == 0 || n > len(good)-50 {
			damaged("truncated", good[:n])
		}
	}
	damaged("longer", append(slices.Clone(good), 0))
}

// Damage in a later chunk is found before the first item is played.
func TestDamageFarBehindIsFound(t *testing.T) {
	b := newBench(t)
	want, _ := b.pass(large)
	good, err := os.ReadFile(b.file())
	require.NoError(t, err)
	require.Greater(t, len(good), 4*8*chunkWords)
	for _, at := range []int{8 * chunkWords, 8*chunkWords + 99, len(good) / 2, len(good) - 1} {
		bad := slices.Clone(good)
		bad[at] ^= 0x40
		require.NoError(t, os.WriteFile(b.file(), bad, 0o600))
		got, read := b.pass(large)
		require.False(t, read)
		require.Equal(t, want, got)
	}
	// A good chunk in the wrong place is damage too.
	chunk := []uint64{0, 1, 2, 3}
	seal(chunk, 4)
	require.Equal(t, uint32(chunk[0]), checksum(chunk[1:], 4))
	require.NotEqual(t, uint32(chunk[0]), checksum(chunk[1:], 5))
}

// A file that changes after it was checked ends the run with an error.
func TestChangeWhileItIsPlayed(t *testing.T) {
	b := newBench(t)
	b.pass(large)
	s := b.source(large)
	defer s.Close()
	ep, ok := s.Next()
	require.True(t, ok)
	f, err := os.OpenFile(b.file(), os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteAt([]byte("other"), 2*8*chunkWords)
	require.NoError(t, err)
	for ; ok; ep, ok = s.Next() {
		for it := (stim.Item{}); ep.NextItem(&it); {
		}
	}
	require.ErrorContains(t, s.Err(), "has changed while it was played")
}

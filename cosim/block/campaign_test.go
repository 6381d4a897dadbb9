package block_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
)

// The sizes of a long campaign are sizes that the block has, each another than that of the schema, and all are listed
// whole.
func TestSoakSizesFitTheirBlocks(t *testing.T) {
	sized := 0
	for _, b := range block.All() {
		usual, err := b.Schema.Values(nil)
		require.NoError(t, err)
		words := b.Campaign()
		require.Len(t, words, 1+len(b.Sizes.Soak))
		require.Equal(t, "block="+b.Name(), words[0])
		seen := map[string]bool{}
		for i, size := range b.Sizes.Soak {
			got, err := b.Schema.Values(size)
			require.NoError(t, err, b.Name())
			require.NotEqual(t, usual, got, b.Name())
			_, err = b.NewModel(got)
			require.NoError(t, err, b.Name())
			for _, name := range slices.Collect(maps.Keys(size)) {
				require.Contains(t, words[1+i], name+"=")
			}
			require.NotContains(t, words[1+i], " ", "a word of the Makefile")
			require.False(t, seen[words[1+i]], "%s: twice", words[1+i])
			seen[words[1+i]] = true
			sized++
		}
	}
	require.Positive(t, sized)
}

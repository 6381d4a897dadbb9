package block_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/stim"
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

// The directed cases that a check plays at another size are cases of the block at that size.
func TestSizedCasesExist(t *testing.T) {
	sized := 0
	for _, b := range block.All() {
		for _, c := range b.Sizes.Cases {
			require.NotEqual(t, b.Params(block.Default), b.Params(c.Size), b.Name())
			_, err := b.Stimulus.Open("directed/"+c.Case, stim.Options{Seed: 1, Params: b.Params(c.Size)})
			require.NoError(t, err, "%s %s", b.Name(), c.Case)
			_, err = b.Stimulus.Open("directed/"+c.Case+"x", stim.Options{Seed: 1, Params: b.Params(c.Size)})
			require.Error(t, err, "a case that is not there opens: the loop above shows nothing")
			require.Contains(t, b.Check("directed"), block.Part{Source: "directed", Seed: 1, Size: c.Size, Case: c.Case})
			sized++
		}
	}
	require.Positive(t, sized)
}

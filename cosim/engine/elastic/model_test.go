package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// A model answers what it was given, in order, owes nothing more, and forgets what a reset swallowed.
func TestTwinOwes(t *testing.T) {
	k, err := block.Lookup(txstate.BlockName)
	require.NoError(t, err)
	m, err := k.NewModel(map[string]int{"NumPdcs": 2, "Depth": 8})
	require.NoError(t, err)
	x := NewModel(k.Schema, m)
	cycles := 0
	x.Observe = func(_, _ []uint64) { cycles++ }
	accept := func(psn uint32) {
		w := make([]uint64, txstate.EventWords)
		txstate.PackEvent(&txstate.Event{Kind: txstate.KindSend, PSN: psn}, w)
		require.NoError(t, x.Accept(0, false, w))
		clear(w) // the words are the caller's
	}
	require.NoError(t, x.Reset())
	for psn := range uint32(40) {
		accept(psn)
	}
	for psn := range uint32(40) {
		w, ok, err := x.Next(0)
		require.NoError(t, err)
		require.True(t, ok)
		var r txstate.Response
		txstate.UnpackResponse(w, &r)
		require.Equal(t, psn, r.PSN)
		require.Equal(t, psn >= 8, r.Evicted)
	}
	before := cycles
	_, ok, err := x.Next(0)
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, before, cycles, "what is counted needs no waiting")
	accept(1)
	require.NoError(t, x.Reset())
	before = cycles
	_, ok, err = x.Next(0)
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, before, cycles, "nor what a reset swallowed")
	accept(7)
	w, ok, err := x.Next(0)
	require.NoError(t, err)
	require.True(t, ok)
	var r txstate.Response
	txstate.UnpackResponse(w, &r)
	require.Equal(t, uint32(7), r.PSN, "what the reset swallowed is gone")
}

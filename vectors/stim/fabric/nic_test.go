package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/stim"
)

// A simulation that ends or fails before it has delivered the requested number of events is an error.
func TestNICGivesEveryEventOrAnError(t *testing.T) {
	open := func(events int, edit func(*settings.Spec)) (int, error) {
		spec, err := NIC.Spec("incast32", 1)
		require.NoError(t, err)
		edit(&spec)
		src, err := OpenNIC(NICBlock{Schema: spy, Limit: 64, Tap: func(s *NICSource, e *cc.Event) bool {
			s.Put(e)[0] = uint64(e.PSN)
			return s.Proceed()
		}}, "incast32", spec, &stim.Options{Seed: 1, Events: events, TickNs: 1})
		require.NoError(t, err)
		defer src.Close()
		n, w := 0, make([]uint64, 1)
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			for ep.Next(w) {
				n++
			}
		}
		return n, src.Err()
	}
	n, err := open(5000, func(*settings.Spec) {})
	require.NoError(t, err)
	require.Equal(t, 5000, n)
	n, err = open(1<<20, func(s *settings.Spec) { s.Rounds, s.FlowBytes = 1, 8<<10 })
	require.Less(t, n, 1<<20)
	require.ErrorContains(t, err, "source fabric:incast32: only ")
	_, err = open(100, func(s *settings.Spec) { s.MTU = -1 })
	require.ErrorContains(t, err, "fabric run: ")
}

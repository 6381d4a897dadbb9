package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestContextsTakeTurns: the contexts of a NIC that may all send do so in turn.
func TestContextsTakeTurns(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K, spec.CCCsPerNIC = 4, 3
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	var order []int32
	s.tap = func(ev *cc.Event) bool {
		if ev.Kind == cc.KindSend {
			order = append(order, ev.CCC)
		}
		return true
	}
	for f := range int32(3) {
		sender{s.Hosts}.startFlow(f)
	}
	for range 8 {
		s.wheel.Advance(s.net.Ports[0].FreeAt)
		s.net.Ports[0].Waking = false
		s.Transmit(0)
	}
	// The first has sent one before the others come.
	require.Equal(t, []int32{0, 0, 1, 2, 0, 1, 2, 0, 1}, order)
}

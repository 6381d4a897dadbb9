package transport

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestEntries: no connection has more packets outstanding than entries, counted from the first that is not
// acknowledged, also while lost ones are missing; it has as many where its window asks for more.
func TestEntries(t *testing.T) {
	for _, loss := range []float64{0, 1e-3} {
		outstanding := func(entries int) (most uint32) {
			s := settings.DefaultSpec()
			s.K, s.LinkGbps, s.FlowBytes, s.LossProb, s.Entries = 4, 800, 2_000_000, loss, entries
			una, next := map[int32]uint32{}, map[int32]uint32{}
			r := run(t, s, WithTap(func(ev *cc.Event) bool {
				c := ev.NIC // each host has one connection
				switch ev.Kind {
				case cc.KindSend:
					if _, known := una[c]; !known {
						una[c] = ev.PSN
					}
					if !ev.IsRtx {
						next[c] = ev.PSN + 1
						most = max(most, next[c]-una[c])
					}
				case cc.KindAck:
					una[c] = ev.Una
				}
				return true
			}))
			require.Empty(t, r.Unfinished())
			require.NoError(t, r.Verify())
			return most
		}
		require.EqualValues(t, 128, outstanding(128), "loss %v", loss)
		free := outstanding(0)
		require.Greater(t, free, uint32(256))
		require.Equal(t, free, outstanding(4096))
	}
}

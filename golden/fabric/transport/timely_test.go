package transport

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/timely"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/units"
)

// TestTIMELYSharesDependOnTheStart: two flows with TIMELY share a link of 100 Gb/s, lossless and with a queue whose
// delay crosses the lower threshold. Together they use most of it, and what each has depends on the rates at the start:
// the algorithm has no unique fixed point.
func TestTIMELYSharesDependOnTheStart(t *testing.T) {
	const from = 2 * units.Millisecond
	share := func(first, second float64) (share, total float64) {
		s := congested(t)
		s.FlowBytes, s.MaxTime = 1<<31, 6*units.Millisecond
		layout, err := s.Layout()
		require.NoError(t, err)
		var carried [2]float64 // bits by flow
		decided := map[string]int{}
		r := run(t, s, WithCC(func(cfg cc.Config) (cc.Control, error) {
			return cc.TIMELY(func(p *timely.Spec) {
				p.FirstGbps = first
				if cfg.NIC == 1 {
					p.FirstGbps = second
				}
			})(cfg)
		}), WithTap(func(ev *cc.Event) bool {
			decided[ev.Out.Action]++
			return true
		}), WithPortTap(func(ev *net.PortEvent) {
			if ev.Kind == net.PortDepart && ev.Time >= from && ev.Packet.Kind == net.PacketData {
				carried[ev.Packet.Flow] += float64(ev.Packet.Size) * 8
			}
		}, layout.Ports[2].Rev))
		require.Zero(t, r.Counters.DataDrops+r.Counters.Trims)
		require.Positive(t, decided["GRADIENT"])
		require.Positive(t, decided["LOW"])
		seconds := float64(s.MaxTime-from) / 1e12
		t.Logf("from %g and %g Gb/s: %.1f and %.1f Gb/s, %d pauses, decisions %v", first, second,
			carried[0]/seconds/1e9, carried[1]/seconds/1e9, r.Counters.Pauses, decided)
		return carried[0] / (carried[0] + carried[1]), (carried[0] + carried[1]) / seconds / 1e9
	}
	a, total := share(50, 50)
	require.Greater(t, total, 85.0)
	require.Less(t, total, 100.0001)
	b, total := share(80, 20)
	require.Greater(t, total, 85.0)
	require.Less(t, total, 100.0001)
	require.Greater(t, math.Abs(a-b), 0.2, "shares %.2f and %.2f of the first flow", a, b)
}

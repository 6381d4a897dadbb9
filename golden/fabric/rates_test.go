package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestRatesAreExact: a flow alone, of packets of one size, over two links of 1 us. Packet i has left the first link
// after i packet times, rounded down to picoseconds. The second link carries what is left over, too, and so delivers
// the last packet its whole time, rounded up, later.
func TestRatesAreExact(t *testing.T) {
	const latencies = 2_000_000
	for _, c := range []struct {
		gbps           units.Gbps
		packets, size  int64
		first, crossed units.Picos // last byte on the first link; a packet on the second
	}{
		{3200, 3, 4161, 31_207, 10_403},                  // 3 * 4161 * 2.5 = 31,207.5; 10,402.5
		{3200, 163_840, 32_832, 13_447_987_200, 82_080},  // 5 GiB: 32,832 * 2.5 = 82,080
		{106.25, 1000, 4160, 313_223_529, 313_224},       // 4160 * 1280/17 = 313,223 + 9/17
		{212.5, 1000, 4160, 156_611_764, 156_612},        // 4160 * 640/17 = 156,611 + 13/17
		{424, 1000, 4160, 78_490_566, 78_491},            // 4160 * 1000/53 = 78,490 + 30/53
		{425, 163_840, 32_832, 101_255_433_035, 618_015}, // 5 GiB: 32,832 * 320/17 = 618,014 + 2/17
		{848, 1000, 4160, 39_245_283, 39_246},            // 4160 * 500/53 = 39,245 + 15/53
		{1696, 1000, 4160, 19_622_641, 19_623},           // 4160 * 250/53 = 19,622 + 34/53
		{25.78125, 1000, 4160, 1_290_860_606, 1_290_861}, // 4160 * 10,240/33 = 1,290,860 + 20/33
	} {
		t.Run(fmt.Sprintf("%v/%d", c.gbps, c.packets), func(t *testing.T) {
			s := settings.DefaultSpec()
			s.Topology, s.Switches, s.Senders, s.LinkGbps = settings.Dumbbell, 1, 1, c.gbps
			s.LinkLatency, s.MTU = units.Microsecond, int(c.size)
			bytes := c.packets * (c.size - int64(s.HeaderBytes))
			if c.packets == 163_840 {
				require.EqualValues(t, 5<<30, bytes)
			}
			flow := []traffic.Message{{Src: 0, Dst: 1, Bytes: bytes}}
			r := verified(t, s, WithMessages(flow), WithCC(cc.FixedWindow(1<<40)))
			f := r.Flows[0]
			require.Equal(t, bytes, f.Got)
			require.Equal(t, bytes, r.Books.Sent)
			require.EqualValues(t, c.packets, r.Counters.NewPackets)
			require.Equal(t, c.first+c.crossed+latencies, f.Delivered-f.Start)
			// The last ACK of 64 bytes takes its time on two links, of which each rounds down or up.
			back := f.Acked - f.Delivered - latencies
			ack := 2 * 64 * 8000 / float64(c.gbps)
			require.InDelta(t, ack, float64(back), 2)
			require.LessOrEqual(t, f.Ideal, f.Acked-f.Start)
			require.InDelta(t, float64(f.Ideal), float64(f.Acked-f.Start), 4)
		})
	}
}

// TestLargeFlowBySetting: flow.bytes takes more than 2 GiB, and every byte arrives once.
func TestLargeFlowBySetting(t *testing.T) {
	s := settings.DefaultSpec()
	require.NoError(t, s.SetAll("topology=lasthop", "link.gbps=3200", "workload=incast", "incast=1", "mtu=65535",
		"flow.bytes=5368709120", "rtt.us=3"))
	r := verified(t, s)
	require.EqualValues(t, 5<<30, r.Flows[0].Got)
	// 5 GiB are 82,001 packets of 65,471 and one of 21,649 payload bytes, each with a header of 64 bytes: at 2.5 ps a
	// byte they take 13.435 ms.
	require.EqualValues(t, 82_002, r.Counters.NewPackets)
	wire := units.Picos((5<<30 + 82_002*64) * 5 / 2)
	require.EqualValues(t, 13_434_893_120, wire)
	require.GreaterOrEqual(t, r.Flows[0].Delivered-r.Flows[0].Start, wire)
}

// TestAnyRateKeepsTheBooks: packets meet, are trimmed, paused and lost on links of fractions of a picosecond, and of
// several rates, and the run keeps its books and its lower bounds.
func TestAnyRateKeepsTheBooks(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"3200":     func(s *settings.Spec) { s.LinkGbps = 3200 },
		"106.25":   func(s *settings.Spec) { s.LinkGbps = 106.25 },
		"mixed":    func(s *settings.Spec) { s.LinkGbps, s.TierGbps = 212.5, [2]units.Gbps{424, 850} },
		"pauses":   func(s *settings.Spec) { s.LinkGbps, s.Trim, s.PFC, s.XOff, s.XOn = 425, false, true, 40_000, 20_000 },
		"adaptive": func(s *settings.Spec) { s.LinkGbps, s.LB = 1696, "ar" },
		"slow":     func(s *settings.Spec) { s.LinkGbps, s.SlowHosts = 100_000, 0.5 },
	} {
		t.Run(name, func(t *testing.T) {
			s := small(settings.Incast)
			s.K, s.Incast = 4, 12
			edit(&s)
			verified(t, s)
			s.Workload = settings.Permutation
			r := verified(t, s)
			again := run(t, s)
			require.Equal(t, r.Digest, again.Digest)
		})
	}
}

// TestFractionsInPods: the parts of a divided run carry fractions as one run does.
func TestFractionsInPods(t *testing.T) {
	s := small(settings.Permutation)
	s.K, s.LinkGbps, s.Pods = 4, 425, true
	verified(t, s)
}

package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// order is what holds of the balancers at one flow size: those of a tier complete
// before those of the next, by the median and by the tail.
type order struct {
	bytes    int64
	p50, p99 [][]lb.Kind
}

// orders of the balancers. Adaptive routing is best at both sizes: a switch sees its
// own queues as they are, where a sender learns of them a round trip later. With 8 MB
// the bitmap follows: it sees every mark and keeps away from the path for a turn;
// mixed does the same but sends what it has recycled first, marked since or not.
// REPS reuses what was clean a round trip ago, eight
// paths at a time, and is near those that do not learn at the median but not at the
// tail. Turns and draws meet the same collisions again and again; turns spread a
// flow evenly and so are ahead at the median. One path for a whole flow collides
// for all of its life. With 2 MB, some three round trips, little is learnt: what is
// recycled is worth more than what marks have taught.
var orders = map[bool]order{
	true: {
		bytes: 8_000_000,
		p50:   [][]lb.Kind{{lb.AR}, {lb.Bitmap}, {lb.Mixed}, {lb.REPS}, {lb.Oblivious}, {lb.OPS}, {lb.ECMP}},
		p99:   [][]lb.Kind{{lb.AR}, {lb.Bitmap}, {lb.Mixed}, {lb.REPS}, {lb.Oblivious, lb.OPS}, {lb.ECMP}},
	},
	false: {
		bytes: 2_000_000,
		p50:   [][]lb.Kind{{lb.AR}, {lb.Mixed}, {lb.Bitmap}, {lb.Oblivious, lb.REPS}, {lb.OPS}, {lb.ECMP}},
		p99:   [][]lb.Kind{{lb.AR}, {lb.Bitmap, lb.Mixed}, {lb.OPS}, {lb.ECMP}},
	},
}

// TestBalancersSideBySide compares the balancers on the permutation of 128 hosts
// at 400G: the order by p50 and by p99 holds for at least four of five seeds, with
// flows of 8 MB when GOLDWIRE_LONG is set and of 2 MB always.
func TestBalancersSideBySide(t *testing.T) {
	p, err := presets.Lookup("fattree128/balancers")
	require.NoError(t, err)
	s, want := p.Spec, orders[long()]
	require.Equal(t, orders[true].bytes, s.FlowBytes)
	s.FlowBytes = want.bytes
	const seeds = 5
	p50, p99 := map[lb.Kind][]float64{}, map[lb.Kind][]float64{}
	for _, kind := range lb.Kinds() {
		s.LB = kind
		for _, r := range seedsOf(t, s, seeds) {
			f := r.FCT()
			p50[kind], p99[kind] = append(p50[kind], f.P50), append(p99[kind], f.P99)
		}
		t.Logf("%-10s p50 %.1f p99 %.1f", kind, p50[kind], p99[kind])
	}
	inOrder(t, "p50", want.p50, p50)
	inOrder(t, "p99", want.p99, p99)
}

// inOrder requires that every balancer of a tier is ahead of every one of the next
// for all seeds but one.
func inOrder(t *testing.T, what string, tiers [][]lb.Kind, of map[lb.Kind][]float64) {
	t.Helper()
	for i := range len(tiers) - 1 {
		for _, a := range tiers[i] {
			for _, b := range tiers[i+1] {
				holds := 0
				for seed := range of[a] {
					if of[a][seed] < of[b][seed] {
						holds++
					}
				}
				t.Logf("%s: %s before %s: %d of %d seeds", what, a, b, holds, len(of[a]))
				require.GreaterOrEqual(t, holds, len(of[a])-1, "%s: %s before %s", what, a, b)
			}
		}
	}
}

// sprayed is what the packets of a run say of the balancer that chose their paths.
type sprayed struct {
	first    map[int]bool // distinct entropies in the first 64 packets of a flow, all sent before an ACK
	recycled float64      // share of later packets whose entropy waited to be recycled
}

// TestBalancersByTheirPackets tells each balancer from all others by what it sends:
// turns use every path once, draws some of them, ECMP one; REPS and mixed send what
// clean ACKs brought. Those that send alike (oblivious and bitmap, OPS and adaptive
// routing) are told apart by TestBalancersSideBySide.
func TestBalancersByTheirPackets(t *testing.T) {
	for _, kind := range lb.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			s := settings.DefaultSpec()
			s.LB, s.Oversub, s.FlowBytes = kind, 4, 4_000_000
			got := watchBalancer(t, s)
			turns := kind == lb.Oblivious || kind == lb.Bitmap || kind == lb.Mixed
			for n := range got.first {
				switch {
				case turns:
					require.Equal(t, s.Paths, n)
				case kind == lb.ECMP:
					require.Equal(t, 1, n)
				default:
					require.InDelta(t, 40.5, n, 13)
				}
			}
			switch kind {
			case lb.REPS, lb.Mixed:
				require.Greater(t, got.recycled, 0.5)
			case lb.ECMP:
			default:
				require.Less(t, got.recycled, 0.25)
			}
			t.Logf("%+v", got)
		})
	}
}

// watchBalancer runs spec and looks at the new packets of every connection.
func watchBalancer(t *testing.T, spec settings.Spec) sprayed {
	type conn struct {
		sent     int
		answered bool
		seen     map[uint16]bool
		clean    []uint16 // entropies of clean ACKs, not sent since
	}
	conns := map[int32]*conn{}
	out := sprayed{first: map[int]bool{}}
	later, recycled := 0, 0
	verified(t, spec, WithTap(func(ev *cc.Event) bool {
		c := conns[ev.NIC]
		if c == nil {
			c = &conn{seen: map[uint16]bool{}}
			conns[ev.NIC] = c
		}
		switch {
		case ev.Kind == cc.KindAck && !ev.M && !ev.Probe:
			c.answered = true
			if c.clean = append(c.clean, ev.Entropy); len(c.clean) > 8 {
				c.clean = c.clean[1:]
			}
		case ev.Kind == cc.KindSend:
			if c.sent++; c.sent <= spec.Paths {
				if c.seen[ev.Entropy] = true; c.sent == spec.Paths && !c.answered {
					out.first[len(c.seen)] = true
				}
				return true
			}
			if len(c.clean) == 0 {
				return true
			}
			later++
			for i, e := range c.clean {
				if e == ev.Entropy {
					recycled++
					c.clean = append(c.clean[:i], c.clean[i+1:]...)
					break
				}
			}
		}
		return true
	}))
	require.NotZero(t, later)
	out.recycled = float64(recycled) / float64(later)
	return out
}

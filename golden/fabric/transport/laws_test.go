package transport

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestScalingLawNSCC: the law of halves holds for NSCC too where nothing is
// absolute: in the reference simulator's profile, which does not subtract the
// wire's service time of at least 128 ns, once the delay that counts as none is
// scaled with the others.
func TestScalingLawNSCC(t *testing.T) {
	p, err := presets.Lookup("htsim/permutation-400g")
	require.NoError(t, err)
	s := p.Spec
	fast := func(ps int64) Option { return WithCC(cc.HtsimNSCC(func(p *htsim.Params) { p.FastDelay = ps })) }
	slow := verified(t, s, fast(1_000_000))
	s.LinkGbps *= 2
	s.LinkLatency /= 2
	s.RTO /= 2
	quick := verified(t, s, fast(500_000))
	require.NotZero(t, slow.Counters.ECN)
	for i := range slow.Flows {
		require.Equal(t, slow.Flows[i].Acked, 2*quick.Flows[i].Acked)
	}
}

// TestMD1 feeds one link with Poisson arrivals of equal packets: the mean wait
// is that of an M/D/1 queue, load / (2 (1 - load)) service times.
func TestMD1(t *testing.T) {
	const sources = 60
	g := &topo.Graph{Hosts: sources + 1, Names: []string{"sink"}}
	for range sources {
		g.Names = append(g.Names, "source"+string(rune('A'+len(g.Names)/26))+string(rune('a'+len(g.Names)%26)))
	}
	g.Names = append(g.Names, "switch")
	for h := range int32(sources + 1) {
		l := topo.Link{A: h, B: sources + 1, Gbps: 1000, Latency: 1000}
		if h == 0 {
			l.Gbps = 100
		}
		g.Links = append(g.Links, l)
	}
	s := settings.DefaultSpec()
	s.Topology, s.Graph, s.Trim, s.ECN, s.QueueBytes = settings.Custom, g, false, settings.ECNOff, 1<<30
	s.LinkGbps, s.RTO = 1000, 10*units.Millisecond
	service := float64(s.MTU) * 80             // picoseconds
	for _, load := range []float64{0.5, 0.8} { // a connection to a source, or their ends would be load, too
		r := rand.New(rand.NewPCG(7, 8))
		var list []traffic.Message
		at := 0.0
		for range 60_000 {
			at += r.ExpFloat64() * service / load
			from := int32(r.IntN(sources))
			list = append(list, traffic.Message{
				Src: 1 + from, Bytes: int64(s.MTU - s.HeaderBytes), Start: int64(at), Conn: from,
			})
		}
		res, err := Run(context.Background(), s, WithMessages(list), WithCC(cc.FixedWindow(1<<30)))
		require.NoError(t, err)
		require.NoError(t, res.Verify())
		wait := 0.0
		empty := float64(s.MTU)*8 + 1000 + service + 1000
		for i := range res.Flows {
			f := &res.Flows[i]
			wait += float64(f.Delivered-f.Start) - empty
		}
		wait /= float64(len(res.Flows)) * service
		want := load / (2 * (1 - load))
		t.Logf("load %.1f: mean wait %.4f services, theory %.4f", load, wait, want)
		require.InEpsilon(t, want, wait, 0.05)
	}
}

// completions returns the completion times of runs in microseconds, sorted.
func completions(runs []*result.Result) []float64 {
	var out []float64
	for _, r := range runs {
		for i := range r.Flows {
			out = append(out, (r.Flows[i].Acked - r.Flows[i].Start).Micros())
		}
	}
	slices.Sort(out)
	return out
}

// distance is the greatest difference between two distributions (Kolmogorov and
// Smirnov).
func distance(a, b []float64) float64 {
	d, j := 0.0, 0
	for i, x := range a {
		for j < len(b) && b[j] <= x {
			j++
		}
		d = max(d, math.Abs(float64(i+1)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return d
}

// turnTree draws a symmetry of a fat tree of three tiers, as places[x] for what is
// called x: pods change places, racks within their pods, hosts within their racks.
func turnTree(r *rand.Rand, k int) (hosts, switches []int32) {
	half := k / 2
	pods := r.Perm(k)
	switches = make([]int32, k*k+half*half)
	for i := range switches {
		switches[i] = int32(i) // the cores stay
	}
	hosts = make([]int32, k*half*half)
	for pod := range k {
		racks := r.Perm(half)
		for rack := range half {
			to := pods[pod]*half + racks[rack]
			switches[pod*half+rack] = int32(to)
			for h, place := range r.Perm(half) {
				hosts[(pod*half+rack)*half+h] = int32(to*half + place)
			}
		}
		for agg := range half {
			switches[k*half+pod*half+agg] = int32(k*half + pods[pod]*half + agg)
		}
	}
	return hosts, switches
}

// TestRenumberingIsExact: when hosts and switches are called differently in a way
// that the tree does not notice, and every switch takes its hash along, every flow
// ends at the same picosecond, with marks, trims, losses and pauses.
func TestRenumberingIsExact(t *testing.T) {
	for name, edit := range map[string]func(*settings.Spec){
		"permutation": func(s *settings.Spec) { s.LB = lb.Mixed },
		"incast":      func(s *settings.Spec) { s.Workload = settings.Incast },
		"adaptive":    func(s *settings.Spec) { s.LB, s.Oversub = lb.AR, 1 },
		"lossless": func(s *settings.Spec) {
			s.Workload, s.Trim, s.PFC, s.XOff, s.XOn = settings.Incast, false, true, 100_000, 50_000
		},
		"drop-tail": func(s *settings.Spec) {
			s.Workload, s.Trim, s.DropAt, s.Recovery = settings.Incast, false, 0.5, settings.RecoverSLEEK
		},
	} {
		s := settings.DefaultSpec()
		s.FlowBytes = 300_000
		edit(&s)
		plain := run(t, s)
		hosts, switches := turnTree(rand.New(rand.NewPCG(5, 6)), s.K)
		s.HostOrder = hosts
		n, err := Build(s, Options{})
		require.NoError(t, err)
		salts := make([]uint64, len(n.net.Switches))
		for i := range n.net.Switches {
			salts[i] = n.net.Switches[i].Salt
		}
		for i, place := range switches {
			n.net.Switches[place].Salt = salts[i]
		}
		require.NoError(t, n.Loop(context.Background()))
		turned := n.Result()
		require.NoError(t, turned.Verify())
		require.Equal(t, plain.Counters, turned.Counters, name)
		moved := 0
		for i := range plain.Flows {
			a, b := plain.Flows[i], turned.Flows[i]
			require.Equal(t, hosts[a.Src], b.Src)
			require.Equal(t, hosts[a.Dst], b.Dst)
			require.Equal(t, a.Delivered, b.Delivered, "%s: %v", name, &a)
			require.Equal(t, a.Acked, b.Acked, "%s: %v", name, &a)
			if a.Src != b.Src {
				moved++
			}
		}
		require.Greater(t, moved, len(plain.Flows)/2)
	}
}

// TestRenumbering: who is called what has no part in the distribution of
// completion times on a symmetric network, also where the numbers are drawn at
// random, so that neighbours are parted. The distance of the two samples is
// compared with those of the same runs divided at random: the flows of one run
// depend on one another, runs do not.
func TestRenumbering(t *testing.T) {
	s := settings.DefaultSpec()
	s.K, s.FlowBytes, s.LB = 4, 400_000, lb.Mixed
	const seeds, draws = 40, 2000
	r := rand.New(rand.NewPCG(3, 4))
	times := func(s settings.Spec) (out [][]float64) {
		for _, one := range seedsOf(t, s, seeds) {
			out = append(out, completions([]*result.Result{one}))
		}
		return out
	}
	pool := func(runs [][]float64) []float64 {
		all := slices.Concat(runs...)
		slices.Sort(all)
		return all
	}
	plain := times(s)
	for _, place := range r.Perm(s.Hosts()) {
		s.HostOrder = append(s.HostOrder, int32(place))
	}
	s.Seed = 0
	renamed := times(s)
	require.NotEqual(t, plain, renamed)
	far := func(a, b [][]float64) float64 {
		d := distance(pool(a), pool(b))
		both := append(slices.Clone(a), b...)
		more := 0
		for range draws {
			r.Shuffle(len(both), func(i, j int) { both[i], both[j] = both[j], both[i] })
			if distance(pool(both[:len(a)]), pool(both[len(a):])) >= d {
				more++
			}
		}
		p := float64(more) / draws
		t.Logf("distance %.4f, as far by chance with probability %.3f", d, p)
		return p
	}
	require.Greater(t, far(plain, renamed), 0.01)
	// The test sees a difference of a twentieth.
	for i := range renamed {
		for j := range renamed[i] {
			renamed[i][j] *= 1.05
		}
	}
	require.Less(t, far(plain, renamed), 0.01)
}

// TestIdealAlone: a flow alone ends in its ideal time on every topology whose
// way is one, also over links of different rates.
func TestIdealAlone(t *testing.T) {
	for _, edit := range []func(*settings.Spec){
		func(s *settings.Spec) { s.Topology, s.Switches, s.Senders = settings.Dumbbell, 5, 1 },
		func(s *settings.Spec) { s.Topology, s.Switches, s.Senders, s.TierGbps[0] = settings.Dumbbell, 3, 1, 50 },
		func(s *settings.Spec) {
			s.Topology, s.Switches, s.Senders, s.TierLatency[0] = settings.Dumbbell, 3, 1, 7*units.Microsecond
		},
		func(s *settings.Spec) { s.Topology, s.Leaves, s.LeafHosts, s.Spines = settings.LeafSpine, 2, 1, 1 },
	} {
		for _, packets := range []int64{1, 2, 77} {
			s := settings.DefaultSpec()
			s.LinkGbps, s.Trim, s.ECN, s.RTO, s.QueueBytes = 100, false, settings.ECNOff, 10*units.Millisecond, 1<<30
			edit(&s)
			s.FlowBytes = packets * int64(s.MTU-s.HeaderBytes)
			list := []traffic.Message{{Src: 0, Dst: 1, Bytes: s.FlowBytes, Start: 5000}}
			r := verified(t, s, WithMessages(list), WithCC(cc.FixedWindow(1<<30)))
			require.Equal(t, r.Flows[0].Ideal, r.Flows[0].Acked-r.Flows[0].Start, "%+v packets %d", s, packets)
			require.Equal(t, r.Flows[0].Ideal, r.Bound)
		}
	}
}

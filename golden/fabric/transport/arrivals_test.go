package transport

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// TestPoissonFillsTheLoad: a run's arrivals bring the share of the links' rate that
// poisson.load asks for.
func TestPoissonFillsTheLoad(t *testing.T) {
	spec := settings.DefaultSpec()
	spec.K, spec.Workload, spec.CDF, spec.Load, spec.Flows = 4, settings.Poisson, "ali_storage_2019", 0.4, 10
	s, err := Build(spec, Options{Only: cc.FixedWindow(0)})
	require.NoError(t, err)
	s.spec.Flows = 50_000
	list, err := loader{s.Hosts}.messages()
	require.NoError(t, err)
	bytes := int64(0)
	for _, m := range list {
		bytes += m.Bytes
	}
	require.InEpsilon(t, 0.4, float64(bytes)*8000/float64(list[len(list)-1].Start)/(16*400), 0.05)
}

// TestTrimmingReachesNSCC: a context knows whether its switches trim.
func TestTrimmingReachesNSCC(t *testing.T) {
	for _, trim := range []bool{false, true} {
		spec := small(settings.Incast)
		spec.Trim, spec.FlowBytes = trim, 20_000
		seen := 0
		verified(t, spec, WithCC(cc.NSCC(func(s *nscc.Spec) {
			require.Equal(t, trim, s.Trimming)
			seen++
		})))
		require.NotZero(t, seen)
	}
}

// TestHtsimBalances keeps the shadow books over the reference simulator's arithmetic
// where late packets make losses untrue: what waited to be resent comes back into
// the window.
func TestHtsimBalances(t *testing.T) {
	spec := small(settings.Incast)
	spec.PDCsPerCCC, spec.LossProb, spec.MTU = 4, 0.01, 4150
	h := NewShadow(t, spec)
	verified(t, spec, WithCC(cc.HtsimNSCC(nil)), WithTap(h.Tap))
	h.closedWithin(0)
	for _, name := range []string{"nack", "loss", "unmarked"} {
		require.NotZero(t, h.stats[name], "%s in %v", name, h.stats)
	}
}

// TestDigest: the digest of a run depends on every field of an arrival but its entropy.
func TestDigest(t *testing.T) {
	base := net.Packet{PDC: 1, PSN: 2, Kind: net.PacketAck, Flags: net.FlagCE, Cum: 3, Sack: 4, Rcvd: 5}
	seen := map[uint64]string{digest(9, 10, &base): "base"}
	note := func(name string, d uint64) {
		require.Empty(t, seen[d], name)
		seen[d] = name
	}
	for name, edit := range map[string]func(*net.Packet){
		"pdc": func(k *net.Packet) { k.PDC++ }, "psn": func(k *net.Packet) { k.PSN++ },
		"kind":  func(k *net.Packet) { k.Kind = net.PacketNack },
		"flags": func(k *net.Packet) { k.Flags |= net.FlagRetx }, "cum": func(k *net.Packet) { k.Cum++ },
		"sack": func(k *net.Packet) { k.Sack |= 1 << 63 }, "rcvd": func(k *net.Packet) { k.Rcvd += 256 },
		"ooo": func(k *net.Packet) { k.OOO++ }, "service": func(k *net.Packet) { k.Service++ },
		"pend": func(k *net.Packet) { k.Pend++ }, "reason": func(k *net.Packet) { k.Reason++ },
		"span": func(k *net.Packet) { k.Span++ },
	} {
		k := base
		edit(&k)
		note(name, digest(9, 10, &k))
	}
	for kind := net.PacketData; kind <= net.PacketClose; kind++ {
		k := net.Packet{PDC: 7, PSN: 8, Kind: kind}
		note(fmt.Sprint("kind ", kind), digest(9, 10, &k))
	}
	note("time", digest(9, 11, &base))
	note("before", digest(1<<40, 10, &base))
}

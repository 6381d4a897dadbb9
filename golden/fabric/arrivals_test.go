package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/units"
)

// TestPoissonFillsTheLoad: a run's arrivals bring the share of the links' rate that
// poisson.load asks for.
func TestPoissonFillsTheLoad(t *testing.T) {
	spec := DefaultSpec()
	spec.K, spec.Workload, spec.CDF, spec.Load, spec.Flows = 4, Poisson, "ali_storage_2019", 0.4, 10
	s, err := build(spec, cc.FixedWindow(0))
	require.NoError(t, err)
	s.spec.Flows = 50_000
	list, err := s.messages()
	require.NoError(t, err)
	bytes := int64(0)
	for _, m := range list {
		bytes += m.Bytes
	}
	require.InEpsilon(t, 0.4, float64(bytes)*8000/float64(list[len(list)-1].Start)/(16*400), 0.05)
}

// TestFailureShare: every link between switches fails with the given probability,
// no link of a host does.
func TestFailureShare(t *testing.T) {
	spec := DefaultSpec()
	spec.K, spec.FailProb, spec.FailAt = 4, 0.2, units.Microsecond
	failed, links := 0, 0
	for spec.Seed = range 200 {
		s, err := build(spec, cc.FixedWindow(0))
		require.NoError(t, err)
		for _, l := range s.net.Links {
			if int(l.A) >= s.net.Hosts && int(l.B) >= s.net.Hosts {
				links++
			}
		}
		for _, o := range s.outages {
			require.Equal(t, units.Microsecond, o.at)
			for _, l := range o.links {
				require.GreaterOrEqual(t, int(min(s.net.Links[l].A, s.net.Links[l].B)), s.net.Hosts)
				failed++
			}
		}
	}
	require.Equal(t, 200*32, links)
	require.InDelta(t, 0.2, float64(failed)/float64(links), 0.02)
}

// TestTrimmingReachesNSCC: a context knows whether its switches trim.
func TestTrimmingReachesNSCC(t *testing.T) {
	for _, trim := range []bool{false, true} {
		spec := small(Incast)
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
	spec := small(Incast)
	spec.PDCsPerCCC, spec.LossProb, spec.MTU = 4, 0.01, 4150
	h := newShadow(t, spec)
	verified(t, spec, WithCC(cc.HtsimNSCC(nil)), WithTap(h.tap))
	h.closedWithin(0)
	for _, name := range []string{"nack", "loss", "unmarked"} {
		require.NotZero(t, h.stats[name], "%s in %v", name, h.stats)
	}
}

// TestDigest: the digest of a run depends on every field of an arrival but its entropy.
func TestDigest(t *testing.T) {
	base := packet{pdc: 1, psn: 2, kind: pkAck, flags: flagCE, cum: 3, sack: 4, rcvd: 5}
	seen := map[uint64]string{digest(9, 10, &base): "base"}
	note := func(name string, d uint64) {
		require.Empty(t, seen[d], name)
		seen[d] = name
	}
	for name, edit := range map[string]func(*packet){
		"pdc": func(k *packet) { k.pdc++ }, "psn": func(k *packet) { k.psn++ }, "kind": func(k *packet) { k.kind = pkNack },
		"flags": func(k *packet) { k.flags |= flagRetx }, "cum": func(k *packet) { k.cum++ },
		"sack": func(k *packet) { k.sack |= 1 << 63 }, "rcvd": func(k *packet) { k.rcvd += 256 },
		"ooo": func(k *packet) { k.ooo++ }, "service": func(k *packet) { k.service++ },
		"pend": func(k *packet) { k.pend++ }, "reason": func(k *packet) { k.reason++ },
	} {
		k := base
		edit(&k)
		note(name, digest(9, 10, &k))
	}
	for kind := pkData; kind <= pkAckReq; kind++ {
		k := packet{pdc: 7, psn: 8, kind: kind}
		note(fmt.Sprint("kind ", kind), digest(9, 10, &k))
	}
	note("time", digest(9, 11, &base))
	note("before", digest(1<<40, 10, &base))
}

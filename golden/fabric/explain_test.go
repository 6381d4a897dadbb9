package fabric

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// TestLosslessNeedsNoTimeout: waiting behind pauses is no loss, and the sizes of
// queues that there are not do not decide how long to wait.
func TestLosslessNeedsNoTimeout(t *testing.T) {
	p, err := presets.Lookup("fattree128/lossless")
	require.NoError(t, err)
	r := run(t, p.Spec)
	require.Zero(t, r.Counters.Retransmits)
	require.Zero(t, r.Counters.Timeouts)
	require.NoError(t, r.Verify())
	small := p.Spec
	small.QueueBytes, small.DropAt = 8300, 0.1
	require.Equal(t, p.Spec.EffectiveRTO(), small.EffectiveRTO())
	larger := p.Spec
	larger.XOff *= 2
	require.Greater(t, larger.EffectiveRTO(), p.Spec.EffectiveRTO())
	huge := p.Spec
	huge.XOff = 1e15
	require.Equal(t, units.Picos(1e12), huge.EffectiveRTO())
	require.ErrorContains(t, p.Spec.Ineffective([]string{"queue.bytes"}, false), "queue.bytes: has no effect: pfc = on")
	trims := p.Spec
	trims.Trim = true
	require.ErrorContains(t, trims.Validate(), "trim = on: want off with pfc = on")
}

// TestResendsAreExplained: what was given up covers what was resent, in all and by
// flow.
func TestResendsAreExplained(t *testing.T) {
	for _, preset := range []string{"fattree128/incast32", "fattree128/failures"} {
		p, err := presets.Lookup(preset)
		require.NoError(t, err)
		p.Spec.LossProb = 0.001
		r := run(t, p.Spec)
		s := result.Summarise(0, r)
		require.NotZero(t, s.Nacks, preset)
		require.NotZero(t, s.Timeouts+s.Sleek, preset)
		require.GreaterOrEqual(t, s.Nacks+s.Timeouts+s.Sleek, s.Rtx, preset)
		var nacks, timeouts, probes, spurious uint64
		for _, f := range r.Flows {
			nacks += uint64(f.Nacks)
			timeouts += uint64(f.Timeouts)
			probes += uint64(f.Probes)
			spurious += uint64(f.Spurious)
		}
		require.Equal(t, []uint64{s.Nacks, s.Timeouts, s.Probes, s.Spurious},
			[]uint64{nacks, timeouts, probes, spurious}, preset)
		var b strings.Builder
		require.NoError(t, result.WriteFlowsCSV(&b, r))
		require.Contains(t, b.String(), ",timeouts,nacks,probes,spurious,unfinished\n")
		if p.Spec.Recovery == settings.RecoverSLEEK {
			require.NotZero(t, s.Probes)
			require.NotZero(t, s.Spurious)
		}
	}
}

// TestWhyUnfinished: every flow that did not end says why, and names the cause and not
// what followed from it: a way that is gone before timeouts, the end of the run, or a
// sender that has nothing to do.
func TestWhyUnfinished(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	p.Spec.FlowBytes = 20_000
	with := func(set ...string) settings.Spec {
		s := p.Spec
		for i := 0; i < len(set); i += 2 {
			require.NoError(t, s.Set(set[i], set[i+1]))
		}
		return s
	}
	file := func(text string) settings.Spec {
		at := filepath.Join(t.TempDir(), "topology.yaml")
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
		s := with("workload", "permutation", "seed", "3")
		s.Topology, s.TopologyFile = settings.CustomFile, at
		return s
	}
	src := run(t, p.Spec).Flows[0].Src
	n, err := p.Spec.Layout()
	require.NoError(t, err)
	first := n.Names[src]
	own := first + "-" + n.Names[n.Ports[src].To]
	apart := "hosts: [h0, h1, h2, h3]\nswitches: [s0, s1]\n" +
		"links: [{a: h0, b: s0}, {a: h1, b: s0}, {a: h2, b: s1}, {a: h3, b: s1}]\n"
	for name, c := range map[string]struct {
		spec  settings.Spec
		flows int // unfinished, 0 for any number
		want  string
	}{
		"late":            {with("flow.bytes", "2e6", "max_time.us", "20"), 32, "max_time.us = 20 came first"},
		"unanswered":      {with("loss_prob", "0.999"), 0, "retries exhausted: 25 timeouts"},
		"receiver's link": {with("fail.links", "host0-tor0"), 32, "no way: host0's only link, host0-tor0, failed at 0 us"},
		"receiver's link, late": {
			with("flow.bytes", "2e6", "fail.links", "host0-tor0@10", "max_time.us", "100"), 32,
			"no way: host0's only link, host0-tor0, failed at 10 us",
		},
		"sender's link": {with("fail.links", own), 1, "no way: " + first + "'s only link, " + own + ", failed at 0 us"},
		"sender's link, later": {
			with("flow.bytes", "2e6", "fail.links", own+"@5"), 1,
			"no way: " + first + "'s only link, " + own + ", failed at 5 us",
		},
		"the rack is cut off": {
			with("fail.links", "tor0-agg0, tor0-agg1, tor0-agg2, tor0-agg3", "incast", "127"), 124,
			"no way: links that failed cut host",
		},
		"not connected": {file(apart), 0, "no way: the topology does not connect h"},
	} {
		r := run(t, c.spec)
		if c.flows > 0 {
			require.Len(t, r.Unfinished(), c.flows, name)
		}
		require.NotEmpty(t, r.Unfinished(), name)
		for _, f := range r.Unfinished() {
			require.Contains(t, f.Why, c.want, name)
		}
		require.Contains(t, result.Summarise(0, r).Unfinished[0], c.want, name)
	}
}

// TestSlowHostsAreNamed: those too that nothing is sent to.
func TestSlowHostsAreNamed(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	p.Spec.FlowBytes, p.Spec.SlowHosts = 50_000, 1
	r := run(t, p.Spec)
	require.Len(t, r.Slow.Hosts, 128)
	require.Len(t, r.Slow.Idle, 127)
	require.NotContains(t, r.Slow.Idle, int32(0))
	require.Contains(t, (&result.SlowHosts{Hosts: []int32{3, 9}, Idle: []int32{9}}).String(), "3, 9 (9 receives nothing)")
	require.Contains(t, (&result.SlowHosts{Hosts: []int32{3}, Idle: []int32{3}}).String(), "no effect")
	p.Spec.CC = "nscc-htsim"
	_, err = Run(t.Context(), p.Spec)
	require.ErrorContains(t, err, "slow_hosts = 1: cc = nscc-htsim has no destination flow control")
}

// TestAloneIsIdeal: one flow alone takes exactly the time that the bound says,
// whatever its last packet holds, over many paths and over one.
func TestAloneIsIdeal(t *testing.T) {
	for _, preset := range []string{"fattree128/permutation", "leafspine64/permutation", "congestion/lasthop"} {
		for _, slower := range []string{"0", "200", "50"} {
			for _, bytes := range []int64{1, 4086, 4087, 100_000, 2_000_000, 2_000_500} {
				p, err := presets.Lookup(preset)
				require.NoError(t, err)
				s := p.Spec
				s.ECN, s.AckTrigger = settings.ECNOff, 1
				if preset == "congestion/lasthop" {
					require.NoError(t, s.Set("tier1.gbps", slower))
				} else if slower != "0" {
					continue
				}
				list := []traffic.Message{{Src: 0, Dst: int32(s.Hosts() - 1), Bytes: bytes}}
				r := run(t, s, WithMessages(list), WithCC(cc.FixedWindow(1<<30)))
				f := r.Flows[0]
				require.Equal(t, f.Ideal, f.Acked-f.Start, "%s %d bytes, trunk %s", preset, bytes, slower)
				require.Equal(t, r.Bound, f.Ideal)
			}
		}
	}
}

// TestTelemetryChangesNothing: who reads the records may act on them, and here
// nobody does.
func TestTelemetryChangesNothing(t *testing.T) {
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	p.Spec.FlowBytes = 50_000
	off := run(t, p.Spec)
	for _, m := range []settings.INTMode{settings.INTData, settings.INTAck} {
		p.Spec.INT = m
		records := 0
		r := run(t, p.Spec, WithTap(func(ev *cc.Event) bool {
			records += len(ev.INT)
			return true
		}))
		require.NotZero(t, records, m)
		require.Equal(t, off.Digest, r.Digest, m)
	}
}

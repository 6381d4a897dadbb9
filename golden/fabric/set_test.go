package fabric

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

func TestSet(t *testing.T) {
	s := settings.DefaultSpec()
	for path, value := range map[string]string{
		"link.gbps": "800", "rtt.us": "6", "flow.bytes": "8e6", "lb": "reps", "cc": "nscc-htsim", "trim": "off",
		"target.us": "1.5", "qa_gate": "2", "mtu": "9000", "drr": "0, 4096,4096", "fail.links": "tor0-agg1@20,tor1-agg0",
		"flow.sizes": "1000,2000", "cc.hosts": "3=fixed,4=nscc", "int": "ack", "seed": "18446744073709551615",
	} {
		require.NoError(t, s.Set(path, value), path)
	}
	require.EqualValues(t, 800, s.LinkGbps)
	require.InDelta(t, 6e6, float64(s.RoundTrip()), 12)
	require.Equal(t, int64(8_000_000), s.FlowBytes)
	require.Equal(t, lb.REPS, s.LB)
	require.False(t, s.Trim)
	require.Equal(t, 1500*units.Nanosecond, s.Target)
	require.Equal(t, 2, s.QAGate)
	require.Equal(t, [3]int{0, 4096, 4096}, s.DRR)
	require.Equal(t, []settings.Failure{{Link: "tor0-agg1", At: 20 * units.Microsecond}, {Link: "tor1-agg0"}}, s.FailLinks)
	require.Equal(t, map[int32]string{3: "fixed", 4: "nscc"}, s.CCHosts)
	require.Equal(t, ^uint64(0), s.Seed)
	require.NoError(t, s.Validate())
	require.NoError(t, s.Set("mtu", "4096"))
	require.InDelta(t, 6e6, float64(s.RoundTrip()), 12, "the round trip stays when packets change")
}

// TestSetErrors: an error names the path, the value and what was wanted.
func TestSetErrors(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"link.gbsp", "1", "link.gbsp: no such setting; did you mean link.gbps?"},
		{"speed", "1", "speed: no such setting"},
		{"link.gbps", "fast", "link.gbps = fast: want a number"},
		{"link.gbps", "NaN", "link.gbps = NaN: want a number"},
		{"mtu", "1.5", "mtu = 1.5: want a whole number"},
		{"rtt.us", "-3", "rtt.us = -3: want microseconds"},
		{"trim", "maybe", "trim = maybe: want on or off"},
		{"lb", "magic", `lb = magic: load balancer "magic": want one of oblivious`},
		{"poisson.load", "NaN", "poisson.load = NaN: want a number"},
		{"drr", "1,2", "drr = 1,2: want three numbers"},
		{"fail.links", "a-b@x", "fail.links = a-b@x: want names"},
		{"cc.hosts", "x=y", "cc.hosts = x=y: want numbers and names"},
		{"seed", "-1", "seed = -1: want a whole number"},
	} {
		s := settings.DefaultSpec()
		require.ErrorContains(t, s.Set(c.path, c.value), c.want)
	}
}

// TestImpossible: what can be read but not be built is refused by name.
func TestImpossible(t *testing.T) {
	for _, c := range []struct{ path, value, want string }{
		{"rtt.us", "0.01", "rtt.us = 0.01"},
		{"k", "7", "k = 7"},
		{"topology", "torus", "topology = torus"},
		{"topology", "leafspine", "leaves = 0"},
		{"tiers", "4", "tiers = 4"},
		{"workload", "poisson", "poisson.load = 0"},
		{"workload", "elephants", "elephants = 0"},
		{"workload", "gossip", "workload = gossip"},
		{"workload", "hsdp", "hsdp.ring = 0"},
		{"workload", "matrix", "matrix.file"},
		{"pfc", "on", "pfc.xoff = 0"},
		{"int", "some", "int = some"},
		{"recovery", "prayer", "recovery = prayer"},
		{"trim.rule", "all", "trim.rule = all"},
		{"fail.prob", "1", "fail.prob = 1"},
		{"tier1.gbps", "0.5", "tier1.gbps = 0.5"},
		{"qa_gate", "99", "qa_gate = 99"},
		{"ecn.kmin_bytes", "100000", "ecn.kmin_bytes = 100000"},
		{"cc.hosts", "500=fixed", "cc.hosts = 500=fixed: want a host from 0 to 127"},
		{"matrix.unit", "ms", "matrix.unit = ms"},
		{"link.latency_us", "0", "link.latency_us = 0: want above 0"},
		{"rto.us", "2e6", "rto.us = 2e+06: want 0 (derived) to 10^6"},
		{"queue.bytes", "100", "queue.bytes = 100"},
	} {
		s := settings.DefaultSpec()
		require.NoError(t, s.Set(c.path, c.value))
		require.ErrorContains(t, s.Validate(), c.want, "%s=%s", c.path, c.value)
		_, err := Run(t.Context(), s)
		require.ErrorContains(t, err, c.want)
	}
	s := settings.DefaultSpec()
	s.CC = "magic"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "cc = magic: want one of "+strings.Join(cc.Names(cc.Rows()), ", "))
}

// TestSettableAreSet: every path changes the spec and says what it is and can be.
func TestSettableAreSet(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range settings.All() {
		require.False(t, seen[p.Path], "%s twice", p.Path)
		require.NotEmpty(t, p.About, p.Path)
		require.NotEmpty(t, p.Values, p.Path)
		seen[p.Path] = true
		changed := false
		for _, v := range []string{"3", "on", "off", "ecmp", "3,4,5", "3=nscc", "a-b", "either"} {
			s := settings.DefaultSpec()
			before := settings.DefaultSpec()
			if s.Set(p.Path, v) == nil {
				changed = changed || !specsEqual(s, before)
			}
		}
		require.True(t, changed, p.Path)
	}
	for _, p := range []string{"link.gbps", "rtt.us", "flow.bytes", "lb", "cc", "trim", "target.us", "qa_gate", "mtu"} {
		require.True(t, seen[p], p)
	}
}

// TestIneffective: a setting that the rest of the spec leaves unread is named.
func TestIneffective(t *testing.T) {
	for _, c := range []struct{ with, path, want string }{
		{"", "incast", "incast: has no effect: workload = permutation, and only incast takes it"},
		{"workload=incast", "incast", ""},
		{"workload=mixed", "flow.bytes", "workload = mixed, and only permutation, incast"},
		{"", "flow.bytes", ""},
		{"workload=allreduce", "flow.rounds", "only permutation, incast"},
		{"", "leaves", "topology = fattree, and only leafspine"},
		{"topology=leafspine", "k", "topology = leafspine, and only fattree"},
		{"topology=leafspine", "tier2.gbps", "tiers = 3"},
		{"tiers=2", "tier2.latency_us", "tiers = 3"},
		{"", "tier2.gbps", ""},
		{"", "senders", "workload converge"},
		{"workload=converge", "senders", ""},
		{"", "pfc.xoff", "pfc = off"},
		{"pfc=on", "pfc.xoff", ""},
		{"trim=off", "trim.rule", "trim = off"},
		{"", "queue.drop_at", "trim = on"},
		{"trim=off", "queue.drop_at", ""},
		{"queue.bytes=100000", "queue.trim_at", "queue.bytes"},
		{"ecn=off", "ecn.kmin_bytes", "ecn = off"},
		{"ecn=deterministic", "ecn.kmax_bytes", "only probabilistic"},
		{"", "drain_share", "slow_hosts = 0"},
		{"", "fail.at_us", "fail.prob = 0"},
		{"", "ar.levels", "no flow has lb = ar"},
		{"lb=ar", "ar.levels", ""},
		{"lb=ecmp", "paths", "lb = ecmp"},
		{"cc=fixed", "target.us", "cc = fixed"},
		{"", "target.us", ""},
		{"topology=lasthop", "lb", "topology = lasthop has one path"},
		{"topology=dumbbell", "paths", "topology = dumbbell has one path"},
		{"", "lb", ""},
		{"per_flow_rtt=on", "base_rtt.us", ""},
	} {
		s := settings.DefaultSpec()
		if path, value, ok := strings.Cut(c.with, "="); ok {
			require.NoError(t, s.Set(path, value))
		}
		err := s.Ineffective([]string{"mtu", c.path}, false)
		if c.want == "" {
			require.NoError(t, err, "%s after %s", c.path, c.with)
			continue
		}
		require.ErrorContains(t, err, c.path+": has no effect: ", c.with)
		require.ErrorContains(t, err, c.want)
	}
	both := settings.DefaultSpec()
	both.PerFlowRTT, both.BaseRTT = true, units.Microsecond
	require.ErrorContains(t, both.Ineffective([]string{"base_rtt.us"}, false), "keep one")
	list := []traffic.Message{{CC: "nscc", LB: "ops"}, {CC: "fixed"}}
	require.ErrorContains(t, settings.IneffectiveFlows([]string{"mtu", "cc.hosts"}, list),
		"cc.hosts: has no effect: every flow of the file names its cc")
	require.NoError(t, settings.IneffectiveFlows([]string{"lb"}, list))
	require.NoError(t, settings.IneffectiveFlows([]string{"lb", "cc"}, nil))
	d := settings.DefaultSpec()
	require.ErrorContains(t, d.Set("cc.hosts", "3=nscc,3=fixed"), "3 is given twice")
	require.ErrorContains(t, d.Set("max_time.us", "1e-9"), "time goes by picoseconds")
	require.NoError(t, d.Set("fail.links", "tor0-agg0,agg0-tor0@5"))
	require.ErrorContains(t, d.Validate(), "fail.links[1]: agg0-tor0 is the link of fail.links[0]")
	s := settings.DefaultSpec()
	require.ErrorContains(t, s.Ineffective([]string{"flow.bytes"}, true), "the file lists its flows")
	require.NoError(t, s.Ineffective([]string{"lb", "mtu"}, true))
}

// TestIneffectiveIsTrue runs small runs twice, with and without each setting that
// is said to have no effect, and finds them equal.
func TestIneffectiveIsTrue(t *testing.T) {
	values := map[string]string{
		"incast": "3", "flow.bytes": "70000", "flow.rounds": "2", "flow.count": "7", "flow.start_spread_us": "9",
		"flow.stagger_us": "3",
		"flow.sizes":      "9000,800", "nic.contexts": "2", "nic.pdcs": "2", "elephants": "3", "elephant.bytes": "9000",
		"elephant.lb":    "reps",
		"elephant.class": "medium", "alltoall.parallel": "2", "ranks": "4", "hsdp.ring": "4",
		"poisson.cdf": "fb_hadoop", "poisson.load": "0.2",
		"matrix.unit": "us", "leaves": "3", "leaf.hosts": "3", "spines": "3", "switches": "4", "senders": "2",
		"fail.at_us": "3",
		"trim.rule":  "either", "trim.bytes": "60", "queue.trim_at": "0.7", "queue.trim_at_last_hop": "0.6",
		"queue.drop_at":     "0.5",
		"queue.ctl_drop_at": "0.5", "ecn.kmin": "0.1", "ecn.kmax": "0.3", "ecn.kdet": "0.1", "ecn.kmin_bytes": "0",
		"ecn.kmax_bytes": "0",
		"pfc.xoff":       "90000", "pfc.headroom": "50000", "pfc.xon": "30000", "drain_share": "0.3", "ar.levels": "3",
		"paths": "4", "target.us": "2", "qa_gate": "1",
		"tier1.gbps": "200", "tier2.gbps": "200", "k": "6", "tiers": "2", "oversub": "2",
	}
	told := map[string]bool{}
	for _, with := range []string{
		"workload=permutation", "workload=incast", "workload=mixed", "workload=alltoall", "workload=allgather",
		"workload=hsdp", "workload=elephants",
		"trim=off", "ecn=off", "ecn=deterministic", "lb=ecmp", "cc=fixed", "queue.bytes=30000",
		"queue.ctl_bytes=20000", "tiers=2", "topology=leafspine", "topology=lasthop",
	} {
		base := settings.DefaultSpec()
		base.K, base.Incast, base.FlowBytes, base.Sizes, base.Elephants, base.Ring = 4, 7, 30_000, []int64{9000, 30_000}, 4, 2
		base.Leaves, base.LeafHosts, base.Spines, base.Parallel, base.LB = 2, 8, 2, 8, lb.Mixed
		path, value, _ := strings.Cut(with, "=")
		require.NoError(t, base.Set(path, value))
		if base.Topology == settings.LastHop {
			base.Workload, base.Incast = settings.Incast, 2
		}
		want := verified(t, base)
		for p, v := range values {
			s := base
			require.NoError(t, s.Set(p, v))
			if s.Ineffective([]string{p}, false) == nil || s.Validate() != nil {
				continue
			}
			told[p] = true
			require.Equal(t, want.Digest, verified(t, s).Digest, "%s=%s with %s", p, v, with)
		}
	}
	require.Greater(t, len(told), 40)
}

// TestOneLatency: links whose latency is given no longer follow the round trip,
// and both together are refused.
func TestOneLatency(t *testing.T) {
	p, err := presets.Lookup("fattree128/permutation")
	require.NoError(t, err)
	s := p.Spec
	require.NoError(t, s.Set("link.latency_us", "2"))
	require.NoError(t, s.Set("mtu", "4096"))
	require.Equal(t, 2*units.Microsecond, s.LinkLatency)
	require.NoError(t, s.Ineffective([]string{"link.latency_us"}, false))
	both := []string{"link.latency_us", "rtt.us"}
	require.NoError(t, s.Set("rtt.us", "9"))
	require.ErrorContains(t, s.Ineffective(both, false), "keep one")
	require.NoError(t, s.Set("link.latency_us", "2"))
	require.ErrorContains(t, s.Ineffective(both, false), "keep one")
}

// TestNamedNobody: a congestion control for contexts that there are not, or for
// hosts none of which sends, is refused.
func TestNamedNobody(t *testing.T) {
	s := settings.DefaultSpec()
	s.K, s.Workload, s.Incast, s.FlowBytes = 4, settings.Incast, 3, 9000
	s.CCContexts = map[int32]string{1: "fixed", 3: "fixed"}
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "cc.contexts = 3=fixed: want a context from 0 to 2")
	s.CCContexts, s.CCHosts = nil, map[int32]string{0: "fixed"}
	_, err = Run(t.Context(), s)
	require.ErrorContains(t, err, "cc.hosts: has no effect: of hosts [0] none sends")
}

func specsEqual(a, b settings.Spec) bool { return assert.ObjectsAreEqual(a, b) }

func TestScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	require.NoError(t, os.WriteFile(path, []byte(`
preset: fattree128/permutation
link: {gbps: 200}
target.us: 3
drr: [0, 1000, 2000]
flows:
  - {src: 0, dst: 5, bytes: 100000, lb: ecmp, cc: nscc-htsim}
  - {src: 5, dst: 7, bytes: 70000, start_us: 2, after: [0]}
`), 0o600))
	sc, err := presets.LoadScenario(path)
	require.NoError(t, err)
	require.EqualValues(t, 200, sc.Spec.LinkGbps)
	require.Equal(t, 3*units.Microsecond, sc.Spec.Target)
	require.Equal(t, [3]int{0, 1000, 2000}, sc.Spec.DRR)
	r := verified(t, sc.Spec, WithMessages(sc.Messages))
	require.Len(t, r.Flows, 2)
	require.Equal(t, r.Flows[0].Delivered, r.Flows[1].Start)
	require.Equal(t, int64(70_000), r.Flows[1].Bytes)

	_, err = presets.LoadScenario(path + "x")
	require.ErrorContains(t, err, "scenario:")
	for text, want := range map[string]string{
		"":                                   "empty",
		"[1, 2]":                             "want settings",
		"preset: nothing":                    `preset "nothing": unknown`,
		"link: {gbps: fast}":                 "link.gbps = fast",
		"link: {colour: 3}":                  "link.colour: no such setting",
		"k: 7":                               "k = 7",
		"flows: 3":                           "flows: line 1: want a list",
		"flows: [{src: 0, dst: 1, size: 3}]": "flows[0].size: line 1: no such key",
		"flows: [{src: 0, dst: x}]":          "flows[0].dst: line 1: want a host",
		"flows: [{src: 0, dst: 1, bytes: 1, lb: no}]":                  "flows[0].lb:",
		"flows: [{src: 0, dst: 1, bytes: 1, start_us: -1}]":            "flows[0].start_us",
		"flows: [{src: 0, dst: 1, bytes: 1, start_us: 2, stop_us: 2}]": "flows[0].stop_us",
		"flows: [{src: 0, dst: 1, bytes: 1}, " +
			"{src: 0, dst: 1, bytes: 1, after: [0], stop_us: 2}]": "flows[1] (0 -> 1): stop",
		"flows: [{src: 0, dst: 1}]":                   "flows[0]: line 1: a flow needs src, dst and bytes",
		"flows: [{src: 0, dst: 1, dst: 2, bytes: 5}]": "flows[0].dst: line 1: given before",
		"flows: [{src: 0, dst: 200, bytes: 5}]": "flows[0] (0 -> 200): src, dst: " +
			"there are hosts 0 to 127",
		"flows: [5]":                             "flows[0]: line 1: want keys and values",
		"flows: [{src: 0, dst: 1, bytes: many}]": "flows[0].bytes: line 1: want a whole number",
		"flows: [{src: 0, dst: 1, bytes: }]":     "flows[0].bytes: line 1: want a whole number",
		"flows: [{src: 0, dst: 1, bytes: 1.5}]":  "flows[0].bytes: line 1: want a whole number",
		"mtu: 4096\n---\nmtu: 4096":              "a second document",
		"cc: ''":                                 "cc = : want a value",
		"flow.bytes: [1]":                        "flow.bytes: line 1: want one value, not a list",
		"drr: [[1], 2, 3]":                       "drr: line 1: want plain values",
		"mtu: 4096\nlb: reps\nmtu: 9000":         "mtu: line 3: given before, on line 1",
		"link: {gbps: 100}\nlink.gbps: 200":      "link.gbps: line 2: given before, on line 1",
		"preset: fattree128/incast32\npreset: fattree128/permutation": "preset: line 2: given before",
		"preset: fattree128/incast32\nhsdp.ring: 3":                   "hsdp.ring: has no effect: workload = incast",
		"flow.bytes: 5\nflows: [{src: 0, dst: 1, bytes: 1}]":          "flow.bytes: has no effect: the file lists its flows",
		"cc.hosts: {500: nscc}":                                       "cc.hosts = 500=nscc: want a host",
		"topology: file\ntopology.file: /none":                        "topology.file: topology file: open /none",
		"preset: [incast32]":                                          "preset: line 1: want a name",
	} {
		_, err := presets.ParseScenario([]byte(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
}

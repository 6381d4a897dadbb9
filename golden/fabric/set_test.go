package fabric

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

func TestSet(t *testing.T) {
	s := DefaultSpec()
	for path, value := range map[string]string{
		"link.gbps": "800", "rtt.us": "6", "flow.bytes": "8e6", "lb": "reps", "cc": "nscc-htsim", "trim": "off",
		"target.us": "1.5", "qa_gate": "2", "mtu": "9000", "drr": "0, 4096,4096", "fail.links": "tor0-agg1@20,tor1-agg0",
		"flow.sizes": "1000,2000", "cc.hosts": "3=fixed,4=nscc", "int": "ack", "seed": "18446744073709551615",
	} {
		require.NoError(t, s.Set(path, value), path)
	}
	require.Equal(t, 800, s.LinkGbps)
	require.InDelta(t, 6e6, float64(s.RoundTrip()), 12)
	require.Equal(t, int64(8_000_000), s.FlowBytes)
	require.Equal(t, lb.REPS, s.LB)
	require.False(t, s.Trim)
	require.Equal(t, 1500*Nanosecond, s.Target)
	require.Equal(t, 2, s.QAGate)
	require.Equal(t, [3]int{0, 4096, 4096}, s.DRR)
	require.Equal(t, []Failure{{"tor0-agg1", 20 * Microsecond}, {"tor1-agg0", 0}}, s.FailLinks)
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
		{"link.gbps", "fast", "link.gbps = fast: want a whole number"},
		{"link.gbps", "1.5", "link.gbps = 1.5: want a whole number"},
		{"rtt.us", "-3", "rtt.us = -3: want microseconds"},
		{"trim", "maybe", "trim = maybe: want on or off"},
		{"lb", "magic", `lb = magic: load balancer "magic": want one of oblivious`},
		{"poisson.load", "NaN", "poisson.load = NaN: want a number"},
		{"drr", "1,2", "drr = 1,2: want three numbers"},
		{"fail.links", "a-b@x", "fail.links = a-b@x: want names"},
		{"cc.hosts", "x=y", "cc.hosts = x=y: want numbers and names"},
		{"seed", "-1", "seed = -1: want a whole number"},
	} {
		s := DefaultSpec()
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
		{"workload", "poisson", "load = 0"},
		{"workload", "elephants", "elephants = 0"},
		{"workload", "gossip", "workload = gossip"},
		{"workload", "hsdp", "ring = 0"},
		{"workload", "matrix", "matrix_file"},
		{"pfc", "on", "xoff = 0"},
		{"int", "some", "int = some"},
		{"recovery", "prayer", "recovery = prayer"},
		{"trim.rule", "all", "trim_rule = all"},
		{"fail.prob", "1", "fail_prob = 1"},
		{"tier1.gbps", "3", "tier1.gbps = 3"},
		{"qa_gate", "99", "qa_gate = 99"},
		{"ecn.kmin_bytes", "100000", "k_min_bytes = 100000"},
		{"queue.bytes", "100", "queue_bytes = 100"},
	} {
		s := DefaultSpec()
		require.NoError(t, s.Set(c.path, c.value))
		require.ErrorContains(t, s.Validate(), c.want, "%s=%s", c.path, c.value)
		_, err := Run(t.Context(), s)
		require.ErrorContains(t, err, c.want)
	}
	s := DefaultSpec()
	s.CC = "magic"
	_, err := Run(t.Context(), s)
	require.ErrorContains(t, err, "cc = magic: want one of fixed, nscc, nscc-htsim")
}

// TestSettableAreSet: every path changes the spec, or says why not.
func TestSettableAreSet(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Settable() {
		require.False(t, seen[p[0]], "%s twice", p[0])
		require.NotEmpty(t, p[1])
		seen[p[0]] = true
		changed := false
		for _, v := range []string{"3", "on", "off", "ecmp", "3,4,5", "3=nscc", "a-b", "either"} {
			s := DefaultSpec()
			before := DefaultSpec()
			if s.Set(p[0], v) == nil {
				changed = changed || !specsEqual(s, before)
			}
		}
		require.True(t, changed, p[0])
	}
	for _, p := range []string{"link.gbps", "rtt.us", "flow.bytes", "lb", "cc", "trim", "target.us", "qa_gate", "mtu"} {
		require.True(t, seen[p], p)
	}
}

func specsEqual(a, b Spec) bool { return assert.ObjectsAreEqual(a, b) }

func TestScenario(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.yaml")
	require.NoError(t, os.WriteFile(path, []byte(`
preset: fattree128/permutation
link: {gbps: 200}
target.us: 3
drr: [0, 1000, 2000]
flows:
  - {src: 0, dst: 5, bytes: 100000, lb: ecmp, cc: nscc-htsim}
  - {src: 5, dst: 7, start_us: 2, after: [0]}
`), 0o600))
	sc, err := LoadScenario(path)
	require.NoError(t, err)
	require.Equal(t, 200, sc.Spec.LinkGbps)
	require.Equal(t, 3*Microsecond, sc.Spec.Target)
	require.Equal(t, [3]int{0, 1000, 2000}, sc.Spec.DRR)
	r := verified(t, sc.Spec, sc.Options()...)
	require.Len(t, r.Flows, 2)
	require.Equal(t, r.Flows[0].Delivered, r.Flows[1].Start)
	require.Equal(t, sc.Spec.FlowBytes, r.Flows[1].Bytes)

	_, err = LoadScenario(path + "x")
	require.ErrorContains(t, err, "scenario:")
	for text, want := range map[string]string{
		"":                                   "empty",
		"[1, 2]":                             "want settings",
		"preset: nothing":                    `preset "nothing": unknown`,
		"link: {gbps: fast}":                 "link.gbps = fast",
		"link: {colour: 3}":                  "link.colour: no such setting",
		"k: 7":                               "k = 7",
		"flows: 3":                           "flows: line 1: want a list",
		"flows: [{src: 0, dst: 1, size: 3}]": "flows[0].size: no such key",
		"flows: [{src: 0, dst: x}]":          "flows[0]:",
		"flows: [{src: 0, dst: 1, lb: no}]":  "flows[0].lb:",
		"flows: [{start_us: -1}]":            "flows[0].start_us",
	} {
		_, err := ParseScenario([]byte(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
}

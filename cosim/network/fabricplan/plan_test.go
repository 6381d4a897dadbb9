package fabricplan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

const preset = "fattree128/permutation"

// request returns one that Complete takes, for a test to change.
func request() *Request {
	return &Request{TickNs: 1, UDPPort: 4793, Root: func() (string, error) { return "../../..", nil }}
}

// small returns a plan of small flows.
func small(t *testing.T, r *Request) *Plan {
	t.Helper()
	p, err := Load(preset, []string{"flow.bytes=20000"})
	require.NoError(t, err)
	require.NoError(t, p.Complete(r))
	return p
}

func TestPlanOfAPreset(t *testing.T) {
	p, err := Load(preset, nil)
	require.NoError(t, err)
	require.NotEmpty(t, p.About)
	require.NoError(t, p.Complete(request()))
	require.Equal(t, []uint64{p.Spec.Seed}, p.Seeds)
	require.Equal(t, []string{"nscc"}, p.CCs)
	require.False(t, p.RTL)

	p = small(t, request())
	require.Empty(t, p.About, "what is set may make it untrue")
	require.Equal(t, []string{"flow.bytes"}, p.Paths)
	require.EqualValues(t, 20000, p.Spec.FlowBytes)
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	for name, c := range map[string]struct {
		sets []string
		edit func(r *Request)
		want string
	}{
		"control": {nil, func(r *Request) { r.CCs = []string{"nsc"} },
			`unknown congestion control "nsc"; did you mean "nscc"?`},
		"control twice":  {nil, func(r *Request) { r.CCs = []string{"nscc", "nscc"} }, "--cc nscc: given twice"},
		"of a setting":   {[]string{"cc.hosts=3=nsc"}, func(*Request) {}, "cc.hosts: unknown congestion control"},
		"without effect": {[]string{"poisson.load=0.3"}, func(*Request) {}, "--set poisson.load"},
		"endless":        {[]string{"flow.rounds=0"}, func(*Request) {}, "nothing would end the run"},
		"no RTL": {nil, func(r *Request) { r.RTLDir = "/nonexistent" },
			"rtl folder /nonexistent does not exist; give a copy of hdl/rtl"},
		"empty RTL": {nil, func(r *Request) { r.RTLDir = t.TempDir() }, "holds no module; give a copy of hdl/rtl"},
		"no root": {nil, func(r *Request) {
			r.CCs, r.Root = []string{"nscc-rtl"}, func() (string, error) { return "", errors.New("nowhere") }
		}, "nowhere"},
		"port":        {nil, func(r *Request) { r.Ports = []string{"tor0->hst0"} }, "near it: tor0->host0"},
		"port twice":  {nil, func(r *Request) { r.Ports = []string{"tor0->host0", "tor0->host0"} }, "given twice"},
		"no file":     {nil, func(r *Request) { r.Captures = []string{"host0-tor0"} }, "give LINK=FILE"},
		"link":        {nil, func(r *Request) { r.Captures = []string{"host0-tr0=x"} }, "near it: "},
		"codepoint":   {nil, func(r *Request) { r.DSCPs = []string{"trimmed=99"} }, "--pcap-dscp"},
		"codepoints":  {nil, func(r *Request) { r.DSCPs = []string{"trimmed=20,control=20"} }, "control has the same"},
		"class twice": {nil, func(r *Request) { r.DSCPs = []string{"trimmed=20", "trimmed=21"} }, "trimmed is given twice"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Load(preset, c.sets)
			require.NoError(t, err)
			r := request()
			c.edit(r)
			require.ErrorContains(t, p.Complete(r), c.want)
		})
	}
	for what, want := range map[string]string{
		"fattree128/permutaton": `did you mean "fattree128/permutation"?`, "none.yaml": "none.yaml",
	} {
		_, err := Load(what, nil)
		require.ErrorContains(t, err, want)
	}
	for sets, want := range map[[2]string]string{
		{"mtu=4096", "mtu=1500"}:        "--set mtu: given twice",
		{"mtu", "k=4"}:                  "give PATH=VALUE",
		{"flow.bytes=5", "link.gbps=0"}: "--set link.gbps=0: ",
	} {
		_, err := Load(preset, sets[:])
		require.ErrorContains(t, err, want)
	}
}

// The runs of two congestion controls differ in nothing else: the same seeds, in the same order, with the same flows.
func TestRunsArePaired(t *testing.T) {
	r := request()
	r.CCs, r.Seeds = []string{"nscc", "nscc-fixed"}, []uint64{9, 4}
	p, err := Load("fattree128/incast32", []string{"flow.bytes=1000000", "loss_prob=0.0001"})
	require.NoError(t, err)
	require.NoError(t, p.Complete(r))
	runs := map[string][]*result.Result{}
	for _, control := range p.CCs {
		all, _, err := p.Run(t.Context(), control, Watching{})
		require.NoError(t, err)
		require.Len(t, all, 2)
		runs[control] = all
	}
	for i, seed := range p.Seeds {
		x, y := runs["nscc"][i], runs["nscc-fixed"][i]
		require.Equal(t, seed, x.Spec.Seed)
		require.Equal(t, seed, y.Spec.Seed)
		require.Equal(t, "nscc-fixed", y.Spec.CC)
		require.Len(t, y.Flows, len(x.Flows))
		require.NotEmpty(t, x.Flows)
		for k := range x.Flows {
			f, g := &x.Flows[k], &y.Flows[k]
			require.Equal(t, []any{f.Src, f.Dst, f.Bytes, f.Start}, []any{g.Src, g.Dst, g.Bytes, g.Start})
		}
		spec := y.Spec
		spec.CC = x.Spec.CC
		require.Equal(t, x.Spec, spec)
	}
	require.NotEqual(t, runs["nscc"][0].Digest, runs["nscc"][1].Digest, "two seeds are two runs")
	require.NotEqual(t, runs["nscc"][0].Digest, runs["nscc-fixed"][0].Digest, "two controls are two runs")
}

// The first seed is watched, and progress is that of all.
func TestWatching(t *testing.T) {
	r := request()
	r.Seeds, r.Ports = []uint64{3, 1, 2}, []string{"tor0->host0"}
	p, err := Load(preset, []string{"flow.bytes=500000"})
	require.NoError(t, err)
	require.NoError(t, p.Complete(r))
	var mu sync.Mutex
	var last transport.Progress
	events := 0
	all, _, err := p.Run(t.Context(), "nscc", Watching{Every: units.Microsecond,
		First: func() (Eyes, error) { return Eyes{Tap: func(*cc.Event) bool { events++; return true }}, nil },
		Progress: func(sum transport.Progress) {
			mu.Lock()
			defer mu.Unlock()
			require.GreaterOrEqual(t, sum.PktHops, last.PktHops)
			last = sum
		}})
	require.NoError(t, err)
	require.Positive(t, events)
	require.NotNil(t, all[0].Depth)
	require.Equal(t, []string{"tor0->host0"}, all[0].Depth.Names)
	require.NotEmpty(t, all[0].Depth.Points)
	require.Nil(t, all[1].Depth)
	require.Nil(t, all[2].Depth)
	flows := 0
	for _, x := range all {
		flows += len(x.Flows)
	}
	require.EqualValues(t, flows, last.Flows, "the flows of all seeds")
	alone, _, err := p.Run(t.Context(), "nscc", Watching{})
	require.NoError(t, err)
	for i := range all {
		require.Equal(t, alone[i].Digest, all[i].Digest, "watching changes nothing")
	}
}

// A capture appears when the run is whole; one of a run before it stays until then.
func TestCaptures(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "link.pcapng")
	require.NoError(t, os.WriteFile(path, []byte("of a run before"), 0o644))
	r := request()
	r.Captures = []string{"host0-tor0=" + path}
	p := small(t, r)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := p.Run(ctx, "nscc", Watching{Captures: true})
	require.Error(t, err)
	_, _, err = p.Run(t.Context(), "nscc", Watching{})
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "of a run before", string(text))

	_, _, err = p.Run(t.Context(), "nscc", Watching{Captures: true})
	require.NoError(t, err)
	text, err = os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "\x0a\x0d\x0d\x0a", string(text[:4]), "a section header of pcapng")
	require.Greater(t, len(text), 1000)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)

	r.Captures = []string{"host0-tor0=" + filepath.Join(dir, "none", "x.pcapng")}
	p = small(t, r)
	_, _, err = p.Run(t.Context(), "nscc", Watching{Captures: true})
	require.ErrorContains(t, err, "--pcap ")
}

// Errors of files that are read with the run name the setting.
func TestErrorsOfFilesNameTheirSetting(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "flows.cm")
	require.NoError(t, os.WriteFile(bad, []byte("Nodes many\n"), 0o644))
	p, err := Load(preset, []string{"workload=matrix", "matrix.file=" + bad})
	if err == nil {
		if err = p.Complete(request()); err == nil {
			_, _, err = p.Run(t.Context(), "nscc", Watching{})
		}
	}
	require.ErrorContains(t, err, "matrix.file")
}

// A design that leaves the model is played again. What the first attempt has seen is gone: captures, taps, series and
// samples are those of step mode alone.
func TestSecondAttemptStandsAlone(t *testing.T) {
	launchtest.Long(t, "for captures and series nothing; TestDesignLeavesTheModel of cosim/network/loop")
	type seen struct {
		capture []byte
		events  int
		series  *series.Series
		result  *result.Result
		played  loop.Played
	}
	// The decrease cuts half as much.
	dir := launchtest.RTL(t, "../../..", "ccc_decrease.sv", "cwnd_s16_q - loss_s16_q[63:32]",
		"cwnd_s16_q - {1'b0, loss_s16_q[63:33]}")
	out := t.TempDir()
	path := filepath.Join(out, "link.pcapng")
	play := func(step bool) (s seen) {
		r := request()
		r.CCs, r.RTLDir, r.Captures, r.Seeds = []string{"nscc-rtl"}, dir, []string{"host0-tor0=" + path}, []uint64{2, 1}
		p, err := Load("fattree128/incast32", []string{"flow.bytes=400000"})
		require.NoError(t, err)
		require.NoError(t, p.Complete(r))
		p.Loop.Step = step
		var rec *series.Recorder
		attempts := 0
		all, played, err := p.Run(t.Context(), "nscc-rtl", Watching{Captures: true, Every: units.Microsecond,
			First: func() (eyes Eyes, err error) {
				attempts++
				s.events = 0
				eyes.Tap = func(*cc.Event) bool { s.events++; return true }
				rec, err = p.Recorder(units.Microsecond, []int32{0, 3}, false)
				eyes.Series = rec
				return eyes, err
			}})
		require.NoError(t, err)
		require.Len(t, played, 2)
		if step {
			require.Equal(t, 1, attempts)
			require.Nil(t, played[0].Left)
		} else {
			require.Equal(t, 2, attempts)
			require.NotNil(t, played[0].Left)
			require.NotNil(t, played[1].Left, "of each seed")
		}
		s.result, s.played = all[0], played[0]
		s.played.Left = nil
		s.series, err = rec.Series(all[0])
		require.NoError(t, err)
		s.capture, err = os.ReadFile(path)
		require.NoError(t, err)
		left, err := os.ReadDir(out)
		require.NoError(t, err)
		require.Len(t, left, 1, "no capture of the first attempt stays")
		return s
	}
	again, step := play(false), play(true)
	require.Greater(t, len(step.capture), 10_000)
	require.Positive(t, step.events)
	require.Equal(t, step.capture, again.capture)
	require.Equal(t, step.events, again.events)
	require.Equal(t, step.series, again.series)
	require.Equal(t, step.result.Digest, again.result.Digest)
	require.Equal(t, step.result.Depth, again.result.Depth)
	require.Equal(t, step.played, again.played)
}

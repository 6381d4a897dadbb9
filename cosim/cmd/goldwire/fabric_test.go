package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric"
)

// small is an incast that takes milliseconds.
var small = []string{"fabric", "run", "fattree128/incast32", "--set", "flow.bytes=60000"}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

func TestFabricList(t *testing.T) {
	o := call(t, newFake(), "fabric", "list")
	require.Equal(t, exitPass, o.code, o.stderr)
	for _, w := range []string{"fattree128/permutation", "fattree128/incast32", "fattree1024/permutation", "link.gbps", "rtt.us", "flow.bytes", "target.us", "qa_gate", "mtu", "nscc-rtl"} {
		require.Contains(t, o.stdout, w)
	}
	names := strings.Fields(call(t, newFake(), "fabric", "list", "presets").stdout)
	require.Len(t, names, len(fabric.Catalogue()))
	require.Equal(t, "fixed\nnscc\nnscc-fixed\nnscc-htsim\nnscc-rtl\n", call(t, newFake(), "fabric", "list", "cc").stdout)
	require.Contains(t, call(t, newFake(), "fabric", "list", "settings").stdout, "\nlb\n")
	requireBroken(t, call(t, newFake(), "fabric", "list", "preset"), `did you mean "presets"?`)
}

func TestFabricErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("preset: fattree128/permutation\nlink: {gbsp: 800}\n"), 0o644))
	impossible := filepath.Join(dir, "impossible.yaml")
	require.NoError(t, os.WriteFile(impossible, []byte("link.gbps: 0\n"), 0o644))
	for _, c := range []struct {
		args string
		want []string
	}{
		{"", []string{"missing PRESET"}},
		{"fattree128/permutaton", []string{`did you mean "fattree128/permutation"?`}},
		{"fattree128/incast32 --set link.gbps", []string{"give PATH=VALUE"}},
		{"fattree128/incast32 --set link.gpbs=1", []string{"link.gpbs", "link.gbps"}},
		{"fattree128/incast32 --set flow.bytes=many", []string{"flow.bytes = many"}},
		{"fattree128/incast32 --set lb=best", []string{"lb = best", "reps"}},
		{"fattree128/incast32 --set k=7", []string{"--set k=7"}},
		{"fattree128/incast32 --set incast=500 --set lb=reps", []string{"--set incast=500", "from 1 to 127"}},
		{"fattree128/incast32 --set rtt.us=0.1", []string{"--set rtt.us=0.1", "raise it"}},
		{"fattree128/incast32 --set topology=file --set topology.file=/none", []string{"topology.file", "/none"}},
		{"fattree128/permutation --set workload=matrix --set matrix.file=/none", []string{"matrix.file", "/none"}},
		{"fattree128/websearch --set poisson.cdf=none", []string{"poisson.cdf", "websearch"}},
		{"fattree128/incast32 --set flow.rounds=0", []string{"flow.rounds", "max_time.us"}},
		{"fattree128/incast32 --cc nscc-rlt", []string{`did you mean "nscc-rtl"?`}},
		{"fattree128/incast32 --cc nscc,nscc", []string{"given twice"}},
		{"fattree128/incast32 --set cc.hosts=3=nsc", []string{`did you mean "nscc"?`}},
		{"fattree128/incast32 --seed 1 --seeds 1..2", []string{"both given"}},
		{"fattree128/incast32 --seeds 2..1", []string{"the range is empty"}},
		{"fattree128/incast32 --tick 2ns", []string{"give 1ns or 128ns"}},
		{"fattree128/incast32 --every 0s", []string{"--every"}},
		{"fattree128/incast32 --rtl /none", []string{"rtl folder /none"}},
		{"fattree128/incast32 --port tor0", []string{"--port", "host0->tor0"}},
		{"fattree128/incast32 --pcap host0-tor0", []string{"LINK=FILE"}},
		{"fattree128/incast32 --pcap h0-tor0=x", []string{"names are like host0-tor0"}},
		{"fattree128/incast32 --html -", []string{"only --json can go to stdout"}},
		{"fattree128/incast32 --json /none/f", []string{"folder /none does not exist"}},
		{"fattree128/incast32 --csv " + dir + "/x --html " + dir + "/x", []string{"both name"}},
		{filepath.Join(dir, "none.yaml"), []string{"none.yaml"}},
		{bad, []string{bad, "link.gbsp"}},
		{impossible, []string{impossible, "link"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			o := call(t, newFake(), append([]string{"fabric", "run"}, strings.Fields(c.args)...)...)
			requireBroken(t, o, c.want...)
			require.Empty(t, o.stdout)
		})
	}
}

func TestFabricJSON(t *testing.T) {
	o := call(t, newFake(), with(small, "--seeds", "1..2", "--json", "-")...)
	require.Equal(t, exitPass, o.code, o.stderr)
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &d))
	for _, k := range []string{"flows", "done", "new", "rtx", "trims", "drops", "ecn", "pkt_hops", "seconds", "rss_mb"} {
		require.IsType(t, 0.0, d[k], k)
	}
	require.Equal(t, 64.0, d["flows"])
	require.Equal(t, 64.0, d["done"])
	require.Positive(t, d["rss_mb"])
	require.Equal(t, []any{}, d["unfinished"])
	require.Len(t, d["digests"], 2)
	fct := d["fct_us"].(map[string]any)
	for _, k := range []string{"mean", "p50", "p99", "max"} {
		require.Positive(t, fct[k], k)
	}
	again := call(t, newFake(), with(small, "--seed", "1", "--json", "-")...)
	var e map[string]any
	require.NoError(t, json.Unmarshal([]byte(again.stdout), &e))
	require.Equal(t, d["digests"].([]any)[0], e["digests"].([]any)[0], "a seed gives the same run alone and among others")
}

func TestFabricNamesUnfinishedFlows(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "p.html")
	o := call(t, newFake(), with(small, "--set", "max_time.us=20", "--html", page)...)
	require.Equal(t, exitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "; set flow.bytes=60000 max_time.us=20")
	require.Contains(t, o.stdout, " 3 of 32 done")
	require.Equal(t, 29, strings.Count(o.stdout, "UNFINISHED"), o.stdout)
	require.NotContains(t, o.stdout, "BOOKS")
	require.Contains(t, o.stdout, "of 60000 bytes")
	require.Equal(t, 29, strings.Count(read(t, page), "unfinished: "))
}

func TestFabricFiles(t *testing.T) {
	dir := t.TempDir()
	f := func(name string) string { return filepath.Join(dir, name) }
	scenario := f("s.yaml")
	require.NoError(t, os.WriteFile(scenario, []byte("preset: fattree128/permutation\nflows:\n  - {src: 0, dst: 5, bytes: 100000}\n  - {src: 5, dst: 7, bytes: 50000, cc: nscc-fixed, after: [0]}\n"), 0o644))
	o := call(t, newFake(), "fabric", "run", scenario, "--csv", f("flows.csv"), "--depth", f("depth.csv"), "--port", "tor1->host5",
		"--every", "500ns", "--json", f("r.json"), "--html", f("p.html"), "--pcap", "host5-tor1="+f("l.pcapng"), "--pcap", "host0->tor0="+f("m.pcapng"))
	require.Equal(t, exitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "2 of 2 done")

	rows, err := csv.NewReader(strings.NewReader(read(t, f("flows.csv")))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	depth, err := csv.NewReader(strings.NewReader(read(t, f("depth.csv")))).ReadAll()
	require.NoError(t, err)
	require.Contains(t, strings.Join(depth[0], " "), "tor1->host5")
	require.Greater(t, len(depth), 20)

	var doc fabricDoc
	require.NoError(t, json.Unmarshal([]byte(read(t, f("r.json"))), &doc))
	require.Equal(t, 2, doc.Done)
	require.Len(t, doc.Depth.Points, len(depth)-1)

	page := read(t, f("p.html"))
	for _, w := range []string{"share of the flows that are done", "queued in one port, bytes", "tor1-&gt;host5", "cwnd, bytes", "host 0 context 0", "actions per quadrant", "PROP"} {
		require.Contains(t, page, w)
	}
	for _, w := range []string{"<script", "http", "src="} {
		require.NotContains(t, page, w)
	}
	for name, faces := range map[string]int{"l.pcapng": 2, "m.pcapng": 1} {
		file, err := os.Open(f(name))
		require.NoError(t, err)
		defer file.Close()
		r, err := pcapgo.NewNgReader(file, pcapgo.DefaultNgReaderOptions)
		require.NoError(t, err)
		n := 0
		for ; ; n++ {
			if _, _, err := r.ReadPacketData(); err != nil {
				break
			}
		}
		require.Greater(t, n, 12)
		require.Equal(t, faces, r.NInterfaces())
	}
	left, err := filepath.Glob(f(".goldwire-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestFabricSideBySide runs float64, fixed point and the RTL on the same incast.
func TestFabricSideBySide(t *testing.T) {
	page := filepath.Join(t.TempDir(), "p.html")
	file := filepath.Join(t.TempDir(), "r.json")
	o := call(t, newFake(), with(small, "--cc", "nscc,nscc-fixed,nscc-rtl", "--html", page, "--json", file)...)
	require.Equal(t, exitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "nscc-fixed and nscc-rtl agree exactly")
	require.Contains(t, o.stdout, "31: host ")
	var d fabricDoc
	require.NoError(t, json.Unmarshal([]byte(read(t, file)), &d))
	require.Equal(t, []string{"nscc", "nscc-fixed", "nscc-rtl"}, d.Compare.CC)
	require.True(t, *d.Compare.Agree)
	require.Len(t, d.Compare.Flows, 32)
	for _, f := range d.Compare.Flows {
		require.Len(t, f.FCT, 3)
		require.Equal(t, f.FCT[1], f.FCT[2])
	}
	require.Equal(t, d.Compare.Digests[1], d.Compare.Digests[2])
	text := read(t, page)
	require.Contains(t, text, "agree exactly")
	require.Contains(t, text, `<th class="num">nscc-rtl</th>`)
}

// TestFabricDisagreement shows that a difference of one flow is found and named.
func TestFabricDisagreement(t *testing.T) {
	spec := fabric.DefaultSpec()
	spec.FlowBytes = 50_000
	a, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	b, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	x, y := &fabricOutcome{cc: "nscc-fixed", runs: []*fabric.Result{a}}, &fabricOutcome{cc: "nscc-rtl", runs: []*fabric.Result{b}}
	p := &fabricPlan{seeds: []uint64{1}}
	require.True(t, newFabricReport(p, []*fabricOutcome{x, y}).good())
	b.Digest++
	r := newFabricReport(p, []*fabricOutcome{x, y})
	require.False(t, r.good())
	require.Contains(t, r.agreement(), "packets arrive at other times")
	b.Flows[9].Acked++
	r = newFabricReport(p, []*fabricOutcome{x, y})
	require.False(t, r.good())
	require.Contains(t, r.agreement(), "MISMATCH")
	require.Contains(t, r.differ, "flow 9 ")
	b.Flows[9].Acked, b.Flows[9].Got = -1, 4000
	require.Contains(t, newFabricReport(p, []*fabricOutcome{x, y}).differ, "stops at 4000 of 50000 bytes with nscc-rtl")
}

func TestWatchCountsEveryAction(t *testing.T) {
	w := &fabricWatch{}
	ev := fabric.TapEvent{Kind: fabric.KindAck}
	ev.Out.Action = "FAIR"
	const n = 5000
	for i := range n {
		ev.Time = fabric.Picos(i) * fabric.Microsecond / 3
		require.True(t, w.tap(&ev))
	}
	sum := 0.0
	for _, v := range w.counts["FAIR"] {
		sum += v
	}
	require.EqualValues(t, n, sum)
	require.LessOrEqual(t, len(w.counts["FAIR"]), actionBins)
}

package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/cosim/network/fabricreport"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
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
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	for _, w := range []string{"fattree128/permutation", "fattree128/incast32", "fattree1024/permutation",
		"link.gbps", "rtt.us", "flow.bytes", "target.us", "qa_gate", "mtu", "nscc-rtl"} {
		require.Contains(t, o.stdout, w)
	}
	names := strings.Fields(call(t, newFake(), "fabric", "list", "presets").stdout)
	require.Len(t, names, len(presets.Catalogue()))
	controls := slices.Sorted(slices.Values(append(cc.Names(cc.Rows()), "nscc-fixed", "nscc-rtl", "rccc-fixed",
		"rccc-rtl", "nscc+rccc-fixed", "nscc+rccc-rtl", "nscc-nicmodel", "nscc-nic")))
	require.Equal(t, controls, strings.Fields(call(t, newFake(), "fabric", "list", "cc").stdout))
	require.Contains(t, call(t, newFake(), "fabric", "list", "settings").stdout, "\nlb\n")
	requireBroken(t, call(t, newFake(), "fabric", "list", "preset"), `did you mean "presets"?`)
}

func TestFabricErrors(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	require.NoError(t, os.WriteFile(bad, []byte("preset: fattree128/permutation\nlink: {gbsp: 800}\n"), 0o644))
	impossible := filepath.Join(dir, "impossible.yaml")
	require.NoError(t, os.WriteFile(impossible, []byte("link.gbps: 0\n"), 0o644))
	pipe := filepath.Join(dir, "pipe.yaml")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	own := write("own.yaml", "flows: [{src: 0, dst: 1, bytes: 5}]\n")
	twice := write("twice.yaml", "mtu: 4096\nmtu: 1500\n")
	stranger := write("stranger.yaml", "flows: [{src: 0, dst: 1, bytes: 5, cc: nsc}]\n")
	late := write("late.yaml", "flows: [{src: 0, dst: 1, bytes: 5}, {src: 1, dst: 2, bytes: 5, after: [3]}]\n")
	named := write("named.yaml", "flows: [{src: 0, dst: 1, bytes: 5, cc: nscc, lb: ops}]\n")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"fattree128/incast32 --set topology=ring", []string{"--set topology=ring", "topology = ring: want one of [fattree"}},
		{"fattree128/perm", []string{`did you mean "fattree128/permutation"?`}},
		{"fattree128/incast32 --set LINK.GBPS=100", []string{"did you mean link.gbps?"}},
		{"leafspine64/permutation --set leaves=4000 --set leaf.hosts=4 --set spines=4000",
			[]string{"no more than 524288 links in all, and leaves * (leaf.hosts + spines) = 16016000"}},
		{late, []string{late, "flows[1] (1 -> 2): after: waits for 3"}},
		{"fattree128/incast32 --pcap host0-tor0=/none/l.pcapng",
			[]string{"goldwire: --pcap: file /none/l.pcapng: folder /none does not exist"}},
		{"fattree128/incast32 --pcap host0-tor0=" + pipe, []string{"--pcap: file " + pipe + ": it is a pipe"}},
		{named + " --cc fixed", []string{"--cc: has no effect: every flow of the file names its cc"}},
		{named + " --set lb=reps", []string{"--set lb: has no effect: every flow of the file names its lb"}},
		{named + " --set max_time.us=1e-9", []string{"max_time.us = 1e-9: want 0, or 0.000001"}},
		{"fattree128/incast32 --pcap host0-tor0=x.pcapng --pcap-dscp control=8",
			[]string{"control = 8 is the codepoint of trimmable too"}},
		{"fattree128/incast32 --pcap host0-tor0=x.pcapng --pcap-dscp control=8,control=9",
			[]string{"control is given twice"}},
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
		{"fattree128/websearch --seeds 1..2 --set poisson.cdf=none", []string{"poisson.cdf", "websearch"}},
		{"fattree128/permutation --set topology=file", []string{"topology.file: want a file"}},
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
		{"fattree128/incast32 --set cc.hosts=128=fixed", []string{"cc.hosts = 128=fixed: want a host from 0 to 127"}},
		{"fattree128/incast32 --set cc.contexts=32=fixed", []string{"cc.contexts = 32=fixed: want a context from 0 to 31"}},
		{"fattree128/incast32 --set cc.hosts=0=fixed", []string{"cc.hosts: has no effect"}},
		{"fattree128/permutation --set incast=5", []string{"--set incast: has no effect: workload = permutation"}},
		{"fattree128/permutation --set leaves=5", []string{"--set leaves: has no effect: topology = fattree"}},
		{"fattree128/incast32 --cc fixed --set target.us=3", []string{"--set target.us: has no effect: cc = fixed"}},
		{"fattree128/permutation --cc fixed --set slow_hosts=0.2",
			[]string{"slow_hosts = 0.2: cc = fixed has no destination flow control"}},
		{"fattree128/permutation --set cc.contexts=0=nscc-htsim --set slow_hosts=1",
			[]string{"host 0 -> slow host ", "cc = nscc-htsim has no destination"}},
		{"fattree128/incast32 --set mtu=1500 --set mtu=4096", []string{"--set mtu: given twice"}},
		{"fattree128/incast32 --set seed=3 --seed 3", []string{"--set seed and --seed: both given"}},
		{"fattree128/incast32 --set seed=3 --seeds 1..2", []string{"--set seed and --seeds: both given"}},
		{"fattree128/incast32 --set cc=nscc --cc fixed", []string{"--set cc and --cc: both given"}},
		{"fattree128/incast32 --seeds 1,2,1", []string{"--seeds 1,2,1: seed 1 is given twice"}},
		{"fattree128/incast32 --cc=", []string{"--cc: it is empty"}},
		{"fattree128/incast32 --seeds=", []string{"--seeds: it is empty"}},
		{"fattree128/incast32 --json=", []string{"--json: it is empty"}},
		{"fattree128/incast32 --tick 128ns", []string{"--tick: has no effect"}},
		{"fattree128/incast32 --rtl ../../../hdl/rtl", []string{"--rtl: has no effect"}},
		{"fattree128/incast32 --cc rccc-fixed --step", []string{"--step: has no effect: no flow runs on nscc-rtl"}},
		{"fattree128/incast32 --cc nscc-nic --step", []string{"--step: has no effect: no flow runs on nscc-rtl"}},
		{"fattree128/incast32 --cc nscc-nicmodel", []string{"cc = nscc-nicmodel: ", "set lb to oblivious or ecmp"}},
		{"fattree128/incast32 --cc rccc --tick 1ns", []string{"--tick: has no effect: no flow runs on nscc-fixed or"}},
		{"fattree128/incast32 --cc rccc-fixed --rtl ../../../hdl/rtl", []string{"--rtl: has no effect"}},
		{"fattree128/incast32 --cc rccc-rtl --set pods=on", []string{"pods = on: cc = rccc-rtl"}},
		{"fattree128/incast32 --step", []string{"--step: has no effect: no flow runs on nscc-rtl"}},
		{"fattree128/incast32 --flow 3", []string{"--flow: has no effect"}},
		{"fattree128/incast32 --series x.csv", []string{"--series: nothing to write"}},
		{"fattree128/incast32 --series x.csv --flow 1,1", []string{"--flow 1: given twice"}},
		{"fattree128/incast32 --set flow.bytes=9000 --series x.csv --flow 99", []string{"there are flows 0 to 31"}},
		{"fattree128/incast32 --pcap-dissector x.lua", []string{"--pcap-dissector: has no effect"}},
		{"fattree128/permutation --threads 2 --set pods=off",
			[]string{"--threads: has no effect without --set pods=on; add it, or leave --threads out"}},
		{"fattree128/permutation --threads 0", []string{"--threads: has no effect without --set pods=on"}},
		{"fattree128/permutation --threads -1 --set pods=on", []string{"--threads -1: give 0 or more"}},
		{"fattree128/permutation --set pods=on --html p.html",
			[]string{"--html: needs the events of all pods in one order", "leave it out, or set pods to off"}},
		{"fattree128/permutation --set pods=on --series s.csv --flow 1", []string{"--series: needs the events of all pods"}},
		{"fattree128/permutation --set pods=on --depth d.csv", []string{"--depth: needs the events of all pods"}},
		{"fattree128/permutation --set pods=on --pcap host0-tor0=x", []string{"--pcap: needs the events of all pods"}},
		{"fattree128/incast32 --pcap-udp-port 5", []string{"--pcap-udp-port: has no effect"}},
		{"fattree128/incast32 --pcap host0-tor0=x --pcap-udp-port 0", []string{"--pcap-udp-port", "udp port = 0"}},
		{"fattree128/incast32 --pcap host0-tor0=x --pcap-dscp trimmed=8", []string{"--pcap-dscp", "trimmable has the same"}},
		{"fattree128/incast32 --pcap host0-tor0=x --pcap-dscp cut=8", []string{"--pcap-dscp", "cut=8"}},
		{"fattree128/incast32 --every 1us", []string{"--every: has no effect"}},
		{"fattree128/incast32 --port tor0->host0", []string{"--port: has no effect"}},
		{"fattree128/incast32 --port tor0->agg9 --depth x", []string{"near it: tor0->agg"}},
		{"fattree128/incast32 --pcap hots0-tor0=x", []string{"near it: host0-tor0"}},
		{"fattree128/incast32 --pcap tor0-hots0=x", []string{"near it: tor0-host0"}},
		{"fattree128/incast32 --json " + pipe, []string{"--json", pipe, "it is a pipe"}},
		{"fattree128/incast32 --html " + pipe, []string{"--html", pipe, "it is a pipe"}},
		{"fattree128/incast32 --csv " + pipe, []string{"--csv", pipe, "it is a pipe"}},
		{"fattree128/incast32 --depth " + pipe, []string{"--depth", pipe, "it is a pipe"}},
		{"fattree128/incast32 --pcap host0-tor0=" + pipe, []string{"--pcap", pipe, "it is a pipe"}},
		{"fattree128/websearch --set poisson.cdf=" + pipe, []string{"poisson.cdf", "no regular file"}},
		{pipe, []string{pipe, "no regular file"}},
		{own + " --set flow.bytes=9", []string{"--set flow.bytes: has no effect: the file lists its flows"}},
		{own + " --json " + own, []string{"FILE.yaml and --json: both name " + own}},
		{twice, []string{twice, "mtu: line 2: given before, on line 1"}},
		{stranger, []string{stranger + ": flows[0].cc: unknown congestion control", "did you mean \"nscc\"?"}},
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
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
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

// TestFabricJSONIsRepeatable: apart from the machine's own figures the document depends only on the arguments, and a
// page beside it changes only what it adds.
func TestFabricJSONIsRepeatable(t *testing.T) {
	doc := func(args ...string) map[string]any {
		var d map[string]any
		o := call(t, newFake(), append(with(small, args...), "--json", "-")...)
		require.NoError(t, json.Unmarshal([]byte(o.stdout), &d), o.stderr)
		for _, k := range []string{"seconds", "rss_mb"} {
			require.Positive(t, d[k], k)
			delete(d, k)
		}
		return d
	}
	page := filepath.Join(t.TempDir(), "p.html")
	a, b, c := doc("--seeds", "1..2"), doc("--seeds", "1..2"), doc("--seeds", "1..2", "--html", page)
	require.Equal(t, a, b)
	require.NotContains(t, a, "seed", "there are two")
	require.Contains(t, c, "depth")
	delete(c, "depth")
	require.Equal(t, a, c)
	require.Equal(t, 7.0, doc("--seed", "7")["seed"])

	none := doc("--set", "max_time.us=5")
	require.Nil(t, none["fct_us"].(map[string]any)["mean"])
	require.Len(t, none["unfinished"], 32)
	for _, run := range a["runs"].([]any) {
		require.Equal(t, []any{}, run.(map[string]any)["unfinished"])
		require.NotContains(t, run, "seconds")
	}
}

// TestFabricInterrupted: a cancelled run ends at once, with one line, and leaves no file.
func TestFabricInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(200*time.Millisecond, func() { cancel(errors.New("terminated")) })
	begin := time.Now()
	o := callCtx(t, ctx, newFake(), "fabric", "run", "fattree1024/permutation", "--set", "flow.rounds=1000",
		"--json", filepath.Join(dir, "r.json"),
		"--pcap", "host0-tor0="+filepath.Join(dir, "l.pcapng"))
	requireBroken(t, o, "interrupted", "terminated")
	require.Less(t, time.Since(begin), 5*time.Minute) // the run takes hours
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// An error does not hide a fault that an earlier simulation found: exit code 1 and a report. Without such a fault there
// is no report.
func TestFabricFoundBeforeAnError(t *testing.T) {
	dir := t.TempDir()
	js := filepath.Join(dir, "r.json")
	spec := settings.DefaultSpec()
	spec.FlowBytes = 50_000
	run, err := fabric.Run(t.Context(), spec)
	require.NoError(t, err)
	o := &fabricreport.Outcome{CC: "nscc", Runs: []*result.Result{run}, Summary: result.Summarise(0, run)}
	p := &fabricplan.Plan{Spec: spec, Seeds: []uint64{1}}
	var out strings.Builder
	a := &app{App: &cli.App{Stdout: &out}}
	f := &fabricFlags{json: js}
	broke := errors.New("the disk is full")
	require.Equal(t, broke, a.fabricReport(f, p, []*fabricreport.Outcome{o}, broke))
	require.Equal(t, broke, a.fabricReport(f, p, nil, broke))
	require.Empty(t, out.String())
	require.NoFileExists(t, js)
	o.Summary.Unfinished = []string{"flow 3"}
	err = a.fabricReport(f, p, []*fabricreport.Outcome{o}, broke)
	require.ErrorIs(t, err, cli.ErrMismatch)
	require.ErrorIs(t, err, broke)
	require.Contains(t, out.String(), "UNFINISHED  flow 3")
	require.FileExists(t, js)
}

// TestFabricHelpTeaches: every flag appears in an example.
func TestFabricHelpTeaches(t *testing.T) {
	c := newFabricRun(&app{App: &cli.App{}})
	c.Flags().VisitAll(func(f *pflag.Flag) { require.Contains(t, c.Example, " --"+f.Name+" ", f.Name) })
}

// TestFabricTopologyFile: reports about a network from a file describe that file.
func TestFabricTopologyFile(t *testing.T) {
	dir := t.TempDir()
	net := filepath.Join(dir, "net.yaml")
	require.NoError(t, os.WriteFile(net, []byte("hosts: [a, b, c]\nswitches: [s]\nlinks:\n - {a: a, b: s}\n - "+
		"{a: b, b: s}\n - {a: c, b: s, latency_us: 3}\n"), 0o644))
	run := filepath.Join(dir, "run.yaml")
	require.NoError(t, os.WriteFile(run, []byte("topology: file\ntopology.file: "+net+"\nlink: {gbps: 100, "+
		"latency_us: 2}\nflow.bytes: 9000\n"), 0o644))
	o := call(t, newFake(), "fabric", "run", run)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "permutation, 3 hosts, 100 Gb/s, base RTT 10.67 us")
	requireBroken(t, call(t, newFake(), "fabric", "run", run, "--set", "rtt.us=9"), "--set rtt.us: has no effect")
	example := "--set topology=file " +
		"--set topology.file=../../../golden/fabric/testdata/two-racks.yaml --set flow.bytes=9000"
	o = call(t, newFake(), append([]string{"fabric", "run", "fattree128/permutation"}, strings.Fields(example)...)...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "permutation, 4 hosts, 100 to 200 Gb/s")
	require.NoError(t, os.WriteFile(net, []byte("hosts: [a]\nhosts: [b]\n"), 0o644))
	requireBroken(t, call(t, newFake(), "fabric", "run", run), "topology.file",
		"line 2: mapping key \"hosts\" already defined")
}

// TestFabricDCQCN: DCQCN runs by name, needs ECN, and is refused if captures would lack its packets.
func TestFabricDCQCN(t *testing.T) {
	require.Regexp(t, `(?m)^  dcqcn +DCQCN: `, call(t, newFake(), "fabric", "list").stdout)
	red := []string{"fabric", "run", "congestion/dcqcn", "--set", "flow.bytes=3000000"}
	o := call(t, newFake(), append(red, "--json", "-")...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	var d fabricreport.Document
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &d))
	require.Equal(t, 2, d.Done)
	require.NotZero(t, d.CNPs)
	require.Zero(t, d.Drops)
	require.Regexp(t, `notified by \d+ congestion notification packets`, call(t, newFake(), red...).stdout)

	requireBroken(t, call(t, newFake(), "fabric", "run", "congestion/lasthop", "--cc", "dcqcn", "--set", "ecn=off"),
		"cc = dcqcn: needs ECN marks, and ecn = off: set ecn to probabilistic or deterministic")
	lua := filepath.Join(t.TempDir(), "uet.lua")
	o = call(t, newFake(), append(red, "--pcap", "host0-sw0="+filepath.Join(t.TempDir(), "l.pcapng"),
		"--pcap-udp-port", "49150", "--pcap-dissector", lua)...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, read(t, lua), "local udp_port = 49150\n")
	requireBroken(t, call(t, newFake(), append(red, "--set", "qa_gate=3")...),
		"--set qa_gate: has no effect: cc = dcqcn does not read it")
	for set, why := range map[string]string{
		"recovery=sleek": "cc = swift finds losses itself", "rto.us=30": "cc = swift finds losses itself",
		"target.us=2": "cc = swift does not read it", "ack_trigger=1": "cc = swift has every packet acknowledged",
		"ack_min_add=1": "cc = swift has every packet acknowledged",
	} {
		path, _, _ := strings.Cut(set, "=")
		requireBroken(t, call(t, newFake(), "fabric", "run", "congestion/lasthop", "--cc", "swift", "--set", set),
			"--set "+path+": has no effect: "+why)
		o := call(t, newFake(), "fabric", "run", "congestion/lasthop", "--set", "flow.bytes=9000", "--set", set)
		require.Equal(t, cli.ExitPass, o.code, "%s with nscc: %s", set, o.stderr)
	}
	requireBroken(t, call(t, newFake(), "fabric", "run", "congestion/lasthop", "--cc", "swift", "--set",
		"recovery=sleek", "--set", "target.us=2"), "has no effect")
	requireBroken(t, call(t, newFake(), "fabric", "run", "congestion/lasthop", "--set", "ecn=deterministic",
		"--set", "ecn.pmax=0.1"),
		"--set ecn.pmax: has no effect")
}

func TestFabricListShowsUnitsAndRanges(t *testing.T) {
	text := call(t, newFake(), "fabric", "list").stdout
	for _, w := range []string{
		`(?m)^  link.gbps +Gb/s +400 +rate `, `(?m)^  rtt.us +us +0 +`,
		`(?m)^  flow.bytes +bytes +2000000 +.*: from 1 to 2\^40`,
		`(?m)^  queue.trim_at +BDP +1 +.*: above 0 to 1000$`,
		`(?m)^  lb +oblivious +load balancer: one of \[oblivious`, `(?m)^  pfc +off +.*: on or off$`,
	} {
		require.Regexp(t, w, text)
	}
}

func TestFabricNamesUnfinishedFlows(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "p.html")
	o := call(t, newFake(), with(small, "--set", "max_time.us=20", "--html", page)...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "; set flow.bytes=60000 max_time.us=20")
	require.Contains(t, o.stdout, " 3 of 32 done")
	require.Equal(t, 29, strings.Count(o.stdout, "UNFINISHED"), o.stdout)
	require.NotContains(t, o.stdout, "BOOKS")
	require.Contains(t, o.stdout, "of 60000 bytes")
	require.Equal(t, 29, strings.Count(read(t, page), "unfinished: "))

	args := []string{"fabric", "run", "fattree128/permutation", "--cc", "nscc-nicmodel"}
	for _, set := range strings.Fields("topology=dumbbell switches=1 senders=1 workload=converge mtu=8256 rtt.us=3 " +
		"rto.us=2 flow.bytes=60000 fail.links=host1-sw0@2") {
		args = append(args, "--set", set)
	}
	o = call(t, newFake(), args...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, " 0 of 1 done")
	require.Contains(t, o.stdout, "no way: host1's only link, host1-sw0, failed at 2 us")
}

func TestFabricFiles(t *testing.T) {
	dir := t.TempDir()
	f := func(name string) string { return filepath.Join(dir, name) }
	scenario := f("s.yaml")
	require.NoError(t, os.WriteFile(scenario,
		[]byte("preset: fattree128/permutation\nflows:\n  - {src: 0, dst: 5, bytes: 100000}\n  - {src: 5, dst: 7, "+
			"bytes: 50000, cc: nscc-fixed, after: [0]}\n"), 0o644))
	o := call(t, newFake(), "fabric", "run", scenario, "--csv", f("flows.csv"), "--depth", f("depth.csv"),
		"--port", "tor1->host5",
		"--every", "500ns", "--json", f("r.json"), "--html", f("p.html"),
		"--pcap", "host5-tor1="+f("l.pcapng"), "--pcap", "host0->tor0="+f("m.pcapng"))
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "2 of 2 done")

	rows, err := csv.NewReader(strings.NewReader(read(t, f("flows.csv")))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	depth, err := csv.NewReader(strings.NewReader(read(t, f("depth.csv")))).ReadAll()
	require.NoError(t, err)
	require.Contains(t, strings.Join(depth[0], " "), "tor1->host5")
	require.Greater(t, len(depth), 20)

	var doc fabricreport.Document
	require.NoError(t, json.Unmarshal([]byte(read(t, f("r.json"))), &doc))
	require.Equal(t, 2, doc.Done)
	require.EqualValues(t, "flows", doc.Spec.Workload)
	require.Equal(t, 128, doc.Effective.Hosts)
	require.InDelta(t, 12, doc.Effective.BaseRTTUs, 0.01)
	require.Equal(t, "mixed", doc.Effective.LB)
	require.Greater(t, doc.Effective.RTOUs, 12.0)
	require.EqualValues(t, 600_000, doc.Effective.BDPBytes)
	require.Len(t, doc.Depth.Points, len(depth)-1)

	page := read(t, f("p.html"))
	for _, w := range []string{"share of the flows that are done", "queued in one port, bytes", "tor1-&gt;host5",
		"cwnd, bytes", "host 0 context 0", "actions per quadrant",
		"PROP", "Slowdown by flow size with nscc", "<td>50000</td>"} {
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
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "nscc-fixed and nscc-rtl agree exactly")
	require.Contains(t, o.stdout, "31: host ")
	var d fabricreport.Document
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
	require.Len(t, d.Devices, 1)
	require.False(t, d.Devices[0].Step)
	require.Greater(t, d.Devices[0].Events, uint64(500))
	require.NotContains(t, o.stdout, "STEPS")

	o = call(t, newFake(), with(small, "--cc", "nscc-fixed,nscc-rtl", "--step")...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "nscc-fixed and nscc-rtl agree exactly")
	require.Contains(t, o.stdout, "STEPS  seed 1: block ccc ran step by step")
}

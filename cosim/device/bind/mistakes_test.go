package bind

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What people get wrong in a dut.yaml, each a change of one that is right: exactly these problems, with their
// lines, the cause before what follows from it.
func TestMistakes(t *testing.T) {
	ctx := simulator(t)
	dir, err := filepath.Abs("testdata/broken")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "mute.yaml"))
	require.NoError(t, err)
	right := strings.ReplaceAll(string(text), "mute.sv", dir+"/mute.sv")
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "top: mute", "top: mute", nil},
		{"indented too far", "  ev_ready: 1", "   ev_ready: 1", []string{":9: mapping values are not allowed in this " +
			"context; keys that belong together begin in one column"}},
		{"tab", "  ev_valid: in_valid", "\tev_valid: in_valid", []string{":8: found character that cannot start any " +
			"token; indent with spaces"}},
		{"top is a list", "top: mute", "top: [mute]", []string{":2: YAML reads brackets as a list, where one value is " +
			"required"}},
		{"sources is a mapping", "sources: [", "sources: {a: b}\nplusargs: []\n# [", []string{":3: a list is required " +
			"here: [FIRST, SECOND]"}},
		{"map is a list", "map:\n", "map:\n- in_valid\nlines:\n", []string{`:9: unknown key "lines"`,
			":8: names with values are required here"}},
		{"reset is a name", "reset: {port: rst, active: high, kind: sync}", "reset: rst",
			[]string{":5: keys with values are required here: {port: NAME"}},
		{"reset without port", "reset: {port: rst, ", "reset: {", []string{":5: reset has no port: give {port: NAME"}},
		{"no reset", "reset: {port: rst, active: high, kind: sync}", "", []string{": the key reset is missing"}},
		{"no clock", "clock: clk\n", "", []string{": the key clock is missing"}},
		{"fraction", "latency: elastic", "latency: elastic\nflush: 64.5", []string{":7: 64.5 is not a whole number"}},
		{"fraction of a parameter", "latency: elastic", "latency: elastic\nblock_parameters: {Depth: 16.5}",
			[]string{":7: 16.5 is not a whole number"}},
		{"fraction of one", "latency: elastic", "latency: elastic\nflush: 0.5", []string{":7: 0.5 is not a whole number"}},
		{"no cycles", "latency: elastic", "latency: elastic\nflush: 0\npatience: 0", []string{
			":7: flush: 0 cycles is not in 1..100000000; without the key it is 512", ":8: patience: 0 cycles is not in " +
				"1..100000000; without the key it is 200000"}},
		{"no cycles of reset", "kind: sync}", "kind: sync, cycles: 0}", []string{":5: reset.cycles: 0 cycles is not in " +
			"1..100000000; without the key it is "}},
		{"relaxed", "latency: elastic", "latency: elastic\nrelax: [valid_drops, rsp.data_changes]", nil},
		{"unknown rule", "latency: elastic", "latency: elastic\nrelax: [valid_drop]",
			[]string{`:7: relax "valid_drop": give valid_drops or data_changes`}},
		{"rule of no stream", "latency: elastic", "latency: elastic\nrelax: [rs.valid_drops]",
			[]string{`:7: relax "rs.valid_drops": block txstate has no output stream rs`}},
		{"rule of cycles", "latency: elastic", "latency: exact\nrelax: [valid_drops]",
			[]string{":7: relax: latency exact compares every cycle"}},
		{"number in quotes", "latency: elastic", "latency: elastic\nflush: \"64\"", []string{":7: 64 is text, but a " +
			"number is required: remove the quotes"}},
		{"huge number", "latency: elastic", "latency: elastic\nflush: 99999999999999999999",
			[]string{":7: 9999999... is too large a number"}},
		{"two documents", "latency: elastic", "---\nlatency: elastic", []string{":6: a second document begins here"}},
		{"star", "clock: clk", "clock: *clk", []string{":4: *clk names an anchor that does not exist; YAML reserves the *"}},
		{"not UTF-8", "clock: clk", "clock: cl\xe9", []string{":4: the text is not UTF-8"}},
		{"brackets without a port", "ev_ready: 1", "ev_ready: [3]", []string{":9: YAML reads brackets as a list"}},
		{"map twice", "map:\n", "map: {ev_valid: in_valid}\nmap:\n",
			[]string{`:8: mapping key "map" already defined at line 7`}},
		{"field twice", "  ev_ready: 1", "  ev_ready: 1\n  ev_ready: out_valid",
			[]string{`:10: mapping key "ev_ready" already defined at line 9`}},
		{"slice reversed", `"in_data[122:120]"`, `"in_data[120:122]"`, []string{
			":10: ev.kind: in_data[120:122] runs the other way than in_data[122:0]", "write in_data[122:120]",
			":33: bits 122:120 of input in_data"}},
		{"slice out of range", `"in_data[122:120]"`, `"in_data[125:123]"`, []string{
			":10: ev.kind: in_data[125:123] is not within in_data[122:0]", ":33: bits 122:120 of input in_data"}},
		{"mapped to an output", "ev_valid: in_valid", "ev_valid: out_valid", []string{
			":8: ev_valid is an input of the block, and port out_valid", ":33: input in_valid"}},
		{"no struct", `"in_data[122:120]"`, "in_data.kind", []string{":10: ev.kind: port in_data",
			"has no member kind; it is not a packed struct", ":33: bits 122:120"}},
		{"parameter is a word", "clock: clk", "clock: clk\nparameters: {N: lots}", []string{":5: lots is neither a number " +
			"nor a parameter of block txstate", ":5: module mute has no parameter N"}},
		{"unknown flag", "clock: clk", "clock: clk\nverilator: [--no-such-flag]", []string{":5: Verilator: Invalid " +
			"option: --no-such-flag"}},
		{"define", "clock: clk", "clock: clk\ndefines: [1FAST]", []string{`:5: "1FAST": give NAME or NAME=VALUE`}},
		{"include", "clock: clk", "clock: clk\ninclude: [nowhere]", []string{":5: nowhere: no such folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(right, c.old), c.old)
			path := filepath.Join(t.TempDir(), "dut.yaml")
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(right, c.old, c.new, 1)), 0o644))
			_, _, err := CheckFile(ctx, path, lookup)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			var ps Problems
			require.ErrorAs(t, err, &ps)
			lines := 0
			for _, w := range c.want {
				require.ErrorContains(t, err, w)
				if strings.HasPrefix(w, ":") {
					lines++
				}
			}
			require.Len(t, ps, lines, "%v", err)
		})
	}
}

// A file that is something else is named as what it is.
func TestOtherFiles(t *testing.T) {
	_, err := Load("testdata/broken/mute.sv", lookup)
	require.EqualError(t, err, "testdata/broken/mute.sv: this is RTL, but a dut.yaml is expected; goldwire dut init "+
		"testdata/broken/mute.sv writes a first one")
	for file, want := range map[string]string{
		"testdata/broken/gone.sv":   "gone.sv: no such file or directory; name the file of the design's top module",
		"testdata/broken":           "testdata/broken: it is a folder; name the file",
		"testdata/broken/mute.yaml": "testdata/broken/mute.yaml: it is YAML; name the file",
	} {
		_, err := Init(t.Context(), InitSpec{File: file})
		require.ErrorContains(t, err, want)
	}
}

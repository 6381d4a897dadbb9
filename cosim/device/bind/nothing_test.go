package bind

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A map with which nothing of the design would be compared is refused, by cosim as by dut check.
func TestNothingCompared(t *testing.T) {
	text, err := os.ReadFile("testdata/broken/mute.yaml")
	require.NoError(t, err)
	sources, err := filepath.Abs("testdata/broken/mute.sv")
	require.NoError(t, err)
	right := strings.ReplaceAll(string(text), "mute.sv", sources)
	field := regexp.MustCompile(`(?m)^  (rsp\.\w+):.*$`)
	const nothing = "no field that the design puts out would be compared"
	for name, c := range map[string]struct {
		edit func(string) string
		want string // "" for nothing wrong
	}{
		"right":     {func(s string) string { return s }, ""},
		"all none":  {func(s string) string { return field.ReplaceAllString(s, "  $1: none") }, nothing},
		"constants": {func(s string) string { return field.ReplaceAllString(s, "  $1: 0") }, nothing},
		"joined": {func(s string) string {
			return strings.Replace(field.ReplaceAllString(s, "  $1: none"), "rsp.found: none", `rsp.found: "~1'b0"`, 1)
		}, nothing},
		"one left": {func(s string) string {
			return strings.Replace(field.ReplaceAllString(s, "  $1: none"), "rsp.found: none", `rsp.found: "out_data[0]"`, 1)
		}, ""},
		"valid low": {func(s string) string {
			return strings.Replace(s, "rsp_valid: out_valid",
				"rsp_valid: 1'b0", 1)
		}, nothing},
		"valid high": {func(s string) string { return strings.Replace(s, "rsp_valid: out_valid", "rsp_valid: 1", 1) }, ""},
		"ready low": {func(s string) string { return strings.Replace(s, "ev_ready: 1", "ev_ready: ~1", 1) },
			"no event would ever be taken"},
	} {
		path := filepath.Join(t.TempDir(), "dut.yaml")
		edited := c.edit(right)
		require.Equal(t, name == "right", edited == right, name)
		require.NoError(t, os.WriteFile(path, []byte(edited), 0o644))
		_, err := Load(path, lookup)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", "%s: one problem", name)
	}
}

// A field whose condition nothing satisfies for these parameters is refused where the design has it; and when it is
// the only one that the design has, nothing is left.
func TestNeverComparedWithTheseParameters(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schema.yaml"), []byte(`block: sized
title: t
params: [{name: Wide, default: 1, min: 1, max: 2}]
streams:
  - {name: ev, dir: in, fields: [{name: x, width: 8}]}
  - {name: rsp, dir: out, fields: [{name: y, width: 8}, {name: z, width: 8, when: Wide == 1}]}
`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d.sv"), nil, 0o644))
	load := func(y, z, wide string) error {
		path := filepath.Join(dir, "dut.yaml")
		require.NoError(t, os.WriteFile(path, []byte("schema: schema.yaml\ntop: d\nsources: [d.sv]\nclock: clk\nreset: "+
			"none\nlatency: elastic\n"+
			"block_parameters: {Wide: "+wide+"}\nmap: {ev_valid: v, ev_ready: 1, ev.x: x, rsp_valid: ov, rsp_ready: none, "+
			"rsp.y: "+y+", rsp.z: "+z+"}\n"), 0o644))
		_, err := Load(path, lookup)
		return err
	}
	require.NoError(t, load("y", "z", "1"))
	require.NoError(t, load("y", "none", "2"))
	require.ErrorContains(t, load("y", "z", "2"),
		`rsp.z: no response satisfies its key "when" with these block_parameters`)
	require.ErrorContains(t, load("none", "z", "2"), "no field that the design puts out would be compared")
}

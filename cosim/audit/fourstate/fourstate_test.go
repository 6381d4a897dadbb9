package fourstate

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/audit/fault"
)

// campaign returns a campaign on the smallest block, with its list of benches.
func campaign(t *testing.T) Spec {
	t.Helper()
	for _, tool := range []string{"iverilog", "vvp"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; make tools installs it", tool)
		}
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	return Spec{Root: root, Block: "txstate", Goldwire: launchtest.Program(t, root), Work: t.TempDir(), Jobs: 2,
		Benches: []Bench{{Source: "random", Events: 300, Params: []string{"NumPdcs=1", "Depth=2"}}}}
}

// The exported bench of a small block sees every dropped reset of two of its modules as X, in the copy with all drops
// as in a copy with one; a campaign that drops nothing is an error, and so is RTL that does not pass as it is.
func TestDroppedResetsAreSeen(t *testing.T) {
	s := campaign(t)
	s.Match = regexp.MustCompile(`^gw_(in_fifo|credit)\.sv$`)
	got, err := Run(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, got, 3)
	p := player{root: s.Root, block: s.Block, dir: filepath.Join(s.Work, "bench0")}
	d, err := fault.Load(s.Root, s.Block)
	require.NoError(t, err)
	for _, v := range got {
		require.Equal(t, 1, v.Bench, "%+v", v)
		require.Contains(t, v.Seen, "x", "an unknown value is what differs: %+v", v)
		for _, f := range d.Resets() {
			if f.File == v.File && f.Line == v.Line {
				rtl := filepath.Join(t.TempDir(), "rtl")
				require.NoError(t, d.Plant(f, rtl))
				require.NoError(t, p.compile(t.Context(), rtl, "one.vvp"))
				seen, err := p.play(t.Context(), "one.vvp")
				require.NoError(t, err)
				require.Equal(t, v.Seen, seen)
			}
		}
	}
	_, err = p.play(t.Context(), "woven.vvp")
	require.ErrorContains(t, err, "no verdict", "a play must name its number")

	s.Match = regexp.MustCompile(`^nothing$`)
	_, err = Run(t.Context(), s)
	require.ErrorContains(t, err, "no reset to drop")

	broken := t.TempDir() // RTL that answers nothing right would make every drop seem seen
	require.NoError(t, os.CopyFS(filepath.Join(broken, "hdl"), os.DirFS(filepath.Join(s.Root, "hdl"))))
	launchtest.Edit(t, filepath.Join(broken, "hdl", "rtl", "common", "gw_credit.sv"),
		"if (!rst_ni)                    used_q <= '0;", "", "else if (use_i && !return_i)", "if (use_i && !return_i)")
	s.Root, s.Match = broken, nil
	_, err = Run(t.Context(), s)
	require.ErrorContains(t, err, "the RTL itself does not pass")
	s.Benches = nil
	_, err = Run(t.Context(), s)
	require.ErrorIs(t, err, ErrFourState)
}

// A dropped reset in the middle of a pipeline is X for a few cycles only, and an if takes X for false. Only a reset in
// the middle of traffic shows it, a cycle in which the register holds 1. The argued ones are seen by no bench.
func TestResetsInTrafficShowWhatXHides(t *testing.T) {
	s := campaign(t)
	s.Match = regexp.MustCompile(`^(txstate|gw_hazard)\.sv$`)
	s.Benches = append(s.Benches, Bench{Source: "directed", Cases: "reset/queued", Params: s.Benches[0].Params})
	got, err := Run(t.Context(), s)
	require.NoError(t, err)
	bench, why := map[string]int{}, map[string]bool{}
	for _, v := range got {
		bench[v.Before], why[v.Before] = v.Bench, v.Why != ""
	}
	for _, stage := range []string{"vld_s1_q <= 1'b0;", "vld_s2_q <= 1'b0;", "vld_s3_q <= 1'b0;"} {
		require.Equal(t, 2, bench[stage], "%s: %+v", stage, got)
	}
	for _, argued := range []string{"any_q <= '0;", "keyed_q <= '0;"} {
		require.Contains(t, bench, argued)
		require.Zero(t, bench[argued])
		require.True(t, why[argued])
	}
	s.Benches[1].Cases = "reset/no-such-case"
	_, err = Run(t.Context(), s)
	require.ErrorContains(t, err, "no episode has such a name")
}

// Only a difference that the bench found counts as seen, and only its own PASS as passed.
func TestVerdictNeedsAComparison(t *testing.T) {
	p := player{block: "ccc"}
	const differs = "FAIL ccc_vec_tb: cycle 5 (goldwire vectors show --number 5 FILE.gwv)\n" +
		"  ev_ready: want 1, got x\nFATAL"
	seen, err := p.verdict(differs, true)
	require.NoError(t, err)
	require.Contains(t, seen, "ev_ready: want 1, got x")
	seen, err = p.verdict("PASS ccc_vec_tb: 9 cycles\n", false)
	require.NoError(t, err)
	require.Empty(t, seen)
	for _, out := range []string{
		"", "PASS", "PASS egress_vec_tb: 9 cycles\n", differs,
		"FAIL ccc_vec_tb: cannot open in.hex and out.hex; give +in=FILE +out=FILE\n",
		"FAIL ccc_vec_tb: vectors end at record 5 of 9, or are malformed\n  more\n",
		"FAIL ccc_vec_tb: cycle 5 (goldwire vectors show --number 5 FILE.gwv)\nFATAL: no field\n",
	} {
		_, err := p.verdict(out, false)
		require.ErrorIs(t, err, ErrFourState, out)
	}
	for _, out := range []string{
		"", "PASS ccc_vec_tb: 9 cycles\n", differs + "\nPASS ccc_vec_tb: 9 cycles\n",
		"FAIL ccc_vec_tb: cannot open in.hex and out.hex; give +in=FILE +out=FILE\n",
		"FAIL ccc_vec_tb: vectors end at record 5 of 9, or are malformed\n  more\n",
		"FAIL ccc_vec_tb: ended at record 5 of 9, not by this bench: does the design call $finish?\n",
		"FAIL ccc_vec_tb: cycle 5 (goldwire vectors show --number 5 FILE.gwv)\nFATAL: no field\n",
	} {
		_, err := p.verdict(out, true)
		require.ErrorIs(t, err, ErrFourState, out)
	}
}

// Every block has benches: one that is left out would be measured by nothing.
func TestEveryBlockHasBenches(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	got, err := Benches(root)
	require.NoError(t, err)
	schemas, err := filepath.Glob(filepath.Join(root, "vectors", "event", "*", "schema.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, schemas)
	for _, file := range schemas {
		require.NotEmpty(t, got[filepath.Base(filepath.Dir(file))], file)
	}
	require.Len(t, got, len(schemas))
}

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/audit/fault"
)

// The scoreboard of bridge/c/example, in Verilator, passes on our RTL against goldwire serve, names fields on RTL with
// a planted fault, and reports if nobody listens or the server is for something else.
func TestScoreboardOverDPI(t *testing.T) {
	launchtest.Long(t, "bridge/serve, TestCOverDPI")
	if _, err := exec.LookPath("verilator"); err != nil {
		t.Skip("verilator is not installed; make tools installs it")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	design, faults := plantable(t, root, "ccc")
	rtl := filepath.Join(dir, "rtl")
	require.NoError(t, design.PlantGuarded(faults, rtl))
	args := append(launchtest.Verilate(), "--top-module", "ccc_tb", "-Wno-fatal", "--Mdir", "obj", "-o", "bench",
		"-CFLAGS", "-Wall -Wextra")
	args = append(args, folders(t, "-y", rtl)...)
	for _, f := range []string{"hdl/gen/ccc_types.sv", "hdl/gen/ccc_pkg.sv", "bridge/c/gw_dpi_pkg.sv",
		"bridge/c/example/ccc_tb.sv"} {
		args = append(args, filepath.Join(root, f))
	}
	sources, err := filepath.Glob(filepath.Join(root, "bridge/c/*.c"))
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	build := exec.Command("verilator", append(args, sources...)...)
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	bench := func(args ...string) (string, error) {
		out, err := exec.Command(filepath.Join(dir, "obj", "bench"), args...).CombinedOutput()
		return string(out), err
	}

	socket := "unix:" + filepath.Join(t.TempDir(), "s")
	text2, err := bench("+gold=" + socket)
	require.Error(t, err)
	require.Contains(t, text2, "gw_connect: no server listens at "+socket)
	require.Contains(t, text2, "goldwire serve --block B --listen "+socket)

	_, end := serving(t, "--block", "ccc", "--param", "NumContexts=8", "--listen", socket)
	text2, err = bench("+gold=" + socket)
	require.NoError(t, err, text2)
	require.Contains(t, text2, "PASS ccc_tb: 20000 events, 20000 responses")
	for _, n := range []string{"0", "-3", "many"} {
		text2, err = bench("+gold="+socket, "+events="+n)
		require.Error(t, err)
		require.Contains(t, text2, "checks nothing: give 1 or more")
		require.NotContains(t, text2, "PASS")
	}
	caught, named := 0, 0
	field := regexp.MustCompile(`gw_expect: rsp \d+: \w+ want -?\d+ got -?\d+`)
	for i, f := range faults {
		text, err := bench("+gold="+socket, fmt.Sprintf("+%s=%d", fault.PlusArg, i+1))
		if err == nil {
			t.Logf("this stimulus does not meet %s", f.Name)
			continue
		}
		caught++
		if field.MatchString(text) {
			named++
		} else {
			require.Contains(t, text, "the model gives no response here", f.Name)
		}
		require.Contains(t, text, "FAIL ccc_tb: ")
		require.NotContains(t, text, "PASS")
	}
	// The example's bench is short and draws its events blindly, so it does not reach all ten.
	require.GreaterOrEqual(t, caught, 4, "of %d faults", len(faults))
	require.GreaterOrEqual(t, named, 3, "of %d faults", len(faults))
	end()

	_, end = serving(t, "--block", "ccc", "--param", "NumContexts=9", "--listen", socket)
	text2, err = bench("+gold=" + socket)
	require.Error(t, err)
	require.Contains(t, text2, "params differs: ours NumContexts=8,NumPdcs=4,NumProfiles=8, the server's "+
		"NumContexts=9,NumPdcs=4,NumProfiles=8")
	end()
	_, _ = serving(t, "--block", "txstate", "--listen", socket)
	text2, err = bench("+gold=" + socket)
	require.Error(t, err)
	require.Contains(t, text2, "block differs: ours ccc, the server's txstate")
}

package ci

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The cocotb bench of hdl/examples agrees with the model in each simulator that cocotb supports, and finds a planted
// fault. Without asserts, which are its checks, it refuses to run.
func TestCocotbExample(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	version, err := exec.Command(python, "-c", "import cocotb; print(cocotb.__version__)").Output()
	if err != nil {
		t.Skip("cocotb is not installed: apt-get install python3-cocotb, or pip install cocotb")
	}
	if major, _ := strconv.Atoi(strings.Split(string(version), ".")[0]); major < 2 {
		t.Skipf("cocotb %sis too old: the example is for 2.0", version)
	}
	build(t)
	const run, txstate = "hdl/examples/cocotb/run.py", "txstate/txstate.sv"
	rtl := filepath.Join(t.TempDir(), "rtl")
	tool(t, "cp", "-r", "hdl/rtl", rtl)
	tool(t, "sed", "-i", `s/(old_rtx == 2.d0) ? 2.d1 : 2.d2;/(old_rtx == 2'd0) ? 2'd1 : 2'd3;/`, rtl+"/"+txstate)
	require.Error(t, exec.Command("cmp", "-s", "../hdl/rtl/"+txstate, rtl+"/"+txstate).Run(), "the fault is not planted")
	for _, sim := range []string{"icarus", "verilator"} {
		t.Run(sim, func(t *testing.T) {
			program := map[string]string{"icarus": "iverilog", "verilator": "verilator"}[sim]
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed", program)
			}
			if old := sim == "verilator" && olderThan(t, 5.036); old {
				t.Skip("cocotb 2 needs Verilator 5.036 or newer")
			}
			play := func(env string, args ...string) (string, error) {
				c := exec.Command("env", append([]string{env, python, run, "--sim", sim, "--events", "1000"}, args...)...)
				c.Dir = ".."
				out, err := c.CombinedOutput()
				return string(out), err
			}
			out, err := play("A=1")
			require.NoError(t, err, out)
			require.Contains(t, out, "PASS: 1000 answers compared")
			require.Contains(t, out, "run.py: the answers to all 1000 events agree")
			for want, args := range map[string][]string{
				"and brought {'rtx_count': 3}": {"A=1", "--rtl", rtl},
				"python -O drops every assert": {"PYTHONOPTIMIZE=1"},
			} {
				out, err = play(args[0], args[1:]...)
				require.Error(t, err, out)
				require.Contains(t, out, want)
				require.Contains(t, out, "run.py: 1 tests, 1 failed")
				require.NotContains(t, out, "PASS:")
			}
		})
	}
}

// olderThan reports whether the Verilator that is installed is older than a version.
func olderThan(t *testing.T, version float64) bool {
	t.Helper()
	m := regexp.MustCompile(`Verilator (\d+\.\d+)`).FindStringSubmatch(tool(t, "verilator", "--version"))
	require.NotNil(t, m)
	have, err := strconv.ParseFloat(m[1], 64)
	require.NoError(t, err)
	return have < version
}

package ci

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The foreign engine of hdl/examples is lint clean, and its bench passes in Icarus, which shows real X where
// Verilator shows 0.
func TestForeignEngine(t *testing.T) {
	const dir = "hdl/examples/ccc_foreign"
	sources := []string{dir + "/acme_cc_types.sv", dir + "/acme_cc_pkg.sv", "-y", dir}
	tool(t, "verilator", append([]string{"--lint-only", "-Wall", "--top-module", "acme_cc_engine"},
		append(sources, dir+"/acme_cc_engine.sv")...)...)
	vvp := filepath.Join(t.TempDir(), "tb.vvp")
	tool(t, "iverilog", append([]string{"-g2012", "-s", "tb_acme_cc", "-o", vvp, "-Y", ".sv"},
		append(sources, dir+"/tb/tb_acme_cc.sv")...)...)
	require.Contains(t, tool(t, "vvp", "-N", vvp), "PASS")
}

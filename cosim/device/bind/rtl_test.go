package bind

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a design cannot have, each a change of one that is right: one problem, with the place.
func TestRTLMistakes(t *testing.T) {
	ctx := simulator(t)
	text, err := os.ReadFile("testdata/broken/mute.sv")
	require.NoError(t, err)
	binding, err := os.ReadFile("testdata/broken/mute.yaml")
	require.NoError(t, err)
	const first = "module mute (\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", first, first, ""},
		{"two tops", first, "module other (input logic a, output logic b);\n  assign b = a;\nendmodule\n" + first, ""},
		{"syntax", "endmodule", "  assign in_ready = ;\nendmodule", "syntax error"},
		{"no end", "endmodule", "", "syntax error"},
		{"no module", string(text), "", "dut.yaml:2: module mute is in none of the sources, which hold no module"},
		{"inout", first, first + "  inout wire bus_io,\n",
			"dut.yaml:2: port bus_io (DIR/mute.sv:3) is inout; wrap the design"},
		{"interface", first, "interface bus_if;\n  logic a;\n  modport m (input a);\nendinterface\n" +
			first + "  bus_if.m bus,\n",
			"mute.sv:7:  ... ; wrap the design in a module with packed ports"},
		{"unpacked array", first, first + "  input logic [3:0] arr [4],\n", "dut.yaml:33: input arr (DIR/mute.sv:3) is " +
			"not a vector of bits but of type unpacked array; wrap the design"},
		{"real", first, first + "  input real r,\n", "dut.yaml:33: input r (DIR/mute.sv:3) is not a vector of bits but of " +
			"type real; wrap the design"},
		{"parameter type", first, "module mute #(parameter type T = logic) (\n  input T t_i,\n",
			"dut.yaml:33: input t_i (DIR/mute.sv:3, 1 bit) is driven by nothing"},
		{"no such module", "endmodule", "  nowhere u (.a(clk));\nendmodule", "mute.sv: ... 'nowhere' ... ; add its " +
			"file to sources, or its folder to include"},
		{"no such include", first, "`include \"gone.svh\"\n" + first, "mute.sv:2:  ... gone.svh ... ; add its folder to " +
			"include"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			require.Equal(t, 1, strings.Count(string(text), c.old), c.old)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "mute.sv"),
				[]byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "dut.yaml"), binding, 0o644))
			_, _, err := CheckFile(ctx, filepath.Join(dir, "dut.yaml"), lookup)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			for _, part := range strings.Split(c.want, " ... ") { // the words between are Verilator's
				require.ErrorContains(t, err, strings.ReplaceAll(part, "DIR", shorten(dir)))
			}
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

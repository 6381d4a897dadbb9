package export

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// Lines of testdata/lane_top.sv in which the tests plant unknown values.
const (
	cutValidLine = "assign cut_valid_o  = rst_ni & cut_q"
	cfgReadyLine = "assign cfg_ready_o  = rst_ni & (~drop_q"
	cutDataLine  = "cut_data_o <= pkt_data_i ^"
	cutResetLine = "if (fault != 12) cut_q <= 1'b0;\n      drop_q"
	slowLine     = "logic        slow_q;"
)

// icarusOf compiles a bench in dir with a changed sample block, and returns what it prints and its exit status. Edits
// are texts of lane_top.sv, each followed by its replacement.
func icarusOf(t *testing.T, dir string, edits ...string) (string, error) {
	t.Helper()
	text, err := os.ReadFile("testdata/lane_top.sv")
	require.NoError(t, err)
	for i := 0; i < len(edits); i += 2 {
		require.Equal(t, 1, bytes.Count(text, []byte(edits[i])), "lane_top.sv no longer holds %q once", edits[i])
		text = bytes.Replace(text, []byte(edits[i]), []byte(edits[i+1]), 1)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "changed.sv"), text, 0o666))
	compile, _ := tools[0].compile([]string{"changed.sv", "lane_vec_pkg.sv", "lane_vec_dut.sv", "lane_vec_tb.sv"})
	compile.Dir = dir
	out, err := compile.CombinedOutput()
	require.NoError(t, err, "%s", out)
	play := exec.Command("vvp", "-N", "bench.vvp")
	play.Dir = dir
	out, err = play.CombinedOutput()
	return string(out), err
}

// A valid or ready that is X or Z in a single cycle after the reset fails the bench, whatever its value should be, and
// so does X in the fields of a valid response; X in the fields while valid is low passes.
func TestBenchSeesUnknownValues(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed; make tools installs it")
	}
	// Unknown values begin long after the reset, and are there in some cycles only.
	const age = slowLine + "\n  int age = 0;\n  always @(posedge clk_i) age <= age + 1;\n" +
		"  wire late = (age > 200) & slow_q;\n"
	const control = "is X or Z in cycle" // per transaction: the first stream whose valid or ready depends on it
	rows := []struct {
		name, old, new        string
		perCycle, perTransact string // what the bench prints; empty: it passes
	}{
		{"valid is X where it is high", cutValidLine, "assign cut_valid_o = (late & cut_q) ? 1'bx : rst_ni & cut_q",
			"cut_valid: want 1, got x", control},
		{"valid is X where it is low", cutValidLine, "assign cut_valid_o = (late & ~cut_q) ? 1'bx : rst_ni & cut_q",
			"cut_valid: want 0, got x", control},
		{"valid is Z where it is low", cutValidLine, "assign cut_valid_o = (late & ~cut_q) ? 1'bz : rst_ni & cut_q",
			"cut_valid: want 0, got z", control},
		{"ready is X while valid is low", cfgReadyLine,
			"assign cfg_ready_o = (late & ~cfg_valid_i) ? 1'bx : rst_ni & (~drop_q", "cfg_ready: want 1, got x", control},
		{"ready is Z", cfgReadyLine, "assign cfg_ready_o = late ? 1'bz : rst_ni & (~drop_q", "got z", control},
		{"a field of a response is X", cutDataLine, "cut_data_o <= {1'bx, 511'b0} ^ pkt_data_i ^", "cut.data: want ",
			"cut.data: want "},
		{"a register has no reset", cutResetLine, "drop_q", "cut_valid: want 0, got x", control},
		{"fields are X while valid is low", "always_ff @(posedge clk_i) begin", "always @(negedge clk_i) #1 " +
			"if (!cut_valid_o) cut_data_o = 'x;\n  always @(posedge clk_i) begin", "", ""},
		{"nothing is changed", cutDataLine, cutDataLine, "", ""},
	}
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		dir := exported(t, laneFile(t, per, 600), "sv")
		for _, r := range rows {
			t.Run(per+"/"+r.name, func(t *testing.T) {
				want := r.perCycle
				if per == format.PerTransaction {
					want = r.perTransact
				}
				out, err := icarusOf(t, dir, slowLine, age, r.old, r.new)
				if want == "" {
					require.NoError(t, err, out)
					require.Contains(t, out, "PASS lane_vec_tb: ")
					return
				}
				require.Error(t, err, out)
				require.Contains(t, out, "FAIL lane_vec_tb: ")
				require.Contains(t, out, want)
				require.NotContains(t, out, "PASS")
			})
		}
	}
}

// Vectors with X digits fail even where the design gives X, too.
func TestBenchRefusesUnknownVectors(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed; make tools installs it")
	}
	b, err := event.Parse([]byte(lane))
	require.NoError(t, err)
	l := event.NewLayout(b)
	data := l.Out.Slot("cut", "data")
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		t.Run(per, func(t *testing.T) {
			dir := exported(t, laneFile(t, per, 600), "sv")
			text, err := os.ReadFile(filepath.Join(dir, "out.hex"))
			require.NoError(t, err)
			var changed strings.Builder
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSpace(line)
				require.Len(t, line, 16*l.Out.Words)
				word := 16 * (l.Out.Words - 1 - data.Word) // the first digit of the lowest word of the field
				changed.WriteString(line[:word] + strings.Repeat("x", 16) + line[word+16:] + "\n")
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "out.hex"), []byte(changed.String()), 0o666))
			out, err := icarusOf(t, dir, cutDataLine, "cut_data_o <= {448'b0, 64'bx} ^ pkt_data_i ^")
			require.Error(t, err, out)
			require.Contains(t, out, "hold an unknown digit")
			require.NotContains(t, out, "PASS")
		})
	}
}

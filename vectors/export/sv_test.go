package export

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/format"
)

// tool compiles a bench with its block; compile also returns the command that runs it.
type tool struct {
	name    string
	compile func(sources []string) (*exec.Cmd, string)
}

var tools = []tool{
	{"iverilog", func(sources []string) (*exec.Cmd, string) {
		args := append([]string{"-g2012", "-s", "lane_vec_tb", "-o", "bench.vvp"}, sources...)
		return exec.Command("iverilog", args...), "vvp bench.vvp"
	}},
	{"verilator", func(sources []string) (*exec.Cmd, string) {
		flags := "OPT_FAST=-O0 OPT_SLOW=-O0"
		if _, err := exec.LookPath("ccache"); err == nil {
			flags += " OBJCACHE=ccache"
		}
		args := []string{"--binary", "--timing", "-MAKEFLAGS", flags, "--top-module", "lane_vec_tb", "-Wno-fatal", "--Mdir",
			"obj", "-o", "bench"}
		return exec.Command("verilator", append(args, sources...)...), "obj/bench"
	}},
}

// built compiles the exported bench and returns a function that runs it with plusargs.
func (k tool) built(t *testing.T, dir string) func(args ...string) (string, error) {
	t.Helper()
	top, err := filepath.Abs("testdata/lane_top.sv")
	require.NoError(t, err)
	cmd, run := k.compile([]string{top, "lane_vec_pkg.sv", "lane_vec_dut.sv", "lane_vec_tb.sv"})
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", cmd, out)
	require.NotContains(t, strings.ToLower(string(out)), "error")
	return func(args ...string) (string, error) {
		f := append(strings.Fields(run), args...)
		c := exec.Command(f[0], f[1:]...)
		if strings.Contains(f[0], "/") {
			c.Path = filepath.Join(dir, f[0])
		}
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
}

// needTools skips a test when one of the tools is not installed.
func needTools(t *testing.T) {
	for _, k := range tools {
		if _, err := exec.LookPath(k.name); err != nil {
			t.Skipf("%s is not installed; make tools installs it", k.name)
		}
	}
}

// The bench of a block with several streams and wide fields passes on correct RTL and names the difference on wrong
// RTL.
func TestBenchOfSeveralStreams(t *testing.T) {
	needTools(t)
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		data := laneFile(t, per, 600)
		for _, k := range tools {
			t.Run(per+"/"+k.name, func(t *testing.T) {
				if per == format.PerCycle && k.name == "verilator" && os.Getenv("GOLDWIRE_LONG") == "" {
					t.Skip("make soak plays it, or GOLDWIRE_LONG=1; in its place: the other three")
				}
				dir := exported(t, data, "sv")
				run := k.built(t, dir)
				pass := func(args ...string) {
					t.Helper()
					out, err := run(args...)
					require.NoError(t, err, out)
					require.Contains(t, out, "PASS lane_vec_tb: ")
					require.NotContains(t, out, "FAIL")
				}
				fail := func(want string, args ...string) {
					t.Helper()
					out, err := run(args...)
					require.Error(t, err, out)
					require.Contains(t, out, "FAIL lane_vec_tb: ")
					require.Contains(t, out, want)
					require.NotContains(t, out, "PASS")
					require.Equal(t, 1, strings.Count(out, "FAIL"), out)
				}
				pass()
				if per == format.PerTransaction {
					pass("+idle=40", "+stall=60")
					fail("give 0 to 99", "+stall=100")
					fail("+timeout=0 +flush=200: give cycles", "+timeout=0")
					if k.name == "iverilog" { // for which it is X; for others it is 0
						fail("give 0 to 99", "+idle=much")
					}
					// Handshakes at other times are correct per transaction and wrong per cycle.
					pass("+fault=1")
					fail("nothing moved for 101 cycles", "+fault=8", "+timeout=100")
					// A response stays unchanged until it is taken.
					pass("+fault=10", "+stall=0")
					fail("cut_valid fell before cut_ready", "+fault=10", "+stall=60")
					fail("cut_valid fell before cut_ready", "+fault=10") // stalled by default
					fail("before drop_ready takes it", "+fault=11")
					fail("before drop_ready takes it", "+fault=11", "+stall=60")
					// A register without a reset is 0 at first for Verilator, which hides it where nothing is in
					// flight at later resets. It is X for Icarus.
					if k.name == "iverilog" {
						fail("is X or Z in cycle", "+fault=12")
					} else {
						pass("+fault=12")
					}
				} else {
					fail("pkt_ready: want 1, got 0", "+fault=1")
				}
				for i, want := range []string{"", "cut.data: want ", "cut.data: want ", "cut.last: want 1",
					"drop.why: want FULL, got NONE", "drop.top: want -"} {
					fail(want, fmt.Sprintf("+fault=%d", i+2))
				}
				fail("cannot open nothing.hex", "+in=nothing.hex")
				fail("not by this bench: does the design call $finish?", "+fault=9")

				// Truncated vectors must not pass.
				text, err := os.ReadFile(filepath.Join(dir, "in.hex"))
				require.NoError(t, err)
				short := text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
				require.NoError(t, os.WriteFile(filepath.Join(dir, "short.hex"), short, 0o666))
				fail("vectors end at record", "+in=short.hex")

				// Nor surplus ones, in either file.
				for _, side := range []string{"in", "out"} {
					text, err := os.ReadFile(filepath.Join(dir, side+".hex"))
					require.NoError(t, err)
					last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
					require.NoError(t, os.WriteFile(filepath.Join(dir, "long.hex"), append(text, last...), 0o666))
					fail("vectors go on after record ", "+"+side+"=long.hex")
				}
				// Nor a response that is not expected, even if it waits at the end.
				if per == format.PerTransaction {
					text, err := os.ReadFile(filepath.Join(dir, "out.hex"))
					require.NoError(t, err)
					lines := strings.Split(strings.TrimSpace(string(text)), "\n")
					none := strings.Repeat("0", len(lines[0]))
					at := len(lines) - 1
					for lines[at] == none {
						at--
					}
					lines[at] = none
					less := []byte(strings.Join(lines, "\n") + "\n")
					require.NoError(t, os.WriteFile(filepath.Join(dir, "less.hex"), less, 0o666))
					for _, flush := range []string{"20", "40", "80"} {
						fail("", "+out=less.hex", "+stall=99", "+flush="+flush, "+timeout=100000")
					}
					// Nor does a reset hide one.
					beforeReset(t, dir)
					fail("goldwire vectors show", "+out=less.hex", "+stall=0")
					fail("waits or has come by cycle", "+out=late.hex", "+stall=0")
					fail("waits or has come by cycle", "+out=late.hex", "+stall=99", "+flush=20")
				}
			})
		}
	}
}

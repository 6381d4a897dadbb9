// Package exporttest plays VHDL benches of package export without RTL of the block: a design in VHDL that answers with
// the recorded outputs, as long as it is driven with the recorded inputs.
//
//	b := exporttest.New(t, dir, "ccc")           // dir holds an exported bench
//	b.Compile()                                  // against the playback
//	out, err := b.Run("-gKNOWN=1")
package exporttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Field is one of layout.json: a control, or a field of a stream by its name as in "rsp.rtt".
type Field struct {
	Name  string
	LSB   int
	Width int
	Valid string // control without which it is meaningless, "" for a control
}

// VHDL is an exported bench in its folder.
type VHDL struct {
	Block, Dir string
	In, Out    []Field
	t          testing.TB
	params     map[string]int
}

// New reads the layout of an exported bench. It skips the test when GHDL is not installed.
func New(t testing.TB, dir, block string) *VHDL {
	t.Helper()
	Need(t)
	text, err := os.ReadFile(filepath.Join(dir, "layout.json"))
	require.NoError(t, err)
	var l struct {
		Header  struct{ Params map[string]int }
		In, Out []Field
	}
	require.NoError(t, json.Unmarshal(text, &l))
	return &VHDL{block, dir, l.In, l.Out, t, l.Header.Params}
}

// Need skips a test when GHDL is not installed.
func Need(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("ghdl"); err != nil {
		t.Skip("ghdl is not installed: apt-get install ghdl")
	}
}

func (b *VHDL) ghdl(args ...string) (string, error) {
	c := exec.Command("ghdl", args...)
	c.Dir = b.Dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// Compile compiles the bench with the sources of a design, or with the playback of the vectors as they are when there
// are none.
func (b *VHDL) Compile(design ...string) {
	b.t.Helper()
	if design == nil {
		design = []string{b.playback()}
	}
	name := func(part string) string { return b.Block + "_vec_" + part + ".vhd" }
	args := slices.Concat([]string{"-a", "--std=08", name("pkg")}, design, []string{name("dut"), name("tb")})
	out, err := b.ghdl(args...)
	require.NoError(b.t, err, out)
	require.Empty(b.t, out)
	out, err = b.ghdl("-e", "--std=08", b.Block+"_vec_tb")
	require.NoError(b.t, err, out)
}

// Run plays the bench.
func (b *VHDL) Run(args ...string) (string, error) {
	return b.ghdl(append([]string{"-r", "--std=08", b.Block + "_vec_tb", "--ieee-asserts=disable"}, args...)...)
}

// Passes requires a PASS of the whole comparison.
func (b *VHDL) Passes(args ...string) {
	b.t.Helper()
	out, err := b.Run(args...)
	require.NoError(b.t, err, out)
	require.Contains(b.t, out, "PASS "+b.Block+"_vec_tb: ")
	require.NotContains(b.t, out, "FAIL")
}

// Fails requires a FAIL that names something, and no PASS.
func (b *VHDL) Fails(want string, args ...string) {
	b.t.Helper()
	out, err := b.Run(args...)
	require.Error(b.t, err, out)
	require.Contains(b.t, out, "FAIL "+b.Block+"_vec_tb: ")
	require.Contains(b.t, out, want)
	require.NotContains(b.t, out, "PASS")
}

// Lines returns the lines of a file of the bench.
func (b *VHDL) Lines(name string) []string {
	text, err := os.ReadFile(filepath.Join(b.Dir, name))
	require.NoError(b.t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// Put writes a file of the bench.
func (b *VHDL) Put(name string, lines []string) {
	require.NoError(b.t, os.WriteFile(filepath.Join(b.Dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

// Bit returns a bit of a line of hexadecimal digits.
func Bit(line string, bit int) bool { return digit(line[len(line)-1-bit/4])>>(bit%4)&1 != 0 }

// Flip returns the line with one bit inverted.
func Flip(line string, bit int) string {
	b, at := []byte(line), len(line)-1-bit/4
	b[at] = "0123456789abcdef"[digit(b[at])^1<<(bit%4)]
	return string(b)
}

func digit(c byte) int { return strings.IndexByte("0123456789abcdef", c) }

// Of returns the field or control of that name.
func Of(list []Field, name string) Field {
	return list[slices.IndexFunc(list, func(f Field) bool { return f.Name == name })]
}

// playback writes a design whose outputs are those of out.hex as it is now, and X from the first cycle on whose inputs
// are not those of in.hex. It returns the name of the file.
func (b *VHDL) playback() string {
	for _, side := range []string{"in", "out"} {
		b.Put("play_"+side+".hex", b.Lines(side+".hex"))
	}
	var ports, check, drive strings.Builder
	kind := func(f Field) string {
		if f.Width == 1 {
			return "std_logic"
		}
		return fmt.Sprintf("std_logic_vector(%d downto 0)", f.Width-1)
	}
	bits := func(word string, f Field) string {
		if f.Width == 1 {
			return fmt.Sprintf("%s(%d)", word, f.LSB)
		}
		return fmt.Sprintf("%s(%d downto %d)", word, f.LSB+f.Width-1, f.LSB)
	}
	port := func(f Field) string { return strings.ReplaceAll(f.Name, ".", "_") }
	for _, f := range b.In {
		name := port(f) + "_i"
		if f.Name == "rst_n" {
			name = "rst_ni"
		}
		fmt.Fprintf(&ports, ";\n    %s : in %s", name, kind(f))
		valid := "true"
		if f.Valid != "" {
			valid = fmt.Sprintf("ins(%d) = '1'", Of(b.In, f.Valid).LSB)
		}
		fmt.Fprintf(&check, "      same := same and (not (%s) or %s = %s);\n", valid, name, bits("ins", f))
	}
	for _, f := range b.Out {
		fmt.Fprintf(&ports, ";\n    %s_o : out %s", port(f), kind(f))
		fmt.Fprintf(&drive, "  %s_o <= %s;\n", port(f), bits("outs", f))
	}
	generics := ""
	for _, p := range slices.Sorted(maps.Keys(b.params)) {
		generics += fmt.Sprintf("    %s : integer := 0;\n", p)
	}
	if generics != "" {
		generics = "  generic (\n" + strings.TrimSuffix(generics, ";\n") + "\n  );\n"
	}
	width := func(side string) int { return 4*len(b.Lines(side + ".hex")[0]) - 1 }
	text := fmt.Sprintf(`library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;

entity %[1]s_top is
%[2]s  port (
    clk_i : in std_logic%[3]s
  );
end entity;

architecture playback of %[1]s_top is
  signal outs : std_logic_vector(%[5]d downto 0);
begin
%[7]s  process
    file fi : text open read_mode is "play_in.hex";
    file fo : text open read_mode is "play_out.hex";
    variable li, lo : line;
    variable ins : std_logic_vector(%[4]d downto 0);
    variable o : std_logic_vector(%[5]d downto 0);
    variable same : boolean := true;
  begin
    while not endfile(fi) loop
      readline(fi, li);
      hread(li, ins);
      readline(fo, lo);
      hread(lo, o);
      outs <= o when same else (others => 'X');
      wait until rising_edge(clk_i);
%[6]s    end loop;
    wait;
  end process;
end architecture;
`, b.Block, generics, ports.String(), width("in"), width("out"), check.String(), drive.String())
	name := b.Block + "_top.vhd"
	require.NoError(b.t, os.WriteFile(filepath.Join(b.Dir, name), []byte(text), 0o644))
	return name
}

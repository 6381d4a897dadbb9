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

	"github.com/goldwire/goldwire/vectors/format"
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
	per        string
	params     map[string]int
}

// New reads the layout of an exported bench. It skips the test when GHDL is not installed.
func New(t testing.TB, dir, block string) *VHDL {
	t.Helper()
	Need(t)
	text, err := os.ReadFile(filepath.Join(dir, "layout.json"))
	require.NoError(t, err)
	var l struct {
		Header struct {
			Per    string
			Params map[string]int
		}
		In, Out []Field
	}
	require.NoError(t, json.Unmarshal(text, &l))
	return &VHDL{block, dir, l.In, l.Out, t, l.Header.Per, l.Header.Params}
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

// Plant compiles the bench with a design of one file, or the playback, in which one text is replaced.
func (b *VHDL) Plant(design, old, new string) {
	b.t.Helper()
	if design == "" {
		design = filepath.Join(b.Dir, b.playback())
	}
	text, err := os.ReadFile(design)
	require.NoError(b.t, err)
	require.Equal(b.t, 1, strings.Count(string(text), old), old)
	broken := strings.Replace(string(text), old, new, 1)
	name := b.Block + "_top.vhd"
	require.NoError(b.t, os.WriteFile(filepath.Join(b.Dir, name), []byte(broken), 0o644))
	b.Compile(name)
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

// Fails requires a FAIL that names something, and no PASS. It returns the output.
func (b *VHDL) Fails(want string, args ...string) string {
	b.t.Helper()
	out, err := b.Run(args...)
	require.Error(b.t, err, out)
	require.Contains(b.t, out, "FAIL "+b.Block+"_vec_tb: ")
	require.Contains(b.t, out, want)
	require.NotContains(b.t, out, "PASS")
	return out
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

// playback writes a design whose outputs are those of out.hex as it is now, and X once its inputs are not those of
// in.hex. It returns the name of the file.
func (b *VHDL) playback() string {
	for _, side := range []string{"in", "out"} {
		b.Put("play_"+side+".hex", b.Lines(side+".hex"))
	}
	var ports, drive strings.Builder
	for _, f := range slices.Concat(b.In, b.Out) {
		kind := "std_logic"
		if f.Width > 1 {
			kind = fmt.Sprintf("std_logic_vector(%d downto 0)", f.Width-1)
		}
		fmt.Fprintf(&ports, ";\n    %s : %s %s", b.port(f), b.dir(f), kind)
	}
	for _, f := range b.Out {
		fmt.Fprintf(&drive, "  %s <= %s;\n", b.port(f), bits("outs", f))
	}
	generics := ""
	for _, p := range slices.Sorted(maps.Keys(b.params)) {
		generics += fmt.Sprintf("    %s : integer := 0;\n", p)
	}
	if generics != "" {
		generics = "  generic (\n" + strings.TrimSuffix(generics, ";\n") + "\n  );\n"
	}
	play := b.cycle()
	if b.per == format.PerTransaction {
		play = b.transaction()
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
  signal outs : std_logic_vector(%[5]d downto 0) := (others => '0');
begin
%[6]s  process
    file fi : text open read_mode is "play_in.hex";
    file fo : text open read_mode is "play_out.hex";
    variable li, lo : line;
    variable ins, todo : std_logic_vector(%[4]d downto 0);
    variable o, owed : std_logic_vector(%[5]d downto 0);
    constant NONE : std_logic_vector(%[4]d downto 0) := (others => '0');
    constant NOTHING : std_logic_vector(%[5]d downto 0) := (others => '0');
    variable same : boolean := true;
  begin
    while not endfile(fi) loop
      readline(fi, li);
      hread(li, ins);
      readline(fo, lo);
      hread(lo, o);
%[7]s    end loop;
    wait;
  end process;
end architecture;
`, b.Block, generics, ports.String(), width("in"), width("out"), drive.String(), play)
	name := b.Block + "_top.vhd"
	require.NoError(b.t, os.WriteFile(filepath.Join(b.Dir, name), []byte(text), 0o644))
	return name
}

// dir returns the direction of a port, and port its name.
func (b *VHDL) dir(f Field) string {
	if slices.Contains(b.In, f) {
		return "in"
	}
	return "out"
}

func (b *VHDL) port(f Field) string {
	if f.Name == "rst_n" {
		return "rst_ni"
	}
	return strings.ReplaceAll(f.Name, ".", "_") + "_" + b.dir(f)[:1]
}

func bits(word string, f Field) string {
	if f.Width == 1 {
		return fmt.Sprintf("%s(%d)", word, f.LSB)
	}
	return fmt.Sprintf("%s(%d downto %d)", word, f.LSB+f.Width-1, f.LSB)
}

// cycle plays a record in a cycle.
func (b *VHDL) cycle() string {
	text := `      outs <= o when same else (others => 'X');
      wait until rising_edge(clk_i);
`
	for _, f := range b.In {
		valid := "true"
		if f.Valid != "" {
			valid = fmt.Sprintf("ins(%d) = '1'", Of(b.In, f.Valid).LSB)
		}
		text += fmt.Sprintf("      same := same and (not (%s) or %s = %s);\n", valid, b.port(f), bits("ins", f))
	}
	return text
}

// transaction takes a record from all input streams, then answers with it.
func (b *VHDL) transaction() string {
	var take, offer, taken, given strings.Builder
	for _, v := range b.In {
		stream, found := strings.CutSuffix(v.Name, "_valid")
		if !found || v.Valid != "" {
			continue
		}
		ready := Of(b.Out, stream+"_ready").LSB
		fmt.Fprintf(&take, "      outs(%d) <= ins(%d);\n      todo(%[2]d) := ins(%[2]d);\n", ready, v.LSB)
		fmt.Fprintf(&offer, "      outs(%d) <= '0';\n", ready)
		fmt.Fprintf(&taken, "        if rst_ni = '1' and todo(%d) = '1' and %s = '1' then\n          todo(%[1]d) := '0';\n"+
			"          outs(%[3]d) <= '0';\n", v.LSB, b.port(v), ready)
		for _, f := range b.In {
			if f.Valid == v.Name {
				fmt.Fprintf(&taken, "          same := same and %s = %s;\n", b.port(f), bits("ins", f))
			}
		}
		taken.WriteString("        end if;\n")
	}
	for _, v := range b.Out {
		stream, found := strings.CutSuffix(v.Name, "_valid")
		if !found || v.Valid != "" {
			continue
		}
		fmt.Fprintf(&offer, "      outs(%d) <= o(%[1]d);\n      owed(%[1]d) := o(%[1]d);\n", v.LSB)
		fmt.Fprintf(&given, "        if rst_ni = '1' and %s = '1' then\n          owed(%[2]d) := '0';\n"+
			"          outs(%[2]d) <= '0';\n        end if;\n", b.port(Of(b.In, stream+"_ready")), v.LSB)
	}
	const wait = " loop\n        wait until rising_edge(clk_i);\n"
	return "      todo := NONE;\n" + take.String() + "      while todo /= NONE" + wait + taken.String() +
		"      end loop;\n      outs <= o when same else (others => 'X');\n      owed := NOTHING;\n" + offer.String() +
		"      while owed /= NOTHING" + wait + given.String() + "      end loop;\n"
}

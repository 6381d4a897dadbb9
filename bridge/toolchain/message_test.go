package toolchain

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "record what the installed Verilator prints in testdata/messages")

const good = `module ok (input logic clk, input logic [3:0] d, output logic [3:0] q);
  always_ff @(posedge clk) q <= d;
endmodule
`

// mistake is a design that Verilator refuses, or warns of.
type mistake struct {
	name, text string // "" in place of text: good
	flags      string // beside those of an elaboration
	kind       Kind
	class      string // of the warning; "" for an error
	line       int    // of the message; 0 for one without a place
	quotes     string // the name that the message quotes; "": not checked
}

func mistakes() []mistake {
	with := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	bus := "interface bus_if;\n  logic a;\n  modport m (input a);\nendinterface\n"
	return []mistake{
		{name: "syntax", text: with("q <= d", "q <= "), line: 2},
		{name: "no end", text: with("endmodule", ""), line: 2},
		{name: "no top", text: with("module ok", "module other"), kind: NoTop},
		{name: "no module", text: with("endmodule", "  nowhere u (.a(clk));\nendmodule"), kind: NoModule, line: 3,
			quotes: "nowhere"},
		{name: "no interface", text: with("input logic clk", "gone_if.m b, input logic clk"), kind: NoModule, line: 1,
			quotes: "gone_if"},
		{name: "no include", text: "`include \"gone.svh\"\n" + good, kind: NoInclude, line: 1},
		{name: "import of no package", text: "import gone_pkg::*;\n" + good, kind: NoPackage, line: 1, quotes: "gone_pkg"},
		{name: "type of no package", text: with("logic [3:0] d", "gone_pkg::t d"), kind: NoPackage, line: 1,
			quotes: "gone_pkg"},
		{name: "constant of no package", text: with("<= d", "<= gone_pkg::X"), kind: NoPackage, line: 2,
			quotes: "gone_pkg"},
		{name: "interface at the top", text: bus + with("input logic clk", "bus_if.m b, input logic clk"),
			kind: TopInterface, line: 5},
		{name: "whole interface at the top", text: bus + with("input logic clk", "bus_if b, input logic clk"),
			kind: TopInterface, line: 5},
		{name: "two of one name", text: good + good, flags: "-Werror-MODDUP", kind: Duplicate, line: 4, quotes: "ok"},
		{name: "no parameter", flags: "-GN=3 -GM=4", kind: NoParameter},
		{name: "no such flag", flags: "--no-such-flag", kind: BadOption},
		{name: "no such pin", text: with("endmodule", "  sub u (.x(clk));\nendmodule\nmodule sub; endmodule"), line: 3,
			quotes: "x"},
		{name: "width", text: with("<= d", "<= {d, d}"), class: "WIDTH*", line: 2},
		{name: "loop", text: with("always_ff @(posedge clk) q <= d", "wire a = q[0] ^ d[0]; assign q = {3'b0, a}"),
			class: "UNOPTFLAT", line: -1}, // at any signal of the loop
	}
}

// play returns what a program prints about a mistake, with the names of folders taken out.
func (x mistake) play(t *testing.T, program string, tree []string) string {
	dir := t.TempDir()
	text := x.text
	if text == "" {
		text = good
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.sv"), []byte(text), 0o644))
	args := []string{"--top-module", "ok", "--no-timing", "-Wno-fatal"}
	if x.class != "" {
		tree = []string{"--lint-only"} // which looks for more
	}
	args = append(append(append(args, tree...), strings.Fields(x.flags)...), "a.sv")
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if x.class == "" {
		require.Error(t, err, "%s: %s", x.name, out)
	}
	return strings.ReplaceAll(string(out), dir, "DIR")
}

// shows requires that the output of a version is understood: the first message of the kind, or of the class, has the
// line and the name.
func (x mistake) shows(t *testing.T, out string) {
	t.Helper()
	for _, m := range Messages(out) {
		if m.Kind() != x.kind || m.Warning != (x.class != "") ||
			!strings.HasPrefix(m.Class, strings.TrimSuffix(x.class, "*")) {
			continue
		}
		if x.line >= 0 {
			require.Equal(t, x.line, m.Line, out)
		}
		require.Equal(t, x.line != 0, m.File == "a.sv", out)
		if x.quotes != "" {
			require.Equal(t, x.quotes, Name(m.Text), out)
		}
		return
	}
	t.Errorf("no message is recognised in: %s", out)
}

const recordMark = "-- "

// records returns what each recorded version prints, by mistake.
func records(t *testing.T) map[string]map[string]string {
	files, err := filepath.Glob("testdata/messages/verilator-*.txt")
	require.NoError(t, err)
	all := map[string]map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		of := map[string]string{}
		for part := range strings.SplitSeq("\n"+string(text), "\n"+recordMark) {
			if name, out, ok := strings.Cut(part, "\n"); ok && name != "" {
				of[name] = out
			}
		}
		all[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "verilator-"), ".txt")] = of
	}
	return all
}

// Every mistake is recognised in what each recorded version prints of it.
func TestMessagesOfEveryVersion(t *testing.T) {
	all := records(t)
	for _, version := range []string{"5.006", "5.032", "5.048"} {
		require.NotEmpty(t, all[version], "what Verilator %s prints is not recorded", version)
	}
	for version, of := range all {
		require.Len(t, of, len(mistakes()), version)
		for _, x := range mistakes() {
			t.Run(version+"/"+x.name, func(t *testing.T) {
				require.Contains(t, of, x.name)
				x.shows(t, of[x.name])
			})
		}
	}
}

// The installed Verilator is understood, and prints what is recorded of its version; -update records it.
func TestMessagesOfThisVersion(t *testing.T) {
	v, path, err := Find(t.Context(), Verilator)
	if err != nil {
		t.Skip(err)
	}
	tree := []string{"--xml-only", "--xml-output", "tree"}
	if JSONTree.In(v) {
		tree = []string{"--json-only", "--json-only-output", "tree", "--json-only-meta-output", "meta"}
	}
	var b bytes.Buffer
	recorded, known := records(t)[v.String()]
	for _, x := range mistakes() {
		out := x.play(t, path, tree)
		x.shows(t, out)
		fmt.Fprintf(&b, "%s%s\n%s\n", recordMark, x.name, strings.TrimSpace(out))
		if known && !*update {
			require.Equal(t, Messages(recorded[x.name]), Messages(out), "%s: record it again: go test -update", x.name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/messages/verilator-"+v.String()+".txt", b.Bytes(), 0o644))
	}
}

// Text that only looks like a message is not read as one, and a message of unknown cause has no cause.
func TestOtherMessages(t *testing.T) {
	require.Empty(t, Messages("x %Error: a.sv:1:1: syntax error\n        ... See the manual\n- Verilator: Built\n"))
	got := Messages("%Error: a b.sv:7: Unsupported: this\n%Error: Exiting due to 1 error(s)\n" +
		"%Warning-WIDTH: c.sv:8:9: w\n")
	require.Equal(t, []Message{{File: "a b.sv", Line: 7, Text: "Unsupported: this"}, {Text: "Exiting due to 1 error(s)"},
		{Warning: true, Class: "WIDTH", File: "c.sv", Line: 8, Text: "w"}}, got)
	require.Equal(t, Other, got[0].Kind())
	require.Equal(t, Follows, got[1].Kind())
	require.Equal(t, Other, Message{Warning: true, Text: "package 'x' not found"}.Kind())
	require.Equal(t, NoModule, Message{Class: "MODMISSING", Text: "worded anew"}.Kind(), "by its class alone")
	require.Equal(t, Internal, Message{File: "a.sv", Line: 1, Text: "Internal Error: ../V3.cpp:1: x"}.Kind())
}

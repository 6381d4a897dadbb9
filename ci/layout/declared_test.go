package layout

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// No design of this tree uses a name ahead of its declaration: RTL, benches, proofs and what the tests bind.
func TestNamesAreDeclaredAhead(t *testing.T) {
	files := 0
	walk(t, func(path string, read func() string) {
		if strings.HasSuffix(path, ".sv") || strings.HasSuffix(path, ".v") || strings.HasSuffix(path, ".sv.tmpl") {
			files++
			for _, line := range UsedEarly(path, read()) {
				t.Error(line)
			}
		}
	})
	require.Greater(t, files, 100)
}

func TestUsedEarly(t *testing.T) {
	const early = " is used ahead of its declaration in line "
	for text, want := range map[string]string{
		"wire late = slow_q;\n  logic [3:0] slow_q;":                    "m.sv:2: slow_q" + early + "3",
		"assign y = b;\n  logic a, b;":                                  "m.sv:2: b" + early + "3",
		"assign y = w[N-1];\n  logic [3:0] w;\n  localparam int N = 4;": "m.sv:2: w is used",
		"assign y = s.kind;\n  ev_t s;":                                 "m.sv:2: s is used",
		"logic a;\n  // b\n  assign y = a;\n  logic b;":                 "",
		"sub u (.b(a), .\\x (y));\n  logic b;":                          "",
		"assign y = \"b\";\n  logic b;":                                 "",
		"assign y = x.b;\n  logic b;":                                   "",
		"logic a = 1'b0;\n  logic b = a;":                               "",
	} {
		got := strings.Join(UsedEarly("m.sv", "module m (input logic x);\n  "+text+"\nendmodule\n"), "\n")
		if want == "" {
			require.Empty(t, got, text)
			continue
		}
		require.True(t, strings.HasPrefix(got, want), "%s: %s", text, got)
	}
}

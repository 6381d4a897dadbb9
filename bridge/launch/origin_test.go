package launch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A file of a build has one name wherever the tree and the copy of the RTL were and are.
func TestSourcesOfABuild(t *testing.T) {
	st := &stamp{Roots: map[string]string{"$root": "/old/tree", "$rtl": "/tmp/copy", "$shell": "/old/tree/hdl/shell"},
		Files: map[string]string{"$rtl/a.sv": "1", "$shell/main.cpp": "2", "/usr/include/x.h": "3"}}
	spec := BuildSpec{Root: "/new", RTLDir: "/new/hdl/rtl", Shell: "/new/hdl/shell"}
	o := st.origin(spec)
	for was, now := range map[string]string{"/tmp/copy/ccc/ccc.sv": "hdl/rtl/ccc/ccc.sv",
		"/old/tree/hdl/gen/ccc_top.sv": "hdl/gen/ccc_top.sv", "/old/tree/hdl/shell/x.h": "hdl/shell/x.h",
		"/usr/share/verilator/x.sv": "/usr/share/verilator/x.sv", "/new/hdl/rtl/a.sv": "hdl/rtl/a.sv",
		"/newer/a.sv": "/newer/a.sv"} {
		require.Equal(t, now, o.Source(was))
	}
	spec.RTLDir = "/elsewhere/rtl"
	there := st.origin(spec)
	require.Equal(t, "/elsewhere/rtl/a.sv", there.Source("/tmp/copy/a.sv"), "what is not in the tree is named in full")
	require.Equal(t, o.Content, there.Content)

	// Builds of one design with other options have one design; an edit of it makes another, one of the shell does not.
	for file, same := range map[string]bool{"$shell/main.cpp": true, "$rtl/a.sv": false} {
		x := &stamp{Roots: st.Roots, Args: []string{"--coverage-line"}, Files: map[string]string{}}
		for name, sum := range st.Files {
			x.Files[name] = sum
		}
		x.Files[file] = "9"
		y := x.origin(spec)
		require.NotEqual(t, o.Content, y.Content)
		require.Equal(t, same, o.Design == y.Design, file)
	}
}

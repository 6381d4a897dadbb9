package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// tree writes files, each with the text "x", below a new folder.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		put(t, filepath.Join(dir, f), "x")
	}
	return dir
}

func TestReadRTL(t *testing.T) {
	for name, c := range map[string]struct{ files, folders, modules []string }{
		"flat": {[]string{"a.sv", "b.v"}, []string{"."}, []string{"a.sv", "b.v"}},
		"folders": {[]string{"one/a.sv", "two/deep/b.sv"}, []string{"one", "two/deep"},
			[]string{"one/a.sv", "two/deep/b.sv"}},
		"both": {[]string{"a.sv", "one/b.sv"}, []string{".", "one"}, []string{"a.sv", "one/b.sv"}},
		"other files": {[]string{"a.sv", "README", "one/README", "two/sub.inc", ".git/a.sv", ".a.sv", "a.txt"},
			[]string{"."}, []string{"a.sv"}},
	} {
		r, err := ReadRTL(tree(t, c.files...))
		require.NoError(t, err, name)
		require.Equal(t, c.folders, r.Folders, name)
		require.Equal(t, c.modules, r.Files, name)
		for _, m := range c.modules {
			require.Equal(t, m, r.Module(strings.TrimSuffix(filepath.Base(m), filepath.Ext(m))), name)
		}
		require.Empty(t, r.Module("c"), name)
	}
	r, err := ReadRTL("../../hdl/rtl")
	require.NoError(t, err)
	require.Equal(t, "ccc/ccc_ewma.sv", r.Module("ccc_ewma"))
	require.Empty(t, r.Module("README"))
}

// Which of two files of a module is tested must not depend on the order of a search.
func TestReadRTLRefuses(t *testing.T) {
	for want, files := range map[string][]string{
		": a is there twice, as a.sv and one/a.sv; keep one":     {"a.sv", "one/a.sv"},
		": a is there twice, as one/a.sv and two/a.sv; keep one": {"one/a.sv", "two/a.sv"},
		": a is there twice, as a.sv and a.v; keep one":          {"a.sv", "a.v"},
		": a is there twice, as a and one/a.sv; keep one":        {"a", "one/a.sv"},
		": d.svh is there twice, as d.svh and one/d.svh; keep":   {"b.sv", "d.svh", "one/d.svh"},
		" holds no module; give a copy of hdl":                   {"one/README", "one/d.svh", "one/a"},
	} {
		_, err := ReadRTL(tree(t, files...))
		require.ErrorContains(t, err, want)
	}
	_, err := ReadRTL(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "does not exist")
}

// Folders behind links are read, each once, also where a link leads back.
func TestReadRTLFollowsLinks(t *testing.T) {
	far, dir := tree(t, "b.sv"), tree(t, "a.sv")
	require.NoError(t, os.Symlink(far, filepath.Join(dir, "far")))
	require.NoError(t, os.Symlink(dir, filepath.Join(far, "back")))
	r, err := ReadRTL(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a.sv", "far/b.sv"}, r.Files)
	put(t, filepath.Join(far, "a.sv"), "x")
	_, err = ReadRTL(dir)
	require.ErrorContains(t, err, "as a.sv and far/a.sv")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(far, link))
	require.NoError(t, os.Remove(filepath.Join(far, "a.sv")))
	r, err = ReadRTL(link)
	require.NoError(t, err)
	require.Equal(t, "b.sv", r.Module("b"))
}

// A design in folders is built, is built again after an edit in any of them, and is refused, not taken from the cache,
// when a module is there twice.
func TestBuildFromFolders(t *testing.T) {
	text, err := os.ReadFile("testdata/tiny/hdl/rtl/adder.sv")
	require.NoError(t, err)
	s := tiny(t)
	s.RTLDir, s.OutDir, s.Opt = t.TempDir(), filepath.Join(t.TempDir(), "out"), "-Og"
	top, part := filepath.Join(s.RTLDir, "adder", "adder.sv"), filepath.Join(s.RTLDir, "common", "part.sv")
	put(t, top, strings.Replace(string(text), "endmodule", "  part u_part ();\nendmodule", 1))
	put(t, part, "module part; endmodule\n")
	bin, err := Build(t.Context(), s)
	require.NoError(t, err)
	require.False(t, bin.Cached)
	require.True(t, cached(t, s))
	undo := edited(t, part, "part;", "part; wire unused;")
	require.False(t, cached(t, s))
	undo()
	require.True(t, cached(t, s))
	for _, twice := range []string{"part.sv", "adder/part.sv", "zoo/part.sv", "zoo/part.v", "adder.sv"} {
		path := filepath.Join(s.RTLDir, twice)
		put(t, path, "module part; endmodule\n")
		_, err = Build(t.Context(), s)
		require.ErrorIs(t, err, wire.ErrBuild, twice)
		require.ErrorContains(t, err, "is there twice", twice)
		require.NoError(t, os.Remove(path))
	}
	require.True(t, cached(t, s))
	require.NoError(t, os.RemoveAll(filepath.Dir(part)))
	_, err = Build(t.Context(), s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, "part")
}

package launch

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// A build that read another file than the prescribed one is neither made nor used.
func TestPinnedFolder(t *testing.T) {
	s := tiny(t)
	s.OutDir, s.Opt = filepath.Join(t.TempDir(), "out"), "-Og"
	root, err := filepath.Abs(s.Root)
	require.NoError(t, err)
	all := snapshot{}
	sums := map[string]string{}
	for _, pattern := range []string{"hdl/rtl/*", "hdl/gen/*"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NoError(t, all.take(found...))
	}
	for path, st := range all {
		name, err := filepath.Rel(root, path)
		require.NoError(t, err)
		sums[name] = st.Sum
	}
	t.Cleanup(func() { pins.Delete(root) })
	Pin(root, sums)
	_, err = Build(t.Context(), s)
	require.NoError(t, err)
	require.True(t, cached(t, s))

	wrong := maps.Clone(sums)
	wrong["hdl/rtl/adder.sv"] = sums["hdl/gen/adder_top.sv"]
	Pin(root, wrong)
	require.False(t, cached(t, s))
	_, err = Build(t.Context(), s)
	require.ErrorIs(t, err, wire.ErrBuild)
	require.ErrorContains(t, err, "hdl/rtl/adder.sv is not the file built into goldwire")

	unknown := maps.Clone(sums)
	delete(unknown, "hdl/gen/adder_top.sv")
	Pin(root, unknown)
	st, err := readStamp(s.OutDir)
	require.NoError(t, err, "a refused build leaves the earlier one")
	s, _, err = s.resolve()
	require.NoError(t, err)
	require.ErrorContains(t, st.pinned(s.roots()), "adder_top.sv is not the file built into goldwire")
}

func TestPinnedLeavesBuildsAlone(t *testing.T) {
	t.Cleanup(func() { pins.Delete("/pinned") })
	Pin("/pinned", map[string]string{"a.sv": "1"})
	st := &stamp{Files: map[string]string{"$rtl/b.sv": "2", "/elsewhere/c.sv": "3", "$root/a.sv": "1"}}
	roots := []root{{"$rtl", "/pinned/build/faults/x"}, {"$root", "/pinned"}}
	require.NoError(t, st.pinned(roots))
	roots[0].dir = "/pinned/builds"
	require.ErrorContains(t, st.pinned(roots), "/pinned/builds/b.sv")
}

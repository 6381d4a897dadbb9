package launchtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRTLDiffersInOneFile(t *testing.T) {
	const root = "../../.."
	dir := RTL(t, root, "txstate.sv", "module txstate", "module  txstate")
	ours := filepath.Join(root, "hdl", "rtl")
	files, err := filepath.Glob(filepath.Join(ours, "*", "*.sv"))
	require.NoError(t, err)
	var differ []string
	for _, f := range files {
		rel, err := filepath.Rel(ours, f)
		require.NoError(t, err)
		want, err := os.ReadFile(f)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, rel))
		require.NoError(t, err)
		if string(got) != string(want) {
			differ = append(differ, rel)
		}
	}
	require.Equal(t, []string{"txstate/txstate.sv"}, differ)
}

func TestEachTextOccursOnce(t *testing.T) {
	got, err := replaced("a b c", []string{"a", "x", "c", "y"})
	require.NoError(t, err)
	require.Equal(t, "x b y", got)
	for want, pairs := range map[string][]string{
		`"b" occurs 2 times`: {"b", "x"}, `"d" occurs 0 times`: {"d", "x"}, `"a" is replaced by itself`: {"a", "a"},
		"odd number": {"a"}, "give old and new": nil,
	} {
		_, err := replaced("a b b", pairs)
		require.ErrorContains(t, err, want)
	}
}

package near

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestName(t *testing.T) {
	all := []string{"cosim", "golden", "list", "schema", "fabric:incast32"}
	for in, want := range map[string]string{"cosin": "cosim", "csoim": "cosim", "LIST": "list", "gold": "golden",
		"incast32": "fabric:incast32", "xyz": "", "": "", "q": ""} {
		require.Equal(t, want, Name(in, all), in)
	}
	presets := []string{"fattree128/mixed", "fattree128/permutation", "fattree1024/permutation"}
	require.Equal(t, presets[1], Name("fattree128/perm", presets))
	require.Equal(t, presets[1], Name("fattree128/permutaton", presets))
	require.Equal(t, 1, Distance("ab", "ba"))
	require.Equal(t, 3, Distance("kitten", "sitting"))
	require.Equal(t, 3, Distance("", "abc"))
}

func TestKnown(t *testing.T) {
	all := []string{"ccc", "txstate"}
	require.NoError(t, Known("block", "ccc", all, "goldwire list blocks"))
	require.EqualError(t, Known("block", "cc", all, "goldwire list blocks"),
		`unknown block "cc"; did you mean "ccc"? (goldwire list blocks shows all)`)
	require.EqualError(t, Known("block", "egress", all, "goldwire list blocks"),
		`unknown block "egress"; known: ccc, txstate (goldwire list blocks shows all)`)
	require.Error(t, Known("block", "", all, "goldwire list blocks"))
	require.Error(t, Known("block", "ccc", nil, "goldwire list blocks"))
}

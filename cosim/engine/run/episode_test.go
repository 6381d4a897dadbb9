package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An episode of another source is not played under the name of the given one, and a case does not hide that.
func TestEpisodeOfItsSource(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{
		{Source: "directed", Episode: "random/1"},
		{Source: "random", Episode: "directed/key/first"},
		{Source: "fabric:incast32", Episode: "random/1"},
		{Source: "fabric:incast32", Episode: "fabric:incast3"},
		{Source: "directed", Case: "key/first", Episode: "directed/key/second"},
	} {
		c.Block = "txstate"
		require.ErrorIs(t, c.Validate(), ErrConfig, "%s %s", c.Source, c.Episode)
		require.ErrorContains(t, c.Validate(), "episode \"")
	}
	for _, c := range []Config{
		{Source: "random", Episode: "random/1"},
		{Source: "random", Episode: "random"},
		{Source: "directed", Episode: "directed/key/first"},
		{Source: "fabric:incast32", Episode: "fabric:incast32"},
	} {
		c.Block = "txstate"
		require.NoError(t, c.Validate())
	}
}

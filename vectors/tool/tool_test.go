package tool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandLine(t *testing.T) {
	require.Equal(t, `gw vectors gen --a 'b c' '' 'it'\''s' | gw vectors cut`,
		CommandLine("gw", []string{"vectors", "gen", "--a", "b c", "", "it's", "|", "vectors", "cut"}))
}

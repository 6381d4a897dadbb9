package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The rules for float64 are those of the text as it is now.
func TestGeneratedFileIsCurrent(t *testing.T) {
	want, err := expand("..")
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join("..", output))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run: cd golden/cc/nscc && go run ./floatgen")
	require.NotContains(t, string(want), "Of[")
	require.NotContains(t, string(want), "Arith")
}

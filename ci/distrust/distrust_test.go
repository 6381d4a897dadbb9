package distrust

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
)

// The representative part of the campaign; all of it with GOLDWIRE_LONG, and with make distrust.
func TestQuickAttempts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds designs")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	all, err := All()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 60)
	w, err := NewWorld(t.Context(), root)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Close()) }()
	quick := 0
	for i := range all {
		a := &all[i]
		if !a.Quick && !launchtest.Longer() {
			continue
		}
		quick++
		t.Run(a.Name, func(t *testing.T) {
			err := w.Try(t.Context(), a)
			if Skipped(err) {
				t.Skip(err)
			}
			require.NoError(t, err)
		})
	}
	require.GreaterOrEqual(t, quick, 20)
}

// The campaign detects what it must: a run that passes counts as not caught, and a control that does not pass is an
// error.
func TestCampaignCanFail(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it builds designs")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	w, err := NewWorld(t.Context(), root)
	require.NoError(t, err)
	defer func() { require.NoError(t, w.Close()) }()
	err = w.Try(t.Context(), &Attempt{Name: "harmless", Args: tiny()})
	for _, what := range []string{"exit code 0", "the text says PASS", "the JSON report says pass",
		"the JUnit report says pass", "the HTML report says pass"} {
		require.ErrorContains(t, err, what)
	}
	err = w.Try(t.Context(), &Attempt{Name: "silent", Args: tiny("--events", "0")})
	require.ErrorContains(t, err, "control: ")
	err = w.Try(t.Context(), &Attempt{Name: "other words", Control: tiny(), Args: tiny("--case", ""),
		Says: "no such words"})
	require.ErrorContains(t, err, "no such words")
	require.NotContains(t, err.Error(), "says pass")
}

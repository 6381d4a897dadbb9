package campaign_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
)

// A failure keeps its shortest events in its record, whichever of its two results is lost. A pass keeps none.
func TestCases(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain", "differs", "differs and loses it once", "differs and loses it again")
	c, _ := config(t, root, h)
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	all, err := campaign.Read(c.Dir)
	require.NoError(t, err)
	require.Empty(t, all.Records[0].Case)
	require.JSONEq(t, `{"goldwire_case": 1}`, string(all.Records[1].Case))
	require.JSONEq(t, `{"goldwire_case": 1}`, string(all.Records[2].Case))
}

// A single run is judged as in a campaign.
func TestOnce(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "plain", "differs", "broken", "nothing")
	c, _ := config(t, root, h)
	for i, want := range []campaign.Outcome{campaign.Passed, campaign.Failed, campaign.Error, campaign.Error} {
		dir := filepath.Join(t.TempDir(), "once")
		r, err := campaign.Once(t.Context(), root, c.Program, &h.Runs[i], dir)
		require.NoError(t, err)
		require.Equal(t, want, r.Outcome, r.Reason)
		_, err = os.Stat(filepath.Join(dir, "once.log"))
		require.NoError(t, err)
	}
	// A result left in the folder by an earlier run is not this run's.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "once.json"), []byte(`{"verdict": "pass"}`), 0o666))
	r, err := campaign.Once(t.Context(), root, c.Program, &h.Runs[2], dir)
	require.NoError(t, err)
	require.Contains(t, r.Reason, "it left no result")
	_, err = campaign.Once(t.Context(), root, filepath.Join(root, "gone"), &h.Runs[0], t.TempDir())
	require.Error(t, err)
}

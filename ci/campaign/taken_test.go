package campaign_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
)

// A run is taken over only with known inputs and from a record that passed. It is counted separately, and is run as
// soon as a campaign continues without it.
func TestTakenOverIsNotRun(t *testing.T) {
	root := repository(t)
	h := head(t, root, 2, "fine", "differs", "broken")
	c, begun := config(t, root, h)
	_, err := campaign.Run(context.Background(), c)
	require.NoError(t, err)
	earlier, err := campaign.Read(c.Dir)
	require.NoError(t, err)
	earlier.Head.Revision = "abc"

	inputs := map[string]string{"fine.1": "f00", "differs.1": "f00", "broken.1": "f00"}
	taken := campaign.TakeOver(c.Dir, earlier, h, inputs)
	require.Len(t, taken, 1)
	require.Equal(t, &campaign.Origin{Dir: c.Dir, Revision: "abc", Inputs: "f00"}, taken["fine.1"].From)

	begun()
	next := c
	next.Dir, next.Taken = t.TempDir(), taken
	sum, err := campaign.Run(context.Background(), next)
	require.NoError(t, err)
	require.NotContains(t, begun(), "fine.1")
	require.Equal(t, 1, sum.TakenOver)
	require.Equal(t, 1, sum.Passed)
	require.Equal(t, sum.Planned, sum.Passed+sum.Failed+sum.Errors+sum.Missing+sum.TakenOver)
	require.Equal(t, campaign.Taken, sum.Runs[0].Outcome)
	require.Zero(t, sum.Runs[0].Cost)
	require.Equal(t, []string{"1 run taken over from " + c.Dir + ", revision abc, inputs f00"}, sum.Origins())

	// A chain takes over only runs with the same inputs as at its beginning.
	second, err := campaign.Read(next.Dir)
	require.NoError(t, err)
	second.Head.Revision = "def"
	require.Equal(t, "abc", campaign.TakeOver(next.Dir, second, h, inputs)["fine.1"].From.Revision)
	require.Empty(t, campaign.TakeOver(next.Dir, second, h, map[string]string{"fine.1": "other"}))

	// Another command line is another run.
	changed := *h
	changed.Runs = append(changed.Runs[:0:0], h.Runs...)
	changed.Runs[0].Args = append(changed.Runs[0].Args[:2:2], "more")
	require.Empty(t, campaign.TakeOver(c.Dir, earlier, &changed, map[string]string{"fine.1": "f00"}))

	// If one folder ran it and another took it over, the answer of the first counts.
	sum, err = campaign.Merge(t.TempDir(), []string{c.Dir, next.Dir})
	require.NoError(t, err)
	require.Zero(t, sum.TakenOver)
	require.Equal(t, 2, sum.Passed)

	next.Taken = nil
	sum, err = campaign.Run(context.Background(), next)
	require.NoError(t, err)
	require.Equal(t, []string{"fine.1"}, begun())
	require.Zero(t, sum.TakenOver)
	require.Equal(t, 2, sum.Passed)
}

// A campaign in which every run is taken over ran nothing, passes, and says so.
func TestAllTakenOver(t *testing.T) {
	root := repository(t)
	h := head(t, root, 1, "fine")
	c, begun := config(t, root, h)
	_, err := campaign.Run(context.Background(), c)
	require.NoError(t, err)
	earlier, err := campaign.Read(c.Dir)
	require.NoError(t, err)
	begun()
	c.Taken = campaign.TakeOver(c.Dir, earlier, h, map[string]string{"fine.1": "f00"})
	c.Dir = t.TempDir()
	sum, err := campaign.Run(context.Background(), c)
	require.NoError(t, err)
	require.Empty(t, begun())
	require.Equal(t, campaign.Passed, sum.Verdict)
	require.Zero(t, sum.Fields)
	require.Equal(t, "1 planned = 0 passed + 0 failed + 0 errors + 0 missing + 1 taken over", sum.Account())
}

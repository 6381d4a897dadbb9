package campaign_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
)

// A failure is named after the first signal that differs from the good design. If that is impossible, the reason is
// given; it neither revokes the failure nor changes its key.
func TestParting(t *testing.T) {
	for _, x := range []struct {
		name, failing, good string
		more                []string // arguments of the run
		signal, why         string
	}{
		{name: "parts", failing: "failing", good: "good", signal: "top.x_q"},
		{name: "no good design", failing: "failing"},
		{name: "good fails", failing: "failing", good: "good fails", why: "the good design does not pass"},
		{name: "good breaks", failing: "failing", good: "good breaks", why: "the good design does not pass"},
		{name: "no signals", failing: "failing", good: "good without signals", why: "no such file"},
		{name: "not again", failing: "passing", good: "good", why: "does not fail again"},
		{name: "bound", failing: "failing", good: "good", more: []string{"--dut", "dut.yaml"}, why: "bound by a dut.yaml"},
	} {
		t.Run(x.name, func(t *testing.T) {
			root := repository(t)
			h := head(t, root, 2, "differs")
			h.Runs = h.Runs[1:] // seed 2
			h.Runs[0].Args = append(h.Runs[0].Args, append([]string{"--rtl", x.failing}, x.more...)...)
			h, err := campaign.NewHead(root, "/proc/self/exe", "stage", "night", h.Runs, h.Goals)
			require.NoError(t, err)
			c, _ := config(t, root, h)
			if x.good != "" {
				c.Good = &campaign.Good{Name: "abc", RTL: x.good}
			}
			sum, err := campaign.Run(t.Context(), c)
			require.NoError(t, err)
			require.Equal(t, 1, sum.Failed)
			all, err := campaign.Read(c.Dir)
			require.NoError(t, err)
			r := all.Records[0]
			f := r.Result.Failure
			key := campaign.KeyOf(&r.Run, f)
			if x.good == "" {
				require.Nil(t, f.Parting)
			} else {
				require.Equal(t, "abc", f.Parting.Good)
				require.Equal(t, x.signal, f.Parting.Signal)
				require.Contains(t, f.Parting.Why, x.why)
				require.NotEqual(t, x.signal == "", f.Parting.Why == "")
			}
			require.Equal(t, x.signal != "", key.Parting)
			if x.signal != "" {
				require.Equal(t, uint64(1), f.Parting.Cycle)
				require.Contains(t, key.Title(), "toy: top.x_q is the first signal that differs")
				require.Regexp(t, "^toy-top-x_q-[0-9a-f]{8}$", key.Name())
				return
			}
			f.Parting = nil
			require.Equal(t, campaign.KeyOf(&r.Run, f), key)
		})
	}
}

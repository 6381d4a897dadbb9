// Package resulttest has what tests of the fabric require of a run's result.
package resulttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// Verified requires every byte delivered, the books in order and the network empty. It returns r.
func Verified(t testing.TB, r *result.Result) *result.Result {
	t.Helper()
	require.NoError(t, r.Verify())
	require.Empty(t, r.Unfinished())
	require.Zero(t, r.DataInside+r.CtlInside, "packets inside")
	require.Equal(t, uint64(len(r.Flows)), r.Counters.FlowsAcked)
	return r
}

// Books requires that a run of spec conserves packets: every byte delivered once, every packet accounted for, no
// queue over its limit, no packet left, the window respected before each send. It returns r.
func Books(t testing.TB, spec *settings.Spec, r *result.Result) *result.Result {
	t.Helper()
	Verified(t, r)
	c := &r.Counters
	require.Zero(t, c.WindowBreaks)
	require.Zero(t, c.GaveUp)
	require.Equal(t, c.Pauses, c.Resumes, "every pause ends")
	require.Equal(t, r.Books.Sent, r.Delivered()+r.Books.Lost)
	if spec.PFC {
		require.Zero(t, c.DataDrops, "lossless")
		require.Zero(t, c.Trims)
	}
	return r
}

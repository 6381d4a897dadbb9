package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
)

// The switch port's assertions notice a packet that leaves the trimmer with another length than was booked, even if no
// output shows it: after the trimmer nothing depends on a length that is too large.
func TestSwitchAssertionsSeeBookedLength(t *testing.T) {
	t.Parallel()
	launchtest.Long(t, "for this assertion nothing; TestWaveOfAssertion shows that one stops a run")
	dir := launchtest.RTL(t, "../../..", "switchport_read.sv", "deqr_i.ce, length,\n                 deqr_i.len, in_port",
		"deqr_i.ce, length,\n                 length, in_port")
	res, err := Run(t.Context(), Config{Root: "../../..", Block: "switchport", Source: "directed",
		Case: "booked/size/ipv4", Seed: 1, NoShrink: true, RTLDir: dir, Assert: true})
	require.NoError(t, err)
	require.NotNil(t, res.FirstMismatch)
	require.Len(t, res.FirstMismatch.Fields, 1)
	require.Contains(t, res.FirstMismatch.Fields[0].Got, "a packet leaves the trimmer with another length than was booked")
}

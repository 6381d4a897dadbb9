package egress

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// TestEgressCoverageSeesDisagreement plays three cycles by hand: an enqueue that is accepted, and a response
// that does not follow from it.
func TestEgressCoverageSeesDisagreement(t *testing.T) {
	for _, depth := range []uint32{100, 101} {
		c := cover.New(Coverage, nil)
		in, out := make([]uint64, egress.InWords), make([]uint64, egress.OutWords)
		c.Cycle(in, out)
		in[0] = egress.InRstN
		egress.PackEnq(&egress.Enq{Port: 1, Len: 100, Id: 7}, in)
		in[0] |= egress.InEnqValid
		out[0] = egress.OutEnqReady
		c.Cycle(in, out)
		in[0], out[0] = egress.InRstN|egress.InEnqrReady, 0
		c.Cycle(in, out)
		egress.PackEnqr(&egress.Enqr{Port: 1, Id: 7, Verdict: egress.VerdictAdmit, Len: 100, Depth: depth, PortBytes: 100},
			out)
		out[0] |= egress.OutEnqrValid
		c.Cycle(in, out)
		require.Equal(t, uint64(depth-100), c.Differences())
		n, ok := c.Hits("verdict_class/admit.low")
		require.True(t, ok)
		require.EqualValues(t, 1, n)
	}
}

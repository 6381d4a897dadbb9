package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/elastic"
)

// A finding that the binding may be to blame for says so, and no other.
func TestHint(t *testing.T) {
	spec := func(block string) *elastic.Spec {
		k, err := dut.Lookup(block)
		require.NoError(t, err)
		s := elastic.DefaultSpec(k.Schema)
		return &s
	}
	one, several := spec("ccc"), spec("egress")
	for _, k := range []elastic.Kind{elastic.Wrong, elastic.Extra, elastic.Stuck, elastic.Unstable, elastic.RTL, elastic.Differs} {
		require.Empty(t, hint(&elastic.Finding{Kind: k}, one, true), k)
	}
	require.Equal(t, "flush of the binding gives a response 512 cycles; raise it when the design may take longer",
		hint(&elastic.Finding{Kind: elastic.Missing}, one, false))
	for _, k := range []elastic.Kind{elastic.Wrong, elastic.Extra, elastic.Missing} {
		require.Contains(t, hint(&elastic.Finding{Kind: k}, several, false), "its several streams, those of one cycle together; where", k)
		require.Contains(t, hint(&elastic.Finding{Kind: k}, several, true), "in the order of the schema's streams; where", k)
	}
	require.Contains(t, hint(&elastic.Finding{Kind: elastic.Missing}, several, true), "may take longer; expected is")
	for _, k := range []elastic.Kind{elastic.Stuck, elastic.Unstable, elastic.RTL, elastic.Differs} {
		require.Empty(t, hint(&elastic.Finding{Kind: k}, several, true), k)
	}
}

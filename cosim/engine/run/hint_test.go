package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
)

// If no --per helps, the error names what would.
func TestRecordable(t *testing.T) {
	t.Parallel()
	one, err := block.Lookup("ccc")
	require.NoError(t, err)
	several, err := block.Lookup("egress")
	require.NoError(t, err)
	bound := func(l bind.Latency) *Config {
		return &Config{Bind: &bind.Binding{File: "my.yaml", Latency: l, Block: one.Schema}}
	}
	golden, elastic, exact := &Config{Golden: "unix:/x"}, bound(bind.Elastic), bound(bind.Exact)
	for _, cfg := range []*Config{golden, elastic, exact} {
		require.NoError(t, recordable(cfg, one.Schema, ""))
	}
	require.NoError(t, recordable(exact, several.Schema, ""))
	require.ErrorContains(t, recordable(elastic, several.Schema, ""),
		"the 2 input streams of block egress meet in cycles, which its vector files keep, and my.yaml says latency: "+
			"elastic; give latency: exact")
	require.ErrorContains(t, recordable(golden, several.Schema, ""),
		"which a golden program does not see; let a design with latency: exact answer")
}

// The report mentions the binding for findings that it may have caused, and for no others.
func TestHint(t *testing.T) {
	t.Parallel()
	spec := func(name string) *elastic.Spec {
		k, err := block.Lookup(name)
		require.NoError(t, err)
		s := elastic.DefaultSpec(k.Schema)
		return &s
	}
	one, several := spec("ccc"), spec("egress")
	for _, k := range []elastic.Kind{elastic.Wrong, elastic.Extra, elastic.Stuck, elastic.Unstable, elastic.RTL,
		elastic.Differs} {
		require.Empty(t, hint(&elastic.Finding{Kind: k}, one, false), k)
	}
	require.Equal(t, "flush of the binding gives a response 512 cycles; raise it when the design may take longer",
		hint(&elastic.Finding{Kind: elastic.Missing}, one, true))
	for _, k := range []elastic.Kind{elastic.Wrong, elastic.Extra, elastic.Missing} {
		require.Contains(t, hint(&elastic.Finding{Kind: k}, several, true),
			"its several streams, those of one cycle together; where", k)
		require.Contains(t, hint(&elastic.Finding{Kind: k}, several, false), "in the order of the schema's streams; where", k)
	}
	require.Contains(t, hint(&elastic.Finding{Kind: elastic.Missing}, several, false), "may take longer; expected is")
	for _, k := range []elastic.Kind{elastic.Stuck, elastic.Unstable, elastic.RTL, elastic.Differs} {
		require.Empty(t, hint(&elastic.Finding{Kind: k}, several, false), k)
	}
}

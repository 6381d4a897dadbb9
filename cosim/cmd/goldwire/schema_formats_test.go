package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

func TestSchemaFormats(t *testing.T) {
	o := call(t, newFake(), "schema", "show", "ccc", "--formats")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Regexp(t, `(?m)^avg_delay +48 +UQ32\.16 +floor +none +ticks$`, o.stdout)
	require.Regexp(t, `(?m)^ALPHA +32 +UQ16\.16 +nearest-even +none +bytes/tick$`, o.stdout)
	require.Regexp(t, `(?m)^fair_inc +55 +UQ55\.0 +floor +none +byte\*byte +\(FI \* delta\) >> 8$`, o.stdout)
	o = call(t, newFake(), "schema", "show", "txstate", "--formats")
	require.Equal(t, cli.ExitBroken, o.code)
	require.Contains(t, o.stderr, "block txstate has no table of formats; give one of: ccc, credit, intmd")
	o = call(t, newFake(), "schema", "show", "ccc", "--formats", "--hash")
	require.Equal(t, cli.ExitBroken, o.code)
}

func TestSchemaFormatsOfIntmd(t *testing.T) {
	var out strings.Builder
	require.NoError(t, (&app{App: &cli.App{Stdout: &out}}).showFormats(intmd.Schema()))
	require.Regexp(t, `(?m)^STEP +24 +UQ8\.16 +nearest-even +none +ns$`, out.String())
	require.Regexp(t, `(?m)^qLen +16 +UQ16\.0 +floor +saturate +80 bytes +min\(floor\(ql\[p\] / 80\), 65535\)$`,
		out.String())
	require.NotContains(t, out.String(), "state ", "the block has no words with arithmetic")
}

package run

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trimmer in VHDL answers as the model. A fault that a generic plants is found.
func TestVHDL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ bug, source, single string }{
		{"0", "random", ""}, {"0", "directed", "cut/ipv4"}, {"0", "directed", ""}, {"1", "random", ""},
	} {
		if c.source == "directed" && long() != (c.single == "") {
			continue
		}
		ctx, cfg := bound(t, examples, "vhdl/dut.yaml")
		cfg.Source, cfg.Case, cfg.Events = c.source, c.single, 1500
		cfg.Bind.Parameters["BUG"] = c.bug
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Empty(t, res.Uncompared)
		if c.bug == "1" {
			require.NotZero(t, res.Mismatches)
			require.Equal(t, []string{"tx_data"}, fieldNames(res.FirstMismatch))
			continue
		}
		require.Zero(t, res.Mismatches, "%s: %v", c.source, res.FirstMismatch)
		require.Greater(t, res.Responses, uint64(250))
	}
}

// A design of escaped identifiers agrees with the same block under plain names. A fault in one of its generate scopes,
// planted through a parameter, is found in the byte that it changes.
func TestEscapedNames(t *testing.T) {
	t.Parallel()
	ctx, cfg := bound(t, bindData, "escaped/dut.yaml")
	cfg.Against = other(t, examples, "stream/old.yaml")
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	require.Zero(t, res.Mismatches)
	require.Greater(t, res.Responses, uint64(1500))

	ctx, cfg = bound(t, bindData, "escaped/dut.yaml")
	cfg.Against = other(t, examples, "stream/old.yaml")
	cfg.Bind.Parameters["Lane__wrong"] = "2"
	res, err = Run(ctx, cfg)
	require.NoError(t, err)
	require.EqualValues(t, 1, res.Mismatches)
	m := res.FirstMismatch
	require.Equal(t, "tx_data", m.Fields[0].Name)
	require.Equal(t, "+65536", strings.Replace(m.Fields[0].DiffLSB, "-", "+", 1))
	require.Equal(t, 1, m.ShrunkTo, m.Shrunk)
}

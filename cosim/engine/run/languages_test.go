package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A design in VHDL agrees with the same block in SystemVerilog. A fault that a generic plants is found.
func TestVHDL(t *testing.T) {
	t.Parallel()
	for bug, mismatches := range []uint64{0, 1} {
		ctx, cfg := bound(t, examples, "vhdl/dut.yaml")
		cfg.Against, cfg.Events = other(t, examples, "old_new/old.yaml"), 10_000
		cfg.Bind.Parameters["BUG"] = fmt.Sprint(bug)
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, mismatches, res.Mismatches)
		if bug == 1 {
			require.Equal(t, "rsp_y", res.FirstMismatch.Fields[0].Name)
			require.Equal(t, "-1", res.FirstMismatch.Fields[0].DiffLSB)
		}
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

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// TestFabricPacers: the receiver's pacer on the RTL agrees with that in fixed point, and a design that differs is a
// mismatch, although its network has followed the model.
func TestFabricPacers(t *testing.T) {
	args := with(small, "--cc", "rccc,rccc-fixed,rccc-rtl")
	o := call(t, newFake(), args...)
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "rccc-fixed and rccc-rtl agree exactly")
	require.Contains(t, o.stdout, " pulls of block credit with the model, in every cycle but ")
	require.Contains(t, o.stdout, "; the design leaves it in 0 of 1 ")
	dir := launchtest.RTL(t, "../../..", "credit_pace.sv", "sum[Frac-1:0]};", "{Frac{1'b0}}};")
	o = call(t, newFake(), with(args, "--rtl", dir)...)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "MISMATCH  rccc-fixed and rccc-rtl differ: seed 1: the design left the model at pull ")
}

// TestFabricNICs: hosts that are NICs on the RTL agree with those that are its model, and the report tells how much was
// compared.
func TestFabricNICs(t *testing.T) {
	o := call(t, newFake(), "fabric", "run", "fattree128/incast32", "--set", "k=4", "--set", "incast=3", "--set",
		"rtt.us=3", "--set", "mtu=4160", "--set", "lb=oblivious", "--set", "flow.bytes=20000", "--cc",
		"nscc-fixed,nscc-nicmodel,nscc-nic")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "nscc-nicmodel and nscc-nic agree exactly: every completion time")
	require.Contains(t, o.stdout, " frames of block nic with the model, in every cycle; the design leaves it in 0 of 1 ")
}

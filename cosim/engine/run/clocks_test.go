package run

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/report"
)

const fifo = "two_clocks/dut.yaml"

// clocked plays a block behind a FIFO between clocks of these periods against the block alone. Edit changes the run.
func clocked(t *testing.T, in, out int, edit func(*Config)) *report.Result {
	t.Helper()
	ctx, cfg := bound(t, examples, fifo)
	cfg.Against, cfg.NoShrink = other(t, examples, "stream/old.yaml"), true
	require.Equal(t, "s_clk", cfg.Bind.Domains[1].Port)
	cfg.Bind.Domains[0].Period, cfg.Bind.Domains[1].Period = out, in
	if edit != nil {
		edit(&cfg)
	}
	res, err := Run(ctx, cfg)
	require.NoError(t, err)
	return res
}

// A FIFO between two clocks agrees whatever their periods, with bits that cross late. One run is like the next of its
// seed.
func TestTwoClocks(t *testing.T) {
	t.Parallel()
	periods := [][2]int{{10, 3}}
	if long() { // each is a build
		periods = append(periods, [][2]int{{3, 10}, {2, 2}, {5, 5}, {7, 8}, {8, 7}, {2, 31}, {31, 2}, {100, 99}}...)
	}
	for _, p := range periods {
		res := clocked(t, p[0], p[1], nil)
		require.Zero(t, res.Mismatches, "%v: %v", p, res.FirstMismatch)
		require.Greater(t, res.Responses, uint64(1500))
	}
	again := func() uint64 {
		return clocked(t, 10, 3, func(cfg *Config) { cfg.Source, cfg.Episode = "random", "random/0" }).Cycles
	}
	require.Equal(t, again(), again())
}

// Pointers that cross in binary are found, at whichever side is the faster one, where bits cross late as in silicon.
// Without that, no bus is torn, so that the fault does not show: the design has to be built with it.
func TestPointersThatCrossInBinary(t *testing.T) {
	t.Parallel()
	binary := func(cfg *Config) { cfg.Bind.Parameters = map[string]string{"BUG": "1"} }
	for _, p := range [][2]int{{10, 3}, {7, 10}} {
		if !long() && p[0] < p[1] {
			continue
		}
		res := clocked(t, p[0], p[1], binary)
		require.NotZero(t, res.Mismatches, "%v", p)
		require.Equal(t, report.Mismatched, res.Verdict())
	}
	res := clocked(t, 10, 3, func(cfg *Config) {
		binary(cfg)
		cfg.Bind.Defines = nil
	})
	require.Zero(t, res.Mismatches)
}

// A response that is withdrawn, or changes, between two edges of its clock is found, and the cut of beats goes with
// clocks, too.
func TestHandshakeOnItsOwnClock(t *testing.T) {
	t.Parallel()
	dir := edited(t, bindData+"/bus", "parameters: {W: 64}", "parameters: {W: 256}", "dut.yaml", "schema.yaml", "echo.sv")
	reference := onBus(other(t, dir, "dut.yaml"), 256)
	for bug, text := range map[int]string{0: "", 1: "was changed", 2: "was withdrawn"} {
		ctx, cfg := bound(t, bindData, "bus/dut.yaml")
		cfg.Against, cfg.NoShrink = reference, true
		cfg.Bind.PlusArgs = []string{fmt.Sprint("+bug=", bug)}
		all := []string{"rx", "tx"}
		cfg.Bind.Clock, cfg.Bind.Domains = "", []bind.Domain{{Port: "clk", Period: 4, Phase: -1, Streams: all}}
		res, err := Run(ctx, cfg)
		require.NoError(t, err)
		if bug == 0 {
			require.Zero(t, res.Mismatches, "%v", res.FirstMismatch)
			continue
		}
		require.NotZero(t, res.Mismatches)
		require.Contains(t, res.FirstMismatch.Fields[0].Got, "tx: what waited for ready "+text)
	}
}

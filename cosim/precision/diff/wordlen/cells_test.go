package wordlen

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/precision/diff"
)

// installed returns the Yosys of this machine.
func installed(t *testing.T) *Yosys {
	t.Helper()
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not on PATH: cells were not counted")
	}
	y, err := FindYosys(t.Context())
	require.NoError(t, err)
	return y
}

func TestCells(t *testing.T) {
	y := installed(t)
	require.Contains(t, y.Version, "Yosys")
	n := func(s Size) int {
		c, err := y.cells(t.Context(), s)
		require.NoError(t, err)
		require.Positive(t, c)
		return c
	}
	require.Equal(t, 1, n(Size{A: 1, B: 1}), "one bit times one bit is an AND")
	small, wide := n(Size{A: 4, B: 6}), n(Size{A: 8, B: 6})
	require.Less(t, small, wide)
	require.GreaterOrEqual(t, small, 4*6, "a gate for each partial product at least")
	require.Equal(t, 8*n(Size{Divides: true, A: 1, B: 5}), n(Size{Divides: true, A: 8, B: 5}))
	require.Less(t, n(Size{Divides: true, A: 8, B: 5}), n(Size{Divides: true, A: 8, B: 6}))
}

// The row that is counted is that of a divider: four of them divide.
func TestRowDivides(t *testing.T) {
	y := installed(t)
	dir := t.TempDir()
	text := row + `module check(input [3:0] n, input [2:0] d, output ok);
  wire [2:0] r3, r2, r1, r0;
  wire [3:0] q;
  unit #(.B(3)) u3 (.rest(3'd0), .next(n[3]), .d(d), .left(r3), .q(q[3]));
  unit #(.B(3)) u2 (.rest(r3), .next(n[2]), .d(d), .left(r2), .q(q[2]));
  unit #(.B(3)) u1 (.rest(r2), .next(n[1]), .d(d), .left(r1), .q(q[1]));
  unit #(.B(3)) u0 (.rest(r1), .next(n[0]), .d(d), .left(r0), .q(q[0]));
  assign ok = d == 0 || q == n / d && r0 == n % d;
endmodule
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "check.v"), []byte(text), 0o644))
	_, err := y.run(t.Context(), dir, "-q", "-p", "read_verilog check.v; hierarchy -top check; proc; flatten; opt; "+
		"sat -verify -prove ok 1 check")
	require.NoError(t, err)
}

// The contract, the winner and every table of the front have their cells, and each unit has its own.
func TestRunCountsCells(t *testing.T) {
	spec := small()
	spec.Values = []Range{{"GAMMA", 4, 8}, {"ratio", 10, 16}}
	spec.Errors = []Bound{{"cwnd", 2000}}
	spec.Cells = installed(t)
	res, err := Run(t.Context(), spec)
	require.NoError(t, err)
	require.Len(t, res.Units, len(products))
	was, is := 0, 0
	for _, u := range res.Units {
		require.Positive(t, u.Contract.Cells, u.Name)
		require.Positive(t, u.Here.Cells, u.Name)
		if u.Contract.String() == u.Here.String() {
			require.Equal(t, u.Contract, u.Here)
		}
		was, is = was+u.Contract.Cells, is+u.Here.Cells
	}
	require.Equal(t, was, res.Contract.Cells)
	require.Equal(t, is, res.Winner.Cells)
	require.Less(t, is, was, "GAMMA has at least eight bits fewer")
	for _, p := range res.Front {
		require.Positive(t, p.Cells)
		if p.Cost == res.Winner.Cost {
			require.Equal(t, is, p.Cells)
		}
	}
	var text bytes.Buffer
	require.NoError(t, res.WriteText(&text))
	require.Regexp(t, `(?m)^GAMMA \* ratio +16 x 17 bits +[\d,]+$`, text.String()) // the contract's, in the first part
	require.Regexp(t, `(?m)^GAMMA \* ratio +\d x \d+ bits +\d+$`, text.String())   // of a table of two parts
	require.Regexp(t, `(?m)^bits +cells +cwnd off by`, text.String())
}

// A Yosys that fails, hangs or gives no number is an error that names it, and never a table of no cells.
func TestYosysThatBreaks(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"fails":           {"echo unknown command stat >&2; exit 1", "exit status 1: unknown command stat"},
		"writes nothing":  {"exit 0", "stat.json: no such file"},
		"no object":       {"echo nothing > stat.json", "its statistics: invalid character"},
		"no number":       {`echo '{"design": {}}' > stat.json`, "no cells in the design"},
		"an empty design": {`echo '{"design": {"num_cells": 0}}' > stat.json`, "no cells in the design"},
		"does not end":    {"exec sleep 60", "did not end within 200ms"},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "yosys")
			require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
			y := &Yosys{Program: program, Limit: 10 * time.Second}
			if c.want == "did not end within 200ms" {
				y.Limit = 200 * time.Millisecond
			}
			_, err := y.cells(t.Context(), Size{A: 2, B: 3})
			require.ErrorIs(t, err, errYosys)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "cells of 2 x 3 bits")
			require.NotContains(t, err.Error(), "\n", "one line")
		})
	}
	t.Setenv("PATH", t.TempDir())
	_, err := FindYosys(t.Context())
	require.ErrorContains(t, err, "yosys is not on PATH")
	t.Setenv("YOSYS", "other-yosys")
	_, err = FindYosys(t.Context())
	require.ErrorContains(t, err, "other-yosys is not on PATH")
}

// An interrupt is one, and no failure of Yosys.
func TestCellsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("interrupted")
	cancel(stop)
	_, err := (&Yosys{Program: "/bin/true"}).all(ctx, nil)
	require.NoError(t, err, "nothing to count")
	_, err = (&Yosys{Program: "/bin/true"}).cells(ctx, Size{A: 1, B: 1})
	require.ErrorIs(t, err, stop)
	require.NotErrorIs(t, err, diff.ErrNothing)
}

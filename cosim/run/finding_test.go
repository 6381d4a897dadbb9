package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/dut"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// forms are the formats of a report.
var forms = map[string]func(io.Writer, *report.Report) error{
	"text": report.WriteText, "json": report.WriteJSON, "junit": report.WriteJUnit, "html": report.WriteHTML,
}

// requireFinding wants a result that is a mismatch in every format, found by an observer, with event and field.
func requireFinding(t *testing.T, res *report.Result, by, field, event string) {
	t.Helper()
	require.Equal(t, report.Mismatched, res.Verdict(), res.Reason())
	require.EqualValues(t, 1, res.Mismatches)
	require.Empty(t, res.Digest)
	m := res.FirstMismatch
	require.Equal(t, by, m.FoundBy)
	require.NotEmpty(t, m.Fields)
	require.Contains(t, m.Fields[0].Name, field)
	require.Contains(t, m.Event, event)
	require.NotEmpty(t, m.Reproduce)
	require.Contains(t, res.Reason(), "found by the "+by)
	for form, write := range forms {
		var b bytes.Buffer
		require.NoError(t, write(&b, &report.Report{Results: []report.Result{*res}}))
		for _, want := range []string{by, field, event} {
			require.Contains(t, b.String(), want, form)
		}
		require.Regexp(t, "(?i)mismatch", b.String(), form)
		require.NotRegexp(t, "(?i)\\bpass\\b", strings.ReplaceAll(b.String(), `class="tag good">pass`, ""), form)
	}
}

// turned is a model that turns one bit of each packet from a beat on, so that a checksum is wrong.
func turned(from int) func(n int, twin dut.Twin, in, out []uint64) {
	k, _ := dut.Lookup("trimmer")
	l := event.NewLayout(k.Schema)
	data, valid := l.Out.Slot("tx", "data").Word, l.Out.Control("tx_valid")
	seen, open := 0, false
	last := l.Out.Slot("tx", "last")
	return func(_ int, twin dut.Twin, in, out []uint64) {
		twin.Cycle(in, out)
		if out[0]&valid == 0 {
			return
		}
		if !open && out[data+1]>>32&0xffffff == 0x450008 {
			if seen++; seen > from {
				out[data+36/8] ^= 1 << (8 * (36 % 8))
			}
		}
		if in[0]&l.In.Control("tx_ready") != 0 {
			open = last.Get(out) == 0
		}
	}
}

// A packet that the judge finds wrong is a mismatch, with its event and field, however the run ends.
func TestWrongPacketIsAMismatch(t *testing.T) {
	cfg := Config{Block: "trimmer", Source: "fabric:incast32", Events: 6000, Seed: 2, ModelOnly: true}
	res, err := runTampered(t, t.Context(), cfg, turned(30))
	require.NoError(t, err)
	requireFinding(t, res, "packet judge", "tx_data", "packet ")
	require.Contains(t, res.FirstMismatch.Fields[0].Got, "a wrong UDP checksum")
	require.Contains(t, res.FirstMismatch.Place, "at tx, counted from 0 since reset")
	require.Equal(t, "model", res.FirstMismatch.FoundIn)
	require.NotZero(t, res.FirstMismatch.Cycle)

	ctx, cancel := context.WithCancel(t.Context())
	turn := turned(30)
	res, err = runTampered(t, ctx, cfg, func(n int, twin dut.Twin, in, out []uint64) {
		if turn(n, twin, in, out); n == 5000 {
			cancel()
		}
	})
	require.Error(t, err, "it was interrupted")
	require.Equal(t, report.Mismatched, res.Verdict())
	require.False(t, res.Interrupted)

	turn = turned(30)
	res, err = runTampered(t, t.Context(), cfg, func(n int, twin dut.Twin, in, out []uint64) {
		if n == 5000 {
			panic("row 9 of 8")
		}
		turn(n, twin, in, out)
	})
	require.ErrorContains(t, err, "row 9 of 8")
	require.Equal(t, report.Mismatched, res.Verdict())
	require.Equal(t, "packet judge", res.FirstMismatch.FoundBy)
	require.Contains(t, res.Broken, "row 9 of 8")
}

// misverdict is a model of egress that turns the lowest bit of the port's bytes in an answer.
func misverdict(from int) func(n int, twin dut.Twin, in, out []uint64) {
	seen := 0
	return func(_ int, twin dut.Twin, in, out []uint64) {
		twin.Cycle(in, out)
		if out[0]&egress.OutEnqrValid == 0 {
			return
		}
		var x egress.Enqr
		if egress.UnpackEnqr(out, &x); !x.Refused {
			if seen++; seen > from {
				x.PortBytes ^= 1
				egress.PackEnqr(&x, out)
			}
		}
	}
}

// An answer that differs from the state that coverage follows is a mismatch, in a run by cycles and in one by answers.
func TestWrongAnswerIsAMismatch(t *testing.T) {
	cfg := Config{Block: "egress", Source: "random", Events: 6000, Seed: 2, ModelOnly: true}
	res, err := runTampered(t, t.Context(), cfg, misverdict(100))
	require.NoError(t, err)
	requireFinding(t, res, "coverage follower", "enqr", "enq: ENQ port=")
	require.Contains(t, res.FirstMismatch.Fields[0].Want, "followed")
	require.NotContains(t, res.FirstMismatch.Place, "not known")
	require.Contains(t, res.Cases[0].Message, res.FirstMismatch.Reproduce)
	require.True(t, res.Cases[0].Failed)
}

// A follower that contradicts its proofs, panics, or packets that cannot be given out are failures of the harness.
func TestObserverThatBreaksIsNoMismatch(t *testing.T) {
	if _, err := launch.FindVerilator(t.Context()); err != nil {
		t.Skipf("no Verilator: %v", err)
	}
	cfg := Config{Root: "../..", Block: "trimmer", Source: "random", Events: 500, Seed: 1}
	cfg.Frames = func(Frame) error { return errors.New("disk full") }
	res, err := Run(t.Context(), cfg)
	require.ErrorContains(t, err, "frames of the device: disk full")
	require.Equal(t, report.Errored, res.Verdict())
	require.Zero(t, res.Mismatches)
}

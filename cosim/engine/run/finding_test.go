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
	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/engine/packets"
	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
)

// forms are the formats of a report.
var forms = map[string]func(io.Writer, *report.Report) error{
	"text": report.WriteText, "json": report.WriteJSON, "junit": report.WriteJUnit, "html": report.WriteHTML,
}

// requireFinding requires a result that is a mismatch in every format, found by an observer, with event and field.
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

// turned is a model that flips one bit of each packet from beat from on, which makes a checksum wrong.
func turned(from int) func(n int, model event.Model, in, out []uint64) {
	k, _ := block.Lookup("trimmer")
	l := event.NewLayout(k.Schema)
	data, valid := l.Out.Slot("tx", "data").Word, l.Out.Control("tx_valid")
	seen, open := 0, false
	last := l.Out.Slot("tx", "last")
	return func(_ int, model event.Model, in, out []uint64) {
		model.Cycle(in, out)
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
	t.Parallel()
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
	res, err = runTampered(t, ctx, cfg, func(n int, model event.Model, in, out []uint64) {
		if turn(n, model, in, out); n == 5000 {
			cancel()
		}
	})
	require.Error(t, err, "it was interrupted")
	require.Equal(t, report.Mismatched, res.Verdict())
	require.False(t, res.Interrupted)

	turn = turned(30)
	res, err = runTampered(t, t.Context(), cfg, func(n int, model event.Model, in, out []uint64) {
		if n == 5000 {
			panic("row 9 of 8")
		}
		turn(n, model, in, out)
	})
	require.ErrorContains(t, err, "row 9 of 8")
	require.Equal(t, report.Mismatched, res.Verdict())
	require.Equal(t, "packet judge", res.FirstMismatch.FoundBy)
	require.Contains(t, res.Broken, "row 9 of 8")
}

// miscounts is a model of egress that flips the lowest bit of the port's bytes in the answers to packets.
func miscounts(_ int, model event.Model, in, out []uint64) {
	model.Cycle(in, out)
	if out[0]&egress.OutEnqrValid == 0 {
		return
	}
	var x egress.Enqr
	if egress.UnpackEnqr(out, &x); x.Kind == egress.KindEnq && !x.Refused {
		x.PortBytes ^= 1
		egress.PackEnqr(&x, out)
	}
}

// An answer that differs from the state that coverage follows is a mismatch, even if model and RTL give the same.
func TestWrongAnswerIsAMismatch(t *testing.T) {
	t.Parallel()
	rtl := launchtest.RTL(t, "../../..", "egress.sv", "packet ? enq_port_bytes : 32'b0",
		"packet ? enq_port_bytes ^ 32'b1 : 32'b0")
	for in, cfg := range map[string]Config{
		"model":         {Block: "egress", Source: "random", Events: 6000, Seed: 2, ModelOnly: true},
		"model and rtl": {Block: "egress", Source: "random", Events: 6000, Seed: 2, RTLDir: rtl, Transport: "shm"},
	} {
		res, err := runTampered(t, t.Context(), cfg, miscounts)
		require.NoError(t, err)
		requireFinding(t, res, "coverage follower", "enqr", "enq: ENQ ")
		m := res.FirstMismatch
		require.Equal(t, in, m.FoundIn)
		require.Contains(t, m.Fields[0].Want, "followed")
		require.Contains(t, m.Fields[0].Got, "port_bytes=")
		require.NotContains(t, m.Place, "not known")
		require.NotZero(t, m.Cycle)
		require.Contains(t, res.Cases[0].Message, m.Reproduce)
		require.True(t, res.Cases[0].Failed)
		if !cfg.ModelOnly {
			require.NotZero(t, res.Compared.Fields)
			require.EqualValues(t, res.Responses, res.Compared.Responses, "all of it was compared and agrees")
		}
	}
}

// The same for a model that runs at its own pace beside a bound design.
func TestWrongAnswerBesideABoundDesign(t *testing.T) {
	t.Parallel()
	kind, err := block.Lookup("egress")
	require.NoError(t, err)
	params, err := kind.Schema.Values(nil)
	require.NoError(t, err)
	for _, wrong := range []bool{false, true} {
		e := &answers{engine: &engine{cfg: Config{Block: "egress", Source: "random", Seed: 2}, kind: kind,
			judge: score.NewJudge(kind.Schema)}, cases: watch.NewCases()}
		c, err := block.NewCollector("egress", params)
		require.NoError(t, err)
		e.cover = e.newModelFollow(watch.NewCover(c))
		model, err := kind.NewModel(params)
		require.NoError(t, err)
		if wrong {
			model = &tampered{Model: model, cycle: func(_ int, model event.Model, in, out []uint64) {
				miscounts(0, model, in,
					out)
			}}
		}
		src, err := block.Open("egress", "random", stim.Options{Seed: 2, Events: 3000})
		require.NoError(t, err)
		defer src.Close()
		l := e.judge.Layout()
		in, out := make([]uint64, l.In.Words), make([]uint64, l.Out.Words)
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			e.cases.Begin(0, ep)
			e.cover.Begin(0, ep)
			d := drive.NewDriver(l)
			for d.Begin(ep); d.Drive(in); {
				model.Cycle(in, out)
				d.Observe(out)
				e.cover.observe(in, out)
			}
		}
		res := e.cfg.Planned()
		res.Cases = e.cases.Table()
		require.Equal(t, wrong, e.judged(t.Context(), &res, true))
		if wrong {
			requireFinding(t, &res, "coverage follower", "enqr", "accepted last: ")
			require.Equal(t, "model", res.FirstMismatch.FoundIn)
			require.True(t, res.Cases[0].Failed)
		}
	}
}

// A coverage follower that panics, and packets that cannot be written, are failures of the harness and not findings.
func TestObserverThatBreaksIsNoMismatch(t *testing.T) {
	t.Parallel()
	if _, err := launch.FindVerilator(t.Context()); err != nil {
		t.Skipf("no Verilator: %v", err)
	}
	cfg := Config{Root: "../../..", Block: "trimmer", Source: "random", Events: 500, Seed: 1}
	cfg.Frames = func(packets.Frame) error { return errors.New("disk full") }
	res, err := Run(t.Context(), cfg)
	require.ErrorContains(t, err, "frames of the device: disk full")
	require.Equal(t, report.Errored, res.Verdict())
	require.Zero(t, res.Mismatches)
}

// A coverage follower that counts a bin excluded by its own proofs is broken: that is an error naming bin and fix, and
// not a finding about the outputs.
func TestFollowerAgainstItsProofs(t *testing.T) {
	t.Parallel()
	c, err := block.NewCollector("ccc", nil)
	require.NoError(t, err)
	in, out := make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	ccc.PackEvent(&ccc.Event{Kind: ccc.KindAck, M: true}, in)
	for a := range ccc.NumActions {
		ccc.PackResponse(&ccc.Response{Kind: ccc.KindAck, Action: ccc.Action(a), MDApplied: true, QAFired: true,
			RTTValid: true}, out)
		c.Event(in, out)
	}
	w := &watch.All{Cover: watch.NewCover(c)}
	require.Empty(t, w.Findings())
	err = w.Check()
	require.ErrorContains(t, err, "coverage follower: it contradicts its proofs, which rule out the bins ")
	require.ErrorContains(t, err, "cosim/cover")
	require.NotContains(t, err.Error(), "\n")
}

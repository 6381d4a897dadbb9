package diff

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// apart is fixed point at a narrow table beside fixed point at the contract's, which starts each event from the narrow
// state and has the narrow registers.
type apart struct {
	narrow, contract *Party[fixed.Num]
	recNarrow        *recorder[fixed.Num]
	recContract      *recorder[fixed.Num]
	avg, cwnd, flips int     // events that differ in avg_delay, in cwnd, in md_applied
	largest, share   float64 // of the differences of cwnd in bytes, and as a share of the bound
}

// takeOver gives the contract the registers that the narrow formats hold.
func (a *apart) takeOver() {
	for i := range a.narrow.regs {
		for addr, raw := range a.narrow.regs[i] {
			a.contract.regs[i][addr] = a.narrow.num.RegisterWord(addr, raw)
		}
		a.contract.params[i] = arith.Params(a.contract.num, &a.contract.regs[i])
	}
}

func (a *apart) reset() {
	a.narrow.Reset()
	a.contract.Reset()
	a.takeOver()
}

// event applies an event to both and requires the bounds that hdl/examples/ccc_narrow/README.md states.
func (a *apart) event(t *testing.T, ev *ccc.Event) {
	t.Helper()
	var before ccc.Words
	c := a.narrow.Context(ev.Ctx)
	if c != nil {
		*a.contract.Context(ev.Ctx) = *c
		before = a.narrow.Words(c, ev.PDC)
	}
	a.recNarrow.clear()
	a.recContract.clear()
	var want, got ccc.Response
	a.narrow.Apply(ev, &got)
	a.contract.Apply(ev, &want)
	if ev.Kind == ccc.KindCfgWrite {
		a.takeOver()
	}

	below := int64(want.AvgDelay) - int64(got.AvgDelay)
	if below < 0 || below > 255 {
		t.Fatalf("avg_delay differs by %d, after %+v", below, ev)
	}
	if below > 0 {
		a.avg++
	}
	flip := want.MDApplied != got.MDApplied
	if flip {
		a.flips++
		target := a.contract.regs[a.contract.Context(ev.Ctx).Profile][ccc.RegTargetQDelay] << 16
		require.True(t, want.MDApplied && want.AvgDelay-target < 256, "%+v", ev)
	}
	if want.Cwnd != got.Cwnd {
		a.cwnd++
		require.True(t, want.MDApplied, "%+v", ev)
		if !flip {
			// The window at the cut is at most the one before the event, or the one that it restores.
			w := float64(max(before.Cwnd, before.SavedCwnd))
			bound := w*(math.Ldexp(1, -16)+math.Ldexp(1, 8)/float64(want.AvgDelay)) + 1
			if want.Fulfilled {
				bound = bound*(1+float64(before.IncBytes)/math.Pow(a.cut(ev.Ctx), 2)) + 1
			}
			d := math.Abs(float64(want.Cwnd) - float64(got.Cwnd))
			require.LessOrEqual(t, d, bound, "%+v", ev)
			a.largest, a.share = max(a.largest, d), max(a.share, d/bound)
		}
		got.Cwnd, got.CanSend, got.AckRequest, got.State = want.Cwnd, want.CanSend, want.AckRequest, want.State
	}
	got.AvgDelay, got.MDApplied = want.AvgDelay, want.MDApplied
	if want != got {
		require.Equal(t, want, got, "%+v", ev)
	}

	if c == nil || !c.Valid {
		return
	}
	w, g := a.contract.Words(a.contract.Context(ev.Ctx), ev.PDC), a.narrow.Words(c, ev.PDC)
	if flip {
		g.LastDecTime = w.LastDecTime
	}
	if w.Cwnd != g.Cwnd {
		g.Cwnd, g.CccState = w.Cwnd, w.CccState
	}
	g.AvgDelay = w.AvgDelay
	if w != g {
		require.Equal(t, w, g, "%+v", ev)
	}
}

// cut returns the smaller of both windows after the decrease of the last event, in bytes.
func (a *apart) cut(ctx uint16) float64 {
	mtu := a.narrow.Params(a.narrow.Context(ctx).Profile).MTU.Float64()
	return max(mtu, min(a.recNarrow.last[nscc.ValDecreased].Float64(), a.recContract.last[nscc.ValDecreased].Float64()))
}

// What the README of hdl/examples/ccc_narrow has as the bounds of its formats holds, one event from equal state with
// equal registers.
func TestNarrowExampleKeepsItsBounds(t *testing.T) {
	text, err := os.ReadFile("../../../hdl/examples/ccc_narrow/formats.yaml")
	require.NoError(t, err)
	table := ccc.Formats()
	require.NoError(t, table.Overlay(text))
	for _, source := range sources() {
		o := options(t, 1, few(100_000, 200_000))
		narrow, err := arith.NewFixed(table)
		require.NoError(t, err)
		contract, err := arith.NewFixed(ccc.Formats())
		require.NoError(t, err)
		a := apart{recNarrow: &recorder[fixed.Num]{Numbers: narrow, rounds: true},
			recContract: &recorder[fixed.Num]{Numbers: contract, rounds: true}}
		a.narrow = NewParty[fixed.Num](a.recNarrow, SizeOf(o.Params))
		a.contract = NewParty[fixed.Num](a.recContract, SizeOf(o.Params))
		src, err := block.Open(ccc.BlockName, source, o)
		require.NoError(t, err)
		n, err := Play(src, uint64(o.Events), a.reset, func(ev *ccc.Event) error {
			a.event(t, ev)
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, narrow.Err())
		require.NoError(t, contract.Err())
		require.Greater(t, a.avg, 1000, source)
		t.Logf("%s: %d events, avg_delay differs in %d, cwnd in %d by up to %v bytes and %.2f of the bound, "+
			"%d flips of md_applied", source, n, a.avg, a.cwnd, a.largest, a.share, a.flips)
		if source == "fabric:incast32" {
			require.Positive(t, a.cwnd)
			require.Greater(t, a.share, 0.3, "the bound is not far from what happens")
		}
	}
}

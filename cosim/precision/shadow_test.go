package precision

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// shadowed returns a comparison at 1 ns, an ACK of a context with an open window, and its response as float has it.
func shadowed(t *testing.T) (*Shadow, *ccc.Event, *Context, *ccc.Response) {
	t.Helper()
	f, err := NewShadow(nscc.DefaultSpec(), 1000)
	require.NoError(t, err)
	before := &Context{Valid: true, Words: ccc.Words{
		Cwnd: 200_000, MaxWnd: 900_000, BaseRTT: 12_000, Inflight: 150_000, Backlog: 1 << 20, InflightPkts: 30,
	}}
	ev := &ccc.Event{Kind: ccc.KindAck, Now: 1_020_000, RcvdBytes: 16, AckedPkts: 1, TxValid: true, TxTime: 1_000_000,
		ServiceTime: 1}
	var want nscc.Response
	require.True(t, applyFloat(&f.tick, before, 1, Times{Now: float64(ev.Now), Tx: float64(ev.TxTime)}, ev, &want))
	return f, ev, before, &ccc.Response{Kind: ev.Kind, Action: ActionOf(ev, want.Action), MDApplied: want.MDApplied,
		Cwnd: uint32(want.Cwnd)}
}

// A decision that agrees is no flip; another one, and a window that is off, are found on both inputs.
func TestShadowFindsFlipsAndErrors(t *testing.T) {
	f, ev, before, rsp := shadowed(t)
	now, tx := int64(ev.Now)*1000, int64(ev.TxTime)*1000
	f.Event(ev, now, tx, before, rsp)
	d := f.Result()
	require.EqualValues(t, 1, d.Events)
	require.Zero(t, d.ActionFlips)
	require.Zero(t, d.PsActionFlips)
	require.Less(t, d.MaxRelErrCwnd, 1e-5)
	require.Empty(t, beyond(d, "1ns"))

	off := *rsp
	off.Cwnd += off.Cwnd / 100
	f.Event(ev, now, tx, before, &off)
	require.InDelta(t, 0.01, f.Result().MaxRelErrCwnd, 1e-4)

	f, ev, before, rsp = shadowed(t)
	flip := *rsp
	flip.MDApplied = !flip.MDApplied
	f.Event(ev, now, tx, before, &flip)
	d = f.Result()
	require.EqualValues(t, 1, d.ActionFlips)
	require.EqualValues(t, 1, d.PsActionFlips)
	require.EqualValues(t, 1, d.PsUnexplained, "every threshold is far away")
	require.Len(t, d.Flips, 2)
	require.NotEmpty(t, beyond(d, "1ns"))
}

// Events that decide nothing about the window are not compared.
func TestShadowPassesOverOtherEvents(t *testing.T) {
	f, ev, before, rsp := shadowed(t)
	for _, k := range []ccc.Kind{ccc.KindOpen, ccc.KindClose, ccc.KindLoad, ccc.KindRead, ccc.KindBind, ccc.KindSample} {
		x := *ev
		x.Kind = k
		f.Event(&x, 1, 1, before, rsp)
	}
	require.Zero(t, f.Result().Events)
}

package ccc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// sample gives one ccc event and its response to a collector.
func sample(c *cover.Collector, ev ccc.Event, r ccc.Response) {
	var in [ccc.EventWords]uint64
	var out [ccc.ResponseWords]uint64
	r.Kind, r.Ctx = ev.Kind, ev.Ctx
	ccc.PackEvent(&ev, in[:])
	ccc.PackResponse(&r, out[:])
	c.Event(in[:], out[:])
}

func requireHit(t *testing.T, c *cover.Collector, names ...string) {
	t.Helper()
	for _, name := range names {
		n, ok := c.Hits(name)
		require.True(t, ok, "no bin %s", name)
		require.NotZero(t, n, name)
	}
}

func TestThresholdsAreSeenThroughTheResponses(t *testing.T) {
	c := cover.New(Coverage, nil)
	view := ccc.Response{Cwnd: 225000, BaseRTT: 12000, CanSend: true}
	sample(c, ccc.Event{Kind: ccc.KindOpen, Ctx: 3, Now: 100}, view)
	requireHit(t, c, "kind/OPEN", "kind_in_state/OPEN.INVALID")

	// An ACK one tick below the target, a period after the context was opened.
	r := view
	r.Action, r.Delay, r.RTTValid, r.QAWindow, r.Fulfilled, r.EtaApplied = ccc.ActionProp, 8999, true, true, true, true
	ack := ccc.Event{Kind: ccc.KindAck, Ctx: 3, Now: 12100, TxValid: true, ServiceTime: 1, RcvdBytes: 1}
	ack.TxTime = (ack.Now - 128 - 12000 - 8999) & top48
	sample(c, ack, r)
	requireHit(t, c, "threshold_delay_target_mark_pend/one_below.0.0", "threshold_since_adjust_period/equal",
		"quick_adapt/ACK.first_window", "action/ACK.PROP",
		"flag/ACK.eta_applied", "rule/fulfil_by_period", "rcvd_delta_pdc/1.0", "rtt/ACK.usual", "rule/wrap_rtt")

	// The window of quick adapt now ends 21000 ticks later, whatever the response shows.
	r.QAWindow, r.Fulfilled, r.EtaApplied = false, false, false
	ack.Now, ack.TxTime = 12100+20999, 12100+20999-128-12000-8999
	sample(c, ack, r)
	requireHit(t, c, "threshold_now_qa_endtime/ACK.1_ahead", "quick_adapt/ACK.window_open", "rcvd_delta_pdc/0.0")
	n, _ := c.Hits("threshold_now_qa_endtime/ACK.now")
	require.Zero(t, n)
}

func TestReadsAreComparedWithTheAccount(t *testing.T) {
	c := cover.New(Coverage, nil)
	view := ccc.Response{Cwnd: 225000, BaseRTT: 12000}
	sample(c, ccc.Event{Kind: ccc.KindOpen, Now: 7}, view)
	read := ccc.Event{Kind: ccc.KindRead, Addr: 7}
	view.Data = 7
	sample(c, read, view)
	require.Zero(t, c.Differences())
	view.Data = 8
	sample(c, read, view)
	require.EqualValues(t, 1, c.Differences())
}

func TestImpossibleHitsAreReported(t *testing.T) {
	c := cover.New(Coverage, nil)
	sample(c, ccc.Event{Kind: ccc.KindOpen}, ccc.Response{})
	sample(c, ccc.Event{Kind: ccc.KindSend, Size: 1}, ccc.Response{State: ccc.StateIdle, CanSend: true})
	require.Equal(t, []string{"state_after/SEND.IDLE"}, c.Report().Impossible)
}

func TestResetForgetsContexts(t *testing.T) {
	c := cover.New(Coverage, nil)
	sample(c, ccc.Event{Kind: ccc.KindOpen}, ccc.Response{})
	c.Cycle(make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords))
	sample(c, ccc.Event{Kind: ccc.KindSend}, ccc.Response{NoContext: true})
	requireHit(t, c, "kind_in_state/SEND.INVALID")
}

// A proof that calls a reachable bin unreachable must fail.
func TestFalseProofIsFound(t *testing.T) {
	c := cover.New(cover.Block{Schema: ccc.Schema, Watcher: func() cover.Watcher { return &falseProof{} }}, nil)
	require.ErrorContains(t, c.CheckProofs(), "because no ACK is marked, but: {mark:true")
}

// falseProof follows ccc and calls its first bin unreachable because no ACK is marked.
type falseProof struct{ watch }

func (w *falseProof) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	w.watch.Define(p, b, params)
	p.Exclude(0, "no ACK is marked", noAck(func(_ ackCase, action string, _ map[string]bool) bool {
		return action == "MD"
	}))
}

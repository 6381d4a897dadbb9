package cover

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// sample gives one ccc event and its response to a collector.
func sample(c *Collector, ev ccc.Event, r ccc.Response) {
	var in [ccc.EventWords]uint64
	var out [ccc.ResponseWords]uint64
	r.Kind, r.Ctx = ev.Kind, ev.Ctx
	ccc.PackEvent(&ev, in[:])
	ccc.PackResponse(&r, out[:])
	c.Event(in[:], out[:])
}

func requireHit(t *testing.T, c *Collector, names ...string) {
	t.Helper()
	for _, name := range names {
		n, ok := c.Hits(name)
		require.True(t, ok, "no bin %s", name)
		require.NotZero(t, n, name)
	}
}

func TestThresholdsAreSeenThroughTheResponses(t *testing.T) {
	c, err := New("ccc", nil)
	require.NoError(t, err)
	view := ccc.Response{Cwnd: 225000, BaseRTT: 12000, CanSend: true}
	sample(c, ccc.Event{Kind: ccc.KindOpen, Ctx: 3, Now: 100}, view)
	requireHit(t, c, "kind/OPEN", "kind_in_state/OPEN.INVALID")

	// An ACK one tick below the target, a period after the context was opened.
	r := view
	r.Action, r.Delay, r.RTTValid, r.QAWindow, r.Fulfilled, r.EtaApplied = ccc.ActionProp, 8999, true, true, true, true
	ack := ccc.Event{Kind: ccc.KindAck, Ctx: 3, Now: 12100, TxValid: true, ServiceTime: 1, RcvdBytes: 1}
	ack.TxTime = (ack.Now - 128 - 12000 - 8999) & top48
	sample(c, ack, r)
	requireHit(t, c, "threshold_delay_target_mark_pend/one_below.0.0", "threshold_since_adjust_period/equal", "quick_adapt/ACK.first_window",
		"action/ACK.PROP", "flag/ACK.eta_applied", "rule/fulfil_by_period", "rcvd_delta_pdc/1.0", "rtt/ACK.usual", "rule/wrap_rtt")

	// The window of quick adapt now ends 21000 ticks later, whatever the response shows.
	r.QAWindow, r.Fulfilled, r.EtaApplied = false, false, false
	ack.Now, ack.TxTime = 12100+20999, 12100+20999-128-12000-8999
	sample(c, ack, r)
	requireHit(t, c, "threshold_now_qa_endtime/ACK.1_ahead", "quick_adapt/ACK.window_open", "rcvd_delta_pdc/0.0")
	n, _ := c.Hits("threshold_now_qa_endtime/ACK.now")
	require.Zero(t, n)
}

func TestReadsAreComparedWithTheAccount(t *testing.T) {
	c, err := New("ccc", nil)
	require.NoError(t, err)
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
	c, err := New("ccc", nil)
	require.NoError(t, err)
	sample(c, ccc.Event{Kind: ccc.KindOpen}, ccc.Response{})
	sample(c, ccc.Event{Kind: ccc.KindSend, Size: 1}, ccc.Response{State: ccc.StateIdle, CanSend: true})
	require.Equal(t, []string{"state_after/SEND.IDLE"}, c.Report().Impossible)
}

func TestResetForgetsContexts(t *testing.T) {
	c, err := New("ccc", nil)
	require.NoError(t, err)
	sample(c, ccc.Event{Kind: ccc.KindOpen}, ccc.Response{})
	c.Cycle(make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords))
	sample(c, ccc.Event{Kind: ccc.KindSend}, ccc.Response{NoContext: true})
	requireHit(t, c, "kind_in_state/SEND.INVALID")
}

func TestTxRowsAreFollowed(t *testing.T) {
	c, err := New("txstate", nil)
	require.NoError(t, err)
	put := func(ev txstate.Event, r txstate.Response) {
		var in [txstate.EventWords]uint64
		var out [txstate.ResponseWords]uint64
		r.Kind, r.PDC = ev.Kind, ev.PDC
		txstate.PackEvent(&ev, in[:])
		txstate.PackResponse(&r, out[:])
		c.Event(in[:], out[:])
	}
	put(txstate.Event{Kind: txstate.KindSend, PSN: 5, Now: 10}, txstate.Response{PSN: 5, TxTime: 10})
	put(txstate.Event{Kind: txstate.KindSend, PSN: 69, Now: 20}, txstate.Response{PSN: 69, TxTime: 20, Evicted: true})
	put(txstate.Event{Kind: txstate.KindAck, PSN: 69, Now: 149, ServiceTime: 1}, txstate.Response{PSN: 69, Found: true, TxTime: 20, RTTValid: true, RTT: 1})
	put(txstate.Event{Kind: txstate.KindAck, PSN: 69}, txstate.Response{PSN: 69})
	requireHit(t, c, "kind_on_row_is_rtx/SEND.empty.0", "kind_on_row_is_rtx/SEND.other.0", "rule/evicts_by_new", "rule/next_generation",
		"rtt/ACK.1", "rule/ack_after_free", "service_time_shift/1.7")
	require.Zero(t, c.Differences())
	put(txstate.Event{Kind: txstate.KindNack, PSN: 69}, txstate.Response{PSN: 69, Found: true})
	require.EqualValues(t, 1, c.Differences(), "a freed entry was found")
}

func TestStallsAreWorkedOutFromHandshakes(t *testing.T) {
	c, err := New("txstate", map[string]int{"NumPdcs": 1, "Depth": 2})
	require.NoError(t, err)
	in, out := make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords)
	cycle := func(rst, valid, ready bool, psn uint32) {
		ev := txstate.Event{Kind: txstate.KindSend, PSN: psn}
		txstate.PackEvent(&ev, in)
		in[0] |= uint64(b2i(rst)) | uint64(b2i(valid))<<1
		clear(out)
		out[0] |= uint64(b2i(ready))
		c.Cycle(in, out)
	}
	cycle(false, false, false, 0)
	cycle(false, false, false, 0)
	cycle(true, true, false, 0) // sweep
	cycle(true, true, false, 0)
	cycle(true, true, true, 0)   // issues at once
	cycle(true, true, true, 1)   // another row: next
	cycle(true, true, true, 0)   // the first row again: issue two cycles after it
	cycle(true, false, true, 0)  // is when it reaches the head, so it waits two
	cycle(true, false, false, 0) // more
	cycle(true, false, false, 0)
	cycle(true, false, false, 0)
	cycle(false, true, false, 0)
	requireHit(t, c, "reset_length/2", "timing/event_offered_in_sweep", "stall_same_key_cycles/0", "stall_same_key_cycles/2",
		"same_key_after/SEND.SEND", "reset_in_stream_credits/some", "reset_in_stream_fifo_level/0", "timing/reset_with_event_offered")
	credits, queued, ok := c.InUse()
	require.True(t, ok)
	require.Zero(t, credits+queued)
}

func TestReportAndMerge(t *testing.T) {
	a, err := New("ccc", nil)
	require.NoError(t, err)
	b, err := New("ccc", nil)
	require.NoError(t, err)
	tx, err := New("txstate", nil)
	require.NoError(t, err)
	sample(a, ccc.Event{Kind: ccc.KindOpen}, ccc.Response{})
	sample(b, ccc.Event{Kind: ccc.KindCfgRead}, ccc.Response{})
	for _, c := range []*Collector{a, b, b} { // cycles of a reset
		c.Cycle(make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords))
	}
	require.NoError(t, a.Merge(b))
	requireHit(t, a, "kind/OPEN", "kind/CFG_READ", "cfg_read/MTU")
	require.EqualValues(t, 3, a.Cycles)
	require.ErrorContains(t, a.Merge(tx), "does not merge")

	r := a.Report()
	require.Equal(t, r.Bins, r.Hit+r.Unreachable+len(r.Missed))
	text, err := json.Marshal(r)
	require.NoError(t, err)
	for _, key := range []string{`"bins":`, `"hit":`, `"missed":[`, `"impossible":[]`} {
		require.Contains(t, string(text), key)
	}
	var table bytes.Buffer
	require.NoError(t, r.Write(&table))
	require.Contains(t, table.String(), "coverage of ccc")
	require.Contains(t, table.String(), "missed: kind/CLOSE\n")

	_, err = New("switch", nil)
	require.ErrorContains(t, err, "known blocks: [ccc txstate egress trimmer intmd switchport]")
}

func TestBinNamesAreUnique(t *testing.T) {
	for _, block := range Blocks() {
		c, err := New(block, nil)
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, b := range c.plan.bins {
			require.False(t, seen[b.name], "%s: %s", block, b.name)
			seen[b.name] = true
		}
		require.Greater(t, len(seen), 80)
	}
}

func TestProofsHold(t *testing.T) {
	for _, p := range []struct {
		block  string
		params map[string]int
	}{{"ccc", nil}, {"txstate", nil}, {"ccc", map[string]int{"NumContexts": 65536}}, {"ccc", map[string]int{"NumPdcs": 1, "NumProfiles": 1}},
		{"ccc", map[string]int{"NumPdcs": 16, "NumProfiles": 16}}, {"txstate", map[string]int{"NumPdcs": 65536, "Depth": 2}},
		{"egress", nil}, {"trimmer", nil}, {"intmd", nil}, {"switchport", nil}, {"switchport", map[string]int{"Depth": 8, "Slots": 64}}} {
		c, err := New(p.block, p.params)
		require.NoError(t, err)
		require.NoError(t, c.CheckProofs())
		for _, u := range c.Unreachable() {
			require.NotEmpty(t, u.Why, u.Bin)
		}
		r := c.Report()
		require.LessOrEqual(t, 20*r.Unreachable, r.Bins, "more than 5 % of the bins are called unreachable")
	}
}

// A proof that calls a reachable bin unreachable must fail.
func TestFalseProofIsFound(t *testing.T) {
	c, err := New("ccc", nil)
	require.NoError(t, err)
	c.plan.exclude(0, &Proof{"no ACK is marked", func() error {
		return overAcks(func(a ackCase, action string, _ map[string]bool) error {
			if action == "MD" {
				return errFound
			}
			return nil
		})
	}})
	require.ErrorIs(t, c.CheckProofs(), errFound)
}

var errFound = errors.New("found")

func TestSide(t *testing.T) {
	for d, want := range map[int64]int{-100: 0, -2: 0, -1: 1, 0: 2, 1: 3, 2: 4, 1 << 40: 4} {
		require.Equal(t, want, side(50+d, 50), "%d", d)
	}
}

package txstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

func requireHit(t *testing.T, c *cover.Collector, names ...string) {
	t.Helper()
	for _, name := range names {
		n, ok := c.Hits(name)
		require.True(t, ok, "no bin %s", name)
		require.NotZero(t, n, name)
	}
}

func TestTxRowsAreFollowed(t *testing.T) {
	c := cover.New(Coverage, nil)
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
	put(txstate.Event{Kind: txstate.KindAck, PSN: 69, Now: 149, ServiceTime: 1},
		txstate.Response{PSN: 69, Found: true, TxTime: 20, RTTValid: true, RTT: 1})
	put(txstate.Event{Kind: txstate.KindAck, PSN: 69}, txstate.Response{PSN: 69})
	requireHit(t, c, "kind_on_row_is_rtx/SEND.empty.0", "kind_on_row_is_rtx/SEND.other.0", "rule/evicts_by_new",
		"rule/next_generation",
		"rtt/ACK.1", "rule/ack_after_free", "service_time_shift/1.7")
	require.Zero(t, c.Differences())
	put(txstate.Event{Kind: txstate.KindNack, PSN: 69}, txstate.Response{PSN: 69, Found: true})
	require.EqualValues(t, 1, c.Differences(), "a freed entry was found")
}

func TestStallsAreWorkedOutFromHandshakes(t *testing.T) {
	c := cover.New(Coverage, map[string]int{"NumPdcs": 1, "Depth": 2})
	in, out := make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords)
	cycle := func(rst, valid, ready bool, psn uint32) {
		ev := txstate.Event{Kind: txstate.KindSend, PSN: psn}
		txstate.PackEvent(&ev, in)
		in[0] |= uint64(cover.Bit(rst)) | uint64(cover.Bit(valid))<<1
		clear(out)
		out[0] |= uint64(cover.Bit(ready))
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
	requireHit(t, c, "reset_length/2", "timing/event_offered_in_sweep", "stall_same_key_cycles/0",
		"stall_same_key_cycles/2",
		"same_key_after/SEND.SEND", "reset_in_stream_credits/some", "reset_in_stream_fifo_level/0",
		"timing/reset_with_event_offered")
	credits, queued, ok := c.InUse()
	require.True(t, ok)
	require.Zero(t, credits+queued)
}

// A response that waits is counted by the cycles that it waits, when it is taken.
func TestHeldResponsesAreCounted(t *testing.T) {
	for held, bin := range map[int]string{1: "1", 2: "2_to_7", 7: "2_to_7", 8: "8_to_63", 64: "64_or_more"} {
		c := cover.New(Coverage, nil)
		in, out := make([]uint64, txstate.InWords), make([]uint64, txstate.OutWords)
		c.Cycle(in, out)
		for i := range held + 1 {
			in[0], out[0] = 1|uint64(cover.Bit(i == held))<<2, 1<<1 // rst_n and rsp_ready; rsp_valid
			c.Cycle(in, out)
		}
		for _, label := range []string{"1", "2_to_7", "8_to_63", "64_or_more"} {
			n, ok := c.Hits("response_held_cycles/" + label)
			require.True(t, ok)
			require.EqualValues(t, cover.Bit(label == bin), n, "%d cycles: %s", held, label)
		}
	}
}

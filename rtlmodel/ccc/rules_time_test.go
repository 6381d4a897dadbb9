package ccc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

const hour = uint64(3600) * 1_000_000_000 // ticks of 1 ns

func at(now uint64) uint64 { return now & (1<<48 - 1) }

// TestLossAfterIdle: an ACK starts a window, nothing happens for hours, then a trimmed packet must fire quick adapt.
// 2^47 ticks are 39.09 hours and 2^48 are 78.19 hours; between the two, the old end of the window appears to lie in the
// future.
func TestLossAfterIdle(t *testing.T) {
	for _, start := range []uint64{0, t0, 1<<48 - 1} {
		for _, idle := range []uint64{
			21000, 22000, 38 * hour, 39 * hour, 39*hour + hour/10, 60 * hour, 77 * hour, 78 * hour,
		} {
			t.Run(fmt.Sprintf("from %#x idle for %d s", start, idle/1e9), func(t *testing.T) {
				u := newUnit()
				u.st.QAValid = false
				ack := port.Event{Kind: port.KindAck, Now: start, TxValid: true, ServiceTime: 1, TxTime: at(start - 128 - 12000)}
				require.True(t, u.do(ack).QAWindow)
				require.Equal(t, at(start+21000), u.st.QAEndtime)
				r := u.do(port.Event{Kind: port.KindNack, Reason: 1, Size: 4096, Now: at(start + idle)})
				require.Equal(t, [3]any{true, true, port.ActionQA}, [3]any{r.QAWindow, r.QAFired, r.Action})
				require.Equal(t, uint32(4096), r.Cwnd)
			})
		}
	}
}

// ahead = qa_endtime - now. The bound is 12000 + 9000 = 21000.
func TestWindowIsOver(t *testing.T) {
	for _, tc := range []struct {
		ahead uint64
		over  bool
	}{
		{0, true}, {1, false}, {20999, false}, {21000, false}, {21001, true}, {1<<47 - 1, true}, {1 << 47, true},
		{1<<47 + 1, true}, {1<<48 - 1, true},
	} {
		for _, now := range []uint64{t0, 0, 1<<48 - 5} {
			u := newUnit()
			u.st.QAEndtime = at(now + tc.ahead)
			r := u.do(port.Event{Kind: port.KindNack, Reason: 1, Now: now})
			require.Equal(t, tc.over, r.QAWindow, "%+v at %#x", tc, now)
		}
	}
	// 33 bits: 2^32-1 + 2^32-1 = 2^33-2 does not wrap.
	for ahead, over := range map[uint64]bool{1<<33 - 2: false, 1<<33 - 1: true, 1<<32 - 2: false} {
		u := newUnit()
		*u.reg(port.RegTargetQDelay), u.st.BaseRTT, u.st.QAEndtime = 1<<32-1, 1<<32-1, t0+ahead
		require.Equal(t, over, u.do(port.Event{Kind: port.KindNack, Reason: 1, Now: t0}).QAWindow, "%#x", ahead)
	}
	// The bound uses the greater of base_rtt and CONFIG_BASE_RTT: 30000 + 9000 and 12000 + 9000.
	for _, tc := range []struct {
		base  uint32
		ahead uint64
		over  bool
	}{{30000, 39000, false}, {30000, 39001, true}, {100, 21000, false}, {100, 21001, true}} {
		u := newUnit()
		u.st.BaseRTT, u.st.QAEndtime = tc.base, t0+tc.ahead
		require.Equal(t, tc.over, u.do(port.Event{Kind: port.KindNack, Reason: 1, Now: t0}).QAWindow, "%+v", tc)
	}
}

// TestFallOfBaseRTTKeepsTheWindow: a window that started at t0 with base_rtt 12000 ends at t0 + 21000. At t0 + 10 an
// ACK, a NACK or a SAMPLE brings an RTT of 1000. The end is 20990 ahead, more than 1000 + 9000, but the window
// continues and ends at its original end.
func TestFallOfBaseRTTKeepsTheWindow(t *testing.T) {
	for _, ev := range []port.Event{
		ackOf(0, 1000),
		{Kind: port.KindNack, Now: t0 + 10, Reason: 9, TxValid: true, TxTime: t0 + 10 - 1000},
		{Kind: port.KindSample, Now: t0 + 10, Data: 1000},
	} {
		u := newUnit()
		r := u.do(ev)
		require.Equal(t, [3]any{true, uint32(1000), false}, [3]any{r.BaseFell, r.BaseRTT, r.QAWindow}, "%s", ev.Kind)
		for now, over := range map[uint64]bool{t0 + 11: false, t0 + 11000: false, t0 + 20999: false, t0 + 21000: true} {
			v := *u
			r = v.do(port.Event{Kind: port.KindNack, Reason: 1, Size: 1, Now: now})
			require.Equal(t, [2]bool{over, over}, [2]bool{r.QAWindow, r.QAFired}, "%s then %d", ev.Kind, now-t0)
			if over { // the next window is shorter
				require.Equal(t, now+10000, v.st.QAEndtime)
			}
		}
	}
}

// Decision 5: a write that lowers CONFIG_BASE_RTT or TARGET_QDELAY may end the running window, once.
func TestLoweredRegisterEndsAWindowOnce(t *testing.T) {
	u := newUnit()
	u.st.BaseRTT = 1000
	nack := port.Event{Kind: port.KindNack, Reason: 1, Now: t0}
	require.False(t, u.do(nack).QAWindow, "21000 ahead <= 12000 + 9000")
	*u.reg(port.RegConfigBaseRTT) = 11999
	require.True(t, u.do(nack).QAWindow, "21000 > 11999 + 9000")
	require.Equal(t, t0+10000, u.st.QAEndtime)
	require.False(t, u.do(nack).QAWindow)
}

// The other time comparisons hold over any idle time: they are wrong only within one period of a multiple of 2^48.
func TestDecreaseAndFulfilAfterIdle(t *testing.T) {
	for _, idle := range []uint64{12001, hour, 39 * hour, 60 * hour, 77 * hour, 1<<48 - 1} {
		u := newUnit()
		u.st.AvgDelay = 1<<48 - 1
		now := at(t0 + idle)
		r := u.do(port.Event{Kind: port.KindAck, M: true, Now: now, TxValid: true, ServiceTime: 1,
			TxTime: at(now - 128 - 21000)})
		require.Equal(t, [2]bool{true, true}, [2]bool{r.MDApplied, r.EtaApplied}, "%d", idle)
		require.Equal(t, [2]uint64{now, now}, [2]uint64{u.st.LastDecTime, u.st.LastAdjustTime})
	}
	// 2^48 + 11999 ticks look like 11999: one decrease and one fulfilment wait.
	u := newUnit()
	u.st.AvgDelay = 1<<48 - 1
	now := t0 + 11999
	r := u.do(port.Event{Kind: port.KindAck, M: true, Now: now, TxValid: true, ServiceTime: 1, TxTime: now - 128 - 21000})
	require.Equal(t, [3]any{port.ActionMD, false, false}, [3]any{r.Action, r.MDApplied, r.EtaApplied})
}

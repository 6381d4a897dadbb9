package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

func TestNackReasons(t *testing.T) {
	for _, tc := range []struct {
		name   string
		reason port.Reason
		rccc   bool
		m      bool
		adjust bool
		trim   bool
		lb     port.LB
	}{
		{"trimmed", port.ReasonTrimmed, false, false, true, true, port.LBNack},
		{"trimmed, marked", port.ReasonTrimmed, false, true, true, true, port.LBNack},
		{"trimmed, RCCC", port.ReasonTrimmed, true, false, true, true, port.LBNack},
		{"trimmed at the last hop", port.ReasonTrimmedLasthop, false, false, true, true, port.LBNoECN},
		{"trimmed at the last hop, marked", port.ReasonTrimmedLasthop, false, true, true, true, port.LBECN},
		{"trimmed at the last hop, RCCC", port.ReasonTrimmedLasthop, true, false, false, true, port.LBNoECN},
		{"no trim", 7, false, false, false, false, port.LBNoECN},
		{"no trim, marked", 0, false, true, false, false, port.LBECN},
		{"code 3", 3, false, false, false, false, port.LBNoECN},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			if tc.rccc {
				*u.reg(port.RegCtrl) = 2
			}
			u.st.Inflight, u.st.InflightPkts = 1000, 1
			r := u.do(port.Event{Kind: port.KindNack, Now: t0, Reason: tc.reason, M: tc.m, Size: 1000,
				TxValid: true, TxTime: t0 - 30000, ServiceTime: 9, Pend: 5, RC: true})
			require.Equal(t, tc.lb, r.LB)
			require.Equal(t, tc.adjust, u.st.TriggerQA)
			if tc.adjust {
				require.Equal(t, [2]any{port.ActionNackDec, uint32(224000)}, [2]any{r.Action, r.Cwnd})
			} else {
				require.Equal(t, [2]any{port.ActionNoop, uint32(225000)}, [2]any{r.Action, r.Cwnd})
			}
			require.Equal(t, tc.trim, u.st.BytesIgnored == 1000)
			require.Equal(t, tc.trim, u.st.AvgDelay == uint64(12000*209715)>>8, "the average takes CONFIG_BASE_RTT")
			require.Equal(t, [3]uint32{1, 1000, 0}, [3]uint32{u.st.WaitingRtx, u.st.RtxBacklog, u.st.InflightPkts})
			require.Equal(t, int32(0), r.Inflight)
			state := port.StateReady
			if tc.rccc { // a NACK ends speculation, which leaves no credit
				state = port.StateActive
			}
			require.Equal(t, state, r.State)
			require.True(t, r.RTTValid)
			require.Zero(t, r.Delay, "no delay sample")
			require.False(t, r.RcvLimit || r.Saved || r.Fulfilled)
		})
	}
}

func TestNackLowersBase(t *testing.T) {
	u := newUnit()
	r := u.do(port.Event{Kind: port.KindNack, Now: t0, TxValid: true, TxTime: t0 - 11999, Reason: 9})
	require.True(t, r.BaseFell)
	require.Equal(t, [2]uint32{11999, 224981}, [2]uint32{r.BaseRTT, u.st.MaxWnd})
	// The average uses the configured base RTT, not the one that this event has lowered.
	u = newUnit()
	r = u.do(port.Event{Kind: port.KindNack, Now: t0, TxValid: true, TxTime: t0 - 100, Reason: 1})
	require.Equal(t, uint64(12000*209715)>>8, r.AvgDelay)
}

func TestNackAndLossShrink(t *testing.T) {
	for _, ev := range []port.Event{{Kind: port.KindNack, Now: t0, Reason: 1}, {Kind: port.KindLoss}} {
		for _, tc := range []struct{ size, want uint32 }{
			{0, 10000}, {5904, 4096}, {5903, 4097}, {5905, 4096}, {10001, 4096}, {math.MaxUint32, 4096},
		} {
			u := newUnit()
			u.st.Cwnd = 10000
			ev.Size = tc.size
			require.Equal(t, tc.want, u.do(ev).Cwnd, "%s %d", ev.Kind, tc.size)
		}
	}
}

func TestNackAndLossSaturate(t *testing.T) {
	for _, ev := range []port.Event{{Kind: port.KindNack, Now: t0, Reason: 1, Size: 10}, {Kind: port.KindLoss, Size: 10}} {
		for name, change := range map[string]func(s *State, over uint32){
			"inflight":      func(s *State, over uint32) { s.Inflight = math.MinInt32 + 10 - int32(over) },
			"bytes_ignored": func(s *State, over uint32) { s.BytesIgnored = math.MaxUint32 - 10 + over },
			"waiting_rtx":   func(s *State, over uint32) { s.WaitingRtx = math.MaxUint32 - 1 + over },
			"rtx_backlog":   func(s *State, over uint32) { s.RtxBacklog = math.MaxUint32 - 10 + over },
		} {
			for _, over := range []uint32{0, 1} {
				u := newUnit()
				u.st.InflightPkts = 1
				change(&u.st, over)
				r := u.do(ev)
				require.Equal(t, over == 1, r.Saturated, "%s %s", ev.Kind, name)
				require.False(t, r.Underflow)
			}
		}
		require.True(t, newUnit().do(ev).Underflow, "inflight_pkts")
	}
}

func TestLoss(t *testing.T) {
	u := newUnit()
	u.st.Inflight, u.st.InflightPkts, u.st.TriggerQA = 5000, 2, false
	u.st.QAEndtime = t0 // LOSS never runs quick adapt
	r := u.do(port.Event{Kind: port.KindLoss, Now: t0, Size: 1000, M: true})
	require.Equal(t, port.Response{Kind: port.KindLoss, Action: port.ActionLossDec, LB: port.LBTimeout,
		State: port.StateReady, Cwnd: 224000, Inflight: 4000, BaseRTT: 12000, CanSend: true}, r)
	require.Equal(t, [4]uint32{1, 1000, 1, 1000},
		[4]uint32{u.st.WaitingRtx, u.st.RtxBacklog, u.st.InflightPkts, u.st.BytesIgnored})
	require.False(t, u.st.TriggerQA)
}

package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// TestMTURaisedBetweenEvents raises MTU from 4096 to 9000 while cwnd is 5000 and max_wnd 6000, by a CFG_WRITE, and
// checks each kind as the next event. Without the floor the context never sends: 0 + 9000 > 5000.
func TestMTURaisedBetweenEvents(t *testing.T) {
	for _, ev := range []port.Event{
		{Kind: port.KindLoad, Addr: 13, Data: 0}, {Kind: port.KindRead, Addr: 13}, {Kind: port.KindNewData, Size: 9000},
		{Kind: port.KindSend}, {Kind: port.KindAck},
		{Kind: port.KindAck, M: true, TxValid: true, ServiceTime: 1, TxTime: t0 - 128 - 30000},
		{Kind: port.KindNack, Reason: 1}, {Kind: port.KindNack}, {Kind: port.KindLoss}, {Kind: port.KindBind},
		{Kind: port.KindSample, Data: 13000}, {Kind: port.KindSample},
	} {
		t.Run(ev.Kind.String(), func(t *testing.T) {
			u := newUnit()
			u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd = 5000, 6000, 7000
			before := u.st
			require.False(t, u.do(port.Event{Kind: port.KindCfgWrite, Profile: profile, Addr: port.RegMTU, Data: 9000}).Refused)
			require.Equal(t, before, u.st, "the write changes no context")
			ev.Now, ev.Entropy = t0, 1
			r := u.do(ev)
			require.Equal(t, [3]uint32{9000, 9000, 9000}, [3]uint32{u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd})
			require.Equal(t, uint32(9000), r.Cwnd)
			require.True(t, r.CanSend)
			require.False(t, r.Saturated || r.Underflow && ev.Kind != port.KindNack && ev.Kind != port.KindLoss, "no flag")
		})
	}
}

func TestFloorAtTheEdge(t *testing.T) {
	for _, tc := range []struct{ have, want, saved uint32 }{
		{0, 4096, 0}, {1, 4096, 4096}, {4095, 4096, 4096}, {4096, 4096, 4096}, {4097, 4097, 4097},
		{math.MaxUint32, math.MaxUint32, math.MaxUint32},
	} {
		u := newUnit()
		u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd = tc.have, tc.have, tc.have
		u.do(port.Event{Kind: port.KindNewData})
		require.Equal(t, [3]uint32{tc.want, tc.want, tc.saved}, [3]uint32{u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd})
		// READ shows the word after the floor; a LOAD of the word is raised to it.
		for _, ev := range []port.Event{
			{Kind: port.KindRead, Addr: 1}, {Kind: port.KindLoad, Addr: 1, Data: uint64(tc.have)<<32 | uint64(tc.have)},
		} {
			u = newUnit()
			u.st.Cwnd, u.st.MaxWnd = tc.have, tc.have
			r := u.do(ev)
			require.Equal(t, tc.want, r.Cwnd)
			if ev.Kind == port.KindRead {
				require.Equal(t, uint64(tc.want)<<32|uint64(tc.want), r.Data)
			}
		}
		u = newUnit()
		u.do(port.Event{Kind: port.KindLoad, Addr: 2, Data: uint64(tc.have) << 32})
		require.Equal(t, uint64(tc.saved)<<32, u.do(port.Event{Kind: port.KindRead, Addr: 2}).Data)
	}
	// Events without a view do not raise the windows.
	u := newUnit()
	u.st.Cwnd = 1
	for _, ev := range []port.Event{
		{Kind: port.KindCfgRead, Profile: profile}, {Kind: port.KindRead, Addr: 16}, {Kind: port.KindAck, PDC: 4}, {Kind: 14},
		{Kind: port.KindCredit},
	} {
		u.do(ev)
		require.Equal(t, uint32(1), u.st.Cwnd, "%s", ev.Kind)
	}
}

// The floor is applied before the rules of the event. cwnd 5000, max_wnd 5000, saved_cwnd 4500, MTU 9000:
// a penalty leaves max(9000, 9000 - 2) and a restore min(9000, 9000), not 4500.
func TestFloorComesFirst(t *testing.T) {
	raised := func() *unit {
		u := newUnit()
		*u.reg(port.RegMTU) = 9000
		u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd, u.st.Inflight = 5000, 5000, 4500, 1<<20
		return u
	}
	u := raised()
	r := u.do(port.Event{Kind: port.KindAck, Pend: 1, RcvdBytes: 1})
	require.Equal(t, [2]uint32{9000, 9000}, [2]uint32{r.Cwnd, u.st.SavedCwnd})
	u = raised()
	r = u.do(port.Event{Kind: port.KindAck, RC: true})
	require.True(t, r.Restored)
	require.Equal(t, [2]uint32{9000, 0}, [2]uint32{r.Cwnd, u.st.SavedCwnd})
	u = raised() // saved_cwnd = 0: the raised window is saved
	u.st.SavedCwnd = 0
	u.do(port.Event{Kind: port.KindAck, Pend: 1})
	require.Equal(t, uint32(9000), u.st.SavedCwnd)
	// The quick-adapt gate sees the raised max_wnd: 9000 >> 3 = 1125 > 1124 achieved; 5000 >> 3 is only 625.
	u = raised()
	u.st.QAEndtime, u.st.AchievedBytes = t0, 1124
	require.Equal(t, port.ActionQA, u.do(port.Event{Kind: port.KindNack, Reason: 1, Now: t0}).Action)
}

package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// ackOf is an ACK of delta bytes (a multiple of 256) with an RTT sample of rtt ticks at time t0+10.
func ackOf(delta, rtt uint64) port.Event {
	return port.Event{Kind: port.KindAck, Now: t0 + 10, RcvdBytes: uint32(delta / 256), TxValid: true,
		ServiceTime: 1, TxTime: t0 + 10 - 128 - rtt}
}

func with(ev port.Event, change func(*port.Event)) port.Event { change(&ev); return ev }

func TestRcvdBytesDelta(t *testing.T) {
	for _, tc := range []struct {
		last, rcvd uint32
		delta      int32
		stale      bool
	}{
		{5, 5, 0, false}, {5, 6, 256, false},
		{5, 5 + 1<<23 - 1, 256 * (1<<23 - 1), false}, {5, 5 + 1<<23, 0, true}, {5, 4, 0, true},
		{1<<24 - 1, 1, 512, false}, {1, 1<<24 - 1, 0, true},
	} {
		for pdc := range uint8(4) {
			u := newUnit()
			for i := range uint8(4) {
				u.st.LastRcvd[i] = 77 + uint32(i)
			}
			u.st.LastRcvd[pdc] = tc.last
			r := u.do(port.Event{Kind: port.KindAck, PDC: pdc, RcvdBytes: tc.rcvd})
			require.Equal(t, tc.stale, r.Stale, "%+v", tc)
			require.Equal(t, -tc.delta, r.Inflight)
			require.Equal(t, [2]uint32{uint32(tc.delta), uint32(tc.delta)}, [2]uint32{u.st.ReceivedBytes, u.st.AchievedBytes})
			for i := range uint8(4) {
				want := 77 + uint32(i)
				if i == pdc {
					want = tc.rcvd
					if tc.stale {
						want = tc.last
					}
				}
				require.Equal(t, want, u.st.LastRcvd[i], "last_rcvd%d", i)
			}
		}
	}
}

func TestAckInflightClampsTheSum(t *testing.T) {
	u := newUnit()
	u.st.Inflight = math.MaxInt32 // + 1000 - 1024: only an intermediate clamp would lose the 1000
	u.st.RtxBacklog = 1000
	r := u.do(port.Event{Kind: port.KindAck, UnmarkBytes: 1000, RcvdBytes: 4})
	require.Equal(t, int32(math.MaxInt32-24), r.Inflight)
	require.False(t, r.Saturated)

	for _, tc := range []struct {
		inflight int32
		want     int32
		sat      bool
	}{{math.MinInt32 + 256, math.MinInt32, false}, {math.MinInt32 + 255, math.MinInt32, true}} {
		u = newUnit()
		u.st.Inflight = tc.inflight
		r = u.do(port.Event{Kind: port.KindAck, RcvdBytes: 1})
		require.Equal(t, tc.want, r.Inflight)
		require.Equal(t, tc.sat, r.Saturated)
	}
}

func TestAckCountersSaturate(t *testing.T) {
	for name, field := range map[string]func(*State) *uint32{
		"bytes_ignored":  func(s *State) *uint32 { return &s.BytesIgnored },
		"received_bytes": func(s *State) *uint32 { return &s.ReceivedBytes },
		"achieved_bytes": func(s *State) *uint32 { return &s.AchievedBytes },
	} {
		for _, over := range []uint32{0, 1} {
			u := newUnit()
			*field(&u.st) = math.MaxUint32 - 256 + over
			r := u.do(port.Event{Kind: port.KindAck, RcvdBytes: 1})
			require.Equal(t, uint32(math.MaxUint32), *field(&u.st), name)
			require.Equal(t, over == 1, r.Saturated, name)
		}
	}
	// The flag stays set although fulfil clears the counter.
	u := newUnit()
	u.st.ReceivedBytes = math.MaxUint32
	r := u.do(ackOf(256, 12000))
	require.True(t, r.Fulfilled && r.Saturated)
	require.Zero(t, u.st.ReceivedBytes)
}

func TestAckUnmarksAndCountsPackets(t *testing.T) {
	u := newUnit()
	u.st.WaitingRtx, u.st.RtxBacklog, u.st.InflightPkts = 3, 900, 5
	r := u.do(port.Event{Kind: port.KindAck, UnmarkPkts: 3, UnmarkBytes: 900, AckedPkts: 5})
	require.False(t, r.Underflow)
	require.Equal(t, int32(900), r.Inflight)
	require.Equal(t, port.StateIdle, r.State)
	for _, ev := range []port.Event{{UnmarkPkts: 1}, {UnmarkBytes: 1}, {AckedPkts: 1}} {
		ev.Kind = port.KindAck
		require.True(t, u.do(ev).Underflow)
	}
}

func TestAckFeedback(t *testing.T) {
	require.Equal(t, port.LBNoECN, newUnit().do(port.Event{Kind: port.KindAck}).LB)
	require.Equal(t, port.LBECN, newUnit().do(port.Event{Kind: port.KindAck, M: true}).LB)
}

func TestRTTSample(t *testing.T) {
	base := ackOf(0, 12000)
	for _, tc := range []struct {
		name   string
		change func(*port.Event)
		ack    bool
		nack   bool
	}{
		{"plain", func(*port.Event) {}, true, true},
		{"no transmit state", func(e *port.Event) { e.TxValid = false }, false, false},
		{"service 0", func(e *port.Event) { e.ServiceTime = 0 }, false, true},
		{"service 0xFFFF", func(e *port.Event) { e.ServiceTime, e.TxTime = 0xFFFF, e.TxTime-1<<24 }, false, true},
		{"service 0xFFFE", func(e *port.Event) { e.ServiceTime, e.TxTime = 0xFFFE, e.TxTime-1<<24 }, true, true},
		{"raw 0", func(e *port.Event) { e.TxTime = e.Now - 128 }, false, true},
		{"raw 1", func(e *port.Event) { e.TxTime = e.Now - 129 }, true, true},
		{"raw -1", func(e *port.Event) { e.TxTime = e.Now - 127 }, false, true},
		{"raw 2^31-1", func(e *port.Event) { e.TxTime = e.Now - 128 - (1<<31 - 1) }, true, false},
		{"raw 2^31", func(e *port.Event) { e.TxTime = e.Now - 128 - 1<<31 }, false, false},
		{"nack raw 0", func(e *port.Event) { e.TxTime = e.Now }, false, false},
		{"nack raw 2^31-1", func(e *port.Event) { e.TxTime = e.Now - (1<<31 - 1) }, true, true},
		{"first, retx", func(e *port.Event) { e.Retx = true }, false, false},
		{"second, no retx", func(e *port.Event) { e.RtxCount = 1 }, false, false},
		{"second, retx", func(e *port.Event) { e.RtxCount, e.Retx = 1, true }, true, true},
		{"third", func(e *port.Event) { e.RtxCount = 2 }, false, false},
		{"third, retx", func(e *port.Event) { e.RtxCount, e.Retx = 2, true }, false, false},
		{"count 3", func(e *port.Event) { e.RtxCount = 3 }, false, false},
		{"count 3, retx", func(e *port.Event) { e.RtxCount, e.Retx = 3, true }, false, false},
		{"time wraps", func(e *port.Event) { e.Now, e.TxTime = 6000, 1<<48-6128 }, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ev := with(base, tc.change)
			r := newUnit().do(ev)
			require.Equal(t, tc.ack, r.RTTValid)
			require.Equal(t, !tc.ack, r.Action == port.ActionNoRTT)
			ev.Kind = port.KindNack
			require.Equal(t, tc.nack, newUnit().do(ev).RTTValid)
		})
	}
}

func TestTimeShiftScalesService(t *testing.T) {
	u := newUnit()
	*u.reg(port.RegTimeShift) = 0
	r := u.do(port.Event{Kind: port.KindAck, Now: t0, TxTime: t0 - 20000, TxValid: true, ServiceTime: 3000})
	require.Equal(t, uint32(20000-3000-12000), r.Delay)
}

func TestAckWithoutSampleStopsEarly(t *testing.T) {
	u := newUnit()
	u.st.ReceivedBytes, u.st.IncBytes, u.st.InflightPkts = 1<<20, 1<<30, 4
	r := u.do(port.Event{Kind: port.KindAck, Now: t0 + 1<<30, RcvdBytes: 1, AckedPkts: 1})
	require.Equal(t, port.ActionNoRTT, r.Action)
	require.False(t, r.Fulfilled || r.QAWindow)
	require.Equal(t, uint32(3), u.st.InflightPkts, "but the packets count")
	require.Equal(t, uint64(1<<30), u.st.IncBytes)
}

func TestFlowControl(t *testing.T) {
	for _, tc := range []struct {
		name               string
		cwnd, saved        uint32
		inflight           int32
		delta              uint64
		pend               uint8
		rc                 bool
		wantCwnd, wantSave uint32
		flags              [3]bool // rcv_limit, saved, restored
	}{
		{"penalty saves", 100000, 0, 90000 + 2560, 2560, 64, false, 90000 - 1280, 100000, [3]bool{true, true, false}},
		{"penalty keeps what was saved", 100000, 50000, 200000, 256, 127, true, 100000 - 254, 50000,
			[3]bool{true, false, false}},
		{"penalty of 1 is a 128th", 100000, 4096, 200000, 256, 1, false, 100000 - 2, 4096, [3]bool{true, false, false}},
		{"inflight limits", 100000, 4096, 50000, 0, 1, false, 50000, 4096, [3]bool{true, false, false}},
		{"negative inflight gives one MTU", 100000, 4096, -50, 0, 1, false, 4096, 4096, [3]bool{true, false, false}},
		{"penalty past cwnd", 100000, 4096, 1 << 30, 1 << 20, 127, false, 4096, 4096, [3]bool{true, false, false}},
		{"restore", 100000, 150000, 0, 0, 0, true, 150000, 0, [3]bool{false, false, true}},
		{"restore clamps to max_wnd", 100000, 300000, 0, 0, 0, true, 225000, 0, [3]bool{false, false, true}},
		{"restore may lower", 100000, 5000, 0, 0, 0, true, 5000, 0, [3]bool{false, false, true}},
		{"restore needs rc", 100000, 150000, 0, 0, 0, false, 100000, 150000, [3]bool{}},
		{"restore needs a saved window", 100000, 0, 0, 0, 0, true, 100000, 0, [3]bool{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.Cwnd, u.st.SavedCwnd, u.st.Inflight = tc.cwnd, tc.saved, tc.inflight
			r := u.do(port.Event{Kind: port.KindAck, RcvdBytes: uint32(tc.delta / 256), Pend: tc.pend, RC: tc.rc})
			require.Equal(t, [2]uint32{tc.wantCwnd, tc.wantSave}, [2]uint32{u.st.Cwnd, u.st.SavedCwnd})
			require.Equal(t, tc.flags, [3]bool{r.RcvLimit, r.Saved, r.Restored})
			require.False(t, r.Saturated)
		})
	}
	// max_wnd from before the event: the sample of this ACK lowers it.
	u := newUnit()
	u.st.SavedCwnd = 200000
	r := u.do(with(ackOf(0, 1000), func(e *port.Event) { e.RC = true }))
	require.True(t, r.BaseFell)
	require.Equal(t, uint32(18750), u.st.MaxWnd)
	require.Equal(t, uint32(200000), r.Cwnd)
}

func TestBaseRTT(t *testing.T) {
	for _, tc := range []struct {
		rtt    uint64
		fell   bool
		base   uint32
		maxWnd uint32
		delay  uint32
	}{
		{12000, false, 12000, 225000, 0}, {12001, false, 12000, 225000, 1},
		{11999, true, 11999, 224981, 0}, // 18.75 * 11999 = 224981.25
		{1, true, 1, 4096, 0},
	} {
		u := newUnit()
		r := u.do(ackOf(0, tc.rtt))
		require.Equal(t, tc.fell, r.BaseFell)
		require.Equal(t, [3]uint32{tc.base, tc.maxWnd, tc.delay}, [3]uint32{r.BaseRTT, u.st.MaxWnd, r.Delay})
		require.Equal(t, uint32(225000), r.Cwnd, "cwnd is not touched")
	}
	u := newUnit()
	*u.reg(port.RegMaxWnd) = 100000
	u.do(ackOf(0, 11999))
	require.Equal(t, uint32(100000), u.st.MaxWnd, "MAX_WND limits")
}

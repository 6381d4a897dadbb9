package ccc

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// delayed returns an ACK with a queueing delay of d ticks above the default base RTT.
func delayed(delta, d uint64) port.Event { return ackOf(delta, 12000+d) }

func marked(ev port.Event) port.Event { ev.M = true; return ev }

func TestAverageSample(t *testing.T) {
	const gain = 209715
	floor := func(sample, avg int64) uint64 {
		return uint64(avg + int64(math.Floor(float64(gain*(sample<<16-avg))/(1<<24))))
	}
	for _, tc := range []struct {
		name   string
		ev     port.Event
		avg    int64
		sample int64
	}{
		{"delay", delayed(0, 5000), 0, 5000},
		{"delay at target", delayed(0, 9000), 0, 9000},
		{"no mark and delay above target: base_rtt / 4", delayed(0, 9001), 0, 3000},
		{"mark and delay above target", marked(delayed(0, 9001)), 0, 9001},
		{"falling", delayed(0, 0), 1000 << 16, 0},
		{"falling by one unit floors away from it", delayed(0, 0), 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.AvgDelay = uint64(tc.avg)
			require.Equal(t, floor(tc.sample, tc.avg), u.do(tc.ev).AvgDelay)
		})
	}
	u := newUnit() // base_rtt / 4 truncates, and uses base_rtt after this event
	u.st.BaseRTT = 9999
	*u.reg(port.RegTargetQDelay) = 10
	require.Equal(t, floor(2499, 0), u.do(ackOf(0, 20000)).AvgDelay)
}

func TestAverageReachesBothEnds(t *testing.T) {
	u := newUnit()
	*u.reg(port.RegEWMAGain) = 1<<24 - 1
	*u.reg(port.RegConfigBaseRTT) = math.MaxUint32
	for range 4 {
		u.do(port.Event{Kind: port.KindNack, Reason: port.ReasonTrimmed})
	}
	require.Equal(t, uint64(math.MaxUint32)<<16-1, u.st.AvgDelay, "floored one unit below the sample")
	u.st.AvgDelay = 1<<48 - 1
	*u.reg(port.RegConfigBaseRTT) = 0
	for range 4 {
		u.do(port.Event{Kind: port.KindNack, Reason: port.ReasonTrimmed})
	}
	require.Zero(t, u.st.AvgDelay)
}

func TestQuadrants(t *testing.T) {
	for _, tc := range []struct {
		m     bool
		delay uint64
		pend  uint8
		want  port.Action
	}{
		{false, 9000, 0, port.ActionFair}, {false, 8999, 0, port.ActionProp},
		{false, 9000, 1, port.ActionRcvLimit}, {false, 8999, 1, port.ActionRcvLimit}, {false, 0, 1, port.ActionRcvLimit},
		{true, 9000, 0, port.ActionMD}, {true, 8999, 0, port.ActionNoop},
		{true, 9000, 1, port.ActionMD}, {true, 8999, 1, port.ActionNoop},
	} {
		u := newUnit()
		u.st.FICount, u.st.Increase = 5, true
		ev := delayed(256, tc.delay)
		ev.M, ev.Pend = tc.m, tc.pend
		r := u.do(ev)
		require.Equal(t, tc.want, r.Action, "%+v", tc)
		var inc uint64
		switch tc.want {
		case port.ActionFair:
			inc = 20480 * 256
		case port.ActionProp:
			inc = 89478 * 256 * (9000 - 8999) >> 16
		}
		require.Equal(t, inc, u.st.IncBytes)
		kept := tc.want == port.ActionFair || tc.want == port.ActionRcvLimit || tc.want == port.ActionNoop
		require.Equal(t, kept, u.st.Increase && u.st.FICount == 5,
			"increase and fi_count change only in fast_increase and MD")
		require.Equal(t, uint32(tc.delay), r.Delay)
	}
}

func TestIncreaseRoundsOnceAndSaturates(t *testing.T) {
	u := newUnit() // ALPHA * delta * gap = 3 * 256 * 171 = 131328 = 2 * 2^16 + 256
	*u.reg(port.RegAlpha), *u.reg(port.RegFastDelay) = 3, 0
	u.do(delayed(256, 9000-171))
	require.Equal(t, uint64(2), u.st.IncBytes)
	u = newUnit()
	*u.reg(port.RegFI) = 257
	u.do(delayed(256, 9000))
	require.Equal(t, uint64(257), u.st.IncBytes)

	const top = 1<<48 - 1
	for _, over := range []uint64{0, 1} {
		u = newUnit()
		u.st.IncBytes = top - 20480*256 + over
		r := u.do(delayed(256, 9000))
		require.Equal(t, uint64(top), u.st.IncBytes)
		require.Equal(t, over == 1, r.Saturated)
	}
	u = newUnit() // the largest product has 95 bits
	*u.reg(port.RegAlpha), *u.reg(port.RegTargetQDelay) = math.MaxUint32, math.MaxUint32
	*u.reg(port.RegFastDelay), *u.reg(port.RegAdjustBytes) = 0, math.MaxUint32
	r := u.do(with(delayed(0, 0), func(e *port.Event) { e.RcvdBytes = 1<<23 - 1 }))
	require.Equal(t, port.ActionProp, r.Action)
	require.True(t, r.Saturated)
	require.Equal(t, uint64(top), u.st.IncBytes)
}

func TestFastIncrease(t *testing.T) {
	for _, tc := range []struct {
		name      string
		delay     uint64
		count     uint32
		increase  bool
		action    port.Action
		wantCount uint32
		wantCwnd  uint32
		wantInc   bool
	}{
		{"delay at the limit stops it", 1000, 50000, true, port.ActionProp, 0, 40000, false},
		{"count at cwnd", 999, 40000 - 2560, false, port.ActionProp, 40000, 40000, false},
		{"count past cwnd", 999, 40000 - 2559, false, port.ActionFast, 40001, 40640, true},
		{"once started it goes on", 0, 0, true, port.ActionFast, 2560, 40640, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.Cwnd, u.st.FICount, u.st.Increase = 40000, tc.count, tc.increase
			r := u.do(delayed(2560, tc.delay))
			require.Equal(t, tc.action, r.Action)
			require.Equal(t, [2]uint32{tc.wantCount, tc.wantCwnd}, [2]uint32{u.st.FICount, u.st.Cwnd})
			require.Equal(t, tc.wantInc, u.st.Increase)
			require.Equal(t, tc.action == port.ActionFast, u.st.IncBytes == 0)
		})
	}
	u := newUnit()
	u.st.Cwnd, u.st.Increase = 224999, true
	require.Equal(t, uint32(225000), u.do(delayed(2560, 0)).Cwnd, "clamped to max_wnd")
	u = newUnit()
	u.st.Cwnd, u.st.FICount = math.MaxUint32, math.MaxUint32
	require.True(t, u.do(delayed(256, 0)).Saturated)
	u = newUnit()
	u.st.Cwnd, u.st.Increase, *u.reg(port.RegFIScale) = 40000, true, 16385 // 256 * 16385 / 2^16 = 64.004
	require.Equal(t, uint32(40064), u.do(delayed(256, 0)).Cwnd)
}

func TestMultiplicativeDecrease(t *testing.T) {
	const target = 9000 << 16
	setup := func(avg, since uint64) *unit {
		u := newUnit()
		*u.reg(port.RegEWMAGain) = 0 // keeps the average at the test's value
		u.st.AvgDelay, u.st.LastDecTime = avg, t0+10-since
		u.st.Increase, u.st.FICount = true, 9
		u.st.Cwnd = 100000
		return u
	}
	ev := marked(delayed(0, 9000))
	for _, tc := range []struct {
		name       string
		avg, since uint64
		want       uint32
		applied    bool
	}{
		{"average at target", target, 12001, 100000, false},
		{"average one unit above", target + 1, 12001, 100000, true}, // the ratio floors to 0
		{"one base RTT since the last", 2 * target, 12000, 100000, false},
		{"more than one", 2 * target, 12001, 59999, true}, // 1 - 0.8 * 0.5, gamma rounded up
		{"floor of the factor", 1<<48 - 1, 12001, 50000, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := setup(tc.avg, tc.since)
			r := u.do(ev)
			require.Equal(t, port.ActionMD, r.Action)
			require.Equal(t, tc.want, r.Cwnd)
			require.Equal(t, tc.applied, r.MDApplied)
			require.False(t, u.st.Increase)
			require.Zero(t, u.st.FICount)
			want := t0 + 10 - tc.since
			if tc.applied {
				want = ev.Now
			}
			require.Equal(t, want, u.st.LastDecTime)
		})
	}
	u := setup(1<<48-1, 12001)
	u.st.Cwnd = 5000
	require.Equal(t, uint32(4096), u.do(ev).Cwnd, "not below MTU")
	u = setup(1<<48-1, 12001)
	u.st.Cwnd = math.MaxUint32
	*u.reg(port.RegGamma) = 0
	require.Equal(t, uint32(math.MaxUint32), u.do(ev).Cwnd, "a factor of one")
}

func TestFulfil(t *testing.T) {
	for _, tc := range []struct {
		name           string
		elapsed        uint64
		received       uint32
		inc            uint64
		want           uint32
		fulfilled, eta bool
	}{
		{"neither", 11999, 32768, 1 << 40, 100000, false, false},
		{"bytes", 11999, 32769, 5*100000 + 99999, 100005, true, false},
		{"period", 12000, 0, 100000, 100001 + 614, true, true},
		{"period, nothing accumulated", 12000, 0, 0, 100614, true, true},
		{"clamped to max_wnd", 12000, 0, 1 << 40, 225000, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.Cwnd, u.st.ReceivedBytes, u.st.IncBytes = 100000, tc.received, tc.inc
			u.st.LastAdjustTime = t0 + 10 - tc.elapsed
			r := u.do(marked(delayed(0, 0)))
			require.Equal(t, tc.want, r.Cwnd)
			require.Equal(t, [2]bool{tc.fulfilled, tc.eta}, [2]bool{r.Fulfilled, r.EtaApplied})
			require.Equal(t, tc.fulfilled, u.st.ReceivedBytes == 0 && u.st.IncBytes == 0)
			if tc.eta {
				require.Equal(t, t0+10, u.st.LastAdjustTime)
			} else {
				require.Equal(t, t0+10-tc.elapsed, u.st.LastAdjustTime)
			}
		})
	}
	for _, inc := range []uint64{1<<32 - 1, 1 << 32} { // the quotient saturates
		u := newUnit()
		*u.reg(port.RegMTU) = 1
		u.st.Cwnd, u.st.IncBytes, u.st.LastAdjustTime = 1, inc, t0-1<<20
		r := u.do(marked(delayed(0, 0)))
		require.Equal(t, inc == 1<<32, r.Saturated)
		require.Equal(t, uint32(225000), r.Cwnd)
	}
}

func TestQuickAdapt(t *testing.T) {
	// A loss NACK always requests quick adapt.
	nack := port.Event{Kind: port.KindNack, Now: t0, Reason: port.ReasonTrimmed, Size: 100}
	type want struct {
		action                   port.Action
		window, fired, ignored   bool
		cwnd, toIgnore, achieved uint32
	}
	for _, tc := range []struct {
		name   string
		change func(*unit)
		want   want
	}{
		{"fires below the gate", func(u *unit) { u.st.QAEndtime = t0; u.st.AchievedBytes = 225000/8 - 1 },
			want{port.ActionQA, true, true, false, 28124, 4900, 0}},
		{"not at the gate", func(u *unit) { u.st.QAEndtime = t0; u.st.AchievedBytes = 225000 / 8 },
			want{port.ActionNackDec, true, false, false, 224900, 0, 0}},
		{"window ends exactly now", func(u *unit) { u.st.QAEndtime = t0 },
			want{port.ActionQA, true, true, false, 4096, 4900, 0}},
		{"window ends in a tick", func(u *unit) { u.st.QAEndtime = t0 + 1; u.st.AchievedBytes = 7 },
			want{port.ActionNackDec, false, false, false, 224900, 0, 7}},
		{"no window yet: starts one, never fires", func(u *unit) { u.st.QAValid = false },
			want{port.ActionNackDec, true, false, false, 224900, 0, 0}},
		{"disabled", func(u *unit) {
			*u.reg(port.RegCtrl) = 1
			u.st.QAEndtime = t0
			u.st.BytesToIgnore = 1 << 20
			u.st.AchievedBytes = 7
		},
			want{port.ActionNackDec, false, false, false, 224900, 1 << 20, 7}},
		{"ignores stale feedback", func(u *unit) { u.st.BytesToIgnore = 101; u.st.AchievedBytes = 7 },
			want{port.ActionIgnore, false, false, true, 225000, 101, 7}},
		{"ignores no longer", func(u *unit) { u.st.BytesToIgnore = 100; u.st.AchievedBytes = 7 },
			want{port.ActionNackDec, false, false, false, 224900, 100, 7}},
		{"negative inflight ignores nothing",
			func(u *unit) { u.st.QAEndtime = t0; u.st.Inflight = 99; u.st.AchievedBytes = 5000 },
			want{port.ActionQA, true, true, false, 5000, 0, 0}},
		{"gate 31", func(u *unit) { *u.reg(port.RegQAGate) = 31; u.st.QAEndtime = t0; u.st.MaxWnd = math.MaxUint32 },
			want{port.ActionQA, true, true, false, 4096, 4900, 0}},
		{"gate 32 closes it",
			func(u *unit) { *u.reg(port.RegQAGate) = 32; u.st.QAEndtime = t0; u.st.MaxWnd = math.MaxUint32 },
			want{port.ActionNackDec, true, false, false, 224900, 0, 0}},
		{"gate 255 closes it",
			func(u *unit) { *u.reg(port.RegQAGate) = 255; u.st.QAEndtime = t0; u.st.MaxWnd = math.MaxUint32 },
			want{port.ActionNackDec, true, false, false, 224900, 0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUnit()
			u.st.Inflight, u.st.IncBytes, u.st.ReceivedBytes = 5000, 1<<30, 9
			tc.change(u)
			r := u.do(nack)
			require.Equal(t, tc.want,
				want{r.Action, r.QAWindow, r.QAFired, r.Ignored, r.Cwnd, u.st.BytesToIgnore, u.st.AchievedBytes})
			acted := r.Action != port.ActionNackDec
			require.Equal(t, acted, u.st.IncBytes == 0 && u.st.ReceivedBytes == 0)
			require.Equal(t, !r.QAFired, u.st.TriggerQA, "only a fire clears trigger_qa")
			if r.QAWindow {
				require.Equal(t, t0+12000+9000, u.st.QAEndtime)
				require.True(t, u.st.QAValid)
			}
			if r.QAFired {
				require.Zero(t, u.st.BytesIgnored)
			}
		})
	}
}

func TestQuickAdaptOnAck(t *testing.T) {
	for _, tc := range []struct {
		name      string
		threshold uint64
		trigger   bool
		want      port.Action
	}{
		{"delay at the threshold", 10000, false, port.ActionFair},
		{"delay above the threshold", 9999, false, port.ActionQA},
		{"an earlier trim", math.MaxUint32, true, port.ActionQA},
		{"no reason", math.MaxUint32, false, port.ActionFair},
	} {
		u := newUnit()
		*u.reg(port.RegQAThreshold) = tc.threshold
		u.st.TriggerQA, u.st.QAEndtime = tc.trigger, t0
		u.st.LastAdjustTime = t0 - 1<<20
		r := u.do(delayed(256, 10000))
		require.Equal(t, tc.want, r.Action, tc.name)
		require.True(t, r.QAWindow)
		require.Equal(t, tc.want != port.ActionQA, r.Fulfilled, "what quick adapt decided ends the control step")
		require.Equal(t, uint32(10000), r.Delay)
	}
	for _, m := range []bool{false, true} { // only marked feedback is stale
		u := newUnit()
		u.st.BytesToIgnore = 1 << 20
		ev := delayed(256, 0)
		ev.M = m
		r := u.do(ev)
		require.Equal(t, m, r.Ignored)
		require.Equal(t, m, r.Action == port.ActionIgnore)
		require.Equal(t, uint32(256), u.st.BytesIgnored)
	}
	u := newUnit() // the end time wraps
	u.st.QAValid = false
	ev := delayed(0, 0)
	ev.Now, ev.TxTime = 1<<48-1, 1<<48-1-12128
	u.do(ev)
	require.Equal(t, uint64(20999), u.st.QAEndtime)
}

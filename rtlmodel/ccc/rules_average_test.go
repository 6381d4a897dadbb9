package ccc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// noSample returns an ACK of delta bytes at t0 + 10 for a packet that was sent three times.
func noSample(delta uint32) port.Event {
	return port.Event{Kind: port.KindAck, Now: t0 + 10, RcvdBytes: delta / 256, TxValid: true, TxTime: t0 - 20000,
		RtxCount: 2, ServiceTime: 1, AckedPkts: 1}
}

// averaged returns a unit that judges such an ACK by an average delay of ticks + 65535/65536 ticks.
func averaged(ticks uint64) *unit {
	u := newUnit()
	*u.reg(port.RegCtrl) = 4
	u.st.AvgDelay = ticks<<16 | 0xFFFF
	u.st.InflightPkts, u.st.Inflight = 2, 1<<20
	return u
}

func TestAverageWithoutSample(t *testing.T) {
	for _, tc := range []struct {
		name  string
		ticks uint64
		m     bool
		pend  uint8
		want  port.Action
		inc   uint64
		cwnd  uint32
	}{
		// FI * delta = 5242880 * 256 >> 8
		{"no mark, at target", 9000, false, 0, port.ActionFair, 5242880, 225000},
		// floor(8999 + 65535/65536) = 8999, below target: 89478 * 256 * 1 >> 16 = 349.5
		{"no mark, just below target", 8999, false, 0, port.ActionProp, 349, 225000},
		// 89478 * 256 * 8000 >> 16 = 2796187.5
		{"no mark, delay 1000 is no longer fast", 1000, false, 0, port.ActionProp, 2796187, 225000},
		// cwnd is 225000 - floor(256 / 128), the penalty of step 7
		{"no mark, receiver limits", 9000, false, 1, port.ActionRcvLimit, 0, 224998},
		{"no mark, below target, receiver limits", 0, false, 1, port.ActionRcvLimit, 0, 224998},
		// ratio = floor((18000*2^16+65535 - 9000*2^16) * 2^16 / (18000*2^16+65535)) = 32769
		// f = 2^32 - 52429 * 32769 = 2576921395; 225000 * f / 2^32 = 134996.9
		{"mark, above target", 18000, true, 0, port.ActionMD, 0, 134996},
		{"mark, just below target", 8999, true, 0, port.ActionNoop, 0, 225000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := averaged(tc.ticks)
			u.st.LastDecTime = t0 - 20000
			ev := noSample(256)
			ev.M, ev.Pend = tc.m, tc.pend
			before := u.st
			r := u.do(ev)
			require.Equal(t, [2]any{tc.want, tc.cwnd}, [2]any{r.Action, r.Cwnd})
			require.Equal(t, uint32(tc.ticks), r.Delay, "the average, floored")
			require.Equal(t, tc.inc, u.st.IncBytes)
			require.Equal(t, tc.want == port.ActionMD, r.MDApplied)
			require.False(t, r.RTTValid || r.BaseFell)
			require.Equal(t, [3]any{before.AvgDelay, before.BaseRTT, before.MaxWnd},
				[3]any{u.st.AvgDelay, u.st.BaseRTT, u.st.MaxWnd}, "9 to 11 are left out")
			require.Equal(t, uint32(1), u.st.InflightPkts, "15 is not")

			off := averaged(tc.ticks) // the rule is off in CTRL: only step 7 changes cwnd
			*off.reg(port.RegCtrl) = 0
			r = off.do(ev)
			require.Equal(t, [2]any{port.ActionNoRTT, uint32(0)}, [2]any{r.Action, r.Delay})
			require.Equal(t, uint32(225000-2*uint32(tc.pend)), r.Cwnd)
		})
	}
}

// fi_count 0 + 2560 > cwnd is false with cwnd 40000. With a count of 40000 - 2559 before the ACK it holds: 40001 >
// 40000, and cwnd = 40000 + 2560 / 4.
func TestAverageWithoutSampleGrowsFast(t *testing.T) {
	u := averaged(999)
	u.st.Cwnd, u.st.FICount = 40000, 40000-2559
	r := u.do(noSample(2560))
	require.Equal(t, [3]any{port.ActionFast, uint32(40640), uint32(40001)}, [3]any{r.Action, r.Cwnd, u.st.FICount})
}

func TestAverageWithoutSampleRunsQuickAdapt(t *testing.T) {
	for _, threshold := range []uint64{8999, 9000} { // qdelay 9000
		u := averaged(9000)
		*u.reg(port.RegQAThreshold) = threshold
		u.st.QAEndtime, u.st.AchievedBytes = t0+10, 4744
		r := u.do(noSample(256)) // achieved 4744 + 256
		require.True(t, r.QAWindow)
		if threshold == 8999 {
			require.Equal(t, [2]any{port.ActionQA, uint32(5000)}, [2]any{r.Action, r.Cwnd})
		} else {
			require.Equal(t, [2]any{port.ActionFair, uint32(225000)}, [2]any{r.Action, r.Cwnd})
		}
		require.Equal(t, uint32(9000), r.Delay)
	}
	u := averaged(0)
	u.st.BytesToIgnore = 1000
	ev := noSample(256)
	ev.M = true
	r := u.do(ev)
	require.Equal(t, [2]any{port.ActionIgnore, true}, [2]any{r.Action, r.Ignored})
}

func TestAverageWithoutSampleFulfils(t *testing.T) {
	u := averaged(9000)
	u.st.Cwnd, u.st.IncBytes, u.st.LastAdjustTime = 100000, 300000, t0+10-12000
	r := u.do(noSample(0))
	require.Equal(t, [3]any{true, true, uint32(100000 + 3 + 614)}, [3]any{r.Fulfilled, r.EtaApplied, r.Cwnd})
}

// A context that sends every packet three times stays at one MTU without the rule and grows with it.
func TestAverageWithoutSampleEndsStarvation(t *testing.T) {
	for ctrl, grows := range map[uint64]bool{0: false, 3: false, 4: true} {
		u := newUnit()
		*u.reg(port.RegCtrl) = ctrl
		u.st.Cwnd = 4096
		for i := range uint32(100) {
			ev := noSample(256 * 16 * (i + 1))
			ev.Now = t0 + uint64(i)*12000
			u.do(ev)
		}
		require.Equal(t, grows, u.st.Cwnd > 4096, "CTRL %d: cwnd %d", ctrl, u.st.Cwnd)
	}
}

// The bit changes nothing when there is a sample, and the largest average fits the field.
func TestAverageWithoutSampleLeavesSamplesAlone(t *testing.T) {
	for _, ev := range []port.Event{ackOf(256, 12500), ackOf(256, 30000), marked(ackOf(256, 30000)), ackOf(256, 11000)} {
		on, off := newUnit(), newUnit()
		*on.reg(port.RegCtrl) = 4
		require.Equal(t, off.do(ev), on.do(ev))
		require.Equal(t, off.st, on.st)
	}
	require.Equal(t, uint32(1<<32-1), averaged(1<<32-1).do(noSample(0)).Delay)
}

package experiment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/units"
)

// traceOf is an outcome of two flows, of which host 20 sends to another leaf and host 3 within its own.
func traceOf(acks ...Ack) *Outcome {
	r := &result.Result{Time: 100 * units.Microsecond, Flows: []result.FlowResult{
		{Src: 3, Dst: 4, Acked: 60 * units.Microsecond}, {Src: 20, Dst: 90, Acked: 90 * units.Microsecond}}}
	return &Outcome{Result: r, Acks: acks}
}

func TestActionsByHand(t *testing.T) {
	o := traceOf(Ack{Time: 1, Kind: cc.KindAck, Action: nscc.MD}, Ack{Time: 2, Kind: cc.KindAck, Action: nscc.PROP},
		Ack{Time: 3, Kind: cc.KindAck, Action: nscc.QA}, Ack{Time: 4, Kind: cc.KindNack, Action: nscc.NackDec},
		Ack{Time: 9, Kind: cc.KindAck, Action: nscc.MD}, Ack{Time: 9, Kind: cc.KindAck, Action: nscc.FAST})
	require.InDelta(t, 0.5, o.actions(5, nscc.MD), 1e-12) // quick adapts and NACKs are not classified
	require.InDelta(t, 0.5, o.actions(99, nscc.MD), 1e-12)
	require.InDelta(t, 0.75, o.actions(99, nscc.MD, nscc.FAST), 1e-12)
	require.True(t, math.IsNaN(o.actions(0.5, nscc.MD)))
}

func TestWindowsByHand(t *testing.T) {
	o := traceOf(Ack{Time: 0.5, Host: 3, Cwnd: 10}, Ack{Time: 2, Host: 20, Cwnd: 30}, Ack{Time: 2.5, Host: 3, Cwnd: 20})
	got := o.windows(0, 4, func(h int32) float64 { return float64(h) })
	require.Equal(t, [][]float64{{3, 20}, {10, 20}, {10, 30}, {20, 30}}, got)
	// From 29 us on 20 and 30: a distance of 10 at a mean of 25.
	require.InDelta(t, 0.4, windowSpread(o, func(int) bool { return true }), 1e-12)
	require.True(t, math.IsNaN(windowSpread(o, o.crossLeaf)), "one flow has no spread")
}

func TestDelayByHand(t *testing.T) {
	ack := func(delay, avg float64, mark bool) Ack {
		return Ack{Host: 3, Kind: cc.KindAck, HasRTT: true, Delay: delay, Base: 8, Avg: avg, Mark: mark}
	}
	// 4/80; then a long unmarked delay counts as 8/4; then a marked one as it is.
	a := 4.0 / 80
	b := a + (2-a)/80
	c := b + (16-b)/80
	o := traceOf(ack(4, a, false), ack(16, b, false), ack(16, c, true))
	require.InDelta(t, 0, replayError(o), 1e-12)
	o.Acks[1].Avg += 0.25
	require.InDelta(t, 0.25, replayError(o), 1e-12, "a wrong average is seen")
	require.True(t, math.IsNaN(replayError(traceOf())))
	require.True(t, math.IsNaN(smoothing(o)), "three samples are fewer than the first that are left out")
	long := traceOf()
	for i := range skipped + 2 {
		long.Acks = append(long.Acks, ack(float64(i%2*4), float64(i%2), true))
	}
	require.InDelta(t, 1.0/16, smoothing(long), 1e-12) // 0 and 4 against 0 and 1
	require.InDelta(t, 80, stepSamples(), 0)           // 1 - (79/80)^79 = 0.6298 is just below 63 %
}

func TestFirstWindows(t *testing.T) {
	f := firstWindows["spread"]
	require.InDelta(t, 10, f(firstSender, 150), 1e-9)
	require.InDelta(t, 150, f(firstSender+convergers-1, 150), 1e-9)
	require.InDelta(t, 175_284, largest000(), 1) // 1.5 BDP of 100 Gb/s and 9.348 us
}

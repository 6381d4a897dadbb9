package ccc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// The source turnover gives BIND and SAMPLE with the traffic of short flows: a slot is bound only when all of its flow
// is acknowledged, by a surplus that brings inflight back to the bytes under way, and its counter then begins at 0.
func TestFabricTurnover(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		src, err := suite.Open("fabric:turnover", stim.Options{Seed: seed, Events: 60000, TickNs: 1})
		require.NoError(t, err)
		defer src.Close()
		ep, ok := src.Next()
		require.True(t, ok)
		var ev, before ccc.Event
		buf := make([]uint64, ccc.EventWords)
		kinds := map[ccc.Kind]int{}
		type pdc struct {
			flow  int64 // bytes of its flow
			units uint32
		}
		open := map[[2]int]*pdc{}
		flying := map[uint16]int64{} // of a context, as the block counts it
		surplus := 0
		for ep.Next(buf) {
			ccc.UnpackEvent(buf, &ev)
			kinds[ev.Kind]++
			key := [2]int{int(ev.Ctx), int(ev.PDC)}
			x := open[key]
			switch ev.Kind {
			case ccc.KindNewData:
				require.Equal(t, x != nil, before.Kind == ccc.KindBind && before.Ctx == ev.Ctx,
					"each flow but the first binds its slot")
				open[key] = &pdc{flow: int64(ev.Size)}
			case ccc.KindSend:
				flying[ev.Ctx] += int64(ev.Size)
			case ccc.KindAck:
				require.NotNil(t, x)
				require.LessOrEqual(t, int64(ev.RcvdBytes), (x.flow+255)/256, "no bytes of another flow")
				if ev.RcvdBytes > x.units {
					flying[ev.Ctx] -= 256 * int64(ev.RcvdBytes-x.units)
					x.units = ev.RcvdBytes
				}
				flying[ev.Ctx] += int64(ev.UnmarkBytes)
			case ccc.KindNack, ccc.KindLoss:
				flying[ev.Ctx] -= int64(ev.Size)
			case ccc.KindBind:
				require.Equal(t, (x.flow+255)/256, int64(x.units), "all of the flow before is acknowledged")
				require.EqualValues(t, 256*int64(x.units)-x.flow, ev.Size)
				require.Zero(t, ev.RcvdBytes)
				flying[ev.Ctx] += int64(ev.Size)
				surplus += int(ev.Size)
			case ccc.KindSample:
				require.Greater(t, ev.Data, uint64(5000))
				require.Less(t, ev.Data, uint64(1_000_000))
			}
			before = ev
		}
		require.NoError(t, src.Err())
		require.Greater(t, kinds[ccc.KindBind], 100, "%v", kinds)
		require.Greater(t, kinds[ccc.KindSample], 10, "%v", kinds)
		require.Greater(t, kinds[ccc.KindNack], 100, "%v", kinds)
		require.Greater(t, kinds[ccc.KindAck], 10_000, "%v", kinds)
		require.NotZero(t, surplus)
		for ctx, n := range flying {
			require.GreaterOrEqual(t, n, int64(-255*2), "context %d", ctx)
		}
		t.Log(kinds)
	}
}

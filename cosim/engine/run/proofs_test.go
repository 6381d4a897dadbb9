package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// The coverage proofs argue on small models of their own. This test makes the same argument on the model: every
// combination of the inputs that decide the steps of an ACK, and every kind from every corner of the counters, hits no
// bin that is proved unreachable.
func TestUnreachableBinsOnTheTwin(t *testing.T) {
	t.Parallel()
	c, err := block.NewCollector(ccc.BlockName, nil)
	require.NoError(t, err)
	cfg, st := rtlccc.DefaultConfig(), rtlccc.State{}
	in, out := make([]uint64, ccc.InWords), make([]uint64, ccc.OutWords)
	do := func(ev ccc.Event) {
		var rsp ccc.Response
		rtlccc.Apply(&cfg, &st, &ev, &rsp)
		ccc.PackEvent(&ev, in)
		ccc.PackResponse(&rsp, out)
		c.Event(in, out)
	}
	load := func(w ccc.Words) {
		do(ccc.Event{Kind: ccc.KindOpen})
		for addr := range ccc.NumWords {
			do(ccc.Event{Kind: ccc.KindLoad, Addr: uint8(addr), Data: w.Word(addr)})
		}
	}
	const now = 1 << 40
	const base, target, fast = 12000, 9000, 1000
	ctrl := ^uint64(0) // none: forces the first write
	for n := range 1 << 17 {
		b := func(i int) bool { return n>>i&1 != 0 }
		pick := func(i int, yes, no uint64) uint64 {
			if b(i) {
				return yes
			}
			return no
		}
		if q := pick(15, 1, 0) | pick(16, 4, 0); q != ctrl {
			ctrl = q
			do(ccc.Event{Kind: ccc.KindCfgWrite, Addr: ccc.RegCtrl, Data: q})
		}
		load(ccc.Words{
			Cwnd: 100_000, MaxWnd: 200_000, Inflight: 50_000, BaseRTT: base, InflightPkts: 10, Backlog: 1,
			SavedCwnd: uint32(pick(5, 90_000, 0)), BytesToIgnore: uint32(pick(8, 1<<30, 0)),
			QAEndtime: pick(9, now, now+1), QAValid: b(10), TriggerQA: b(11),
			AchievedBytes: uint32(pick(12, 0, 190_000)), LastAdjustTime: pick(13, now-12000, now),
			ReceivedBytes: uint32(pick(14, 40_000, 0)), LastDecTime: now - 20_000, AvgDelay: 20_000 << 16,
		})
		delay := pick(1, target+5, pick(2, 0, fast+5))
		ev := ccc.Event{
			Kind: ccc.KindAck, Now: now, M: b(0), Pend: uint8(pick(3, 5, 0)), RC: b(4), TxValid: b(6), ServiceTime: 1,
			RcvdBytes: 1, AckedPkts: 1, TxTime: now - 128 - base - delay,
		}
		if b(7) {
			ev.TxTime = now - 128 - base + 1 // below base_rtt
		}
		do(ev)
	}
	corners := []uint32{0, 1, 2, 1<<32 - 1}
	for _, backlog := range corners {
		for _, waiting := range corners {
			for _, pkts := range corners {
				for _, inflight := range []int32{-1 << 31, 0, 95_904, 95_905, 1<<31 - 1} {
					for _, kind := range []ccc.Kind{
						ccc.KindNewData, ccc.KindSend, ccc.KindAck, ccc.KindNack, ccc.KindLoss, ccc.KindBind, ccc.KindSample,
					} {
						for _, size := range []uint32{0, 1, 1<<32 - 1} {
							load(ccc.Words{Cwnd: 100_000, MaxWnd: 200_000, Inflight: inflight, Backlog: uint64(backlog), WaitingRtx: waiting,
								RtxBacklog: waiting, InflightPkts: pkts})
							do(ccc.Event{Kind: kind, Size: size, IsRtx: size == 1, AckedPkts: uint16(size), UnmarkPkts: uint16(size),
								Reason: 1})
						}
					}
				}
			}
		}
	}
	r := c.Report()
	require.Empty(t, r.Impossible)
	require.Zero(t, c.Differences())
	require.NoError(t, c.CheckProofs())
	for _, g := range r.Groups {
		if g.Name == "ack_action_with_flag" {
			// Flags of single values, such as saturated, are not part of the walk.
			require.GreaterOrEqual(t, g.Hit, 35, "the walk has lost cases")
		}
	}
}

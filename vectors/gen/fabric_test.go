package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// TestFabricStream checks the live stream of a simulation: configuration first,
// every context opened once and before its events, time in order, ticks that are
// the picoseconds rounded down, and several connections to a context.
func TestFabricStream(t *testing.T) {
	for _, name := range fabricNames(BlockCCC) {
		for _, tick := range []int{1, 128} {
			src, err := Open(BlockCCC, "fabric:"+name, Options{Seed: 1, Events: 60000, TickNs: tick})
			require.NoError(t, err)
			defer src.Close()
			ep, ok := src.Next()
			require.True(t, ok)
			var ev ccc.Event
			buf := make([]uint64, ccc.EventWords)
			opened := map[uint16]bool{}
			pdcs := map[[2]uint16]bool{}
			kinds := map[ccc.Kind]int{}
			last := int64(0)
			for i := 0; ep.Next(buf); i++ {
				ccc.UnpackEvent(buf, &ev)
				kinds[ev.Kind]++
				now, tx, timed := ep.Picos()
				require.Equal(t, i >= ccc.NumRegs, timed)
				if !timed {
					require.Equal(t, ccc.KindCfgWrite, ev.Kind)
					continue
				}
				require.GreaterOrEqual(t, now, last)
				last = now
				require.EqualValues(t, now/int64(tick*1000), ev.Now)
				require.EqualValues(t, tx/int64(tick*1000), ev.TxTime)
				require.Equal(t, ev.Kind != ccc.KindOpen, opened[ev.Ctx], "event %d", i)
				opened[ev.Ctx] = true
				if ev.Kind == ccc.KindAck {
					pdcs[[2]uint16{ev.Ctx, uint16(ev.PDC)}] = true
				}
			}
			require.NoError(t, src.Err())
			require.Greater(t, len(opened), 20)
			require.Greater(t, len(pdcs), len(opened), "no context has two connections")
			for _, k := range []ccc.Kind{ccc.KindNewData, ccc.KindSend, ccc.KindAck} {
				require.NotZero(t, kinds[k], "%s: %v", name, k)
			}
			if name == "incast32" {
				require.NotZero(t, kinds[ccc.KindNack], "an incast trims")
			}
		}
	}
}

func TestFabricLeavesOutWhatDoesNotFit(t *testing.T) {
	src, err := Open(BlockCCC, "fabric:permutation", Options{Seed: 1, Events: 5000, Params: map[string]int{"NumContexts": 5}})
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	buf := make([]uint64, ccc.EventWords)
	var ev ccc.Event
	n := 0
	for ; ep.Next(buf); n++ {
		ccc.UnpackEvent(buf, &ev)
		require.Less(t, ev.Ctx, uint16(5))
	}
	require.Equal(t, 5000, n)
}

func TestFabricSourceCanBeAbandoned(t *testing.T) {
	src, err := Open(BlockTxstate, "fabric:permutation", Options{Seed: 1, Events: 1 << 30})
	require.NoError(t, err)
	ep, _ := src.Next()
	buf := make([]uint64, txstate.EventWords)
	for range 10000 {
		require.True(t, ep.Next(buf))
	}
	src.Close() // returns when the simulation has ended
	require.NoError(t, src.Err())
}

// Acknowledged packets were sent before, and samples come out of the stream.
func TestFabricTxstateStream(t *testing.T) {
	src, err := Open(BlockTxstate, "fabric:incast32", Options{Seed: 1, Events: 30000})
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	buf := make([]uint64, txstate.EventWords)
	var ev txstate.Event
	type key struct {
		pdc uint16
		psn uint32
	}
	sent := map[key]bool{}
	kinds := map[txstate.Kind]int{}
	for ep.Next(buf) {
		txstate.UnpackEvent(buf, &ev)
		kinds[ev.Kind]++
		switch ev.Kind {
		case txstate.KindSend:
			sent[key{ev.PDC, ev.PSN}] = true
		case txstate.KindAck, txstate.KindNack:
			require.True(t, sent[key{ev.PDC, ev.PSN}], "pdc %d psn %d was never sent", ev.PDC, ev.PSN)
		}
	}
	for _, k := range []txstate.Kind{txstate.KindSend, txstate.KindAck, txstate.KindNack, txstate.KindCfgWrite} {
		require.NotZero(t, kinds[k], k)
	}
}

// TestAnswersOfNoPacket: the ACK of a probe or of an ACK request frees the packets that
// it acknowledges, and not one that has the probe's number or that was asked for.
func TestAnswersOfNoPacket(t *testing.T) {
	for _, c := range []struct {
		ev   cc.Event
		want []uint32 // PSNs
		took []uint16 // their service times
	}{
		{cc.Event{PSN: 9, AckedPSNs: []uint32{8, 9}, ServiceTime: 3}, []uint32{9, 8}, []uint16{3, 0}},
		{cc.Event{PSN: 9, ServiceTime: 3}, []uint32{9}, []uint16{3}},
		{cc.Event{PSN: 9, ServiceTime: 3, Asked: true}, nil, nil},
		{cc.Event{PSN: 9, AckedPSNs: []uint32{8, 9}, ServiceTime: 3, Asked: true}, []uint32{8, 9}, []uint16{0, 0}},
		{cc.Event{PSN: 2, AckedPSNs: []uint32{8}, ServiceTime: 3, Probe: true}, []uint32{8}, []uint16{0}},
	} {
		s := &fabricSource{ids: map[int64]int{}, limit: 1, want: 100, tickPs: 1000}
		c.ev.Kind = cc.KindAck
		require.True(t, s.tapTx(&c.ev))
		require.Len(t, s.in, len(c.want), "%+v", c.ev)
		for i := range s.in {
			var ev txstate.Event
			txstate.UnpackEvent(s.in[i].words[:], &ev)
			require.Equal(t, txstate.KindAck, ev.Kind)
			require.Equal(t, c.want[i], ev.PSN, "%+v", c.ev)
			require.Equal(t, c.took[i], ev.ServiceTime, "%+v", c.ev)
		}
	}
}

func TestFabricConstants(t *testing.T) {
	spec, err := FabricSpec(BlockCCC, "permutation", 1)
	require.NoError(t, err)
	reg, err := exact.Constants(FabricSI(spec, 1))
	require.NoError(t, err)
	c := RegisterFile(&reg)
	require.EqualValues(t, 4096, c[ccc.RegMTU])
	require.EqualValues(t, 7, c[ccc.RegTimeShift])
	require.InDelta(t, 900000, float64(c[ccc.RegMaxWnd]), 1000)
	require.InDelta(t, 12000, float64(c[ccc.RegConfigBaseRTT]), 10)
	require.InDelta(t, 9000, float64(c[ccc.RegTargetQDelay]), 10)
	reg, err = exact.Constants(FabricSI(spec, 128))
	require.NoError(t, err)
	require.Zero(t, reg.TimeShift)
	require.InDelta(t, 12000/128.0, float64(reg.ConfigBaseRTT), 1)
	_, err = FabricSpec(BlockCCC, "torus", 1)
	require.ErrorContains(t, err, "torus")
}

// TestFabricProfiles: contexts of different base RTT have a profile each, written before the first OPEN, and are
// opened with it; a block with fewer profiles is refused.
func TestFabricProfiles(t *testing.T) {
	spec, err := FabricSpec(BlockCCC, "permutation", 1)
	require.NoError(t, err)
	spec.PerFlowRTT = true
	contexts, err := fabric.Contexts(spec)
	require.NoError(t, err)
	want := map[units.Picos]int{}
	for _, c := range contexts {
		want[c.BaseRTT]++
	}
	require.Greater(t, len(want), 1)

	o := Options{Seed: 1, Events: 20000, TickNs: 1}
	require.NoError(t, o.fill(BlockCCC))
	src, err := openSimulation(BlockCCC, "permutation", spec, &o)
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	buf := make([]uint64, ccc.EventWords)
	var ev ccc.Event
	base, opened := map[uint8]uint64{}, map[uint64]int{}
	for i := 0; ep.Next(buf); i++ {
		ccc.UnpackEvent(buf, &ev)
		require.Equal(t, i < len(want)*ccc.NumRegs, ev.Kind == ccc.KindCfgWrite, "event %d", i)
		switch {
		case ev.Kind == ccc.KindCfgWrite && ev.Addr == ccc.RegConfigBaseRTT:
			base[ev.Profile] = ev.Data
		case ev.Kind == ccc.KindOpen:
			require.Contains(t, base, ev.Profile)
			opened[base[ev.Profile]]++
		}
	}
	require.NoError(t, src.Err())
	require.Len(t, base, len(want))
	for p, n := range want {
		require.InDelta(t, n, opened[uint64(p)/1000]+opened[uint64(p)/1000+1], 0, "base RTT %v", p)
	}

	o.Params["NumProfiles"] = 1
	_, err = openSimulation(BlockCCC, "permutation", spec, &o)
	require.ErrorContains(t, err, "different sets of constants")
	require.ErrorContains(t, err, "raise NumProfiles")
}

// TestFabricSamples: the RTT that a probe measured precedes its ACK.
func TestFabricSamples(t *testing.T) {
	spec, err := FabricSpec(BlockCCC, "incast32", 1)
	require.NoError(t, err)
	spec.Recovery = settings.RecoverSLEEK
	o := Options{Seed: 1, Events: 60000, TickNs: 1}
	require.NoError(t, o.fill(BlockCCC))
	src, err := openSimulation(BlockCCC, "incast32", spec, &o)
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	buf := make([]uint64, ccc.EventWords)
	var ev, before ccc.Event
	n := 0
	for ep.Next(buf) {
		ccc.UnpackEvent(buf, &ev)
		if before.Kind == ccc.KindSample {
			n++
			require.Equal(t, ccc.KindAck, ev.Kind)
			require.Equal(t, before.Ctx, ev.Ctx)
			require.Equal(t, before.Now, ev.Now)
			require.False(t, ev.TxValid, "a probe has no transmit state")
			require.Greater(t, before.Data, uint64(5000))
			require.Less(t, before.Data, uint64(1_000_000))
		}
		before = ev
	}
	require.NoError(t, src.Err())
	require.Greater(t, n, 10)
}

// TestCCCEventRefusesOthers: events of other congestion controls are no events of the block.
func TestCCCEventRefusesOthers(t *testing.T) {
	var ev ccc.Event
	for kind := cc.KindOpen; kind <= cc.KindTimer; kind++ {
		err := CCCEvent(&cc.Event{Kind: kind}, 0, 1000, &ev)
		if kind < cc.KindCNP {
			require.NoError(t, err, kind)
			continue
		}
		require.ErrorContains(t, err, "the ccc block has no such event", kind)
	}
}

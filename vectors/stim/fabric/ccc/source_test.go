package ccc

import (
	"testing"

	"github.com/stretchr/testify/require"

	network "github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

var suite = stim.Suite{Schema: ccc.Schema(), Sources: Sources}

// TestFabricStream checks the live stream of a simulation: configuration first,
// every context opened once and before its events, time in order, ticks that are
// the picoseconds rounded down, and several connections to a context.
func TestFabricStream(t *testing.T) {
	for _, name := range simulations {
		for _, tick := range []int{1, 128} {
			src, err := suite.Open("fabric:"+name, stim.Options{Seed: 1, Events: 60000, TickNs: tick})
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
			_, credit := credited[name]
			require.Equal(t, credit, kinds[ccc.KindCredit] > 1000, name)
			if name == "incast32" {
				require.NotZero(t, kinds[ccc.KindNack], "an incast trims")
			}
		}
	}
}

func TestFabricLeavesOutWhatDoesNotFit(t *testing.T) {
	src, err := suite.Open("fabric:permutation", stim.Options{Seed: 1, Events: 5000,
		Params: map[string]int{"NumContexts": 5}})
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

// TestFabricProfiles: contexts of different base RTT have a profile each, written before the first OPEN, and are
// opened with it; a block with fewer profiles is refused.
func TestFabricProfiles(t *testing.T) {
	spec, err := Simulation("permutation", 1)
	require.NoError(t, err)
	spec.PerFlowRTT = true
	contexts, err := network.Contexts(spec)
	require.NoError(t, err)
	want := map[units.Picos]int{}
	for _, c := range contexts {
		want[c.BaseRTT]++
	}
	require.Greater(t, len(want), 1)

	o, err := stim.Options{Seed: 1, Events: 20000}.Filled(ccc.Schema())
	require.NoError(t, err)
	src, err := openSimulation("permutation", spec, &o)
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
	_, err = openSimulation("permutation", spec, &o)
	require.ErrorContains(t, err, "different sets of constants")
	require.ErrorContains(t, err, "raise NumProfiles")
}

// TestFabricSamples: the RTT that a probe measured precedes its ACK.
func TestFabricSamples(t *testing.T) {
	spec, err := Simulation("incast32", 1)
	require.NoError(t, err)
	spec.Recovery = settings.RecoverSLEEK
	o, err := stim.Options{Seed: 1, Events: 60000}.Filled(ccc.Schema())
	require.NoError(t, err)
	src, err := openSimulation("incast32", spec, &o)
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

func TestUnknownSimulation(t *testing.T) {
	_, err := Simulation("torus", 1)
	require.ErrorContains(t, err, "torus")
}

// The words that a simulation writes are its constants, rounded.
func TestConstantsAreThoseWritten(t *testing.T) {
	for _, name := range simulations {
		o, err := stim.Options{Seed: 2, Events: 2000}.Filled(ccc.Schema())
		require.NoError(t, err)
		all, err := Constants("fabric:"+name, &o)
		require.NoError(t, err)
		require.NotEmpty(t, all)
		src, err := suite.Open("fabric:"+name, o)
		require.NoError(t, err)
		defer src.Close()
		ep, _ := src.Next()
		buf := make([]uint64, ccc.EventWords)
		var ev ccc.Event
		written := 0
		for ; ep.Next(buf); ccc.UnpackEvent(buf, &ev) {
			if ev.Kind != ccc.KindCfgWrite {
				continue
			}
			for _, q := range all[ev.Profile].Quantised {
				if q.Name == ccc.RegInfo[ev.Addr].Name {
					require.Equal(t, q.Raw, ev.Data, q.Name)
					written++
				}
			}
		}
		require.GreaterOrEqual(t, written, (ccc.NumRegs-1)*len(all), "every register of every profile")
	}
	none, err := Constants("random", &stim.Options{})
	require.NoError(t, err)
	require.Nil(t, none)
	_, err = Constants("fabric:nowhere", &stim.Options{})
	require.Error(t, err)
}

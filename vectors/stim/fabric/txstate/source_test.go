package txstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
)

var suite = stim.Suite{Schema: txstate.Schema(), Sources: Sources}

func TestFabricSourceCanBeAbandoned(t *testing.T) {
	src, err := suite.Open("fabric:permutation", stim.Options{Seed: 1, Events: 1 << 30})
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
	src, err := suite.Open("fabric:incast32", stim.Options{Seed: 1, Events: 30000})
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
		{cc.Event{PSN: 9, AckedPSNs: []uint32{8, 9}, ServiceTime: 3, Asked: true}, []uint32{8, 9},
			[]uint16{0, 0}},
		{cc.Event{PSN: 2, AckedPSNs: []uint32{8}, ServiceTime: 3, Probe: true}, []uint32{8}, []uint16{0}},
	} {
		c.ev.Kind = cc.KindAck
		var got []txstate.Event
		Events(&c.ev, 0, 1000, func(ev *txstate.Event) { got = append(got, *ev) })
		require.Len(t, got, len(c.want), "%+v", c.ev)
		for i, ev := range got {
			require.Equal(t, txstate.KindAck, ev.Kind)
			require.Equal(t, c.want[i], ev.PSN, "%+v", c.ev)
			require.Equal(t, c.took[i], ev.ServiceTime, "%+v", c.ev)
		}
	}
}

package ackparse

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
)

// TestHeadersComeFromTheRun: an independent decoder finds the acknowledgements, NACKs and control packets of a run,
// with the range that its receivers accept, and syn in what was sent before the first ACK.
func TestHeadersComeFromTheRun(t *testing.T) {
	suite := stim.Suite{Schema: ackparse.Schema(), Sources: Sources}
	src, err := suite.Open("fabric:incast32", stim.Options{Seed: 1, Events: 40_000})
	require.NoError(t, err)
	defer src.Close()
	ep, _ := src.Next()
	buf := make([]uint64, ackparse.InWords)
	seen := map[string]int{}
	var frame []byte
	var rx ackparse.Rx
	for ep.Next(buf) {
		ackparse.UnpackRx(buf, &rx)
		n := 64
		if rx.Last {
			n = bits.TrailingZeros64(^rx.Keep)
		}
		var beat [64]byte
		for i, w := range rx.Data {
			binary.LittleEndian.PutUint64(beat[8*i:], w)
		}
		if frame = append(frame, beat[:n]...); !rx.Last {
			continue
		}
		p, err := uet.Decode(uet.DefaultSpec(), frame)
		require.NoError(t, err)
		frame = frame[:0]
		seen[p.Type.String()]++
		switch {
		case p.Ack != nil:
			require.True(t, p.Sound(), p.Complaints)
			require.EqualValues(t, 255, p.Ack.CC.MPR, "two windows are more")
		case p.Control != nil:
			require.True(t, p.Sound(), p.Complaints)
			seen[p.Control.CtlType.String()]++
			if p.Control.Syn {
				seen["syn"]++
			}
		}
	}
	require.NoError(t, src.Err())
	t.Log(seen)
	for _, what := range []string{"ACK_CC", "NACK", "CP", "ACK_REQ", "syn"} {
		require.NotZero(t, seen[what], what)
	}
}

package ackgen

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
)

// An independent decoder finds connections in the source turnover that open with syn, end with a CLOSE after their last
// PSN, and leave their PDC to another connection while others go on.
func TestTurnoverOpensAndClosesConnections(t *testing.T) {
	const pdcs = 4
	suite := stim.Suite{Schema: ackgen.Schema(), Sources: Sources}
	src, err := suite.Open("fabric:turnover",
		stim.Options{Seed: 1, Events: 20_000, Params: map[string]int{"Pdcs": pdcs}})
	require.NoError(t, err)
	defer src.Close()
	type connection struct {
		pdc         uint16
		first, last uint32
	}
	open := map[uint32]*connection{} // by tag
	closed := map[uint32]bool{}
	users := map[uint16]int{} // connections that each PDC has had
	beside := 0               // closed while others were open
	ep, _ := src.Next()
	buf := make([]uint64, ackgen.InWords)
	var frame []byte
	var rx ackgen.Rx
	for ep.Next(buf) {
		ackgen.UnpackRx(buf, &rx)
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
		require.False(t, closed[rx.Tag], "a packet after the CLOSE")
		c := open[rx.Tag]
		switch {
		case p.Request != nil:
			if c == nil {
				require.True(t, p.Request.Syn, "the first packet")
				c = &connection{first: p.Request.PSN - uint32(p.Request.PSNOffset)}
				c.last = c.first
				open[rx.Tag] = c
				require.LessOrEqual(t, len(open), pdcs)
			}
			if int32(p.Request.PSN-c.last) > 0 {
				c.last = p.Request.PSN
			}
			if !p.Request.Syn {
				c.pdc = p.Request.DPDCID
			}
		case p.Control != nil && p.Control.CtlType == uet.Close:
			require.NotNil(t, c)
			require.Equal(t, c.last+1, p.Control.PSN)
			if c.pdc != 0 { // not all of its requests had syn
				require.Equal(t, c.pdc, p.Control.DPDCID)
			}
			users[p.Control.DPDCID]++
			if len(open) > 1 {
				beside++
			}
			delete(open, rx.Tag)
			closed[rx.Tag] = true
		}
	}
	require.NoError(t, src.Err())
	t.Log(len(closed), users, beside)
	require.Len(t, users, pdcs)
	for pdc, n := range users {
		require.Greater(t, n, 20, "PDC %d", pdc)
	}
	require.Greater(t, beside, len(closed)/2)
}

package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A message of 300 bytes in packets of 128: three packets, the last one smaller.
func TestPacketsOfAMessage(t *testing.T) {
	w := newWorld(t, port.RegPayload, 7, port.RegHeader, 20)
	w.ask(port.Cmd{Kind: kOpen, PDC: 5, Data: 1<<32 - 2})
	w.may(1, true)
	w.ask(port.Cmd{Kind: kMessage, PDC: 5, Data: 300})
	for i, size := range []uint32{148, 148, 64} {
		w.now += 7
		x := w.send()
		require.Equal(t, &port.Act{Kind: port.ActionSent, PDC: 5, Now: w.now, PSN: uint32(i) - 2, Size: size, Syn: true,
			PSNOffset: uint16(i), Ar: i == 2, Eom: i == 2, Tx: true}, x)
		r := w.s.Words(5, x.PSN)
		require.Equal(t, [2]uint32{size, uint32(w.now)}, [2]uint32{uint32(r.Size), r.Stamp})
	}
	require.False(t, w.s.Waiting())
	require.Equal(t, port.Words{Valid: true, Syn: true, Start: 1<<32 - 2, Una: 1<<32 - 2, Outstanding: 3, Sum: 360,
		CanSend: true, Next: 2, Sent: 3, Turns: 3}, func() port.Words { x := w.s.Words(5, 99); return x }())

	r := sack(5, 1<<32-1, 0, 0) // the first two; from now on the packets have the PDC of the destination
	require.NotNil(t, w.record(r))
	w.ask(port.Cmd{Kind: kMessage, PDC: 5, Data: 128})
	require.Equal(t, &port.Act{Kind: port.ActionSent, PDC: 5, Now: w.now, PSN: 1, Size: 148, Ar: true, Eom: true,
		Tx: true, Peer: 77}, w.send())
}

// The offset of a PSN from the first has 12 bits.
func TestPSNOffset(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 100, 1)
	w.load(0, port.WordUna, 0, 100+4094)
	w.ask(port.Cmd{Kind: kMessage, PDC: 0, Data: 384})
	for _, want := range []uint16{4095, 0, 1} {
		require.Equal(t, want, w.send().PSNOffset)
	}
}

// MPR limits what is outstanding; the packet that fills the range asks for an ACK. 0 and what is above WINDOW do not
// limit.
func TestLimit(t *testing.T) {
	for _, tc := range []struct{ mpr, limit int }{{0, 128}, {1, 1}, {2, 2}, {127, 127}, {128, 128}, {129, 128},
		{255, 128}} {
		w := newWorld(t)
		w.opens(3, 1<<32-60, 0)
		w.load(3, 0, 0, uint32(1|tc.mpr<<8))
		w.ask(port.Cmd{Kind: kMessage, PDC: 3, Data: 128 * 200})
		for i := 1; i <= tc.limit; i++ {
			require.Equal(t, i == tc.limit, w.send().Ar, "mpr %d, packet %d", tc.mpr, i)
		}
		require.False(t, w.s.Waiting(), "mpr %d", tc.mpr)
		require.Equal(t, uint8(tc.limit), w.pdc(3).Outstanding)
	}
}

// What is lost goes first, the lowest PSN first; it asks for an ACK, and counts nothing as sent anew.
func TestResends(t *testing.T) {
	w := newWorld(t)
	w.opens(2, 1000, 4)
	w.ask(port.Cmd{Kind: kMessage, PDC: 2, Data: 5})
	w.may(0, false)
	require.Nil(t, w.turn(), "it may not send now")
	require.NotNil(t, w.record(nack(2, 1002, trimmed, false)))
	require.NotNil(t, w.record(nack(2, 1000, trimmed, false)))
	sum := w.pdc(2).Sum
	w.now += 500
	w.may(0, true)
	for _, psn := range []uint32{1000, 1002} {
		require.Equal(t, &port.Act{Kind: port.ActionSent, PDC: 2, Now: 1500, PSN: psn, Size: 128 + 64, IsRtx: true, Syn: true,
			PSNOffset: uint16(psn - 1000), Ar: true, Tx: true}, w.send())
		require.Equal(t, uint32(1500), w.s.row(2, psn).stamp)
	}
	require.Equal(t, sum, w.pdc(2).Sum)
	require.Equal(t, uint32(0b101), w.word(2, port.WordResent0))
	require.Equal(t, &port.Act{Kind: port.ActionSent, PDC: 2, Now: 1500, PSN: 1004, Size: 5 + 64, Syn: true, PSNOffset: 4,
		Ar: true, Eom: true, Tx: true}, w.send())
	require.Equal(t, [3]uint32{7, 2, 2}, [3]uint32{w.word(0, port.WordSent), w.word(0, port.WordResends),
		w.word(0, port.WordNacks)})
}

// A PSN beyond a limit that shrank is not sent again until the limit allows it; nor is what was acknowledged.
func TestResendsBelowTheLimit(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 50, 6)
	require.NotNil(t, w.record(nack(0, 53, trimmed, false)))
	r := sack(0, 49, 50, 0b10)
	r.Mpr = 3
	require.NotNil(t, w.record(r))
	require.Nil(t, w.turn(), "it was in the list, and PSN 53 is not among the first three")
	r.Mpr = 4
	require.NotNil(t, w.record(r))
	require.Equal(t, uint32(53), w.send().PSN)
	w.load(0, port.WordMarked0, 0, 0b10010)
	require.False(t, w.s.Waiting(), "51 is acknowledged, and 54 beyond the limit")
	w.load(0, 0, 0, 1)
	require.Equal(t, uint32(54), w.send().PSN)
	w.load(0, port.WordMarked1, 0, 1)
	require.False(t, w.s.Waiting(), "a bit beyond what is outstanding")
}

// Slots of a context take turns; resends of any slot go first. Contexts take turns among each other.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	w.may(0, true)
	w.may(1, true)
	for k := range 8 {
		if k == 2 || k == 5 {
			continue
		}
		w.ask(port.Cmd{Kind: kOpen, PDC: uint16(k)})
		w.ask(port.Cmd{Kind: kMessage, PDC: uint16(k), Data: 1 << 20})
	}
	var order []int
	for range 12 {
		order = append(order, int(w.send().PDC))
	}
	require.Equal(t, []int{0, 4, 1, 6, 3, 7, 0, 4, 1, 6, 3, 7}, order)
	require.NotNil(t, w.record(nack(1, 0, trimmed, false)))
	require.NotNil(t, w.record(nack(0, 1, trimmed, false)))
	order = nil
	for range 8 {
		order = append(order, int(w.send().PDC))
	}
	require.Equal(t, []int{0, 4, 1, 6, 3, 7, 0, 4}, order, "0 and 1 send again, and 3 goes on after 1")

	w.load(0, 0, 0, 1|4) // closing
	w.load(1, 0, 0, 1|8) // stopped
	require.Equal(t, uint16(3), w.send().PDC)
	require.Equal(t, uint16(6), w.send().PDC)
	require.Equal(t, uint16(3), w.send().PDC)
}

// A context that sent waits for the view of its SEND, and joins the list once.
func TestWaits(t *testing.T) {
	w := newWorld(t)
	w.opens(0, 0, 0)
	w.ask(port.Cmd{Kind: kMessage, PDC: 0, Data: 1 << 20})
	require.True(t, w.pdc(0).Queued)
	w.may(0, true)
	require.Equal(t, 1, w.s.ready.Len())
	require.NotNil(t, w.turn())
	require.Equal(t, [2]bool{true, false}, [2]bool{w.pdc(0).Waits, w.pdc(0).Queued})
	w.may(0, true)
	require.NotNil(t, w.record(nack(0, 0, trimmed, false)))
	require.False(t, w.s.Waiting())
	w.view(port.View{Kind: viewSend, Ctx: 0})
	require.False(t, w.s.Waiting(), "it may not send")
	w.may(0, true)
	require.True(t, w.s.Waiting())
	w.may(0, false)
	require.Nil(t, w.turn())
	require.Equal(t, [2]uint32{2, 1}, [2]uint32{w.word(0, port.WordTurns), w.word(0, port.WordSent)})
	require.False(t, w.s.Waiting())
}

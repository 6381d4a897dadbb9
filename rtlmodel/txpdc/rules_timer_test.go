package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// A packet is lost when the timeout has passed, which timeouts in a row stretch.
func TestTimeout(t *testing.T) {
	for tries, shift := range []int{0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6} {
		for _, start := range []uint64{1000, 1<<32 - 100, 1<<48 - 100} {
			w := newWorld(t, port.RegRto, 1<<24-1, port.RegTries, 15)
			w.now = start
			w.opens(0, 0, 3)
			w.load(0, 0, 0, uint32(1|tries<<4|77<<16))
			w.now = (start + uint64(1<<24-1)<<shift - 1) % (1 << 48)
			require.Nil(t, w.timer(0))
			w.now = (w.now + 1) % (1 << 48)
			require.Equal(t, &port.Act{Kind: port.ActionLost, Now: w.now, Size: 192}, w.timer(0), "tries %d", tries)
			require.Equal(t, uint8(tries), w.pdc(0).Tries, "it was sent once")
			require.Equal(t, uint32(1), w.word(0, port.WordLosses))
			require.Equal(t, uint32(1), w.word(0, port.WordMarked0))
			require.Equal(t, uint32(1), w.timer(0).PSN, "the next one")
		}
	}
}

// The timer looks at the lowest packet in flight that was sent once, then at the lowest that was resent.
func TestTimerOrder(t *testing.T) {
	w := newWorld(t, port.RegRto, 100)
	w.opens(0, 0, 5)
	for _, psn := range []uint32{0, 2} {
		w.record(nack(0, psn, trimmed, false))
		w.now += 10
		w.send() // at 1010 and 1020
	}
	w.record(sack(0, 1<<32-1, 1, 1)) // 3 and 4 were sent once, at 1000; 0 and 2 again
	w.now = 1099
	require.Nil(t, w.timer(0))
	w.now = 1105
	require.Equal(t, uint32(3), w.timer(0).PSN)
	require.Equal(t, uint32(3), w.send().PSN) // at 1105
	w.now = 1109
	require.Equal(t, uint32(4), w.timer(0).PSN)
	w.send()
	require.Nil(t, w.timer(0))
	w.now = 1110
	require.Equal(t, uint32(0), w.timer(0).PSN)
	require.Equal(t, uint8(1), w.pdc(0).Tries, "it had been resent")
	w.now = 1219
	require.Nil(t, w.timer(0), "2 was sent at 1020, and the timeout is twice as long")
	w.now = 1220
	require.Equal(t, uint32(2), w.timer(0).PSN)
	require.Equal(t, uint8(2), w.pdc(0).Tries)
	require.Nil(t, w.timer(0))

	w = newWorld(t, port.RegRto, 100) // one that was sent once and is not late does not hide one that is
	w.opens(0, 0, 1)
	w.record(nack(0, 0, trimmed, false))
	w.send()
	w.now += 50
	w.ask(port.Cmd{Kind: kMessage, PDC: 0, Data: 1})
	w.send()
	w.now += 50
	require.Equal(t, uint32(0), w.timer(0).PSN)
}

// After TRIES timeouts of what was resent the PDC stops. Then the timer retires what is outstanding.
func TestGivesUp(t *testing.T) {
	w := newWorld(t, port.RegRto, 10, port.RegTries, 3)
	w.opens(5, 70, 4)
	w.ask(port.Cmd{Kind: kMessage, PDC: 5, Data: 999})
	w.record(sack(5, 69, 71, 0b11))
	w.may(1, false)
	require.Nil(t, w.turn())
	w.record(nack(5, 73, trimmed, false))
	for try := range 4 {
		w.now += 10 << try
		require.Equal(t, uint32(70), w.timer(5).PSN)
		w.load(5, port.WordMarked0, 0, 0b1000) // as if 70 were sent again at once
		w.load(5, port.WordResent0, 0, 1)
		w.load(5, port.WordStamp, 70, uint32(w.now))
	}
	require.Equal(t, uint8(3), w.pdc(5).Tries)
	w.now += 80
	before := w.pdc(5)
	require.Equal(t, &port.Act{Kind: port.ActionStopped, PDC: 5, Now: w.now}, w.timer(5))
	before.Stopped = true
	require.Equal(t, before, w.pdc(5))
	w.may(1, true)
	require.False(t, w.s.Waiting())

	sum := uint32(4 * 192)
	require.Equal(t, &port.Act{Kind: port.ActionAcked, PDC: 5, Now: w.now, AckedPkts: 1, UnmarkPkts: 1, UnmarkBytes: 192,
		RcvdBytes: sum / 256}, w.timer(5), "70 is in flight, 73 waits, and something is left")
	p := w.pdc(5)
	require.Equal(t, [4]uint32{74, 0, sum, sum / 256}, [4]uint32{p.Una, uint32(p.Outstanding), p.Sum, p.Rcvd})
	require.Zero(t, p.Acked0|p.Marked0|p.Resent0)
	require.Nil(t, w.timer(5))
	require.Equal(t, port.ActionFreed, w.ask(port.Cmd{Kind: kClose, PDC: 5}).Kind)
}

// Retirement sets rcvd of a stopped PDC to all bytes that it sent, rounded up.
func TestRetired(t *testing.T) {
	for _, tc := range []struct{ sum, rcvd uint32 }{{0, 0}, {1, 1}, {256, 1}, {257, 2}, {1<<32 - 256, 1<<24 - 1},
		{1<<32 - 255, 0}, {1<<32 - 1, 0}} {
		w := newWorld(t)
		w.opens(0, 9, 128)
		w.load(0, port.WordSum, 0, tc.sum)
		w.load(0, 0, 0, 1|2|4|8)
		w.load(0, port.WordMarked0, 0, 0b111)
		w.load(0, port.WordAcked0, 0, 0b001)
		require.Equal(t, &port.Act{Kind: port.ActionAcked, Now: 1000, RcvdBytes: tc.rcvd, AckedPkts: 125, UnmarkPkts: 2,
			UnmarkBytes: 2 * 192, Done: true}, w.timer(0))
		w.ask(port.Cmd{Kind: kClose, PDC: 0})
		require.Equal(t, -tc.sum%256, w.ask(port.Cmd{Kind: kOpen, PDC: 0}).Size)
	}
}

// A CLOSE is sent again, until the PDC gives up.
func TestCloseAgain(t *testing.T) {
	w := newWorld(t, port.RegRto, 50, port.RegTries, 2)
	w.opens(7, 30, 1)
	w.record(ack(7, 30))
	w.ask(port.Cmd{Kind: kClose, PDC: 7})
	for i, wait := range []uint64{50, 100, 200} {
		w.now += wait - 1
		require.Nil(t, w.timer(7))
		w.now++
		x := w.timer(7)
		if i == 2 {
			require.Equal(t, &port.Act{Kind: port.ActionStopped, PDC: 7, Now: w.now}, x)
			break
		}
		require.Equal(t, &port.Act{Kind: port.ActionClosing, PDC: 7, Now: w.now, PSN: 31, Peer: 77, IsRtx: true}, x)
	}
	w.now += 1 << 20
	require.Nil(t, w.timer(7))
	require.Nil(t, w.timer(0), "a PDC that is free")
	require.Equal(t, port.ActionFreed, w.ask(port.Cmd{Kind: kClose, PDC: 7}).Kind)
}

// The count of timeouts ends at 15.
func TestMostTries(t *testing.T) {
	w := newWorld(t, port.RegRto, 1, port.RegTries, 15)
	w.load(0, 0, 0, 1|4|14<<4)
	w.now += 1 << 20
	require.Equal(t, port.ActionClosing, w.timer(0).Kind)
	require.Equal(t, uint8(15), w.pdc(0).Tries)
	w.now += 1 << 20
	require.Equal(t, port.ActionStopped, w.timer(0).Kind)
}

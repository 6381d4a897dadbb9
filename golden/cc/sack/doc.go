// Package sack is the bookkeeping of a sender whose receiver acknowledges each packet: which packets are outstanding,
// which of them are holes, and when the retransmission timer expires. Rules are those of congestion-control.md,
// section 0. Time is microseconds.
//
//	var b sack.Board
//	for psn := range uint32(5) { b.Sent(psn, 0) }
//	b.Acked(2); b.Acked(3); b.Acked(4)
//	holes := b.Find(nil) // 0 and 1: three packets sent after them have arrived
//	r := sack.NewRTO(0, 37.5)
//	r.Sample(10); r.Sample(10); r.Sample(18)
//	r.Value() // 30.25
//
// Decisions where the source is silent: a packet that was resent counts as sent when it was sent last, also for the
// packets before it, because an acknowledgement does not tell which of its transmissions arrived. A packet that is
// acknowledged in sequence counts as one that was selectively acknowledged. The timer gives up after 24 expiries
// without an acknowledgement of new data.
package sack

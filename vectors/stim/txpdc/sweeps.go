package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// peerOf is the PDCID of the destination in these cases.
const peerOf = 7

// window loads a PDC with n PSNs outstanding from una on, once what came before is over; bits are more of word 0.
func (s *script) window(pdc int, una uint32, n int, bits uint32) {
	s.load(pdc, txpdc.WordValid, 0)
	s.after(stim.Settle)
	for a := txpdc.WordAcked0; a < pdcWords; a++ {
		s.load(pdc, a, 0)
	}
	s.load(pdc, txpdc.WordUna, una)
	s.load(pdc, txpdc.WordOutstanding, uint32(n))
	s.load(pdc, txpdc.WordValid, 1|peerOf<<txpdc.WordPeerLSB|bits)
}

// all loads the flags of all PSNs of a window.
func (s *script) all(pdc, addr int, x uint32) {
	for i := range txpdc.Window / 32 {
		s.load(pdc, addr+i, x)
	}
}

// ack is a record of the destination of a PDC.
func ack(pdc int, psn uint32) *txpdc.Rec {
	return &txpdc.Rec{PdsType: txpdc.PdsTypeAckCc, PSN: psn, AckPSN: psn, Dpdcid: uint16(pdc + 1), Spdcid: peerOf}
}

// alone sends a record when what came before is over.
func (s *script) alone(r *txpdc.Rec) {
	s.rec(r)
	s.after(20)
}

// packetCases sweep PSNs, bitmaps, windows and sizes.
func packetCases(add adder) {
	add("sweep/cumulative", "an ACK of each number of packets, in flight and to be sent again", func(s *script) {
		for _, marked := range []uint32{0, ^uint32(0), 0xa5a5a5a5} {
			for _, n := range []int{128, 127, 64, 33, 1} {
				for a := -1; a <= n+1; a += 1 + n/9 {
					s.window(1, 500, n, 0)
					s.all(1, txpdc.WordMarked0, marked)
					s.row(1, 500, 1<<16-1, 0)
					s.row(1, 627, 1<<15, 0)
					s.alone(ack(1, 499+uint32(a)))
					s.alone(ack(1, 499+uint32(n)))
				}
			}
		}
	})
	add("sweep/bitmap", "a bitmap that begins at every distance from una, over a window of each length", func(s *script) {
		for _, n := range []int{128, 100, 3} {
			s.window(0, 1<<32-70, n, 0)
			for d := -66; d < 131; d++ {
				r := ack(0, 1<<32-71)
				r.SackBase = 1<<32 - 70 + uint32(d)
				r.AckPSN = r.SackBase + 63
				r.SackBitmap = 1 | 1<<63
				s.alone(r)
				if d%40 == 0 {
					r.SackBitmap = ^uint64(0)
					s.alone(r)
				}
			}
			s.alone(ack(0, 1<<32-71+1))
			s.reads(0, 0, 0)
		}
	})
	add("sweep/holes", "a hole in each place is filled: una moves to the next, and the flags with it", func(s *script) {
		for hole := range txpdc.Window {
			for _, next := range []int{hole + 1, min(hole+1+hole%50, txpdc.Window), txpdc.Window} {
				s.window(0, uint32(hole)*77, txpdc.Window, 0)
				var acked set
				for i := range txpdc.Window {
					acked.put(i, i != hole && i != next)
				}
				for i := range acked {
					s.load(0, txpdc.WordAcked0+i, acked[i])
					s.load(0, txpdc.WordResent0+i, 0x13579bdf<<i)
				}
				s.alone(ack(0, uint32(hole*77+hole)))
				s.reads(0, 0, 0)
			}
		}
	})
	add("sweep/again", "one packet in each place is sent again, beside others above it", func(s *script) {
		s.send(0, true)
		for at := range txpdc.Window {
			s.window(0, uint32(at), txpdc.Window, uint32(at%3*at)<<txpdc.WordMprLSB)
			s.row(0, uint32(2*at), uint32(at), 0)
			r := ack(0, uint32(2*at))
			r.PdsType, r.NackCode = txpdc.PdsTypeNack, 1
			s.alone(r)
			r.PSN = uint32(at + (at+41)%txpdc.Window)
			s.alone(r)
			s.send(0, true)
			s.send(0, true)
			s.reads(0, uint32(2*at), 1)
		}
	})
	add("sweep/fresh", "new packets up to each limit", func(s *script) {
		for _, mpr := range []uint32{1, 2, 3, 31, 64, 127, 128, 129, 255, 0} {
			s.window(2, -mpr, 0, mpr<<txpdc.WordMprLSB)
			s.load(2, txpdc.WordLeft, 1<<31-1)
			for range min(mpr-1, 127) + 3 {
				s.send(0, true)
				s.after(24)
			}
			s.reads(2, -mpr, 3)
		}
	})
	add("sweep/sizes", "messages about every multiple of every payload", func(s *script) {
		for bits := uint32(7); bits < 14; bits++ {
			s.reg(txpdc.RegPayload, bits)
			s.reg(txpdc.RegHeader, 11*bits)
			for _, size := range []uint32{1, 1<<bits - 1, 1 << bits, 1<<bits + 1, 3<<bits - 1, 3 << bits, 3<<bits + 1} {
				s.window(3, bits, 0, 0)
				s.cmd(txpdc.KindMessage, 3, 0, 0, size)
				for range 5 {
					s.send(0, true)
					s.after(24)
				}
				s.reads(3, bits, 4)
			}
		}
	})
	add("sweep/rotation", "every set of PDCs with new packets and with packets to send again", func(s *script) {
		for work := range 256 {
			for k := range txpdc.Slots {
				s.window(k, 9, 2, 0)
				s.load(k, txpdc.WordLeft, uint32(work>>k&1)<<15)
				s.load(k, txpdc.WordMarked0, uint32(work>>(k+4)&1)<<1)
			}
			for range 5 {
				s.send(0, true)
				s.after(20)
			}
			s.view(&txpdc.View{Kind: 11})
			s.after(20)
		}
	})
	add("lists/full", "up to 64 contexts in the list; some lose what they have before their turn", func(s *script) {
		n := min(s.Params["Contexts"], 64)
		for round := range 4 {
			for c := range n {
				s.window(4*c+round, 0, 0, 0)
				s.load(4*c+round, txpdc.WordLeft, 1<<20)
			}
			for c := range n {
				s.send(c, true)
				if c == 0 {
					s.after(stim.Settle)
				}
			}
			for c := range n {
				s.send(c, c%3 > 0)
			}
		}
	})
}

package nic

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// eachForm calls do for each kind of headers before PDS: with the tags that fit, over UDP and native.
func eachForm(do func(tags int, v6, native bool)) {
	for tags := range 3 {
		for kind := range 4 {
			do(tags, kind&1 != 0, kind&2 != 0)
		}
	}
}

// resent has a PDC of context 0 send a packet of that size again, of any size and without a message, once the packet
// before it has had its turn.
func (s *script) resent(size uint32) {
	s.source(txpdc.KindLoad, 0, txpdc.WordValid, 0, 0)
	s.after(90 + int(size)/64)
	s.source(txpdc.KindLoad, 0, txpdc.WordUna, 0, size)
	s.row(0, size, size)
	s.source(txpdc.KindLoad, 0, txpdc.WordOutstanding, 0, 1)
	s.source(txpdc.KindLoad, 0, txpdc.WordMarked0, 0, 1)
	s.source(txpdc.KindLoad, 0, txpdc.WordValid, 0, 1|peerOf<<txpdc.WordPeerLSB)
}

// packetCases are about the packets that the writer makes.
func packetCases(add adder) {
	add("packet/sizes", "packets of each form that end with every byte of a beat, and padded ones", func(s *script) {
		s.openWindow(0, 0)
		s.sourceReg(txpdc.RegHeader, 10)
		eachForm(func(tags int, v6, native bool) {
			s.good(0, tags, v6, native, 0x1234)
			for _, from := range []uint32{0, 8, 64 + uint32(tags)} {
				for d := range uint32(22) {
					s.resent(from + 3*d)
				}
			}
		})
		s.good(0, 0, false, false, 0)
		for size := range uint32(140) {
			s.resent(size)
		}
	})
	add("packet/large", "packets of every payload, and of the largest size", func(s *script) {
		s.openWindow(0, 0)
		s.good(0, 2, true, false, 0)
		for bits := uint32(7); bits < 14; bits++ {
			s.resent(1 << bits)
			s.resent(1<<bits + 63)
		}
		s.resent(64 + 12*64 - 62 - 8 - 16)
		s.resent(64 + 12*64 - 62 - 8 - 15)
		s.sourceReg(txpdc.RegHeader, 0)
		s.resent(1<<16 - 1) // the IP length wraps
		s.good(0, 0, false, true, 0)
		s.resent(1<<16 - 1)
		s.pause(3000)
	})
	add("packet/closing", "a CLOSE in each form, and its repetitions", func(s *script) {
		s.openWindow(0, 0)
		s.sourceReg(txpdc.RegRto, 200)
		s.sourceReg(txpdc.RegTries, 2)
		eachForm(func(tags int, v6, native bool) {
			s.good(0, tags, v6, native, 0xffff)
			s.half(0, uint32(tags), 0, 0)
			s.source(txpdc.KindClose, 0, 0, 0, 0)
			s.pause(900)
		})
	})
	add("packet/sums", "checksums of templates at their ends, over lengths that carry", func(s *script) {
		s.openWindow(0, 0)
		for i, sum := range []uint16{0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff, 0xff00, 0x00ff, 0xffbf, 0x0040} {
			f := frame.Good(0, false, 0)
			x := s.formOf(&f, 0)
			x.bytes[24], x.bytes[25] = byte(sum>>8), byte(sum)
			s.template(0, &x)
			for _, size := range []uint32{64, 65, 127, 128, 64 + 212 - uint32(i), 64 + 213, 64 + 468, 1 << 12} {
				s.resent(size)
			}
			if sum == 0xffff || sum == 0 { // a total length of 2^16
				s.sourceReg(txpdc.RegHeader, 0)
				s.resent(1<<16 - 20 - 8 - 16)
				s.pause(2000)
				s.sourceReg(txpdc.RegHeader, 64)
			}
		}
	})
	add("packet/carry", "the sum of complement and length about a carry", func(s *script) {
		s.openWindow(0, 0)
		for d := range 5 {
			f := frame.Good(0, false, 0)
			x := s.formOf(&f, 0)
			total := 20 + 8 + 16 + 100
			sum := total + d - 2 // 0xffff - C + total reaches 2^16 at C = total - 1
			x.bytes[24], x.bytes[25] = byte(sum>>8), byte(sum)
			s.template(0, &x)
			s.resent(164)
		}
	})
	add("packet/any-template", "templates whose bytes are any, of each size that is allowed", func(s *script) {
		s.openWindow(0, 0)
		for size := 34; size <= 62; size++ {
			for kind := range 4 {
				x := form{size: size, ipv6: kind&1 != 0, native: kind&2 != 0, entropy: uint16(size) * 0x0911}
				for i := range x.bytes {
					x.bytes[i] = byte(s.Rand.Bits(8))
				}
				s.template(0, &x) // of IPv6 the short ones are refused
				s.resent(uint32(64 + size*5))
			}
		}
	})
	add("packet/spray", "masks of the bits of the entropy that change with each packet", func(s *script) {
		s.openWindow(0, 0)
		s.good(0, 0, false, false, 0xa5a5)
		for _, mask := range []uint64{0, 0xffff, 0x00ff, 0x0001, 0x8000, 0xfffe, 0x0f0f} {
			s.writer(kindCfgWrite, 0, nic.RegSpray, mask|1<<40)
			s.good(0, 0, false, false, 0xa5a5) // the count begins anew
			for range 9 {
				s.resent(70)
			}
		}
		s.writer(kindCfgWrite, 0, nic.RegPort, 1<<63|0x1234)
		s.resent(70)
	})
	add("packet/spray-long", "hundreds of packets under each mask, and thousands", func(s *script) {
		s.small(64)
		s.windowReg(0, ccc.RegMaxWnd, 1<<30)
		s.openWindow(0, 0)
		psn := uint32(0)
		for _, mask := range []uint64{0xff, 0xff00, 0xffff} {
			s.writer(kindCfgWrite, 0, nic.RegSpray, mask)
			s.good(0, 0, false, false, 0x5a5a)
			for range []int{3, 36}[stim.Bit(mask == 0xffff)] {
				s.half(0, psn, 0, 0)
				s.message(0, 120*128)
				s.pause(120 * 80)
				psn += 120
			}
		}
	})
	add("packet/contexts", "the number of the context is in each packet, modulo 256", func(s *script) {
		n := s.contexts()
		for ctx := 0; ctx < n; ctx++ {
			if ctx == 6 && n > 12 {
				ctx = n - 4
			}
			s.open(ctx)
			s.half(4*ctx+ctx%4, uint32(ctx)<<24, 0, 0)
			s.message(4*ctx+ctx%4, 5000)
		}
	})
	add("packet/opening", "packets that open a PDC, with offsets up to 12 bits, and of one that is open", func(s *script) {
		s.open(0)
		s.small(64)
		for i, start := range []uint32{0, 1, 4095, 4096, 1 << 31} {
			s.source(txpdc.KindLoad, i%4, txpdc.WordStart, 0, -start)
			s.half(i%4, 0, 0, uint32(1)<<txpdc.WordSynLSB)
			s.message(i%4, 300)
			s.pause(200)
		}
	})
	add("packet/asks", "packets that ask for an ACK by the source alone, by the window alone, by both and by none",
		func(s *script) {
			s.small(64)
			s.open(0)
			s.half(0, 10, 0, 0)
			s.message(0, 500) // the last asks
			s.pause(stim.Settle)
			s.windowReg(1, 17, 1<<31) // a window below the trigger always asks
			s.good(1, 0, false, false, 0)
			s.openWindow(1, 1)
			s.half(4, 10, 0, 0)
			s.message(4, 500)
			s.resent(99)
		})
	add("packet/unaddressed", "a context without a form sends nothing and counts it, until it has one", func(s *script) {
		s.small(64)
		s.openWindow(0, 0)
		for i := range 6 {
			s.resent(70)
			s.writer(kindRead, 0, nic.WordUnaddressed, 0)
			s.resent(70)
			s.pause(20 * i)
			s.good(0, 0, false, false, 0)
			s.resent(70)
			s.pause(150)
			s.writer(kindLoad, 0, nic.WordSize, 0)
		}
	})
	add("packet/at-each-distance", "a template, a form, a register and the header change at each distance from a packet",
		func(s *script) {
			s.openWindow(0, 0)
			s.good(0, 0, false, false, 0)
			for what := range 6 {
				if what == 1 { // a form makes the count of its context 0
					s.writer(kindCfgWrite, 0, nic.RegSpray, 0xff)
				}
				for d := range 90 {
					s.resent(100)
					s.pause(200)
					s.source(txpdc.KindLoad, 0, txpdc.WordMarked0, 0, 1)
					switch what {
					case 0:
						s.writer(kindLoad, 0, 7, uint64(d)<<8)
					case 1:
						s.writer(kindLoad, 0, nic.WordSize, uint64(34+d%5)|uint64(d)<<16)
					case 2:
						s.writer(kindCfgWrite, 0, nic.RegSpray, uint64(d)*0x101)
					case 3:
						s.writer(kindCfgWrite, 0, nic.RegPort, uint64(d))
					case 4:
						s.sourceReg(txpdc.RegHeader, uint32(d))
					case 5: // two at once
						s.writer(kindLoad, 0, 7, uint64(d)<<8)
						s.Gap(d)
						s.writer(kindCfgWrite, 0, nic.RegSpray, uint64(d)*0x101)
						continue
					}
					s.Gap(d)
				}
			}
		})
}

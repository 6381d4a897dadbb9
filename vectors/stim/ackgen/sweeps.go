package ackgen

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// psnCases are about PSNs: which are new, how far the window moves, and what the bitmaps show.
func psnCases(add adder) {
	for _, mpr := range []uint32{1, 2, 64, 128, 255} {
		about := "requests at every distance from the cumulative PSN, with an empty and with a full window"
		add(fmt.Sprintf("psn/distance/%d", mpr), about, func(s *script) {
			s.reg(ackgen.RegMpr, mpr, 0)
			for i, d := range append(spread(-70, 270), -32769, -32768, -32767, 32767, 32768, 1<<31-1, -1<<31) {
				o := open{k: i % 4, v6: i%3 == 0, rod: i%7 == 6, cack: []uint32{0, ^uint32(0), 1 << 31, 77}[i/2%4]}
				if i%2 == 1 {
					o.seen = holes(255)
				}
				s.loadOpen(&o)
				s.to(&o, o.request(o.cack+1+uint32(d), 0), nil)
			}
		})
	}
	add("psn/shift", "the window moves by every number of PSNs at once", func(s *script) {
		for n := range 256 {
			o := open{k: n % 4, v6: n%2 == 0, cack: uint32(n) - 100, seen: holes(n)}
			s.loadOpen(&o)
			s.to(&o, o.request(o.cack+1, 0), nil)
		}
		for _, n := range []int{1, 2, 31, 32, 33, 64, 128, 255, 256} { // what no run leaves: PSNs that had not moved it
			o := open{k: n % 4, cack: uint32(n), seen: ones(n)}
			s.loadOpen(&o)
			s.to(&o, o.request(o.cack+1+uint32(n%256), 0), nil)
			s.to(&o, o.request(o.cack+1+uint32(n/2), 0), nil)
		}
	})
	add("psn/single", "one PSN of the window at a time, and each one missing", func(s *script) {
		s.reg(ackgen.RegMpr, 255, 0)
		for d := range 255 {
			o := open{k: d % 4, cack: uint32(d) << 24}
			s.loadOpen(&o)
			s.to(&o, o.request(o.cack+1+uint32(d), 0), nil)
			o.seen = ones(256)
			o.seen[0] &^= 1
			o.seen[d/32] &^= 1 << (d % 32)
			s.loadOpen(&o)
			s.to(&o, o.request(o.cack+1+uint32(d), 0), nil)
		}
	})
	add("psn/probe", "probes that ask for a bitmap from every place", func(s *script) {
		far := []int{-32770, -32769, -32768, -32767, 32765, 32766, 32767, 32768, 1<<31 - 1, -1 << 31}
		for i, d := range append(spread(-70, 330), far...) {
			o := open{k: i % 4, v6: i%2 == 0, cack: []uint32{0, ^uint32(0) - 5, 1 << 31}[i%3]}
			for w := range o.seen {
				o.seen[w] = uint32(s.Rand.Bits(32))
			}
			s.loadOpen(&o)
			h := frame.PDS{Type: frame.Control, Next: frame.CtlProbe, PSN: uint32(i), Short: uint16(i * 257),
				Payload: o.cack + uint32(d)}
			s.to(&o, h, nil)
		}
	})
	add("psn/ask", "ACK requests for every distance, and data on either side of what was asked for", func(s *script) {
		s.reg(ackgen.RegControl, 0, 0)
		for i, d := range append(spread(-3, 70), 32766, 32767, 32768, 1<<31-2, 1<<31-1, 1<<31) {
			o := open{k: i % 4, cack: uint32(i)*0x7fffff - 1, bits: started, seen: holes(i % 200)}
			s.loadOpen(&o)
			psn := o.cack + 1 + uint32(d)
			s.to(&o, frame.PDS{Type: frame.Control, Next: frame.CtlAckReq, PSN: psn, Short: uint16(i)}, nil)
			for _, e := range []uint32{2, 1, 0, ^uint32(0)} {
				s.to(&o, o.request(psn+e, 0), nil)
			}
			s.to(&o, o.request(psn+3, frame.FlagAR), nil)
			s.to(&o, o.request(psn+1, 0), nil)
		}
	})
	add("psn/close", "closes at every PSN about the one that ends the PDC", func(s *script) {
		for i, d := range append(spread(-3, 3), 1<<31, -1<<31+1) {
			for k := range 3 {
				o := open{k: k, v6: k == 1, rod: k == 2, cack: ^uint32(0) - uint32(i), bits: uint32(i) % 2 << 5}
				if i%3 == 2 {
					o.seen = holes(3)
				}
				s.loadOpen(&o)
				h := frame.PDS{Type: frame.Control, Next: frame.CtlClose, PSN: o.cack + 1 + uint32(d), Short: 9}
				s.to(&o, h, nil)
				s.to(&o, h, nil) // again: its answer was lost
				s.to(&o, o.request(o.cack+1, 0), nil)
			}
		}
	})
}

// spread returns the numbers from a to b.
func spread(a, b int) (out []int) {
	for ; a <= b; a++ {
		out = append(out, a)
	}
	return out
}

// pdcCases are about opening and about what an answer counts.
func pdcCases(add adder) {
	add("pdc/fill", "PDCs are opened until none is left, freed in another order, and opened again", func(s *script) {
		n := s.Params["Pdcs"]
		syn := func(i int, kind uint8) {
			f := frame.Good(0, i%2 == 1, 0)
			f.From = uint32(1 + i/2)
			h := frame.PDS{Type: kind, Flags: frame.FlagSyn, PSN: uint32(i) + 3, SPDCID: uint16(i%3 + 1), DPDCID: 3}
			f.WithPDS(&h)
			s.send(s.Bytes(&f), uint32(i), false, 1<<laneCfg)
		}
		most := min(n, 300)
		for k := most; k < n; k++ {
			s.cfg(ackgen.KindLoad, k, ackgen.WordValid, 1, 0)
		}
		for i := range most + 3 {
			syn(i, frame.RUD)
			syn(i, frame.RUDCC) // the same PDC: it had arrived
		}
		for i := range 8 {
			k := (i*5 + 2) % most
			s.cfg(ackgen.KindLoad, k, ackgen.WordValid, uint32(i)<<16, stim.WaitAll)
			s.Gap(60)
		}
		for i := range 12 {
			syn(1000+i, frame.ROD)
		}
		for k := range n { // the last to be free is found wherever it is
			if n <= 64 || k%(n/16) == n/16-1 {
				s.cfg(ackgen.KindLoad, k, ackgen.WordValid, 0, stim.WaitAll)
				s.Gap(600)
				syn(2000+k, frame.RUD)
				syn(2000+k, frame.Control)
			}
		}
	})
	about := "the lowest PDC of a key, and the lowest that is free, in any two rows; keys that differ in one bit"
	add("pdc/twins", about, func(s *script) {
		n := s.Params["Pdcs"]
		search := func(o *open, psn uint32, edit func(f *frame.Frame)) {
			s.to(o, o.request(psn, frame.FlagSyn), edit)
			s.cfg(ackgen.KindRead, o.k, ackgen.WordValid, 0, stim.WaitAll)
			s.Gap(30 + n/ackgen.Lanes) // an access goes before a packet that waits
		}
		for k := range n {
			s.cfg(ackgen.KindLoad, k, ackgen.WordValid, 1, 0)
		}
		for i, pair := range [][2]int{{0, 1}, {1, 2}, {n/2 - 1, n / 2}, {n - 2, n - 1}, {0, n - 1}} {
			for _, k := range pair {
				o := open{k: k, cack: uint32(k) * 1000}
				s.loadOpen(&o)
			}
			o := open{k: pair[1]}
			search(&o, uint32(pair[1])*1000+1, func(f *frame.Frame) { f.PDS[10], f.PDS[11] = 0, 1 })
			for _, k := range pair {
				s.cfg(ackgen.KindLoad, k, ackgen.WordValid, 0, 0)
			}
			for _, j := range []byte{0, 0, 1, 2} { // opened, found, opened; none is left
				search(&o, 1, func(f *frame.Frame) { f.PDS[8], f.PDS[9], f.PDS[10], f.PDS[11] = byte(1+i), j, 0, 0 })
			}
		}
		for bit := range 32 * 4 {
			o := open{k: bit % 4, v6: true}
			s.loadOpen(&o)
			src := [4]uint32{7, 0, 0, 0x20 << 24}
			s.cfg(ackgen.KindLoad, o.k, ackgen.WordSrc0+bit/32, src[bit/32]^1<<(bit%32), 0)
			s.to(&o, o.request(1, 0), nil)
		}
		for bit := range 32 {
			o := open{k: bit % 4}
			s.loadOpen(&o)
			s.to(&o, o.request(1, 0), func(f *frame.Frame) { f.PDS[8+bit/8%4] ^= 1 << (bit % 8) })
		}
	})
	add("pdc/start", "packets with syn to a PDC that began with their PSN, and next to it", func(s *script) {
		for i, off := range []uint32{0, 1, 2, 77, 4094, 4095, 4096, 8191} {
			for d := range uint32(3) {
				o := open{k: i % 4, v6: i%2 == 1, cack: 5 - uint32(i)}
				s.loadOpen(&o)
				s.cfg(ackgen.KindLoad, o.k, ackgen.WordStart, o.cack+1-off+d-1, 0)
				for _, h := range []frame.PDS{o.request(o.cack+1, frame.FlagSyn),
					{Type: frame.Control, Next: frame.CtlProbe, PSN: o.cack + 1, Flags: frame.FlagSyn},
					{Type: frame.Control, Next: frame.CtlProbe, PSN: o.cack + 1, Flags: frame.FlagSyn | frame.FlagISROD}} {
					s.to(&o, h, func(f *frame.Frame) { f.PDS[10], f.PDS[11] = byte(0xa0|off>>8&15), byte(off) })
				}
			}
		}
	})
	add("pdc/syn", "every type with syn to a PDC that is open: new, arrived, and refused by the host", func(s *script) {
		for i, kind := range kinds {
			for form := range 4 {
				o := open{k: i % 4, rod: kind == frame.ROD || kind == frame.RODCC, v6: form%2 == 1, bits: started, cack: uint32(i)}
				s.loadOpen(&o)
				s.cfg(ackgen.KindLoad, o.k, ackgen.WordStart, o.cack, 0)
				s.cfg(ackgen.KindLoad, o.k, ackgen.WordWantClose, uint32(form), 0)
				for d := range uint32(2) {
					h := frame.PDS{Type: kind, Next: frame.CtlProbe, PSN: o.cack + d, Flags: frame.FlagSyn}
					s.to(&o, h, func(f *frame.Frame) { f.PDS[10], f.PDS[11] = 0, byte(d) })
				}
			}
		}
	})
	add("pdc/refuse", "the host refuses what lies above all that has arrived", func(s *script) {
		for i := range 256 {
			o := open{k: i % 4, cack: uint32(i), bits: started}
			o.seen[i/32] |= 1 << (i % 32)
			s.loadOpen(&o)
			s.cfg(ackgen.KindLoad, o.k, ackgen.WordWantClose, 2|uint32(i)%2, 0)
			s.reg(ackgen.RegMpr, 255, 0)
			for _, d := range []int{i + 1, i - 1, 0, i} {
				s.to(&o, o.request(o.cack+1+uint32(d), 0), nil)
			}
		}
	})
	add("pdc/bytes", "sizes, what they add to rcvd and to the trigger, and their carries", func(s *script) {
		for i := range 400 {
			if i%40 == 0 {
				s.reg(ackgen.RegTrigger, []uint32{16384, 0, 1, 1 << 31, ^uint32(0)}[i/40%5], stim.WaitAll)
				s.reg(ackgen.RegMinAdd, []uint32{1024, 0, 65535, 100}[i/40%4], 0)
				s.reg(ackgen.RegNominal, []uint32{40, 0, 255}[i/40%3], 0)
			}
			o := open{k: i % 4, v6: i%2 == 1, bits: started}
			s.loadOpen(&o)
			rcvd := []uint32{0, 255, 256, ^uint32(0), 1<<32 - 256, 1<<31 - 60}[i%6]
			s.cfg(ackgen.KindLoad, o.k, ackgen.WordRcvd, rcvd+uint32(i)%3, 0)
			s.cfg(ackgen.KindLoad, o.k, ackgen.WordPending,
				[]uint32{0, 16384 - 1024, 16383 - 1024, 16384 - 1400, ^uint32(0), ^uint32(0) - 1023, 1<<31 - 1024}[i%7], 0)
			s.to(&o, o.request(1, 0), func(f *frame.Frame) { f.Body += []int{0, 1, 200, 1324, 1400, 9000, 400 + i}[i/7%7] })
		}
	})
	add("pdc/longest", "requests of up to 65,515 bytes", func(s *script) {
		for i, n := range []int{65000, 65535 - 40, 65535 - 41, 65535 - 100} {
			for k := range 2 {
				o := open{k: k, v6: k == 1, bits: uint32(i) % 2 * started}
				s.loadOpen(&o)
				s.to(&o, o.request(1, 0), func(f *frame.Frame) { f.Body = n - 8 + 20*k })
			}
		}
	})
	add("answer/forms", "an answer of each type in each family, over UDP and native", func(s *script) {
		i := 0
		for _, fam := range frame.Families {
			for _, native := range []bool{false, true} {
				for form := range 6 {
					i++
					o := open{k: i % 4, v6: fam.V6, cack: uint32(i), bits: uint32(i) % 8 << 3, seen: holes(i % 80)}
					s.loadOpen(&o)
					s.cfg(ackgen.KindLoad, o.k, ackgen.WordWantClose, uint32(i/3%2), 0)
					h := o.request(o.cack+2, uint8(i)&0x18)
					switch form {
					case 1:
						h.PSN = o.cack + 1000
					case 2, 3, 4:
						h.Type, h.Next = frame.Control, []uint8{frame.CtlAckReq, frame.CtlProbe, frame.CtlClose}[form-2]
						h.PSN = o.cack + 1
					}
					good := frame.Good(fam.Tags, fam.V6, fam.Options)
					s.to(&o, h, func(f *frame.Frame) {
						body := f.PDS
						*f = good
						f.From, f.PDS, f.UET, f.Body = 7, body, h.Type, len(body)+i%30
						f.SrcPort, f.TOS = uint16(i*7919), uint8(i*4)|3*uint8(i/2%2)
						if form == 5 {
							f.PDS[10] = 0xff
						}
						if native {
							f.Native, f.Proto = true, reset.native
						}
						f.TPID, f.Inner = []uint16{0x8100, 0x88a8}[i%2], []uint16{0x88a8, 0x8100}[i/2%2]
					})
				}
			}
		}
	})
	add("answer/sum", "answers whose UDP checksum is 0xffff, and next to it", func(s *script) {
		for i := range 40 {
			// A NACK without a PDC, whose PSN brings the sum to all ones, or near.
			f := frame.Good(0, i%2 == 1, 0)
			f.NoSum, f.SrcPort = true, uint16(i*997)
			h := frame.PDS{Type: frame.RUD, SPDCID: spdcid, DPDCID: 0xffff}
			f.WithPDS(&h)
			data := s.Bytes(&f)
			const plen = 8 + 16
			sum := f.Pseudo(data, 17+2*plen+0x5000+0x0e00+spdcid+uint32(f.SrcPort)+uint32(f.DstPort))
			psn := uint16(^frame.Fold(sum)) + uint16(i/2%5-2)
			at := f.UDP() + 8 + 6
			data[at-2], data[at-1], data[at], data[at+1] = 0, 0, byte(psn>>8), byte(psn)
			s.send(data, uint32(i), false, 1<<laneCfg)
		}
	})
	add("answer/rcvd", "rcvd_bytes about every carry into a unit, and about the wrap of units", func(s *script) {
		for i, after := range []uint32{0, 1, 2, 254, 255, 256, 257, 1 << 31, 1<<32 - 257,
			1<<32 - 256, 1<<32 - 255, 1<<32 - 1} {
			o := open{k: i % 4, v6: i%2 == 1}
			s.loadOpen(&o)
			s.cfg(ackgen.KindLoad, o.k, ackgen.WordRcvd, after-(8+300+40), 0)
			s.to(&o, o.request(1, 0), func(f *frame.Frame) { f.Body = 300 })
		}
	})
	add("answer/service", "service times from none to more than the field holds", func(s *script) {
		o := open{bits: started}
		s.loadOpen(&o)
		for i, tick := range []uint32{1, 2, 3, 128, 65535, 1} {
			s.reg(ackgen.RegTick, tick, stim.WaitAll)
			for k := range 12 {
				s.to(&o, o.request(uint32(20*i+k+1), frame.FlagAR), func(f *frame.Frame) { f.Body += 64 * (k % 4) })
			}
		}
		s.Gates(2, 3, stim.Gate{}, stim.Bursts(60, 300))
	})
	add("wide/service", "a packet that accesses keep waiting for more than 65,535 ticks", func(s *script) {
		o := open{bits: started}
		s.reg(ackgen.RegTick, 1, 0)
		s.loadOpen(&o)
		s.to(&o, o.request(1, frame.FlagAR), nil)
		for i := range 22_000 {
			s.cfg(ackgen.KindRead, 0, i%ackgen.NumWords, 0, 0)
		}
	})
}

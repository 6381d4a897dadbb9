package intmd

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// edgeCases write registers in every cycle about the release of a packet, name ports that differ from others in one
// bit, send lengths about the carry of their low byte, frames that end early, and more than 2^17 packets and reports.
func edgeCases(add func(name, doc string, write func(s *script))) {
	telemetry := func(s *script, uet uint8, n int, v6 bool) []byte {
		f := frame.Good(0, v6, 0)
		f.UET = uet
		f.WithTelemetry(&s.Rand, 1, 4)
		f.Tele.Magic = frame.Magic
		f.Sized(n)
		return f.Bytes(&s.Rand, nil)
	}
	for _, reg := range []struct {
		name   string
		addr   int
		values [2]uint32
	}{{"mode", intmd.RegMode, [2]uint32{3, 0}}, {"udp-port", intmd.RegUdpPort, [2]uint32{4793, 4792}},
		{"magic", intmd.RegMagic, [2]uint32{frame.Magic, 77}}, {"max-frame", intmd.RegMaxFrame, [2]uint32{9216, 100}}} {
		about := "a register written in every cycle before, at and behind the release of a packet"
		add(fmt.Sprintf("release/write-%s", reg.name), about, func(s *script) {
			s.reg(intmd.RegMode, 3)
			for _, n := range []int{110, 128, 300} {
				for d := -4; d <= 12; d++ {
					for k := range 2 {
						s.Skewed(40, d, func() { s.reg(reg.addr, reg.values[(d+k)&1]) }, func() {
							b := telemetry(s, uint8(2+5*k), n, false)
							s.intRx(b, sideband{len(b), 0, 0}, false, stim.WaitAll)
						})
					}
				}
			}
		})
	}
	add("ports/one-bit", "ports that differ from those there are in one bit", func(s *script) {
		s.reg(intmd.RegMode, 3)
		for p := range s.Params["NumPorts"] {
			for bit := range 8 {
				for _, uet := range []uint8{7, 2} {
					b := telemetry(s, uet, 110, bit%2 == 0)
					s.intRx(b, sideband{len(b), p ^ 1<<bit, p ^ 1<<bit}, false, 0)
				}
			}
		}
	})
	add("length/carries", "IP lengths to which an entry adds a carry, and those next to them", func(s *script) {
		s.reg(intmd.RegMode, 3)
		for _, v6 := range []bool{false, true} {
			head := 14
			if v6 {
				head = 54
			}
			for high := 1; high <= 8; high++ {
				for low := -9; low <= 2; low++ {
					b := telemetry(s, 2, head+256*high+low, v6)
					s.intRx(b, sideband{len(b), 0, 0}, false, 0)
				}
			}
		}
	})
	about := "IPv4 header checksums of 0 and 0xffff, in packets left alone and with an entry"
	add("checksum/zeros", about, func(s *script) {
		s.reg(intmd.RegMode, 1) // ACKs alone
		for i := range 24 {
			f := frame.Good(i%3, false, i/3%2*5)
			f.UET = []uint8{7, 2}[i/12]
			f.WithTelemetry(&s.Rand, 1, 4)
			f.Tele.Magic = frame.Magic
			f.Sized(120 + i)
			b := f.Bytes(&s.Rand, nil)
			f.Zero(b, i/6%2 == 0)
			s.intRx(b, sideband{len(b), 0, 0}, false, 0)
		}
	})
	add("cut/with-headers", "frames that end with the IP header, or up to three bytes behind it", func(s *script) {
		for tags := range 3 {
			for k := range 12 {
				f := frame.Good(tags, k%3 == 1, k%3/2*7).WithSize(200)
				f.EndWithHeaders(k / 3)
				s.send(f, 0, 0)
			}
		}
	})
	add("cut/wrong-version", "frames that end in an IP header of a wrong version or length", func(s *script) {
		for k := range 9 {
			f := frame.WrongHead(k/3, k%3)
			for f.Cut = f.L2(); f.Cut <= f.L2()+40; f.Cut++ {
				s.send(f, 0, 0)
			}
		}
	})
	about = "frames that end before the place of the entry, with a last beat without bytes, where len claims more"
	add("cut/empty-beat", about, func(s *script) {
		for _, kind := range frame.TelemetryKinds {
			for n := 128; n <= 256; n += 64 {
				for _, hops := range []int{9, 20, 28} {
					f := frame.WithRoom(&s.Rand, 0, n == 192, 0, kind, hops, 30).WithSize(400)
					b := f.Bytes(&s.Rand, nil)
					s.intRx(b[:n], sideband{len(b), 0, 0}, true, 0)
				}
			}
		}
	})
	about = "entries that lie across the end of the last beat, so that the added one has a part of them, with waits at tx"
	add("place/added-beat", about, func(s *script) {
		for i := range 240 {
			f := frame.WithRoom(&s.Rand, 0, false, 0, 7, i%3/2*8, 16) // an entry at 62 or 126
			if i%3 == 1 {
				f = frame.WithRoom(&s.Rand, 1, false, 0, 7, 7, 16) // at 122
			}
			f.Sized(f.Size() + i/3%3)
			s.send(f, 0, 0)
		}
		s.Gates(3, 2, stim.Gate{}, stim.Density(128))
	})
	add("wide/packets", "more than 2^17 packets in one episode, and reports", func(s *script) {
		s.reg(intmd.RegMode, 3)
		b := telemetry(s, 7, 64, false)
		ports := s.Params["NumPorts"]
		for i := range 1<<17 + 40 {
			s.intRx(b[:64], sideband{64, i % ports, i % ports}, false, 0)
			if i%8 == 0 {
				s.intCnt(i%ports, intmd.Op(i>>3&1), uint32(i), uint32(i), 0)
			}
		}
	})
}

package switchport

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// edgeCases reach what only the inner blocks compute: the carry of a checksum, deficits, the high bits of limits.
// Others name input ports that differ from others in one bit, and send more than 2^17 packets.
func edgeCases(add func(name, doc string, write func(s *script))) {
	about := "sums of trimmed packets that come out as 1, in either order of the bytes: the carry of the carry counts"
	add("trim/checksum", about, func(s *script) {
		s.loneReg(egress.RegTrim, 0)
		dscp := uint16(trimmer.RegInfo[trimmer.RegDscpTrimmed].Reset)
		for i := range 120 {
			f := frame.Good(i%3, i%2 == 0, i%4).WithSize(150 + i)
			b := f.Bytes(&s.Rand, nil)
			want := uint32(1) << (i / 2 % 2 * 8)
			frame.AimSum(&f, b, 64, want)
			if !f.V6 {
				frame.AimHead(b[f.L2():], dscp, uint16(max(64-f.L2(), f.L3()+24)), want)
			}
			s.granted(b, &sideband{trimmable: true, ect: true, id: uint32(i)})
		}
		s.loneReg(egress.RegTrim, uint32(egress.RegInfo[egress.RegTrim].Reset))
	})
	about = "frames that end with the IP header or a few bytes before or behind it, when a trim is due and when it is not"
	add("cut/headers", about, func(s *script) {
		for _, limit := range []uint32{0, 1 << 30} {
			s.loneReg(egress.RegTrim, limit)
			for tags := range 3 {
				for k := range 24 {
					f := frame.Good(tags, k%3 == 1, k%3/2*7).WithSize(200)
					if k < 12 {
						f.EndWithHeaders(k / 3)
					} else {
						f.Cut = f.UDP() - 1 - (k-12)/3
					}
					s.granted(f.Bytes(&s.Rand, nil), &sideband{trimmable: true, ect: true, id: uint32(k)})
				}
			}
		}
	})
	add("keep/checksum-zeros", "IPv4 header checksums of 0 and 0xffff of packets that are not trimmed", func(s *script) {
		for i := range 24 {
			f := frame.Good(i%3, false, i/3%2*5).WithSize(120 + i)
			f.TOS = uint8(i % 4)
			b := f.Bytes(&s.Rand, nil)
			f.Zero(b, i/6%2 == 0)
			s.granted(b, &sideband{ect: i%2 == 0, id: uint32(i)})
		}
	})
	about = "limits whose high bits alone are above the content: nothing is trimmed, dropped, marked or paused"
	for _, high := range []uint32{1 << 24, 1 << 31} {
		add(fmt.Sprintf("wide/limits-%d", high>>24), about, func(s *script) {
			for _, reg := range []int{egress.RegTrim, egress.RegTrimLasthop, egress.RegDropLow, egress.RegDropMed,
				egress.RegDropHigh, egress.RegShared, egress.RegKDet, egress.RegKMin, egress.RegKMax, egress.RegXoff,
				egress.RegXon} {
				mode := egress.ECNModeProbabilistic
				if reg == egress.RegKDet {
					mode = egress.ECNModeDeterministic
				}
				s.loneReg(egress.RegECNMode, uint32(mode))
				if reg == egress.RegKMax {
					s.loneReg(egress.RegKMin, 16)
				}
				if reg == egress.RegXon { // which counts while the port is paused
					s.loneReg(egress.RegXoff, 100)
					s.switchLone(300, sideband{cls: 2})
					s.loneReg(egress.RegXoff, 1<<30)
				}
				s.loneReg(reg, high+64)
				for c := range 3 {
					for k := range 2 {
						s.switchLone(200, sideband{cls: c, trimmable: true, ect: true, lastHop: k == 1})
					}
				}
				for range 7 {
					s.loneGrant(0)
				}
				for _, a := range []int{reg, egress.RegKMin, egress.RegXoff} {
					s.loneReg(a, uint32(egress.RegInfo[a].Reset))
				}
			}
		})
	}
	add("sched/deficits", "deficits of all sizes are read while classes take turns", func(s *script) {
		s.loneReg(egress.RegSched, uint32(egress.SchedDrr))
		for _, quantum := range []uint32{65535, 300, 1} {
			for c := range 3 {
				s.loneReg(egress.RegQuantumLow+c, quantum)
			}
			for i := range 24 {
				s.switchLone(100+8*i, sideband{cls: i % 3, ect: true, id: uint32(i)})
			}
			for i := range 25 {
				s.loneGrant(0)
				s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindRead),
					Cls: switchport.Cls(i % 3), Addr: uint8(egress.WordDeficit)}, stim.WaitAll)
			}
			for c := range 3 { // more than a quantum, to be spent packet by packet
				s.switchCfg(&switchport.Cfg{Target: switchport.TargetEgress, Kind: uint8(egress.KindLoad),
					Cls: switchport.Cls(c), Addr: uint8(egress.WordDeficit), Data: 1<<24 - 1 - uint32(c)}, stim.WaitAll)
			}
		}
	})
	add("telemetry/one-bit", "input ports that differ from those there are in one bit", func(s *script) {
		for p := range s.Params["NumPorts"] {
			for bit := range 8 {
				f := frame.WithRoom(&s.Rand, 0, bit%2 == 0, 0, 7, 1, 4)
				s.granted(f.Bytes(&s.Rand, nil), &sideband{in: p ^ 1<<bit, id: uint32(bit)})
			}
		}
	})
	add("wide/packets", "more than 2^17 packets in one episode", func(s *script) {
		b := frameOfSize(s, 60)
		// A packet that missed its grant keeps a slot until the grants return to its port: half of them must be free.
		n := min(s.Params["NumPorts"], s.Params["Slots"]/2)
		for i := range 1<<17 + 40 {
			s.switchRx(b, &sideband{port: i % n, cls: i % 3, id: uint32(i)}, false, 0)
			s.grantPort(i%n, 0)
		}
		s.switchDrain(n, 4)
	})
}

// resetCases put a reset at every distance from every beat, grant and access.
func resetCases(add func(name, doc string, write func(s *script))) {
	// From a grant to the last beat at tx.
	const span = 32
	// From a packet's last beat to its note, and the reader's turn.
	const queuedAfter = 15
	for _, g := range stim.ResetGates {
		about := "a reset after each beat of a packet and after its grant, at every distance"
		add("reset/every-beat"+g.Suffix, about, func(s *script) {
			s.ResetsAmong(span, func() {
				for range g.Packets {
					f := frame.WithRoom(&s.Rand, 0, true, 0, 7, 0, 2).WithSize(190)
					s.switchRx(f.Bytes(&s.Rand, nil), &sideband{cls: 2, trimmable: true, ect: true, id: uint32(s.Used)},
						false, 0)
					s.grantPort(0, 1<<laneRx)
					s.Gap(queuedAfter) // a grant before it would find nothing
				}
			})
			s.Gates(3, 4, stim.Gate{}, g.Stall)
		})
	}
	add("reset/every-access", "a reset soon after an access to each block inside: no answer", func(s *script) {
		s.ResetsAmong(12, func() {
			for target := range switchport.Target(4) {
				s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(egress.KindCfgRead)}, 0)
			}
		})
	})
}

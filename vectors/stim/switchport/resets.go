package switchport

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

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

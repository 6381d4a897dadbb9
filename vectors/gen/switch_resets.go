package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/switchport"
)

// switchResetCases put a reset at every distance from every beat, grant and access.
func switchResetCases(add func(name, doc string, write func(s *switchScript))) {
	// From a grant to the last beat at tx.
	const span = 32
	// From a packet's last beat to its note, and the reader's turn.
	const queuedAfter = 15
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet and after its grant, at every distance", func(s *switchScript) {
			s.resetsAmong(span, func() {
				for range g.packets {
					f := intFrame(&s.r, 0, true, 0, 7, 0, 2)
					f.sized(190)
					s.switchRx(f.bytes(&s.r, nil), &switchSide{cls: 2, trimmable: true, ect: true, id: uint32(s.used)}, false, 0)
					s.grantPort(0, 1<<laneSwitchRx)
					s.gap(queuedAfter) // a grant before it would find nothing
				}
			})
			s.gatesOf(3, 4, Gate{}, g.stall)
		})
	}
	add("reset/every-access", "a reset soon after an access to each block inside: no answer", func(s *switchScript) {
		s.resetsAmong(12, func() {
			for target := range switchport.Target(4) {
				s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(egress.KindCfgRead)}, 0)
			}
		})
	})
}

package gen

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// intmdResetCases put a reset at every distance from every beat, report and access.
func intmdResetCases(add func(name, doc string, write func(s *intmdScript))) {
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet that grows by one, at every distance", func(s *intmdScript) {
			s.resetsAmong(intmd.Release+intmd.Emit+4, func() {
				for range g.packets {
					f := intFrame(&s.r, 0, true, 0, 7, 0, 2)
					f.sized(64*intmd.HeadBeats + 62)
					b := f.bytes(&s.r, nil)
					s.intRx(b, intmdSide{len(b), 0, 0}, false, 0)
				}
			})
			s.gatesOf(3, 2, Gate{}, g.stall)
		})
	}
	add("reset/every-report", "a reset soon after a report or an access: no answer, and nothing of it in the table", func(s *intmdScript) {
		s.resetsAmong(intmd.CfgLatency+6, func() {
			s.intCnt(0, intmd.OpAdd, 12800, 8000, 0)
			s.intCfg(intmd.KindRateWrite, 0, 0, 9, 0)
			s.intCfg(intmd.KindLoad, 0, 0, 7, 0)
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, 0)
		})
	})
}

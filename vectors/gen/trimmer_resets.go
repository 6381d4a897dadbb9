package gen

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// trimmerResetCases put a reset at every distance from every beat and every access.
func trimmerResetCases(add func(name, doc string, write func(s *trimmerScript))) {
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet, at every distance", func(s *trimmerScript) {
			s.resetsAmong(trimmer.Release+trimmer.Emit+4, func() {
				for i := range g.packets {
					f := goodFrame(0, false, 0)
					f.sized(64*trimmer.HeadBeats + 100)
					b := f.bytes(&s.r, nil)
					side := trimAll(len(b))
					side.trim = i%2 == 0
					s.trimRx(b, side, false, 0)
				}
			})
			s.gatesOf(2, 2, Gate{}, g.stall)
		})
	}
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *trimmerScript) {
		s.resetsAmong(trimmer.CfgLatency+4, func() {
			s.trimCfg(trimmer.KindCfgRead, trimmer.RegTrimSize, 0, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 99, 0)
			s.trimCfg(trimmer.KindLoad, 0, 7, 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
		})
	})
}

package trimmer

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// resetCases put a reset at every distance from every beat and every access.
func resetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range stim.ResetGates {
		add("reset/every-beat"+g.Suffix, "a reset after each beat of a packet, at every distance", func(s *script) {
			s.ResetsAmong(trimmer.Release+trimmer.Emit+4, func() {
				for i := range g.Packets {
					f := frame.Good(0, false, 0).WithSize(64*trimmer.HeadBeats + 100)
					b := f.Bytes(&s.Rand, nil)
					side := trimAll(len(b))
					side.trim = i%2 == 0
					s.trimRx(b, side, false, 0)
				}
			})
			s.Gates(2, 2, stim.Gate{}, g.Stall)
		})
	}
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *script) {
		s.ResetsAmong(trimmer.CfgLatency+4, func() {
			s.trimCfg(trimmer.KindCfgRead, trimmer.RegTrimSize, 0, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 99, 0)
			s.trimCfg(trimmer.KindLoad, 0, 7, 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
		})
	})
}

package intmd

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// resetCases put a reset at every distance from every beat, report and access.
func resetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range stim.ResetGates {
		about := "a reset after each beat of a packet that grows by one, at every distance"
		add("reset/every-beat"+g.Suffix, about, func(s *script) {
			s.ResetsAmong(intmd.Release+intmd.Emit+4, func() {
				for range g.Packets {
					f := frame.WithRoom(&s.Rand, 0, true, 0, 7, 0, 2).WithSize(64*intmd.HeadBeats + 62)
					s.send(f, 0, 0)
				}
			})
			s.Gates(3, 2, stim.Gate{}, g.Stall)
		})
	}
	about := "a reset soon after a report or an access: no answer, and nothing of it in the table"
	add("reset/every-report", about, func(s *script) {
		s.ResetsAmong(intmd.CfgLatency+6, func() {
			s.intCnt(0, intmd.OpAdd, 12800, 8000, 0)
			s.intCfg(intmd.KindRateWrite, 0, 0, 9, 0)
			s.intCfg(intmd.KindLoad, 0, 0, 7, 0)
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, 0)
		})
	})
}

package gen

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// resetsAmong lists what write appends again and again: with a reset after each of its items, at every distance
// below span cycles, and then as a whole. What is left of a packet when the reset comes begins a packet after it, and
// what follows has time to come out, so that nothing that outlives a reset, in whatever stage, stays unseen. Items
// are offered in the order of the list.
func (s *script) resetsAmong(span int, write func()) {
	s.drive.Ahead = 1
	for delay := range span {
		for after, n := 1, 1; after <= n; after++ {
			from := s.used
			write()
			s.items[from].Gap = settle
			n = s.used - from
			s.drive.Resets = append(s.drive.Resets, Reset{After: from + after, Delay: delay, Low: 1 + after%2})
			write()
		}
	}
}

// resetGates are the ports of a case with resets: open and a packet at a time, or outputs that are held back until
// packets stand one behind the other.
var resetGates = []struct {
	suffix  string
	packets int
	stall   Gate
}{{"", 1, Gate{}}, {"-held", 4, Bursts(12, 30)}}

// trimmerResetCases put a reset at every distance from every beat and every access.
func trimmerResetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet, at every distance", func(s *script) {
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
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *script) {
		s.resetsAmong(trimmer.CfgLatency+4, func() {
			s.trimCfg(trimmer.KindCfgRead, trimmer.RegTrimSize, 0, 0)
			s.trimCfg(trimmer.KindCfgWrite, trimmer.RegTrimSize, 99, 0)
			s.trimCfg(trimmer.KindLoad, 0, 7, 0)
			s.trimCfg(trimmer.KindRead, 0, 0, 0)
		})
	})
}

// intmdResetCases put a reset at every distance from every beat, report and access.
func intmdResetCases(add func(name, doc string, write func(s *script))) {
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet that grows by one, at every distance", func(s *script) {
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
	add("reset/every-report", "a reset soon after a report or an access: no answer, and nothing of it in the table", func(s *script) {
		s.resetsAmong(intmd.CfgLatency+6, func() {
			s.intCnt(0, intmd.OpAdd, 12800, 8000, 0)
			s.intCfg(intmd.KindRateWrite, 0, 0, 9, 0)
			s.intCfg(intmd.KindLoad, 0, 0, 7, 0)
			s.intCfg(intmd.KindEntryRead, 0, 0, 0, 0)
		})
	})
}

// switchResetCases put a reset at every distance from every beat, grant and access.
func switchResetCases(add func(name, doc string, write func(s *script))) {
	// From a grant to the last beat at tx.
	const span = 32
	// From a packet's last beat to its note, and the reader's turn.
	const queuedAfter = 15
	for _, g := range resetGates {
		add("reset/every-beat"+g.suffix, "a reset after each beat of a packet and after its grant, at every distance", func(s *script) {
			s.resetsAmong(span, func() {
				for range g.packets {
					f := intFrame(&s.r, 0, true, 0, 7, 0, 2)
					f.sized(190)
					s.switchRx(f.bytes(&s.r, nil), &switchSide{cls: 2, trimmable: true, ect: true, id: uint32(s.used)}, false, 0)
					s.grantPort(0, 1<<laneRx)
					s.gap(queuedAfter) // a grant before it would find nothing
				}
			})
			s.gatesOf(3, 4, Gate{}, g.stall)
		})
	}
	add("reset/every-access", "a reset soon after an access to each block inside: no answer", func(s *script) {
		s.resetsAmong(12, func() {
			for target := range switchport.Target(4) {
				s.switchCfg(&switchport.Cfg{Target: target, Kind: uint8(egress.KindCfgRead)}, 0)
			}
		})
	})
}

package nic

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// racing are commands that the joints of the NIC order among actions, and some that they do not.
var racing = []nic.Cmd{
	{Target: nic.TargetWindow, Kind: uint8(ccc.KindRead), Addr: ccc.WordCwnd},
	{Target: nic.TargetWindow, Kind: uint8(ccc.KindLoad), Addr: ccc.WordBacklog, Data: 1 << 20},
	{Target: nic.TargetWindow, Kind: uint8(ccc.KindCfgWrite), Addr: ccc.RegMTU, Data: 5000},
	{Target: nic.TargetWindow, Kind: uint8(ccc.KindOpen)},
	{Target: nic.TargetTimes, Kind: uint8(txstate.KindRead), PSN: 3},
	{Target: nic.TargetTimes, Kind: uint8(txstate.KindLoad), PSN: 3, Data: 1<<48 | 77},
	{Target: nic.TargetTimes, Kind: uint8(txstate.KindCfgWrite), Data: 3},
	{Target: nic.TargetSource, Kind: kindRead, Addr: txpdc.WordUna},
	{Target: nic.TargetWriter, Kind: kindRead, Addr: nic.WordWritten},
	{Target: nic.TargetWriter, Kind: kindLoad, Addr: nic.WordWritten, Data: 9},
	{Target: nic.TargetWriter, Kind: kindLoad, Addr: nic.WordUnaddressed, Data: 9},
	{Target: 7},
}

// orderCases are about the order of actions, commands and answers.
func orderCases(add adder) {
	for _, k := range []struct {
		name string
		act  func(s *script, i int)
	}{
		{"sent", func(s *script, i int) { s.message(1, 128) }},
		{"acked", func(s *script, i int) { s.record(frame.Good(0, false, 0), ack(0, uint32(i%128)), 0) }},
		{"nacked", func(s *script, i int) { s.record(frame.Good(0, false, 0), nack(0, uint32(i%128), 1), 0) }},
		{"unaddressed", func(s *script, i int) { s.message(4, 128) }},
	} {
		add("order/command-by-"+k.name, "every command at each distance from an action", func(s *script) {
			s.small(64)
			s.open(0)
			s.openWindow(1, 0)
			s.half(1, 0, 0, 0)
			s.half(4, 0, 0, 0)
			n := 0
			for _, c := range racing {
				for d := 0; d < 96; d += 1 + d/48 {
					if n%128 == 0 {
						s.half(0, 0, nic.Window, 0)
						s.pause(stim.Settle)
					}
					k.act(s, n)
					n++
					s.after(100)
					s.cmd(c)
					s.Alike(100 + d)
				}
			}
		})
	}
	add("order/full", "a command for ccc waits while as many actions as fit wait for room in notes", func(s *script) {
		s.openWindow(0, 0)
		const held = nic.Notes + nic.Order + nic.Pend + 2
		for n := range 8 * held {
			s.source([]txpdc.Kind{txpdc.KindOpen, txpdc.KindClose}[n%2], n/2%4, 0, 0, uint32(n)<<16)
			if n%held == held-1 {
				s.window(ccc.KindRead, 0, ccc.WordBacklog, 0)
				s.pause(300)
			}
		}
		s.Drive.StallMore = []stim.Gate{{}, stim.Bursts(3, 900)}
	})
	add("order/commands", "every command after every other, without a gap", func(s *script) {
		s.open(0)
		for _, a := range racing {
			for _, b := range racing {
				s.cmd(a)
				s.cmd(b)
			}
		}
	})
	add("order/no-context", "actions of a context that ccc does not have", func(s *script) {
		s.small(64)
		s.good(0, 0, false, false, 0)
		s.source(txpdc.KindOpen, 0, 0, 0, 5)
		s.message(0, 300)
		s.pause(stim.Settle)
		s.openWindow(0, 0)
		s.message(0, 300)
		s.source(txpdc.KindOpen, 1, 0, 0, 5)
		s.message(1, 1000)
		s.window(ccc.KindClose, 0, 0, 0)
		s.after(30)
		s.pause(stim.Settle)
		s.record(frame.Good(0, false, 0), ack(1, 5), 0)
		s.pause(stim.Settle)
		s.record(frame.Good(0, false, 0), nack(1, 6, 2), 0)
	})
	add("order/life", "PDCs that open, send, are acknowledged, close, are free, and stop", (*script).life)
	add("order/timeouts", "packets that nobody answers are lost, sent again, and their PDC stops", func(s *script) {
		s.small(64)
		s.sourceReg(txpdc.RegRto, 300)
		s.sourceReg(txpdc.RegTries, 2)
		s.open(0)
		for pdc := range 3 {
			s.source(txpdc.KindOpen, pdc, 0, 0, 100)
			s.message(pdc, 300)
		}
		s.pause(9000)
	})
	add("order/header", "the copy of the header is the one of txpdc at reset, and follows it", func(s *script) {
		s.open(0)
		s.half(0, 0, 0, 0)
		for i, h := range []uint32{64, 0, 127, 128, 255, 17} {
			if i > 0 {
				s.sourceReg(txpdc.RegHeader, h)
			}
			s.message(0, 200)
			s.pause(400)
		}
	})
	add("command/all", "every kind and address of every target, with an index at either end", func(s *script) {
		n := s.pdcs()
		s.open(0)
		for target := range 8 {
			for kind := range 16 {
				for addr := range 64 {
					index := []int{0, n - 1, n, s.contexts(), 1<<16 - 1}[(addr+kind)%5]
					s.cmd(nic.Cmd{Target: nic.Target(target), Kind: uint8(kind), Index: uint16(index), Addr: uint8(addr),
						Slot: uint8(addr % 6), Profile: uint8(addr % 7), PSN: uint32(addr), Data: uint64(addr)*0x100000001 | 34})
				}
			}
		}
	})
	add("command/forms", "every size of a form, of both families", func(s *script) {
		for size := range 64 {
			for kind := range 4 {
				s.writer(kindLoad, 0, nic.WordSize, uint64(size|kind<<6)|uint64(size)<<17|1<<40)
				s.writer(kindRead, 0, nic.WordSize, 0)
			}
		}
	})
	add("command/counters", "counters over 2^32, loaded at each distance from what they count", func(s *script) {
		s.openWindow(0, 0)
		for form := range 2 {
			if form == 1 {
				s.good(0, 0, false, false, 0)
			}
			for d := range 80 {
				s.resent(80)
				s.pause(200)
				s.writer(kindLoad, 0, nic.WordUnaddressed, 1<<32-1)
				s.writer(kindLoad, 0, nic.WordWritten, 1<<32-1)
				s.source(txpdc.KindLoad, 0, txpdc.WordMarked0, 0, 1)
				s.writer(kindLoad, 0, nic.WordUnaddressed+form, uint64(d))
				s.Gap(d)
				s.writer(kindRead, 0, nic.WordUnaddressed+form, 0)
			}
		}
	})
	add("command/latest", "the time of a host's event is that of the newest action that was joined", func(s *script) {
		s.small(64)
		s.sourceReg(txpdc.RegTick, 3)
		s.open(0)
		s.half(0, 0, 0, 0)
		s.window(ccc.KindRead, 0, ccc.WordLastAdjustTime, 0)
		for i := range 40 {
			s.message(0, 128)
			s.after(100)
			s.openWindow(1, 0) // its times are those of its opening
			s.Gap(2 * i)
			s.window(ccc.KindRead, 1, ccc.WordLastAdjustTime, 0)
		}
	})
}

// life has PDCs open, send, close and stop in every way.
func (s *script) life() {
	s.small(64)
	s.sourceReg(txpdc.RegRto, 700)
	s.sourceReg(txpdc.RegTries, 1)
	for pdc := range 8 {
		if pdc%4 == 0 {
			s.open(pdc / 4)
		}
		s.source(txpdc.KindOpen, pdc, 0, 0, uint32(pdc))
		s.message(pdc, 400)
		s.pause(400)
		for i := range uint32(4) {
			x := ack(pdc, uint32(pdc)+i)
			x.M, x.RcvdBytes = i == 2, i
			s.record(frame.Good(int(i)%3, i == 1, 0), x, 0)
		}
		s.pause(200)
		s.source(txpdc.KindClose, pdc, 0, 0, 0)
		s.pause(300)
		switch pdc % 4 {
		case 0:
			s.record(frame.Good(0, false, 0), ack(pdc, uint32(pdc)+4), 0)
		case 1:
			s.record(frame.Good(0, false, 0), nack(pdc, uint32(pdc)+4, uint8(ackgen.NackCodeInvDpdcid)), 0)
		case 2: // nothing answers
			s.source(txpdc.KindRead, pdc, 0, 0, 0)
			s.pause(6000)
		}
	}
	s.half(3, 4, 20, 0)
	s.half(7, 4, 20, 0)
	s.pause(20)
	s.record(frame.Good(0, false, 0), nack(3, 5, uint8(ackgen.NackCodePDCHdrMismatch)), 0)
	s.record(frame.Good(0, false, 0), nack(7, 5, 1), 0)
	s.pause(4000)
}

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

// request sends a request that opens PDC n of its source, or another of it; the destination answers each that asks.
func (s *script) request(n int, psn uint32, wait uint8) {
	f := frame.Good(n%3, n%2 == 1, 0)
	f.From = uint32(n) + 1
	h := frame.PDS{Type: frame.RUD, Flags: frame.FlagSyn | frame.FlagAR, PSN: psn, SPDCID: uint16(n) + 1,
		DPDCID: uint16(psn) & 0xfff}
	f.WithPDS(&h)
	s.send(s.Bytes(&f), uint32(n)<<16|psn, false, wait)
}

// begin prepares two contexts and three PDCs with much to send.
func (s *script) begin() {
	s.small(64)
	s.sourceReg(txpdc.RegRto, 3000)
	s.open(0)
	s.open(1)
	for _, k := range busyPdcs {
		s.half(k, 0, 0, 0)
		s.message(k, 1<<20)
	}
}

var busyPdcs = []int{0, 1, 5}

// busy keeps those PDCs sending and acknowledged, sources answered, and every part asked.
func (s *script) busy(n int) {
	for i := range n {
		k := busyPdcs[i%3]
		switch i % 5 {
		case 0, 1:
			s.record(s.acks(), ack(k, uint32(i/6)), 0)
		case 2:
			s.request(i%2, uint32(i/5), 0)
		case 3:
			s.cmd([]nic.Cmd{{Kind: kindRead, Index: uint16(k), Addr: txpdc.WordOutstanding},
				{Target: nic.TargetParser, Kind: kindRead}, {Target: nic.TargetDestination, Kind: kindRead},
				{Target: nic.TargetWindow, Kind: uint8(ccc.KindRead), Addr: 2}, {Target: nic.TargetWriter, Kind: kindRead},
				{Target: nic.TargetTimes, Kind: uint8(txstate.KindRead), PSN: uint32(i / 6)}, {Target: 7}}[i/5%7])
		case 4:
			s.record(s.acks(), nack(k, uint32(i/5), 1), 0)
		}
	}
}

// portCases are about ports, back-pressure, whose turn it is at tx, and resets.
func portCases(add adder) {
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "everything at once, with waits at the ports", func(s *script) {
			s.begin()
			s.busy(200)
			s.Gates(lanes, outs, idle, stall)
		})
	})
	for i, name := range []string{"tx", "ind", "note", "rsp"} {
		about := "an output that nobody takes for long stops what needs it, and nothing else"
		add("ports/"+name+"-held", about, func(s *script) {
			s.begin()
			s.busy(200)
			gates := make([]stim.Gate, outs)
			gates[i] = stim.Bursts(20, 600)
			s.Drive.Stall, s.Drive.StallMore = gates[0], gates[1:]
		})
	}
	add("ports/note-held-life", "notes of every kind wait", func(s *script) {
		s.life()
		s.Drive.StallMore = []stim.Gate{{}, stim.Bursts(3, 300)}
	})
	add("turn/each-distance", "an answer is due at each distance from a packet of several beats", func(s *script) {
		s.openWindow(0, 0)
		s.good(0, 0, false, false, 0)
		s.cmd(nic.Cmd{Target: nic.TargetDestination, Kind: kindCfgWrite, Addr: ackgen.RegTrigger})
		for d := range 110 {
			s.resent(64 + 500)
			s.pause(200)
			s.source(txpdc.KindLoad, 0, txpdc.WordMarked0, 0, 1)
			s.request(0, uint32(d), 0)
			s.after(d)
		}
	})
	add("turn/answers", "many answers in a row, which go before packets", func(s *script) {
		s.begin()
		s.busy(30)
		for i := range 300 {
			s.request(i%3, uint32(i/3), 0)
		}
		s.Gates(lanes, outs, stim.Gate{}, stim.Density(120))
	})
	add("turn/long", "long packets with answers between them", func(s *script) {
		s.open(0)
		s.half(0, 0, 0, 0)
		s.message(0, 40_000)
		for i := range 60 {
			s.request(i%2, uint32(i/2), 0)
		}
	})
	add("feed/full", "the feed is full while tx takes a beat now and then", func(s *script) {
		s.open(0)
		s.half(0, 0, 0, 0)
		s.message(0, 20_000)
		s.Drive.Stall = stim.Density(200)
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset with packets, commands, actions and answers everywhere", func(s *script) {
			s.begin()
			r.After += s.Used
			s.busy(60)
			s.Interrupt(r, held, lanes, outs, stim.Bursts(4, 100))
		})
	})
	add("reset/in-sweep", "a reset in the sweep, and at its end", func(s *script) {
		for _, d := range []int{0, 1, s.sweep() - 2, s.sweep() - 1, s.sweep(), s.sweep() + 1} {
			s.Drive.Resets = append(s.Drive.Resets, stim.Reset{Delay: d, Low: 1})
		}
		s.begin()
		s.busy(20)
	})
	add("reset/full", "a reset while nothing is taken and everything is full", func(s *script) {
		s.begin()
		n := s.Used
		s.busy(150)
		for d := range 8 {
			s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: n + 10*d, Delay: 300, Low: 1})
		}
		s.Gates(lanes, outs, stim.Gate{}, stim.Bursts(3, 900))
	})
	add("reset/answers", "a reset among beats of answers, at every distance", func(s *script) {
		for d := range 24 {
			for i := range 5 {
				s.request(1, uint32(i), 0)
			}
			s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: s.Used, Delay: d, Low: 1})
		}
		s.Drive.Stall = stim.Density(150)
	})
	add("reset/rx-stopped", "a reset while answers that nobody takes have stopped what arrives", func(s *script) {
		for n := 16; n < 28; n++ { // as many as its credits and FIFOs hold, about
			for i := range n {
				s.request(0, uint32(i), 0)
			}
			s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: s.Used, Delay: 4, Low: 1})
		}
		s.Drive.Stall = stim.Bursts(1, 900)
	})
	add("reset/leaves-nothing", "what a reset finds written is gone: templates, registers, counters", func(s *script) {
		s.begin()
		s.busy(30)
		s.writer(kindCfgWrite, 0, nic.RegSpray, 0xffff)
		s.writer(kindCfgWrite, 0, nic.RegPort, 1)
		s.sourceReg(txpdc.RegHeader, 5)
		s.pause(300)
		s.Drive.Resets = append(s.Drive.Resets, stim.Reset{After: s.Used, Delay: 50, Low: 1})
		s.readBack()
		s.openWindow(0, 0)
		s.half(0, 0, 0, 0)
		s.message(0, 500)
		s.pause(200)
		s.open(1)
		s.half(4, 0, 0, 0)
		s.message(4, 500)
	})
}

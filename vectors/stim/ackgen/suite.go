package ackgen

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/ackgen"
	"github.com/goldwire/goldwire/vectors/stim/frame"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of ackgen.
var Suite = stim.Suite{Schema: ackgen.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(ackgen.Schema(), cases),
	stim.RandomScript(ackgen.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(ackgen.Schema(), captured, func(s *stim.Script) { on(s).readBack() }))}

// captured sends a frame of a capture.
func captured(s *stim.Script, frame []byte) {
	on(s).send(frame, uint32(s.Rand.U64()), false, 0)
}

// Input streams of ackgen.
const (
	laneRx  = 0
	laneCfg = 1
)

// kinds are the PDS types that ackgen takes.
var kinds = []uint8{frame.RUD, frame.ROD, frame.RUDCC, frame.RODCC, frame.Control}

// pdcWords is the number of words that each PDC has; those from there on are counters.
const pdcWords = ackgen.WordFrames

// script writes an episode of ackgen.
type script struct{ frame.Script }

func on(s *stim.Script) *script { return &script{frame.Script{Script: s}} }

// send appends the beats of a frame; wait is for the first.
func (s *script) send(data []byte, tag uint32, empty bool, wait uint8) {
	s.Beats(laneRx, wait, data, empty, func(i int, b *frame.Beat, words []uint64) {
		x := ackgen.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: tag}
		if i > 0 {
			x.Tag = uint32(s.Rand.U64()) // taken from the first beat only
		}
		ackgen.PackRx(&x, words)
	})
}

func (s *script) cfg(k ackgen.Kind, pdc, addr int, data uint32, wait uint8) {
	ackgen.PackCfg(&ackgen.Cfg{Kind: k, PDC: uint16(pdc), Addr: uint8(addr), Data: data}, s.Put(laneCfg, wait))
}

func (s *script) reg(addr int, data uint32, wait uint8) {
	s.cfg(ackgen.KindCfgWrite, 0, addr, data, wait)
}

// readBack reads everything once the packets are through.
func (s *script) readBack() {
	for a := pdcWords; a < ackgen.NumWords; a++ {
		s.cfg(ackgen.KindRead, 0, a, 0, stim.WaitAll)
		if a == pdcWords {
			s.Gap(200)
		}
	}
	for a := range ackgen.NumRegs {
		s.cfg(ackgen.KindCfgRead, 0, a, 0, 0)
	}
	// Of many PDCs the first, which open first, and the last.
	n := s.Params["Pdcs"]
	for k := 0; k < n; k++ {
		if k == 20 && n > 40 {
			k = n - 4
		}
		for a := range pdcWords {
			s.cfg(ackgen.KindRead, k, a, 0, 0)
		}
	}
}

package ackgen

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/ackgen"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of ackgen.
var Suite = stim.Suite{Schema: ackgen.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(ackgen.Schema(), cases),
	stim.RandomScript(ackgen.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(ackgen.Schema(), captured, counted))}

// captured sends a frame of a capture.
func captured(s *stim.Script, frame []byte) {
	on(s).send(frame, uint32(s.Rand.U64()), false, 0)
}

// counted reads everything at the end of an episode.
func counted(s *stim.Script) { on(s).readBack() }

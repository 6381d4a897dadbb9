package ackparse

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/ackparse"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of ackparse.
var Suite = stim.Suite{Schema: ackparse.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(ackparse.Schema(), cases),
	stim.RandomScript(ackparse.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(ackparse.Schema(), captured, func(s *stim.Script) { on(s).readBack() }))}

// captured sends a frame of a capture.
func captured(s *stim.Script, frame []byte) {
	on(s).send(frame, uint32(s.Rand.U64()), false, 0)
}

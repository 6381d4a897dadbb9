package nic

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Inside are the suites of the blocks inside.
type Inside struct{ Ackparse, Ackgen, Txpdc, Txstate, Ccc *stim.Suite }

// Suite lists the sources of nic, which draw from those of the blocks inside.
func Suite(in Inside) *stim.Suite {
	return &stim.Suite{Schema: nic.Schema(), Sources: slices.Concat([]stim.Entry{
		stim.Directed(nic.Schema(), cases),
		stim.RandomScripts(nic.Schema(), func() func(s *stim.Script) {
			m := &mix{inside: in}
			return func(s *stim.Script) { m.write(on(s)) }
		}),
	}, in.fabric(), pcap.Sources(nic.Schema(), captured, func(s *stim.Script) { on(s).counters() }))}
}

// captured sends a frame of a capture.
func captured(s *stim.Script, frame []byte) {
	on(s).send(frame, uint32(s.Rand.U64()), false, 0)
}

package trimmer

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/trimmer"
	"github.com/goldwire/goldwire/vectors/stim/pcap"
)

// Suite lists the sources of trimmer.
var Suite = stim.Suite{Schema: trimmer.Schema(), Sources: slices.Concat([]stim.Entry{
	stim.Directed(trimmer.Schema(), cases),
	stim.RandomScript(trimmer.Schema(), func(s *stim.Script) { random(on(s)) }),
}, fabric.Sources, pcap.Sources(trimmer.Schema(), captured, func(s *stim.Script) { on(s).trimReadBack() }))}

// captured sends a frame of a capture. Whether it is to be trimmed and marked, and where it goes, is drawn.
func captured(s *stim.Script, frame []byte) {
	r := &s.Rand
	on(s).trimRx(frame, sideband{trim: r.One(2), lastHop: r.One(2), ce: r.One(2), len: len(frame),
		tag: uint32(r.U64())}, false, 0)
}

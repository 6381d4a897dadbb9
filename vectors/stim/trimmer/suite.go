package trimmer

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/traffic"
)

// Suite lists the sources of trimmer.
var Suite = stim.Suite{Schema: trimmer.Schema(), Sources: append([]stim.Entry{
	stim.Directed(trimmer.Schema(), cases),
	stim.RandomScript(trimmer.Schema(), func(s *stim.Script) { random(&script{Script: s}) }),
}, traffic.Switch.Sources("N", openFabric)...)}

package trimmer

import (
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/trimmer"
)

// Suite lists the sources of trimmer.
var Suite = stim.Suite{Schema: trimmer.Schema(), Sources: append([]stim.Entry{
	stim.Directed(trimmer.Schema(), cases),
	stim.RandomScript(trimmer.Schema(), func(s *stim.Script) { random(&script{Script: s}) }),
}, fabric.Sources...)}

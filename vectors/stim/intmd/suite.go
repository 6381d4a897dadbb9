package intmd

import (
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/intmd"
)

// Suite lists the sources of intmd.
var Suite = stim.Suite{Schema: intmd.Schema(), Sources: append([]stim.Entry{
	stim.Directed(intmd.Schema(), cases),
	stim.RandomScript(intmd.Schema(), func(s *stim.Script) { random(&script{Script: s}) }),
}, fabric.Sources...)}

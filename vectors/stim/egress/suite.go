package egress

import (
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/egress"
)

// Suite lists the sources of egress.
var Suite = stim.Suite{Schema: egress.Schema(), Sources: append([]stim.Entry{
	stim.Directed(egress.Schema(), cases),
	stim.RandomScript(egress.Schema(), func(s *stim.Script) { random(&script{s}) }),
}, fabric.Sources...)}

package switchport

import (
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/switchport"
)

// Suite lists the sources of switchport.
var Suite = stim.Suite{Schema: switchport.Schema(), Sources: append([]stim.Entry{
	stim.Directed(switchport.Schema(), cases),
	stim.RandomScript(switchport.Schema(), func(s *stim.Script) { random(&script{Script: s}) }),
}, fabric.Sources...)}

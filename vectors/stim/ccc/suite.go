package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/ccc"
)

// Suite lists the sources of ccc.
var Suite = stim.Suite{Schema: ccc.Schema(), Sources: append([]stim.Entry{
	stim.Directed(ccc.Schema(), cases),
	stim.RandomScripts(ccc.Schema(), newRandom),
}, fabric.Sources...)}

package txstate

import (
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/txstate"
)

// Suite lists the sources of txstate.
var Suite = stim.Suite{Schema: txstate.Schema(), Sources: append([]stim.Entry{
	stim.Directed(txstate.Schema(), cases),
	stim.RandomScripts(txstate.Schema(), newRandom),
}, fabric.Sources...)}

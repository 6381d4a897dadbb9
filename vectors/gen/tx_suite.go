package gen

import "github.com/goldwire/goldwire/vectors/event/txstate"

// txSuite is what txstate can be fed with.
var txSuite = Suite{Schema: txstate.Schema(), Sources: append([]Entry{
	Directed(txstate.Schema(), txCases),
	Random(func(o *Options, only int) Source { return newTxRandom(o, only) }),
}, nicSources(openTxFabric)...)}

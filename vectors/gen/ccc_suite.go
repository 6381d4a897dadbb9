package gen

import "github.com/goldwire/goldwire/vectors/event/ccc"

// cccSuite is what ccc can be fed with.
var cccSuite = Suite{Schema: ccc.Schema(), Sources: append([]Entry{
	Directed(ccc.Schema(), cccCases),
	Random(func(o *Options, only int) Source { return newCCCRandom(o, only) }),
}, nicSources(openCCCFabric)...)}

package gen

import "github.com/goldwire/goldwire/vectors/event/intmd"

// intmdSuite is what intmd can be fed with.
var intmdSuite = Suite{Schema: intmd.Schema(), Sources: append([]Entry{
	Directed(intmd.Schema(), intmdCases),
	RandomScript(intmd.Schema(), func(s *script) { intmdRandom(&intmdScript{script: s}) }),
}, switchSources(openIntmdFabric)...)}

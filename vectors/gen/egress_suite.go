package gen

import "github.com/goldwire/goldwire/vectors/event/egress"

// egressSuite is what egress can be fed with.
var egressSuite = Suite{Schema: egress.Schema(), Sources: append([]Entry{
	Directed(egress.Schema(), egressCases),
	RandomScript(egress.Schema(), func(s *script) { egressRandom(&egressScript{s}) }),
}, switchSources(openEgressFabric)...)}

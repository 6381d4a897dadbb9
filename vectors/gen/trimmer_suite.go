package gen

import "github.com/goldwire/goldwire/vectors/event/trimmer"

// trimmerSuite is what trimmer can be fed with.
var trimmerSuite = Suite{Schema: trimmer.Schema(), Sources: append([]Entry{
	Directed(trimmer.Schema(), trimmerCases),
	RandomScript(trimmer.Schema(), func(s *script) { trimmerRandom(&trimmerScript{script: s}) }),
}, switchSources(openTrimmerFabric)...)}

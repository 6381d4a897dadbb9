package gen

import "github.com/goldwire/goldwire/vectors/event/switchport"

// switchSuite is what switchport can be fed with.
var switchSuite = Suite{Schema: switchport.Schema(), Sources: append([]Entry{
	Directed(switchport.Schema(), switchCases),
	RandomScript(switchport.Schema(), func(s *script) { switchRandom(&switchScript{script: s}) }),
}, switchSources(openSwitchFabric)...)}

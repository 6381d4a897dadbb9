package txpdc

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of txpdc are read.
var language = casefile.Language{Block: txpdc.Schema(), Answers: map[string]string{"cmd": "rsp"}, Unasked: "act",
	Loose: []string{"now"}, Wait: stim.WaitAll, Gap: stim.Settle}

var scenarios = casefile.Embedded(files, language.Read)

// adder takes a directed case.
type adder func(name, doc string, write func(s *script))

// cases returns the directed cases of txpdc. The answers of those in Go are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).readBack}
	c.Text("")
	packetCases(c.Add)
	timeCases(c.Add)
	return c.All
}

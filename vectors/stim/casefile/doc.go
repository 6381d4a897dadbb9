// Package casefile reads directed cases from text that someone who knows no Go can write: the state and configuration
// that a case starts from, its events, and what the contract demands of each response. The grammar is in README.md.
// What the language leaves to a block is its Dialect.
//
//	cases, err := dialect.Load(files, "directed")
//	suite := casefile.Cases(&dialect, cases, place)
//
// Blocks with several streams, packets among them, have a Language instead, and scenarios, whose answers a Judge
// compares:
//
//	all, err := language.Read(files, "directed")
//	all[0].Write(script)       // lists the items; script.Judge knows the answers
package casefile

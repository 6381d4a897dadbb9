// Package casefile reads directed cases from text that people can write without knowing Go: the state and configuration
// that a case starts from, its events, and what the contract demands of each response. README.md has the grammar. A
// block completes the language with a Dialect.
//
//	cases, err := dialect.Load(files, "directed")
//	suite := casefile.Cases(&dialect, cases, place)
//
// Blocks with several streams, packets among them, have a Language and scenarios instead. A Judge compares the answers:
//
//	all, err := language.Read(files, "directed")
//	all[0].Write(script)       // lists the items; script.Judge knows the answers
package casefile

// Package casefile reads directed cases from text that someone who knows no Go can write: the state and configuration
// that a case starts from, its events, and what the contract demands of each response. The grammar is in README.md.
// What the language leaves to a block is its Dialect.
//
//	cases, err := dialect.Load(files, "directed")
//	suite := casefile.Cases(&dialect, cases, place)
package casefile

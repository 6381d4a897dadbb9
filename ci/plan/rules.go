package plan

import "github.com/goldwire/goldwire/vectors/event/contract"

// Rules returns the names of the rules of a contract in the order of its text; see contract.Rule.
func Rules(text string) []string { return contract.Names(text) }

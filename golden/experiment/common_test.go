package experiment

import "github.com/goldwire/goldwire/golden/fabric/result"

// empty is the outcome of a run in which nothing happened.
func empty() *Outcome { return &Outcome{Result: &result.Result{}} }

// Package diff measures what fixed point costs: the rules of the block ccc run on the same events in fixed point at the
// formats of a table, in float64 and in exact numbers, and every value and every decision is compared.
//
// Exact numbers have no rounding at all and decide who is right; float64 has none but its own. In one-step mode all
// three start each event from the state in fixed point, so that a difference is what the event itself costs; in free
// mode each keeps its own state. At the contract's formats fixed point is held against the cycle-true model as well.
//
//	table := ccc.Formats()
//	err := table.Set("alpha", "UQ16.14")
//	res, err := diff.Run(ctx, diff.Spec{Source: "random", Seed: 1, Events: 100_000, Table: table, Modes: diff.Modes})
package diff

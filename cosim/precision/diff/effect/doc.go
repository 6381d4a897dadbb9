// Package effect measures what formats of ccc do to a network: the simulated fabric with senders in float64, in fixed
// point at the contract's formats and in fixed point at those of a table, each with the same seeds, and the differences
// of completion times, queues and retransmissions with their confidence intervals.
//
//	table := ccc.Formats()
//	err := table.Set("ratio", "UQ1.6")
//	res, err := effect.Run(ctx, effect.Spec{Name: "fattree128/incast32", Fabric: preset.Spec, Seeds: []uint64{1, 2, 3},
//		Table: table})
package effect

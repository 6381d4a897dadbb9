// Package telemetry measures what the formats of intmd cost the sender that reads its entries.
//
// A follower keeps clock, counters and timing of the block from contract.md alone, in exact numbers and at the formats of
// a table, and finds for each packet the moment of its entry. The entry in the packet that the cycle-true model puts out
// must be the one that the table gives, bit for bit. Senders by the rules of HPCC and FNCC (golden/telemetry) read the
// exact telemetry in exact numbers and in float64, and that of the table in exact numbers: what separates them is counted,
// and held against a bound that follows from the formats.
//
//	table := intmd.Formats()
//	err := table.Set("qLen", "UQ12.0")
//	res, err := telemetry.Run(ctx, telemetry.Spec{Source: "fabric:incast32", Seed: 1, Events: 100_000, Table: table,
//		Modes: diff.Modes})
package telemetry

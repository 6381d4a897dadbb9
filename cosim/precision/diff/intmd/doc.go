// Package intmd measures what the formats of intmd cost the sender that reads its entries.
//
// A follower keeps clock, counters and timing of the block from contract.md alone, in exact numbers and at the formats
// of a table, and finds for each packet the moment of its entry. The entry in the packet that the cycle-true model puts
// out must be the one that the table gives, bit for bit. Senders by the rules of HPCC and FNCC (golden/telemetry) read
// the exact telemetry in exact numbers and in float64, and that of the table in exact numbers: what separates them is
// counted, and held against a bound that follows from the formats.
//
// Exact telemetry is what is true of a port at the time of its entry, so that the age of an entry, at most one period,
// costs nothing here. Time is that of the block's clock: a source whose packets come faster or slower than in the
// simulation that it was made by has other rates.
//
//	table := port.Formats() // of vectors/event/intmd
//	err := table.Set("qLen", "UQ12.0")
//	res, err := intmd.Run(ctx, intmd.Spec{Source: "fabric:incast32", Seed: 1, Events: 100_000, Table: table,
//		Modes: diff.Modes})
package intmd

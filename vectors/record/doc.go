// Package record writes vector files, what a block is given and what its model answers, and verifies them against a
// model. It also draws how an episode that was read from a file is driven.
//
//	totals, err := record.Write(ctx, w, &record.Spec{Block: schema, Model: model, Source: "random", Open: open})
//	bad, err := record.Verify(ctx, reader, model, report)
package record

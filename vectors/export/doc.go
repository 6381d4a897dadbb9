// Package export rewrites vector files for flows that do not read them: memory images for $readmemh, CSV,
// JSON Lines, and a self-checking bench in plain SystemVerilog with everything it needs.
//
//	sink := ...                                  // where files go, by name
//	totals, err := export.Write(ctx, sink, "sv", reader)
//
// It also holds what a person wants of a vector file: Table gives the fields of a record by name, Filter
// finds records by their values. Everything comes from the schema in the file; no block is known here.
package export

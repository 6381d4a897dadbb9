// Package export rewrites vector files for flows that cannot read them: memory images for $readmemh, CSV, JSON Lines,
// and a self-checking bench in plain SystemVerilog or VHDL with everything it needs.
//
//	sink := ...                                  // where files go, by name
//	totals, err := export.Write(ctx, sink, "sv", reader)
//
// It also serves those who inspect a vector file: Table gives the fields of a record by name, Filter finds records by
// their values. Everything comes from the schema in the file; this package knows no block.
package export

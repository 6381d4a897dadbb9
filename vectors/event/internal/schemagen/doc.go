// Package schemagen writes, from a block's schema, everything that must not be written twice:
//
//	hdl/gen/<block>_pkg.sv                constants, enum codes, register addresses and reset values
//	hdl/gen/<block>_types.sv              a packed struct for each stream and one for the registers, at file scope
//	hdl/gen/<block>_top.sv                the module with flat ports around the block
//	hdl/gen/<block>_ports.h               the C++ port table
//	vectors/event/<block>/event_gen.go    Go types with packing and unpacking
//	vectors/event/<block>/doc.go          the Go package's comment
//	vectors/event/<block>/fields.md       the tables for people
//	rtlmodel/<block>/ports_gen.go         which stream moves, of a model with several input streams
//
// The text depends on the schema alone: the same schema gives the same bytes on any machine.
package schemagen

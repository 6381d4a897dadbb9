// Package event holds the vocabulary that every other part of Goldwire shares: what the ports of a
// hardware block carry, bit by bit.
//
// A block is described once, in vectors/event/<block>/schema.yaml: parameters, constants, enums, streams with their
// fields, configuration registers and state words. From it `make gen` writes the SystemVerilog types and constants, the
// C++ port table, the Go types and the documentation tables, and Hash gives the 16 digits by which both ends of the
// bridge check that they have the same interface.
//
//	b, err := event.Load("vectors/event/ccc/schema.yaml")
//	if err != nil { ... }
//	l := event.NewLayout(b)
//	now := l.In.Slot("ev", "now")      // word and bit of the field ev.now
//	now.Set(record, 12_000)            // 12,000 ticks
//	fmt.Println(b.Hash(), l.In.Words)  // hash of the interface, words of a cycle record
//
// # Cycle records
//
// What a block sees in one clock cycle is an input record, what it drives is an output record; both are
// arrays of uint64 words, little-endian on any wire. Word 0 starts with the control bits, one each:
//
//	input record   rst_n, then one valid per input stream, then one ready per output stream
//	output record  one ready per input stream, then one valid per output stream
//
// The fields follow from the next free bit on in the order of the schema. A field of 64 bits or fewer
// never straddles a word boundary (it moves to the next word); a wider one starts at a word boundary
// and takes as many words as it needs. At rest, an event is an input record and a response an output
// record, both with the control bits zero, so that a driver only ORs control bits into word 0.
//
// Two output records are equal when their control bits are equal, and so are the fields of every output stream whose
// expected valid is 1.
package event

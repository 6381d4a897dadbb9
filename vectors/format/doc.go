// Package format reads and writes .gwv files, the container of golden vectors: what a block is given and
// what it must answer, for users who have a simulator and no Go.
//
//	w, err := format.NewWriter(out, format.Header{Block: "ccc", Per: format.PerTransaction, ...})
//	w.Mark("random/0", seed)       // the next record begins an episode
//	err = w.Write(in, out)         // packed records of event.Layout
//	totals, err := w.Close()
//
//	r, err := format.NewReader(file)
//	for rec, err := range r.All() { ... }
//
// # Records
//
// A record is an input record and an output record as event.Layout packs them. Per cycle, it is one clock cycle: what
// is driven and what must be seen, handshakes included. Per transaction, it is one transfer and its effect, without
// time: the valid bits say which streams carry something, ready bits are 0, and rst_n low says that the block is reset
// before this transaction, once it has answered all earlier ones. In both, fields of a stream whose valid is low are 0.
// Records are numbered from 0.
//
// # Bytes
//
// All numbers are little-endian. A file is
//
//	magic, version, checksum of both      8 + 4 + 4 bytes
//	chunk HEAD                            the Header as canonical JSON
//	chunk DATA, any number                frames of records, zstd
//	chunk INDX                            per frame: offset, first record
//	chunk FOOT                            the Totals as canonical JSON
//	tail                                  offsets of INDX and FOOT, checksum, end mark: 8 + 8 + 4 + 4 bytes
//
// and a chunk is 36 bytes of its own header (kind, number, first record, records, stored length, length,
// checksum of the payload, checksum of this header) and its payload. Checksums are CRC-32C. A frame, once
// decompressed, is the marks of the episodes that begin in it and then, word by word of the two records,
// a column of that word of every record. Every frame can be decompressed alone.
//
// A file holds no trace of the machine that made it: equal arguments give equal bytes.
//
// # Versions
//
// A file is written in the oldest version that holds its header. Version 2 adds what limits a comparison: the hash of
// the schema's masks (CompareHash) and, if a design answered, its relaxed handshake rules and the fields to which its
// dut.yaml gave a constant. Two files compare the same only when all three are equal.
//
// # Damage
//
// Every byte is under a checksum. A reader checks a frame before it returns its first record, and stops
// for good at the first damaged one: the error (ErrDamaged, ErrTruncated) names the frame, its place and
// the records before it, which were sound.
package format

// Package wire is the protocol between a client and the process that runs the Verilated design (the DUT):
// frames, control messages, typed errors and the digest both ends compute over compared outputs.
//
// A frame is a fixed 32-byte header, a small msgpack control message and, for the messages that carry
// stimulus, expected outputs or samples, a bulk payload of little-endian 64-bit words:
//
//	w := wire.NewWriter(conn)
//	err := w.Write(wire.TypeBatch, &wire.Batch{Cycles: n}, in, want)
//	r := wire.NewReader(conn, wire.DefaultLimits())
//	f, err := r.Next()
//	var res wire.Result
//	err = f.Decode(&res)
//
// Nothing a peer sends is trusted: magic, version, header checksum, lengths, payload checksum and sequence
// number are checked in that order, before a byte of the payload is looked at, and a length is compared to
// its limit before memory is taken for it. bridge/PROTOCOL.md describes the bytes.
package wire

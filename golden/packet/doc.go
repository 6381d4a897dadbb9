// Package packet checks Ethernet frames with a packet library that is independent of our hardware: whether they parse,
// whether lengths and checksums are correct, and what their telemetry contains.
//
//	v := packet.Judge(frame)
//	if v.Err == nil && v.Sound() { ... }           // headers, lengths and checksums are correct
//	plain, summed := packet.Plain(frame)           // the same for a plain datagram, without the library: faster
//
//	w, err := packet.NewPcap(file)                 // any packet tool reads it
//	err = w.Write(frame, nanoseconds)
//
//	e := packet.DecodeEntry(word)                  // 64 bits of in-band telemetry
//	load := e.Utilisation(before, rtt)               // of the link between two entries
//
// Sources: RFC 791, 768, 8200 for headers; the FNCC paper, section 3.2.1, for the entry.
package packet

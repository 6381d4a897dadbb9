// Package uet decodes Ultra Ethernet (UET) packets. It judges what the models, the RTL and the fabric simulator write,
// and is written from the published layouts alone, without the code that encodes packets.
//
//	p, err := uet.Decode(uet.DefaultSpec(), frame)    // frame starts at its Ethernet header and has no FCS
//	if err != nil { ... }                             // the first fault, and the offset of its byte
//	if !p.Sound() { log.Print(p.Complaints) }         // it parses, but no sender may write it
//	if p.Ack != nil && p.Ack.CC != nil { use(p.Ack.Sacked()) }
//
// An error means that the headers cannot be read. A complaint means that a value is not allowed: a reserved bit that is
// set, PDCID 0 where a connection is needed, a service time of 0, an unknown code, a wrong checksum. Bits that the
// sources leave without a name are reserved where the sources name other bits of the same field, and otherwise free.
//
// Sources: UEC's public reference provider, XDP2, a Wireshark dissector and the Linux driver, read against each other.
// Where they disagree, the value is in Spec.
package uet

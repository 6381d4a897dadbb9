// Package capture writes what a link of the simulated network carries as a pcapng
// file that Wireshark opens: Ethernet, IPv4, UDP and the headers of Ultra Ethernet
// Transport, time stamps in nanoseconds.
//
//	net, err := spec.Layout()
//	ports, err := capture.Ports(net, "host0-tor0")
//	w, err := capture.NewWriter(file, capture.DefaultSpec(), net, ports)
//	res, err := fabric.Run(ctx, spec, fabric.WithPortTap(w.Tap, ports...))
//	err = w.Flush()
//
// A packet is written when its transmission begins, so ECN is decided by then and a trimmed packet is already short.
// The UDP length is the simulated size less 40; payload is zeros. An ACK with its congestion-control state takes 40
// bytes of UDP: when the simulated control packet is smaller (spec ctl_bytes below 80), its size here is that of its
// headers. Host n has the address 10.0.0.1 + n, a connection its number plus one as PDC identifiers of both ends, and
// the entropy gives the UDP source port (SourcePort).
//
// A sender that has had no ACK of a connection sets syn in its data and ACK requests, and psn_offset takes the place of
// the receiver's PDC identifier. ACKs hold the PSN range that the receiver accepts (mpr, 255 for more). A CLOSE has the
// PSN after those of the data, a probe its number. Fields without a value in the simulation (clear_psn_offset,
// pdc_info, request, nt, isrod, the credit_target of senders without credit, the payload of NACKs and of most control
// packets) are 0, and no SES header follows (next_hdr 0).
//
// The INT header and its entries stand in front of the payload, where a run has telemetry. A CNP is that of RoCEv2,
// with its own UDP port.
//
// One table of headers (table.go) drives the encoder and the dissector in Lua that Dissector returns; uet.lua is that
// of the default values.
//
// The DSCP shows what the packet is at that moment: control, data, data kept apart, trimmed, trimmed at the last hop,
// probe. Spec sets the UDP port and the codepoints.
//
// Source: UET 1.0, prologue and header formats of the packet delivery sublayer;
// RFC 791, 768 and 3168.
package capture

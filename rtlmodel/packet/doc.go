// Package packet holds what the models of the NIC's packet blocks share: the frame that the beats of a packet make, and
// the walk through its headers and checksums to the PDS header.
//
//	var f packet.Frame
//	f.Add(&beat.Data, beat.Keep, beat.Last, beat.Tag)  // for each beat of a packet
//	var w packet.Walk
//	reason := w.Decide(&packet.Filter{UDPPort: 4793, Native: 253}, f.Bytes(), f.Len())
//	f.Clear()
//
// Source: vectors/event/ackparse/contract.md, "Beats" and steps 1 to 8 of "Decision".
package packet

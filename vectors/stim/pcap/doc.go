// Package pcap plays the Ethernet frames of a capture file at any block that takes packets. pcap and pcapng files are
// read, with time stamps of micro- or nanoseconds.
//
// A source is named pcap:FILE, pcap:FILE?gaps, pcap:FILE?to=10.0.0.2 or, with several conditions,
// pcap:FILE?gaps&from=ADDR:
//
//	gaps       a frame waits as long as its time stamp demands, a cycle for each nanosecond; without it, frames follow
//	           each other at once
//	from=ADDR  only frames from this MAC, IPv4 or IPv6 address
//	to=ADDR    only frames to this one
//
// A capture is played whole, whatever number of events a run asks for.
//
// What a frame does not carry, such as the port it came in on, the block's package draws from the seed of the run. An
// episode has up to 256 frames and starts from reset. A capture that gives no frame is an error, and so is one that was
// damaged, does not hold whole frames, or is not of Ethernet.
package pcap

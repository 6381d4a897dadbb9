// Package transport is the hosts of the simulator and the run that they make with a network. A host's NIC serves
// control packets first and then its congestion-control contexts (CCC) in rotation; a CCC owns up to four packet
// delivery contexts (PDC), here called connections, each with its own packet sequence numbers and load balancer
// (package lb), under one congestion control (package cc), which sets a window, a pacing rate or both.
//
//	run, err := transport.Build(spec, transport.Options{})
//	err = run.Loop(ctx)
//	res := run.Result()
//
// Workloads beyond permutation and incast are lists of messages (package traffic), a connection and context each.
// Senders and receivers are apart (sender, receiver: views of Hosts) and meet in tables of contexts, connections and
// flows.
//
// # Rationale
//
// Every fourth connection begins shortly before the wrap of its packet sequence numbers, because no
// run is long enough to get there otherwise.
//
// The receiver takes an ACK request to cover every PSN up to its own. The trigger of 16 KiB alone
// would leave the tail of a reordered flow to a timeout.
//
// A NACK for a packet that is not in flight (given up already, or acknowledged) is ignored: nothing
// is left to take out of the window.
//
// A recovery of SLEEK gives up only what has been out for longer than base RTT and target delay.
// The reference simulator resends all that is missing, which under congestion is mostly on its way.
//
// Small packets count 1 KiB each towards the ACK trigger (Min_Pkt_Add), but their own size in rcvd_bytes: that drives
// the sender's window, and more would take bytes out of flight that were never put there.
//
// Timeouts in a row are stretched, up to 64 times, and after 24 without an answer the connection
// gives up: its way is gone. Its flow is unfinished, by name.
//
// A connection keeps state for two windows of packets in flight, and for 16 when its congestion
// control has none, because a lossless network can hold that much.
//
// A receiver of marked packets sends congestion notification packets (control.go) to the senders whose
// congestion control needs them. A rate paces a context's packets: one begins no earlier than the
// one before it began plus that one's size over the rate, by the rate as it is then.
//
// Credit requests take packet sequence numbers among those of a flow. Its checksum counts them as places without a
// packet (txPDC.requests).
//
// A message with a stop time ends then: what has been sent is the whole of it, so that its bytes and
// those that arrive balance as ever. For controls that need it an ACK holds the number of flows whose
// first packet has arrived at the receiver and whose last has not.
//
// # Waiting for an ACK
//
// A receiver answers unasked only after ack_trigger bytes (or the first packet, or an ECN mark); what it holds below
// that counts as in flight at the sender. A packet asks for an ACK when it fills the window. When the window shrinks
// after it was sent, or the packet that asked is trimmed, what the receiver holds may fill the window: nothing may be
// sent that would ask, and without more the flow waits for its timeout although nothing was lost. A sender in that
// state asks with a control packet, the specification's ACK request, for everything it has in flight (control.go). The
// ACK that answers it refers to no packet and gives no round-trip sample. The answer to a probe gives one
// (cc.Event.Sample).
//
// A sender with credit (credit.go) asks with nearly each pull that it spends, and its receiver follows the reference
// simulator: it answers the packet that asks, and once more when nothing is missing. Answering each late packet below,
// as for others, would have the balancer lb = mixed take to slow paths: permutations end 6 % later.
// Slow pulls go on when all flows have ended, until each sender has a window of credit, so a run lasts longer than its
// flows.
//
// Lossless queues delay without losing, so that with pfc the derived timeout is the base RTT and the
// time that the slowest link takes to drain all that every lossless queue can hold, at most a
// second. A shorter one resends what waits.
//
// # Connections
//
// A connection speaks as the packet delivery sublayer of UET does (life.go). Until a sender has its first ACK, its
// data and its ACK requests carry syn, those that are resent too, and how far their PSN is from the first: from any of
// them the receiver makes the connection. A NACK does not end this. Each ACK holds the range of PSNs that the receiver
// accepts (mpr), and a sender that has had one keeps to it. A packet beyond the range is refused with NACK PSN_OOR, and
// resent when the range has come to it. Without a limit a receiver accepts what it has state for, which is as much as
// senders have.
//
// When the last flow of a connection is acknowledged, the sender frees its state and sends CLOSE, which has the next
// PSN. The receiver acknowledges that PSN and frees its own state, all but the numbers that the ACK holds. A timer
// sends CLOSE again until its ACK is there, as often as data without an answer would be; then the receiver keeps its
// state. What comes for a closed connection is counted and dropped without an answer, and opens nothing: its sender
// needs none. CLOSE is a packet like others: the ends of many short flows take a little of their links.
//
// # Hosts in hardware
//
// Options.NICs puts hardware in the place of senders and receivers (hardware.go): each host has a NIC, which takes
// messages and gives frames to its link. A frame is decoded by package uet, which must find it sound, and becomes a
// packet of the network with the frame's head beside it. At its destination the head gets the mark or the cut that
// switches gave the packet (frame.go). The NIC there judges the frame, and its verdict alone counts bytes as delivered.
//
// NICs have one clock. Each cycle in which a NIC has something to do is executed at its time. A NIC that rests has its
// cycles executed when something comes to it, and it is an error if something leaves in one of them.
//
// A connection has one message at a time in its NIC, which does not report which of several is acknowledged. The others
// wait. One whose packets may be under way twice, because it resent some or links double them, is closed when the last
// copy must have arrived: a late one would open it anew at its destination. One that the NIC stops, after timeouts in a
// row or by a NACK, fails: its flow and those behind it are unfinished, with the reason.
//
// # Limits
//
// A probe travels in the data class and is dropped, not trimmed. A slow receiver asks for less, but
// refuses no packet for it. Lost packets are resent one by one; there is no go-back-N.
package transport

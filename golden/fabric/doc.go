// Package fabric is the network that makes the stimulus: a packet-level,
// event-driven simulator of hosts, links and switches carrying Ultra Ethernet
// Transport traffic, whose every NIC can be tapped as the event stream that its
// txstate and ccc hardware would see.
//
// A run is one goroutine, one seed and one result: time is integer picoseconds,
// events with equal times leave the queue in the order they were scheduled, and
// no map, wall clock or global random number takes part. Runs share nothing, so
// any number of them may go in parallel.
//
//	p, err := fabric.Lookup("fattree128/permutation")
//	err = p.Spec.Set("link.gbps", "800")   // any of fabric.Settable
//	err = p.Spec.Ineffective([]string{"link.gbps"}, false) // would it change nothing?
//	res, err := fabric.Run(ctx, p.Spec, fabric.WithTap(func(ev *fabric.cc.Event) bool {
//		...                            // ev is reused: copy what you keep
//		return true                    // false stops the run
//	}))
//	if err == nil {
//		err = res.Verify()             // every byte once, nothing lost sight of
//	}
//	sum := fabric.Summarise(elapsed, res)  // the figures, also of several runs
//
// # How it is built
//
// The kernel (wheel.go) is a two-level timing wheel with a far list; its cost
// per event does not grow with the number of pending events. Packets live in a
// pool and are named by index; queues are lists threaded through the pool.
// A directed link and the queue in front of it are one port (port.go). Switches
// of trees route by host ranges (topo.go), which costs no table; those of other
// graphs, and of trees with failed links, by the shortest paths of package topo.
// A host's NIC (host.go) serves control packets first and then its
// congestion-control contexts (CCC) in rotation; a CCC owns up to four packet
// delivery contexts (PDC), each with its own packet sequence numbers and load
// balancer (package lb), under one window. Workloads beyond permutation and
// incast are lists of messages (package traffic), a connection and context each.
//
// # Rationale
//
// The near wheel spans more than a link's latency, so that nearly every event is
// linked once and sorted among about four, which lie together in memory. With
// 1,000 to 256,000 events pending it takes 0.1 to 0.3 of the time of a binary
// heap, whose cost grows with their number and, past the cache, with every level
// that it touches (BenchmarkQueue).
//
// A port costs one event per packet while it is idle: the event that ends a
// transmission is scheduled only when something waits for it. Dequeue, and with
// it the ECN decision, happens when the transmission starts, on the bytes that
// stay behind in the queue.
//
// Every fourth connection begins shortly before the wrap of its packet sequence
// numbers, because no run is long enough to get there otherwise.
//
// The receiver takes an ACK request to cover every PSN up to its own. The
// trigger of 16 KiB alone would leave the tail of a reordered flow to a timeout.
//
// A NACK for a packet that is not in flight (given up already, or acknowledged)
// is ignored: nothing is left to take out of the window.
//
// A recovery of SLEEK gives up only what has been out for longer than base RTT
// and target delay. The reference simulator sends all again that is missing,
// which under congestion is mostly on its way.
//
// Small packets count 1 KiB each towards the ACK trigger (Min_Pkt_Add), but what
// they are in rcvd_bytes: that drives the sender's window, and more would take
// bytes out of flight that were never put there.
//
// A lossless queue has a limit like any other: what its inputs may bring, each the
// pause threshold and the headroom for what is on its way by then (pfc.go). A
// packet beyond it is dropped, and the run in error. Ports that pause one another
// in a circle are found, named and end the run (deadlock.go).
//
// Timeouts in a row are stretched, up to 64 times, and after 24 without an
// answer the connection gives up: its way is gone. Its flow is unfinished, by
// name.
//
// # Beside the reference simulator
//
// Presets htsim/... have the conditions of its published rows, of which each is one run
// of one seed: how far its own seeds lie apart is not known. Ours are the mean of 40
// seeds, 20 for permutations, and of resent packets the standard deviation:
//
//	2 MB, 12 us       mean / p99 in us                  resent packets
//	permutation 400G  59.8 / 64.2, ours 58.0 / 63.5     0, ours 0
//	permutation 100G  192.6 / 201.8, ours 195.0 / 205.7 0, ours 3 of 62,720
//	incast 32:1 400G  1073 / 1340, ours 1111 / 1332     6,562, ours 6,710 (2 %)
//	incast 64:1 400G  not known                         13,934, ours 14,140 (2 %)
//	incast 32:1 100G  not known                         1,982, ours 2,090 (3 %)
//
// With adaptive routing and 8 MB it resends none of 250,624 packets, and ours none in
// four of five seeds. It is within 10 % of all of these figures in the mean of five
// seeds, which TestReferenceRows holds, and the specification's rules (cc = nscc) are,
// too. One habit is not copied: it marks and frees buffer when a transmission ends
// (tried: mean 1 % lower, a few trims more). One is not its own: a sender whose window
// is full asks for an ACK.
//
// # Waiting for an ACK
//
// A receiver answers unasked only after ack_trigger bytes (or the first packet, or an
// ECN mark); what it holds below that counts as in flight at the sender. A packet asks
// for an ACK when it fills the window. When the window shrinks after it was sent, or the
// packet that asked is trimmed, what the receiver holds may fill the window: nothing may
// be sent that would ask, and without more the flow waits for its timeout although
// nothing was lost. A sender in that state asks with a control packet, the
// specification's ACK request, for everything it has in flight (ackreq.go). The ACK that
// answers it refers to no packet and gives no round-trip sample.
//
// A probe's answer gives a sample to a congestion control that takes one (Sampler).
//
// Lossless queues delay without losing, so that with pfc the derived timeout is
// the base RTT and the time that the slowest link takes to drain all that every
// lossless queue can hold, at most a second. A shorter one resends what waits.
//
// # Limits
//
// Classes are served in strict order unless the spec gives quanta. Trimmed
// headers that go first can fill a link alone: with packets of 256 bytes and
// senders that do not slow down nothing else gets through. A probe travels in
// the data class and is dropped, not trimmed. Pause frames take no bandwidth.
// Telemetry takes no room in packets but what their sizes in the spec allow for;
// a tap finds it in cc.Event.INT of each ACK, no congestion control here reads it,
// and port taps, and with them captures, do not carry it.
// A slow receiver asks for less, but never refuses a packet. A link that fails
// stays down.
package fabric

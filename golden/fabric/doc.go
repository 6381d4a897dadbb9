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
//	spec := fabric.DefaultSpec()           // 128 hosts, 400G, permutation
//	spec.FlowBytes = 2 << 20
//	res, err := fabric.Run(ctx, spec, fabric.WithTap(func(ev *fabric.TapEvent) bool {
//		...                            // ev is reused: copy what you keep
//		return true                    // false stops the run
//	}))
//	if err == nil {
//		err = res.Verify()             // every byte once, nothing lost sight of
//	}
//
// # How it is built
//
// The kernel (wheel.go) is a two-level timing wheel with a far list; its cost
// per event does not grow with the number of pending events. Packets live in a
// pool and are named by index; queues are lists threaded through the pool.
// A directed link and the queue in front of it are one port (port.go). Switches
// route by host ranges (topo.go), which costs no table, and choose among their
// up-links by a hash of the packet's entropy. A host's NIC (host.go) serves
// control packets first and then its congestion-control contexts (CCC) in
// rotation; a CCC owns up to four packet delivery contexts (PDC), each with its
// own packet sequence numbers, under one window.
//
// # Rationale
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
// # Limits
//
// Classes are served in strict order, control first. Links do not fail, routes
// are those of the fat tree, and spraying is oblivious to what it meets. A slow
// receiver asks for less, but never refuses a packet.
package fabric

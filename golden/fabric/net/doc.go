// Package net is the network of the simulator: links, the queues in front of them, and switches that trim, drop, mark,
// pause and route. Packets live in a pool and are named by index; queues are lists threaded through the pool. A
// directed link and the queue in front of it are one port. Switches of trees route by host ranges, which costs no
// table; those of other graphs, and of trees with failed links, by the shortest paths of package topo.
//
//	n := net.New(&spec, layout, books)
//	n.NIC = hosts                       // who receives packets and fills idle links
//	n.Handle(event)                     // each event whose kind is below kernel.HostKinds
//
// Ports 0 to hosts-1 are the links of the NICs. A NIC puts control packets into its port with Emit;
// its data stays with the hosts until Network calls Hosts.Transmit.
//
// # Rationale
//
// A port costs one event per packet while it is idle: the event that ends a transmission is
// scheduled only when something waits for it. Dequeue, and with it the ECN decision, happens when
// the transmission starts, on the bytes that stay behind in the queue.
//
// Links lose, double and delay packets at random (faults.go), each fault with random numbers of its own. A packet that
// is late is overtaken by those behind it.
//
// A lossless queue has a limit like any other: what its inputs may bring, each the pause threshold and the headroom for
// what is on its way by then (pfc.go). A packet beyond it is dropped, and the run is in error. Ports that pause one
// another in a circle are found, named and end the run (pfc.go).
//
// Telemetry counts as intmd does, whole packets at the time that an ACK comes in, unless its format is
// exact (telemetry.go): FNCC's rule sees two packets where one passed and reacts to noise otherwise. With
// retrace a packet keeps the links by which it has come, and its answer takes them backwards, whatever
// balancer or failed link chose them. RoCC's switches compute the fair rate of each port every 40 us
// and send it to the sources of what the port has enqueued (fairrate.go).
//
// # Limits
//
// Classes are served in strict order unless the spec gives quanta. Trimmed headers that go first
// can fill a link alone: with packets of 256 bytes and senders that do not slow down nothing else
// gets through. Pause frames take no bandwidth. Telemetry takes no room in packets but what their
// sizes in the spec allow for, and port taps do not carry it. A link that fails stays down.
package net

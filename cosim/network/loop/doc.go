// Package loop closes the loop: the congestion control of simulated senders is the fixed-point model (nscc-fixed) or
// the Verilated RTL behind the bridge (nscc-rtl), so the network reacts to the hardware's decisions. With
// receiver credit, alone or beside NSCC (rccc-fixed, nscc+rccc-rtl and the like), both ends are in hardware: the
// senders are block ccc, the receivers' pacers block credit. With nscc-nicmodel and nscc-nic whole hosts are: both ends
// of all connections.
//
//	res, played, err := loop.Run(ctx, loop.Config{Root: "."}, spec, nil)   // spec.CC = "nscc-rtl"
//
// The names can be used in every run of this package: for all flows, for the flows of some hosts, or for single
// contexts (cc, cc.hosts and cc.contexts of the spec). Times of senders are rounded down to ticks, and the registers of
// a context are the constants of its link, base RTT and MTU in fixed point.
//
// One device serves every context of a run. When a run has more contexts than the device has rows, the least recently
// used context is read out, state word by state word, and loaded again when its next event comes.
//
// The network runs ahead on the model: it gets the model's answer to an event at once. The same event then goes to the
// device, which plays with a full pipeline and is compared with the clocked model in every cycle. The clocked model's
// answers are compared with those that the network got. As long as everything agrees, the network has seen the
// device's answers. Rows take turns within a batch, so that the events of one context do not stall the pipeline.
// Answers do not depend on the order across rows, except through registers, whose writes stay in their place.
//
// If the design differs, the network has run too far. The run then starts again in step mode: each event is presented
// until it is accepted, the clock runs until its response, and the design's own answer goes to the network. Config.Step
// selects step mode from the start. Played holds the event at which the design first differed from the model.
//
// # Pacers
//
// Each receiving host has a clocked model of block credit, which the network asks for pulls: what it gives depends on
// the cycles in which requests arrive, so there is no model without a clock to run ahead on. What arrives waits in a
// queue in front of the block; a pull is sent at the end of its cycle. After the run the device plays what arrived at
// one host after the other, and is compared with a new model in every cycle that is played. That model's pulls are
// compared with those that the network got, so that the network has seen the device's pulls as long as everything
// agrees. If the design differs, Played holds the first difference, and the network has followed the model.
//
// Of a rest, in which the model changes nothing until a request arrives, the device plays the first MaxRest cycles, and
// so after the end of a run. A pacer that receives nothing is not played. Of all other time the device plays each
// nanosecond of each host, which takes far longer than the network where many hosts receive for milliseconds.
//
// # NICs
//
// With nscc-nicmodel every host is the clocked model of block nic at 1 GHz, with a link before it and the host's
// software beside it, which opens contexts and PDCs, sends messages and closes PDCs by commands. Each frame that leaves
// is held against the note of its packet, or the indication that owes its answer. After the run the software reads the
// counters of all blocks inside, and those of each NIC must be what the network has carried for it. Destinations may
// have kept PDCs only of connections that were stopped. A NIC that has work and does nothing for longer than any
// timeout ends the run.
//
// A PDC that is stopped is closed as soon as nothing is outstanding in it. Its destination, which was not asked, may
// keep its half, and then refuses another of the same number: contexts that never had one stopped there go first.
//
// With nscc-nic the inputs and outputs of every cycle are kept. After the run the device plays them, one NIC after the
// other, and is compared in every cycle, those of a rest included, with what the network got. If the design differs,
// Played holds the first difference, and the network has followed the model.
//
// # Errors
//
// The run ends with an error if the device dies, hangs or has not compared every cycle, or if an answer was not
// compared.
package loop

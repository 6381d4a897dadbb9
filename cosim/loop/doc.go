// Package loop closes the loop: the congestion control of simulated senders is the fixed-point model (nscc-fixed) or
// the Verilated RTL behind the bridge (nscc-rtl), so the network reacts to the hardware's decisions.
//
//	res, played, err := loop.Run(ctx, loop.Config{Root: "."}, spec, nil)   // spec.CC = "nscc-rtl"
//
// Every run of this package knows both by these names, for all flows, for the flows of some hosts or for single
// contexts (cc, cc.hosts and cc.contexts of the spec). Times are rounded down to ticks, and the registers of a context
// are the constants of its link, base RTT and MTU in fixed point.
//
// One device serves every context of a run. When a run has more contexts than the device has rows, the least recently
// used context is read out, state word by state word, and loaded again when its next event comes.
//
// The network runs ahead on the model: it has the model's answer to an event at once, and the same event follows to the
// device, which plays with the pipeline full and is compared with the clocked model in every cycle. The clocked model's
// answers are compared with those that the network was given. As long as everything agrees, the network has seen the
// device's answers. Rows take turns within a batch, so that the events of one context do not stall the pipeline.
// Answers do not depend on the order across rows, except through registers, whose writes stay in their place.
//
// When the design differs, the network has run too far. Then the run is made again from the start in step mode: each
// event is presented until it is accepted, the clock runs until its response, and the design's own answer goes to the
// network. Config.Step asks for this from the start. Played holds the event at which the design left the model.
//
// A device that dies, hangs, or has not compared every cycle, and an answer that was not compared, end the run with an
// error.
package loop

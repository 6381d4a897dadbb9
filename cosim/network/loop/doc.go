// Package loop closes the loop: the congestion control of simulated senders is the fixed-point model (nscc-fixed) or
// the Verilated RTL behind the bridge (nscc-rtl), so the network reacts to the hardware's decisions.
//
//	res, played, err := loop.Run(ctx, loop.Config{Root: "."}, spec, nil)   // spec.CC = "nscc-rtl"
//
// Both names can be used in every run of this package: for all flows, for the flows of some hosts, or for single
// contexts (cc, cc.hosts and cc.contexts of the spec). Times are rounded down to ticks, and the registers of a context
// are the constants of its link, base RTT and MTU in fixed point.
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
// The run ends with an error if the device dies, hangs or has not compared every cycle, or if an answer was not
// compared.
package loop

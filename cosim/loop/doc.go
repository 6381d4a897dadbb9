// Package loop closes the loop: simulated senders whose congestion control is the
// fixed-point model (nscc-fixed) or the Verilated RTL behind the bridge (nscc-rtl),
// so that the network answers to what the hardware decides.
//
//	res, err := loop.Run(ctx, loop.Config{Root: "."}, spec)   // spec.CC = "nscc-rtl"
//
// Both are known by these names to every run here, for all flows, those of some
// hosts or single contexts (the spec's cc, cc.hosts and cc.contexts). Times are
// rounded down to ticks, and the registers of a context are the constants of its
// link, base RTT and MTU in fixed point.
//
// One device serves every context of a run, one event at a time in step mode: the
// event is presented until it is accepted and the clock runs until its response.
// When a run has more contexts than the device has rows, the least recently used
// one is read out, state word by state word, and loaded again when its next event
// comes. A device that fails ends the run with its error.
package loop

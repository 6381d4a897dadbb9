// Package loop closes the loop: the congestion control of simulated senders is the fixed-point model (nscc-fixed) or
// the Verilated RTL behind the bridge (nscc-rtl), so the network reacts to the hardware's decisions.
//
//	res, err := loop.Run(ctx, loop.Config{Root: "."}, spec)   // spec.CC = "nscc-rtl"
//
// Every run of this package knows both by these names, for all flows, for the flows of some hosts or for single
// contexts (cc, cc.hosts and cc.contexts of the spec). Times are rounded down to ticks, and the registers of a context
// are the constants of its link, base RTT and MTU in fixed point.
//
// One device serves every context of a run, one event at a time in step mode: the event is presented until it is
// accepted, and the clock runs until its response. When a run has more contexts than the device has rows, the least
// recently used context is read out, state word by state word, and loaded again when its next event comes. A failing
// device ends the run with its error.
package loop

// Package gen makes stimulus: streams of packed events for a block, cut into
// episodes, each with the manner in which the ports are driven.
//
//	src, err := block.Open("ccc", "random", stim.Options{Seed: 1, Events: 1e6})
//	d := drive.NewDriver(event.NewLayout(ccc.Schema()))
//	for ep, ok := src.Next(); ok; ep, ok = src.Next() {
//		d.Begin(ep)                // a reset, then the events
//		for d.Drive(in) {          // the next input record
//			model.Cycle(in, out)
//			d.Observe(out)         // ready decides what comes next
//		}
//	}
//	err = src.Err()
//
// Sources:
//
//   - directed: every rule of the contract by name, directed/qa/fires-by-delay for
//     one, directed/qa for a group. Cases of the first kind are text
//     (directed/README.md) with the outcome that the contract demands, worked out
//     by hand; a test holds the functional model to it. Those of the groups
//     timing and reset are about ports and say only what is driven.
//   - random: constrained random in many short episodes. Each draws its own
//     configuration, contexts, clock, event mix, gates and resets, preloads
//     biased states, and aims its events at thresholds through a shadow of the
//     block's state. random/17 is episode 17 alone, the same as in the run.
//   - fabric:permutation, fabric:incast32: the live stream of a simulated
//     128-host network, in the order of time, as one episode. The blocks of a
//     switch see the ports of a top-of-rack switch and have fabric:mixed and
//     fabric:websearch, too.
//
// Everything is drawn from PCG streams seeded by (run seed, block, case); equal
// arguments give equal stimulus. In steady state no source allocates per event.
//
// # Rationale
//
// Many short runs from biased states find more faults than a few long ones, so
// an episode is some hundreds to thousands of events and starts from reset: it
// can be replayed alone. The shadow that aims random events is the functional
// twin; it never judges. Back-pressure, idles and resets belong to the episode,
// not to the run, so that a failing episode carries all that it needs.
package stim

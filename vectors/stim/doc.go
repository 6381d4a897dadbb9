// Package stim is the core of the stimulus: streams of packed events for a block, cut into episodes, each with a
// description of how the ports are driven. It names no block; each block has a folder below, whose Suite lists its
// sources, and cosim/block lists the blocks.
//
//	src, err := ccc.Suite.Open("random", stim.Options{Seed: 1, Events: 1e6})
//	d := drive.NewDriver(event.NewLayout(ccc.Suite.Schema))
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
//   - directed: every rule of the contract by name, directed/qa/fires-by-delay for one, directed/qa for a group. Most
//     are text (casefile/README.md) with the outcome that the contract demands, worked out by hand; tests hold the
//     models to it. Those in Go define only what is driven: sweeps, and cases about ports and resets.
//   - random: constrained random in many short episodes. Each draws its own configuration, contexts, clock, event mix,
//     gates and resets, preloads biased states, and aims its events at thresholds. random/17 is episode 17 alone, the
//     same as in the run.
//   - fabric:permutation, fabric:incast32: traffic of a simulated 128-host network, in the order of time. The blocks of
//     a NIC see the contexts of all hosts, in one episode. The blocks of a switch see one switch per episode; they also
//     have fabric:mixed and fabric:websearch, and intmd has fabric:hpcc and fabric:fncc, whose senders read what it
//     writes.
//
// All draws come from PCG streams seeded by (run seed, block, case), so equal arguments give equal stimulus. In steady
// state no source allocates per event.
//
// # Folders
//
//	casefile/   the text language of directed cases
//	cache/      files that keep the stimulus of a simulated network for later runs
//	corpus/     cases that a search has kept (cosim/audit/guide), as text; the source guided plays them
//	timing/     directed cases about ports, hazards and resets of a block whose events have keys
//	schema/     constrained random events of a block that only its schema describes
//	frame/      Ethernet frames, good and wrong ones, and the beats that carry them
//	fabric/     the simulated network as a source, with a folder for each block; nothing else here imports golden
//	ccc/ txstate/ egress/ intmd/ trimmer/ switchport/   the sources of each block
//
// # Rationale
//
// Many short runs from biased states find more faults than a few long ones. An episode therefore has some hundreds to
// thousands of events and starts from reset, so it can be replayed alone. The shadow that aims random events of ccc is
// the functional model; it never judges. Back-pressure, idles and resets belong to the episode, not to the run, so a
// failing episode carries everything it needs.
package stim

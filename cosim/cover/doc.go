// Package cover measures functional coverage: which rules, thresholds, flags,
// states, hazards and port conditions of a block a run has exercised.
//
// A Collector is fed with the cycle records of a run, by the model or by the hardware, and sorts every event with its
// response into bins. It follows the block from events and responses alone, so it needs nothing but the block's
// vocabulary, and it works the timing rules out from the handshakes.
//
//	c := cover.New(ccc.Coverage, nil) // or by name: block.NewCollector("ccc", nil)
//	for ... {
//		c.Cycle(in, out)         // every cycle, no allocation
//	}
//	err = total.Merge(c)             // across runs
//	rep := total.Report()            // rep.Bins, rep.Hit, rep.Missed; JSON as it is
//	rep.Write(os.Stdout)             // a table
//
// A bin that cannot be hit carries a proof: a constraint in words and a check
// that evaluates it over a small exhaustive model (CheckProofs). Hitting such a
// bin is reported as impossible. Percentages count the reachable bins only.
//
// # Layout
//
// This package knows no block. What follows a block is a Watcher, which is handed in: each block has a folder of its
// own that exports one value, Coverage, and the folder blocks has the list of them. Two followers of handshakes are
// here for watchers to build on: Timing, for a block with one stream of events and one of responses, and Streams, for
// any other. What else several blocks share is in frame (packets, beats, registers), queue (classes, levels,
// verdicts) and rtt. The folder schema covers a block that only its schema describes.
//
// # Adding a block's coverage
//
// Make a folder named as the block, with doc.go (what is covered, and Coverage), bins.go (a struct of Cross, Sparse and
// structs for Plan.Places, and the method that adds them to the Plan) and watch.go:
//
//	var Coverage = cover.Block{Schema: myblock.Schema, Watcher: func() cover.Watcher { return &watch{} }}
//
//	type watch struct {
//		cover.Streams      // handshakes: Fold, Moved
//		cover.Disagreement // responses that do not follow from the events
//		kind  cover.Cross
//		facts struct{ Retried, Refused int } // a bin each
//	}
//
//	func (w *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
//		w.Streams.Define(p, b, params["NumPorts"]) // cycles of the sweep after a reset
//		w.kind = p.Add("kind", cover.Labels("READ WRITE"))
//		p.Places("rule", cover.Labels("retried refused"), &w.facts)
//	}
//
//	func (w *watch) Cycle(hits cover.Hits, in, out []uint64) {
//		w.Streams.Cycle(hits, in[0], out[0])
//		if w.Moved(rspStream) {
//			myblock.UnpackRsp(out, &w.rsp)
//			hits[w.kind.At1(int(w.rsp.Kind))]++
//			hits.If(w.rsp.Refused, w.facts.Refused)
//			w.DisagreeIf(w.rsp.Refused != w.refused())
//		}
//	}
//
// A value finds its place among labels by First (conditions), Among (values) or Band (limits); None proves that no
// case of a small model hits a bin. Then add the block to the list in blocks. The tests there check that bin names are
// unique and proofs hold; those of cosim/engine/run play directed and random stimulus and fail when a bin is missed,
// when a bin proved unreachable is hit and when the watcher disagrees with the model. Add the block to
// TestCoverageFollowsEveryField, too, which turns bits of the responses and fails when the watcher does not disagree:
// one that only counts proves nothing.
//
// # Rationale
//
// A watcher keeps a second, much simpler account of the block than the model does,
// because what decides between two bins (which side of a threshold, which counter
// saturated) is hidden state. It copies what the response shows and derives the rest from the flags. Whatever can be
// compared with the account is compared (Differences), so a wrong account does not go unnoticed.
package cover

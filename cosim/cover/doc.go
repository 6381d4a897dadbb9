// Package cover measures functional coverage: which rules, thresholds, flags,
// states, hazards and port conditions of a block a run has exercised.
//
// A Collector is fed with the cycle records of a run, by the twin or by the
// hardware, and sorts every event with its response into bins. It follows each
// context from events and responses alone, so it needs nothing but the block's
// vocabulary, and it works the timing rules out from the handshakes.
//
//	c, err := cover.New("ccc", nil)
//	for ... {
//		c.Cycle(in, out)         // every cycle, no allocation
//	}
//	err = total.Merge(c)             // across runs
//	rep := total.Report()            // rep.Bins, rep.Hit, rep.Missed; JSON as it is
//	rep.Write(os.Stdout)             // a table
//
// A bin that cannot be hit carries a proof: a constraint in words and a check
// that evaluates it over a small exhaustive model (CheckProofs). Hitting such a
// bin is reported as impossible. Percentages are of the reachable bins.
//
// # Rationale
//
// The collector keeps a second, much simpler account of each context than the
// twin does, because what decides between two bins (which side of a threshold,
// which counter saturated) is hidden state. It takes over from the response what
// the response shows and derives the rest from the flags; READ responses are
// compared with it (Differences), so a wrong account does not pass unseen.
package cover

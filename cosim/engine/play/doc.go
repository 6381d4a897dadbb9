// Package play plays episodes of stimulus on the cycle-true model of a block and reports what happens at its ports. It
// is the inner loop of every run that is compared cycle by cycle, and allocates nothing per cycle.
//
//	p := play.New(schema, layout, model, observers...)
//	in, out := make([]uint64, p.InWords), make([]uint64, p.OutWords)
//	for p.Begin(episode); p.More(in); {
//		p.Cycle(in, out)
//	}
//
// Stream plays an episode into batches for a device that runs behind the model. A Recording keeps the items of an
// episode, so that all or some of them can be played again.
package play

// Package guide searches a block's model for short cases that hit many bins, and keeps them as a corpus
// (vectors/stim/corpus) that a run plays on the design.
//
//	found, err := guide.Search(ctx, guide.Spec{Block: "ccc", Seed: 1, Events: 300_000, Keep: 15_000})
//	err = guide.Save("build/guided", found)
//
// A search draws random episodes and cuts windows out of them. Then it changes cases of its pool: it joins and repeats
// runs of events, changes fields as far as the schema allows, gates, gaps and resets. A case stays in the pool when one
// of its bins is still in too few others. The corpus is chosen from the pool greedily, by new bins per event.
//
// A bin (bins.go) is a number for something seen at the ports or in the model: a bin of the block's coverage, a
// response by its flags, two responses in a row, a bit of a field, the bit length of an intermediate value, a rule that
// decided, a wait, a reset with a number of events in flight. There are far more bins than a report could show, and
// none of them is a verdict.
//
// The package does not name any block. A block takes part when its row in cosim/block has a model, coverage and random
// events; a model that explains its decisions (event.Explainer) guides better.
//
// # Rationale
//
// A search sees the model only. It cannot know what a wrong design does, so it spreads over what the model can do, and
// a bin counts in several cases: one case that hits it may miss a fault that acts on one value in four.
//
// A corpus holds no answers. The model gives them during the run, cycle by cycle. So a corpus goes stale only when the
// schema changes; its first line has the schema's hash.
package guide

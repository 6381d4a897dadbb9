// Package block lists the blocks of hardware. For each block it holds what the rest of the harness must know: the
// schema, the model, the stimulus and the sizes to test. A model and a device behind the bridge take the same packed
// cycle records, so no package above this one names a block.
//
//	b, err := block.Lookup("ccc")
//	params, err := b.Schema.Values(map[string]int{"NumContexts": 64})
//	model, err := b.NewModel(params)
//	src, err := b.Stimulus.Open("random", stim.Options{Seed: 1, Events: 1000, Params: params})
//	model.Cycle(in, out)
//
// There is one file for each block, and one list of them, in all.go. A new block is a file and a line.
package block

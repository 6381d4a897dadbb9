// Package block lists the blocks of hardware, and everything that the rest of the harness needs to know about each: its
// schema, how to make its model, what it is fed with, at which sizes it is played. A model and a device behind the
// bridge are driven with the same packed cycle records, so nothing above this package names a block.
//
//	b, err := block.Lookup("ccc")
//	params, err := b.Schema.Values(map[string]int{"NumContexts": 64})
//	model, err := b.NewModel(params)
//	src, err := b.Stimulus.Open("random", stim.Options{Seed: 1, Events: 1000, Params: params})
//	model.Cycle(in, out)
//
// There is one file for each block, and one list of them, in all.go. A new block is a file and a line.
package block

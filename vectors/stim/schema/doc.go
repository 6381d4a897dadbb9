// Package schema draws constrained random events for a user-defined block from its schema: ranges, weights and
// constraints between fields, and states that remember earlier events. It also decides which events such a stimulus
// allows, so that a shortened list is still one that it could have drawn.
//
//	src, err := schema.Open(block, "random", stim.Options{Seed: 1, Events: 1000})
//	legal, err := schema.NewLegal(block, params)
//	err = legal.Check(resets, items)
package schema

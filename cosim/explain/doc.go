// Package explain shows why a model expects a value: the rules of the contract that decide the differing outputs, the
// state before and after the event, and the intermediate values of the model, with the design's signals beside them.
//
//	x, err := explain.Of(ctx, &explain.Failure{Book: book, Block: block, Player: player, Cycle: at, Stream: "rsp"})
//	explain.Probe(x, "build/ccc-random-7-seed1.vcd")
//
// A model takes part if it is an event.Explainer. For any other model, the rules come from the table rules.yaml.
//
// # Probes
//
// By the house style, the name of a signal ends in its stage: delay_s3 is the delay of the event issued three cycles
// ago. So a signal belongs to a value of the model if its name is the value's name with a stage. If there are several,
// the one in the earliest stage counts.
package explain

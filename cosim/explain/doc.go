// Package explain finds out why a model expects what it does: the rules of the contract that decide the outputs that
// differ, the state before and after the event, and the values that the model computed on the way. Beside these it puts
// what the signals of the design show.
//
//	x, err := explain.Of(ctx, &explain.Failure{Book: book, Block: block, Player: player, Cycle: at, Stream: "rsp"})
//	explain.Probe(x, "build/ccc-random-7-seed1.vcd")
//
// A model takes part by being an event.Explainer. Without that the rules are those of the table rules.yaml.
//
// # Probes
//
// By the house style the name of a signal ends in its stage: delay_s3 is the delay of the event that was issued three
// cycles ago. So a signal of the design belongs to a value of the model where its name is the value's with a stage. Of
// several the one of the earliest stage counts.
package explain

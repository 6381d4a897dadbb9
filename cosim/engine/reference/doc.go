// Package reference is the party that supplies expected values in a run: our model, another design, a program or a file
// of vectors.
//
//	given := reference.Given{Golden: "tcp:127.0.0.1:7000"}
//	ref, err := given.Start(ctx, &setup)
//	ref.Adapt(&spec)
//	out, err := ref.Play(ctx, device, episode, spec, restart)
//
// A Given is a reference as the user names it, with everything that can be known and checked before anything is
// started. A Reference has been started, and plays an episode on a design in its own way: cycle by cycle where it keeps
// the contract's time, else answer by answer. Given is the only place that lists the references; the rest asks it or a
// Reference for its properties. Our model running ahead of a design in lockstep is not a Reference here:
// cosim/engine/run plays it, and Given.Lockstep reports when.
//
// An error of a reference names it, so that it is not taken for one of the design.
package reference

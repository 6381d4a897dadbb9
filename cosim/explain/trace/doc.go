// Package trace plays an episode again for a waveform viewer: on a design that dumps its signals in a window of cycles,
// and on the reference. It records both in a wave (cosim/explain/wave).
//
//	w := trace.Around(failing, dumpFile)
//	err := trace.Lockstep(ctx, device, player, judge, w, concern, wave)
//
// Lockstep is for a model that runs ahead of the design, cycle by cycle; Answers is for a reference that keeps its own
// time. Both compare as the run does, and a cycle counts as compared only if it was.
package trace

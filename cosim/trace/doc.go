// Package trace plays an episode once more for a viewer of waveforms: on a design that dumps the signals of a window of
// cycles, and on what supplies expected values. What it sees goes into a wave (cosim/wave).
//
//	w := trace.Around(failing, dumpFile)
//	err := trace.Lockstep(ctx, device, player, judge, w, concern, wave)
//
// Lockstep is for a model that runs ahead of the design, cycle by cycle; Answers is for a reference that keeps its own
// time. Both compare as the run does, and a cycle counts as compared only where that was done.
package trace

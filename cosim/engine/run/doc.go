// Package run plays one run: it plays stimulus from vectors/stim on a design and on a reference, and explains the first
// difference. Its result is data for package report.
//
//	res, err := run.Run(ctx, run.Config{Root: root, Block: "ccc", Source: "random", Events: 100_000, Seed: 1})
//	if err == nil && res.Mismatches > 0 {
//		fmt.Println(res.FirstMismatch.Reproduce)
//	}
//
// A mismatch is data in the Result; an error means that the harness or its input is at fault. Once found, a mismatch
// stays; whatever breaks afterwards goes into its note.
//
// # Parts
//
// An engine is one run. It opens the source, plays it in one of two ways, assembles the result, and repeats, dumps and
// shrinks the first failure. The ways differ in what they play and what a failure consists of:
//
//   - lockstep: our model runs ahead of the design (cosim/engine/play). It predicts every output of every cycle, ready
//     included, so that whole batches of cycles, inputs and expected outputs, stream to the device side, which replays
//     and compares them in place. Only a digest comes back, or the first cycle that differs. A model-only run is this
//     without a device.
//   - answers: a reference (cosim/engine/reference) plays each episode on the bound design and
//     compares: our model at its
//     own pace, another design, a program or a file of vectors; answer by answer, or cycle by cycle where both keep the
//     contract's time.
//
// # Where a difference is found, and by whom
//
// Each row is a place that can turn a run into a mismatch (exit 1). There are no others.
//
//	found in                          by                                   what
//	a cycle in lockstep               hdl/shell, in the simulator          a control bit, or a field under a valid that
//	                                                                       is wanted; lockstep.endEpisode receives it
//	an assertion, $error or $fatal    the simulator                        the text; lockstep.endEpisode in lockstep,
//	                                                                       else elastic.Play and PlayExact
//	an answer                         elastic.Play                         Wrong, Extra, Missing
//	an event that is refused          elastic.Play                         Stuck
//	a response that must wait         elastic.Play, PlayExact, PlayCycles  Unstable: withdrawn or changed before it was
//	                                                                       taken. In lockstep the same is a cycle that
//	                                                                       differs, and lockstep.handshake names it
//	a cycle of two designs or a file  elastic.PlayExact, PlayCycles        Differs
//	a packet                          packets.Judge, at the ports of the   a sound packet that leaves unsound, or with
//	                                  model                                another length than was booked, or that
//	                                                                       never came in
//	an answer of the model            the coverage follower of the block   it does not follow from the events before
//	                                  (cosim/cover), on the model
//	a step of ccc, or a whole flow    precision.Step, precision.Shadow     beyond the bound of fixed point against
//	                                                                       float64; package report turns it into the
//	                                                                       verdict
//
// The two observers of the model's outputs find wrong outputs on which model and design agree. In a run with another
// mismatch, their findings become a note on it. Go compares records with event.Layout.Differ. The shell implements the
// rule a second time, on purpose; its verdict that nothing differs counts only if its number of cycles and its digest
// of all outputs equal the model's.
//
// Anything else that must not pass is an error (exit 2): a digest or count that contradicts the device, a bin hit
// against its proof, a field whose mask hid every bit, a design that never took an event or never answered
// (answers.bound), a reference that breaks the handshake or stops, a model that panics or stalls. Package report
// refuses a run in which nothing was compared.
package run

// Package run is where all parties meet: stimulus from vectors/stim, the model, the device behind the
// bridge, coverage and the float64 reference. Its result is data for package report.
//
// The model runs ahead of the device. It predicts every output of every cycle, ready included, so that
// whole batches of cycles, inputs and expected outputs, stream to the device side, which replays and
// compares them in place. Only a digest comes back, or the first cycle that differs.
//
//	res, err := run.Run(ctx, run.Config{Root: root, Block: "ccc", Source: "random", Events: 100_000, Seed: 1})
//	if err == nil && res.Mismatches > 0 {
//		fmt.Println(res.FirstMismatch.Reproduce)
//	}
//
// A mismatch is data in the Result; an error means that the harness itself broke.
package run

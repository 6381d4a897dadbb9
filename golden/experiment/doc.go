// Package experiment reproduces the experiments of the sources in the simulated network and judges them by the claims
// that the sources make. Each experiment is a row of All: what the source claims, the runs it needs, and its checks.
// A check passes only when every run that it rests on measured something.
//
//	rows, err := experiment.Find([]string{"000/fairness"})
//	outcomes, err := experiment.Run(ctx, rows, experiment.Conditions{Seeds: []uint64{1, 2, 3, 4, 5}, Jobs: 2})
//	for _, o := range outcomes {
//		for _, c := range o.Checks { ... }   // verdict, claim, what was measured
//	}
//
// A run is drawn by its seed alone, so that every variant of an experiment meets the same flows, and runs that several
// experiments share are simulated once.
package experiment

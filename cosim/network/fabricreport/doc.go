// Package fabricreport renders the results of network simulations as a terminal summary, a JSON document and a
// self-contained HTML page, for one congestion control or several side by side.
//
// A command runs the simulations and passes their results; nothing here runs anything.
//
//	r := fabricreport.New(&fabricplan.Plan{Name: "fattree128/incast32", Spec: spec, Seeds: seeds},
//		[]*fabricreport.Outcome{{CC: "nscc", Runs: runs, Summary: result.Summarise(took, runs...)}})
//	err := r.WriteText(os.Stdout)
//	switch v, why := r.Verdict(); v { ... }
package fabricreport

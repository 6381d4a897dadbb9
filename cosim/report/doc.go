// Package report renders the results of co-simulation runs: a terminal summary,
// a JSON document, a JUnit file for CI and one self-contained HTML page.
//
// A run fills a Result; one or several Results make a Report. Nothing here runs
// anything: a report depends on its Results alone, so equal results render to
// equal bytes.
//
//	for _, path := range []string{jsonPath, htmlPath} {
//		if err := report.Preflight(path); err != nil { ... } // before the run
//	}
//	rep := &report.Report{Results: []report.Result{*res}}
//	report.WriteText(os.Stdout, rep)
//	err := report.WriteFile(jsonPath, func(w io.Writer) error { return report.WriteJSON(w, rep) })
//	if rep.Verdict() == report.Mismatched { os.Exit(1) }
package report

// Package report renders results. Those of co-simulation runs become a terminal summary, a JSON document, a JUnit file
// for CI and one self-contained HTML page; those of the fabric and of fault campaigns become pages of the same kind.
//
// A run fills a Result; one or several Results make a Report. Nothing here runs anything: a report depends on its
// Results alone, so equal results render to equal bytes.
//
//	for _, path := range []string{jsonPath, htmlPath} {
//		if err := report.Preflight(path); err != nil { ... } // before the run
//	}
//	rep := &report.Report{Results: []report.Result{*res}}
//	report.WriteText(os.Stdout, rep)
//	err := report.WriteFile(jsonPath, func(w io.Writer) error { return report.WriteJSON(w, rep) })
//	if rep.Verdict() == report.Mismatched { os.Exit(1) }
//
// # Sections
//
// A Section is the report of a measurement other than the exact comparison. Its owner, such as cosim/precision, creates
// and words it; this package knows no algorithm and shows any section in every form:
//
//	func (d *Depth) Section() report.Section {
//		return report.Section{
//			Key: "fifo", Title: "FIFO of the port", Data: d,
//			Metrics: []report.Metric{{Name: "deepest", What: "deepest level", Unit: "beats", Value: float64(d.Deepest),
//				Samples: d.Cycles, Bound: report.AtMost(16)}},
//			Parts: []report.Part{table},
//		}
//	}
//
// The observers of a run append it to Result.Sections: All.Fill of cosim/engine/watch for every block, the block's
// FloatWatch for its own. No other file changes, except the table of ci/layout when a new package measures the section.
//
// The verdict of a run also follows from its metrics. A Metric with a bound is within it, beyond it (exit 1), or not
// measured: without Samples, it never passes (Empty, exit 2). The same holds for a section with a Fault, such as events
// that it missed, and for one that the plan requires (Result.Due) and that is missing from the result or has lost its
// bounds. Only an Idle section may leave out its figures: an independent count showed that there was nothing to
// measure.
//
// # Pages
//
// Every page is a Page: a banner, sections, and groups of sections with a banner each. A section holds Parts (Text,
// Table, Tiles, List, Figure, ...), and page.tmpl has one template for each. All figures share one layout (figure.go)
// and the code that draws axes and curves (plot.go). There is one style sheet, page.css, for light, dark and
// paper.
package report

// Package triage sorts the failures of a campaign into buckets of one cause each, finds the revision that a bucket came
// with, and keeps its shortest events as a directed case.
//
//	c, err := campaign.Read("build/ci/nightly")
//	t := triage.New(c)
//	for _, b := range t.Buckets {
//		fmt.Println(b.Name, b.Runs, b.Reproduce)
//	}
package triage

package report

// neverBegan is the reason of a planned run while no result has replaced it: it stands in a report of a
// command that was killed.
const neverBegan = "the command ended before this run began"

// Plan returns the report of runs that are to come, each with what is known of it before it runs. Every one
// is NotRun until Settle replaces it, so that no way out of a command leaves a planned run out.
func Plan(runs []Result) *Report {
	r := &Report{Results: runs}
	for i := range r.Results {
		r.Results[i].NotRun = neverBegan
	}
	return r
}

// Settle puts the end of run number i into its entry: its result, which may be nil where err is not. A run
// that ended in an error is never a pass; interrupted is set when the error came from a signal.
func (r *Report) Settle(i int, res *Result, err error, interrupted bool) {
	x := &r.Results[i]
	if res != nil {
		due := x.Due
		*x = *res
		x.Due = due // what the plan asks for, whatever the result holds
	}
	x.NotRun = ""
	switch {
	case err == nil && res == nil:
		x.Broken = "the run gave no result"
	case err == nil:
	case interrupted:
		x.Interrupted = true
	case x.Broken == "":
		x.Broken = err.Error()
	}
}

// Stop gives every run that was not begun the reason for which the command ends before it.
func (r *Report) Stop(reason string) {
	for i := range r.Results {
		if x := &r.Results[i]; x.NotRun != "" {
			x.NotRun = reason
		}
	}
}

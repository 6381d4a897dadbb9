package report

// neverBegan is the reason of a planned run until a result replaces it. A command that is killed leaves it in its
// report.
const neverBegan = "the command ended before this run began"

// Plan returns the report of the planned runs, each with what is known about it before it runs. Every run is NotRun
// until Settle replaces it, so that no way of ending a command omits a planned run.
func Plan(runs []Result) *Report {
	r := &Report{Results: runs}
	for i := range r.Results {
		r.Results[i].NotRun = neverBegan
	}
	return r
}

// Settle completes the entry of run number i with its result, which may be nil if err is not. A run that ended in an
// error is never a pass. interrupted is set if the error came from a signal.
func (r *Report) Settle(i int, res *Result, err error, interrupted bool) {
	x := &r.Results[i]
	if res != nil {
		due := x.Due
		*x = *res
		x.Due = due // what the plan requires, whatever the result holds
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

// Stop gives every run that did not begin the reason why the command ended before it.
func (r *Report) Stop(reason string) {
	for i := range r.Results {
		if x := &r.Results[i]; x.NotRun != "" {
			x.NotRun = reason
		}
	}
}

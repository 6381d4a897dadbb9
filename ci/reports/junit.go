package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// WriteJUnit writes JUnit XML: a suite for each test of the plan, with a case and its seed for each planned run. Runs
// that ended in an error and missing runs are errors; runs taken over are skipped. If a campaign did not pass although
// no run shows why, one more case is an error.
func (r *Report) WriteJUnit(w io.Writer) error {
	doc := report.Suites{Name: "goldwire ci, stage " + r.Stage}
	bad := 0
	for i := range r.Runs {
		run, st := r.runs[i], &r.Runs[i]
		c := junitCase(run, st)
		if c.Failure != nil || c.Error != nil {
			bad++
		}
		k := slices.IndexFunc(doc.Suites, func(s report.Suite) bool { return s.Name == run.Test })
		if k < 0 {
			k = len(doc.Suites)
			doc.Suites = append(doc.Suites, report.Suite{Name: run.Test})
		}
		doc.Suites[k].Cases = append(doc.Suites[k].Cases, c)
	}
	if r.Result != campaign.Passed && bad == 0 || r.Ended != "" {
		doc.Suites = append(doc.Suites, report.Suite{Name: "campaign", Cases: []report.TestCase{{
			Name: "stage " + r.Stage, Classname: "goldwire.campaign",
			Error: &report.Problem{Message: r.line(), Type: string(r.Result)}}}})
	}
	return doc.Write(w)
}

func junitCase(run *plan.Run, st *campaign.State) report.TestCase {
	class := "goldwire." + strings.ReplaceAll(strings.TrimPrefix(run.Test, run.Block+"/"), ".", "_")
	if run.Block != "" {
		class = "goldwire." + run.Block + strings.TrimPrefix(class, "goldwire")
	}
	c := report.TestCase{Name: st.ID, Classname: class, Time: report.Seconds(st.Cost.Seconds), Details: &report.Details{}}
	detail := func(name, value string) {
		if value != "" {
			c.Details.Add(name, value)
		}
	}
	detail("seed", strconv.FormatUint(run.Seed, 10))
	detail("block", run.Block)
	detail("source", run.Source)
	detail("outcome", string(st.Outcome))
	detail("digest", st.Digest)
	detail("reproduce", st.Repeat)
	problem := &report.Problem{Message: difference(st), Type: string(st.Outcome),
		Text: fmt.Sprintf("%s\nreproduce: %s\n", difference(st), st.Repeat)}
	switch st.Outcome {
	case campaign.Passed:
	case campaign.Failed:
		if st.Failure != nil && len(st.Failure.Shrunk) > 0 {
			problem.Text += "shortest events:\n  " + strings.Join(st.Failure.Shrunk, "\n  ") + "\n"
		}
		c.Failure = problem
	case campaign.Taken:
		problem.Message = fmt.Sprintf("not run: taken over from %s, revision %s, inputs %s", st.From.Dir, st.From.Revision,
			st.From.Inputs)
		problem.Text = ""
		c.Skipped = problem
	default:
		c.Error = problem
	}
	return c
}

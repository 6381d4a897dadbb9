package fault

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// WriteMarkdown writes the counts of campaigns to a document: faults and findings by block, and every reason not to
// pass. failed is why the command ended early, or nil.
func WriteMarkdown(w io.Writer, doc *measured.Doc, results []*Result, failed error) error {
	counted := report.Sheet{Title: "Faults by block", Head: []string{"block", "hand-written", "caught", "drawn", "caught",
		"argued to change nothing", "not caught", "not compiled", "seconds"},
		Note: "A drawn fault that does not compile is replaced by the next of the draw. The arguments are in " +
			"cosim/audit/fault/survivors.yaml."}
	ways := report.Sheet{Title: "How they were caught", Head: []string{"block", "faults", "by", "in"}, Words: 4}
	problems := report.Sheet{Title: "Reasons not to pass"}
	word, broken, caught, planted := "PASS", false, 0, 0
	for _, r := range results {
		if b := r.banner(); word == "PASS" {
			word = b.Word
		}
		caught, planted = caught+r.Hand.Caught+r.Drawn.Caught, planted+r.planted()
		for _, p := range r.Problems {
			problems.List = append(problems.List, r.Block+": "+p)
		}
		if r.Broken != "" {
			doc.Lack(errors.New(r.Block + ": " + r.Problems[0]))
			broken = true
			continue
		}
		argued, left := 0, 0
		for _, v := range r.Survivors() {
			if v.Argument != "" {
				argued++
			} else {
				left++
			}
		}
		row := []string{r.Block}
		for _, n := range []int{r.Hand.Total, r.Hand.Caught, r.Drawn.Total, r.Drawn.Caught, argued, left,
			len(r.Refused)} {
			row = append(row, strconv.Itoa(n))
		}
		counted.Rows = append(counted.Rows, append(row, fmt.Sprintf("%.0f", r.Seconds)))
		for _, c := range []struct {
			name string
			s    Score
		}{{"hand-written", r.Hand}, {"drawn", r.Drawn}} {
			if c.s.Caught > 0 {
				ways.Rows = append(ways.Rows, []string{r.Block, c.name, counts(c.s.By), counts(c.s.In)})
			}
		}
	}
	if !broken {
		doc.Lack(failed)
		doc.Lack(Measured(results))
	}
	doc.Outcome = fmt.Sprintf("%s: %d of %d faults caught. Every hand-written fault and at least %d %% of the drawn ones "+
		"must be caught, and an argument must explain each of the others.", word, caught, planted, wanted)
	doc.Sheets = []report.Sheet{counted, ways}
	if len(problems.List) > 0 {
		doc.Sheets = append(doc.Sheets, problems)
	}
	return doc.WriteMarkdown(w)
}

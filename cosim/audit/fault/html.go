package fault

import (
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/cosim/report"
)

// metrics are the figures of a campaign. A class without planted faults was not measured.
func (r *Result) metrics() []report.Metric {
	planted := uint64(r.planted())
	return []report.Metric{
		{Name: "planted", What: "faults planted", Value: float64(planted), Samples: planted, Bound: report.AtLeast(1)},
		{Name: "hand_missed", What: "hand-written faults not caught", Value: float64(r.Hand.Total - r.Hand.Caught),
			Samples: uint64(r.Hand.Total)},
		{Name: "drawn_percent", What: "drawn faults caught", Unit: "%", Value: r.Drawn.Percent(),
			Samples: uint64(r.Drawn.Total)},
		{Name: "problems", What: "reasons not to pass", Value: float64(len(r.Problems)), Samples: planted,
			Bound: report.AtMost(0)},
	}
}

// planted returns how many faults were planted.
func (r *Result) planted() int { return r.Hand.Total + r.Drawn.Total }

// Measured returns an error if there is no campaign, or if one planted no faults and so measured nothing.
func Measured(results []*Result) error {
	if len(results) == 0 {
		return errors.New("faults: no campaign was run")
	}
	for _, r := range results {
		if r.planted() == 0 {
			return fmt.Errorf("faults in %s: none was planted, so nothing was measured; give --drawn, or a catalogue", r.Block)
		}
	}
	return nil
}

// WriteHTML writes the results of campaigns as one page.
func WriteHTML(w io.Writer, results []*Result) error {
	p := report.Page{Title: "faults", Banner: report.Banner{Word: "PASS", Class: "good"}}
	caught, planted := 0, 0
	for _, r := range results {
		b := r.banner()
		if b.Class != "good" && p.Word == "PASS" {
			p.Word, p.Class = b.Word, b.Class
		}
		caught, planted = caught+r.Hand.Caught+r.Drawn.Caught, planted+r.planted()
		p.Groups = append(p.Groups, report.Group{ID: r.Block, Title: "Faults in " + r.Block, Banner: b,
			Sections: r.sections()})
	}
	p.Line = fmt.Sprintf("%d of %d faults caught", caught, planted)
	if err := Measured(results); err != nil && p.Word == "PASS" {
		p.Word, p.Class, p.Line = "EMPTY", "bad", err.Error()
	}
	return p.WriteHTML(w)
}

// banner is the verdict of a campaign with its counts.
func (r *Result) banner() report.Banner {
	drawn := "no drawn one"
	if r.Drawn.Total > 0 {
		drawn = fmt.Sprintf("%d of %d drawn (seed %d, %.1f %%)", r.Drawn.Caught, r.Drawn.Total, r.Seed, r.Drawn.Percent())
	}
	line := fmt.Sprintf("%d of %d hand-written and %s caught in %.0f s", r.Hand.Caught, r.Hand.Total, drawn, r.Seconds)
	switch {
	case r.Broken != "":
		return report.Banner{Word: "ERROR", Class: "bad", Line: r.Problems[0]}
	case !r.OK():
		return report.Banner{Word: "FAIL", Class: "bad", Line: line}
	case r.planted() == 0:
		return report.Banner{Word: "EMPTY", Class: "bad", Line: line}
	}
	return report.Banner{Word: "PASS", Class: "good", Line: line}
}

// sections is the list of the sections of a campaign.
func (r *Result) sections() []report.Section {
	metrics := r.metrics()
	out := []report.Section{{Title: "Figures", Metrics: metrics, Parts: []report.Part{report.TilesOf(metrics), r.ways()}}}
	if len(r.Problems) > 0 {
		out = append(out, report.Section{Title: "Problems", Parts: []report.Part{report.List{Items: r.Problems}}})
	}
	if t := r.survivorTable(); len(t.Rows) > 0 {
		out = append(out, report.Section{Title: "Survivors", Note: "Faults that nothing found.", Parts: []report.Part{t}})
	}
	return append(out, report.Section{Title: "Caught", Parts: []report.Part{
		report.Fold{Name: "every caught fault", Parts: []report.Part{r.caughtTable()}}}})
}

// ways shows how the faults were caught.
func (r *Result) ways() report.Table {
	var t report.Table
	for _, x := range []struct {
		name string
		s    Score
	}{{"hand-written", r.Hand}, {"drawn", r.Drawn}} {
		if x.s.Caught > 0 {
			t.Named(x.name, fmt.Sprintf("by %s; in %s", counts(x.s.By), counts(x.s.In)))
		}
	}
	if n := len(r.Refused); n > 0 {
		t.Named("not compiled", fmt.Sprintf("%d drawn faults, replaced by the next of the draw", n))
	}
	return t
}

func (r *Result) survivorTable() report.Table {
	t := report.Table{Columns: []report.Column{{Name: "fault", Kind: report.Code}, {Name: "equivalent because"}}}
	for _, v := range r.Survivors() {
		why := oneLine(v.Argument)
		if v.Argument == "" {
			why = "no argument"
		}
		t.Rows = append(t.Rows, report.Cells(v.Fault.String(), why))
	}
	return t
}

func (r *Result) caughtTable() report.Table {
	t := report.Table{Columns: []report.Column{{Name: "fault", Kind: report.Code}, {Name: "by"},
		{Name: "episode", Kind: report.Code}, {Name: "cycle", Kind: report.Number}, {Name: "field", Kind: report.Code},
		{Name: "want", Kind: report.Compare}, {Name: "got", Kind: report.Compare}}}
	for _, v := range r.Verdicts {
		if f := v.Finding; f != nil {
			row := report.Cells(v.Fault.String(), f.By, f.Episode, fmt.Sprint(f.Cycle), f.Field, f.Want, f.Got)
			row[6].Differs = true
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

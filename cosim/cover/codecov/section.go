package codecov

import (
	"fmt"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/report"
)

// Key is the key of the section in reports.
const Key = "code_coverage"

// percent is of the points that are not excluded; without any there is no share.
func (s Share) percent() float64 { return 100 * float64(s.Hit) / float64(max(s.Points, 1)) }

// counted returns in how many cycles lines were counted, or "" when they were counted in all.
func (v *View) counted() string {
	var lines, all uint64
	for _, b := range v.Builds {
		lines, all = lines+b.LineCycles, all+b.Cycles
	}
	if lines == all {
		return ""
	}
	return fmt.Sprintf("  (lines in %s of %s cycles)", report.Count(lines), report.Count(all))
}

// Section returns the view as a section of a report. Its only bound is that something was executed.
func (v *View) Section() report.Section {
	t := &v.Total
	s := report.Section{Key: Key, Title: "Code coverage", Data: v,
		Note: "Lines and branches as Verilator counts them in a part of the cycles, toggles of ports and registers as " +
			"sampled in all. An instance's lines are blocks of lines that are executed together."}
	for _, x := range []struct {
		name string
		of   Share
	}{{"lines", t.Lines}, {"branches", t.Branches}, {"toggles", t.Toggles}} {
		if x.of.Points == 0 {
			continue
		}
		s.Metrics = append(s.Metrics, report.Metric{Name: Key + "_" + x.name, What: x.name, Unit: "%", Value: x.of.percent(),
			Samples: uint64(x.of.Points)})
	}
	// A design of which no line ran was not counted.
	s.Metrics = append(s.Metrics, report.Metric{Name: Key + "_lines_hit", What: "lines executed",
		Value: float64(t.Lines.Hit), Samples: uint64(t.Lines.Points), Bound: report.AtLeast(1)})
	s.Lines = []report.Line{{Name: "code", Text: fmt.Sprintf("lines %v  branches %v  toggles %v%s", t.Lines, t.Branches,
		t.Toggles, v.counted())}}
	files := report.Table{Columns: report.Columns("file", "lines", "branches")}
	for _, r := range v.Files {
		files.Rows = append(files.Rows, report.Cells(filepath.Base(r.Name), r.Lines.String(), r.Branches.String()))
	}
	inst := report.Table{Columns: report.Columns("instance", "lines", "branches", "toggles")}
	for _, r := range v.Instances {
		row := report.Cells(r.Name, r.Lines.String(), r.Branches.String(), r.Toggles.String())
		inst.Rows = append(inst.Rows, row)
	}
	s.Parts = []report.Part{report.TilesOf(s.Metrics), files, inst,
		report.Fold{Name: fmt.Sprintf("%d places not hit", len(v.Missed)),
			Parts: []report.Part{report.List{Items: v.Missed}}}}
	return s
}

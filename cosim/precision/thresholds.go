package precision

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc/nscc"
)

// ThresholdSides counts the events that one comparison of the reference decided next to its threshold, while every
// other comparison of the event was further than a unit from its own. Model and reference took all of them alike, so a
// rule that compares with another threshold, or the other way at equality, would have shown.
type ThresholdSides struct {
	Name  string `json:"name"`
	Below uint64 `json:"below"` // by a unit or less
	At    uint64 `json:"at"`
	Above uint64 `json:"above"`
}

// near1 is how far from a threshold a comparison is next to it, in ticks or bytes.
const near1 = 1

// thresholdNames returns a row for each comparison of the reference.
func thresholdNames() []ThresholdSides {
	out := make([]ThresholdSides, nscc.NumThresholds)
	for t := range out {
		out[t].Name = nscc.Threshold(t).String()
	}
	return out
}

// sortThreshold counts an event by the one comparison that was next to its threshold.
func sortThreshold(rows []ThresholdSides, r *nscc.Response) {
	only, margin := -1, 0.0
	for t := range rows {
		m, ok := r.Margin(nscc.Threshold(t))
		if !ok || math.Abs(m) > near1 {
			continue
		}
		if only >= 0 {
			return
		}
		only, margin = t, m
	}
	switch {
	case only < 0:
	case margin < 0:
		rows[only].Below++
	case margin > 0:
		rows[only].Above++
	default:
		rows[only].At++
	}
}

// sides returns how many sides of thresholds were decided, and how many there are.
func sides(rows []ThresholdSides) (decided, all int) {
	for i := range rows {
		for _, n := range []uint64{rows[i].Below, rows[i].At, rows[i].Above} {
			all++
			if n > 0 {
				decided++
			}
		}
	}
	return decided, all
}

func thresholdTable(rows []ThresholdSides) report.Table {
	t := report.Table{Columns: []report.Column{
		{Name: "comparison that alone was next to its threshold", Kind: report.Code},
		{Name: "events below", Kind: report.Number}, {Name: "at it", Kind: report.Number},
		{Name: "above", Kind: report.Number},
	}}
	for i := range rows {
		x := &rows[i]
		t.Rows = append(t.Rows, report.Cells(x.Name, report.Count(x.Below), report.Count(x.At), report.Count(x.Above)))
	}
	return t
}

func thresholdText(rows []ThresholdSides) string {
	decided, all := sides(rows)
	return fmt.Sprintf("%d of %d sides of its thresholds decided an event alone", decided, all)
}

package replay

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

// Report is the result of a replay. Its JSON form is stable: keys are only
// added, and two replays of one trace are byte for byte alike.
type Report struct {
	Config  Config  `json:"config"`
	Rows    int     `json:"rows"`
	Flows   int     `json:"flows"`
	Actions []Tally `json:"actions"` // recorded actions, those that occur
	// Pass holds when integer arithmetic reproduced everything, and real
	// arithmetic every action and the window within Config.RealTolerance.
	Pass    bool `json:"pass"`
	Integer Mode `json:"integer"`
	Real    Mode `json:"real"`

	actions map[htsim.Action]int
}

// Tally counts how often a recorded action occurs.
type Tally struct {
	Action string `json:"action"`
	Rows   int    `json:"rows"`
}

// Mode is the result in one arithmetic.
type Mode struct {
	ActionMismatches int `json:"action_mismatches"`
	// ValuesDiffer counts cells, of all checked columns: any difference in
	// integer arithmetic, a whole unit or more in real arithmetic.
	ValuesDiffer int      `json:"values_differ"`
	Columns      []Column `json:"columns"`
	// First is the first action or value that differs, nil when none does.
	First *Mismatch `json:"first_mismatch"`
}

// Column is the result for one checked column, in the order of the trace.
type Column struct {
	Name   string `json:"name"`
	Differ int    `json:"differ"`
	// MaxRelErr is the largest |got - want| / max(|want|, 1).
	MaxRelErr float64 `json:"max_rel_err"`
	// MaxRelErrRow is the data row of MaxRelErr, from 1; 0 when there is no error.
	MaxRelErrRow int `json:"max_rel_err_row"`
}

// Mismatch names one cell. Row counts data rows from 1, Line lines of the file.
type Mismatch struct {
	Row    int    `json:"row"`
	Line   int    `json:"line"`
	N      int64  `json:"n"`
	Flow   int64  `json:"flow"`
	Column string `json:"column"`
	Want   string `json:"want"`
	Got    string `json:"got"`
}

func newReport(cfg Config) *Report {
	mode := func() Mode {
		m := Mode{Columns: make([]Column, numChecked)}
		for i, c := range checked {
			m.Columns[i].Name = header[c]
		}
		return m
	}
	return &Report{Config: cfg, Integer: mode(), Real: mode(), actions: map[htsim.Action]int{}}
}

func (m *Mode) action(w *row, got htsim.Action) {
	m.ActionMismatches++
	m.first(w, header[colAction], w.action, got)
}

func (m *Mode) value(w *row, i int, got, rel float64, differs bool) {
	c := &m.Columns[i]
	if rel > c.MaxRelErr {
		c.MaxRelErr = rel
		c.MaxRelErrRow = w.row
	}
	if differs {
		c.Differ++
		m.ValuesDiffer++
		m.first(w, c.Name, strconv.FormatInt(w.want[i], 10), strconv.FormatFloat(got, 'f', -1, 64))
	}
}

func (m *Mode) first(w *row, column, want, got string) {
	if m.First == nil {
		m.First = &Mismatch{Row: w.row, Line: w.line, N: w.n, Flow: w.flow, Column: column, Want: want, Got: got}
	}
}

func (rep *Report) finish(flows int) {
	rep.Flows = flows
	for _, a := range htsim.Actions {
		if n := rep.actions[a]; n > 0 {
			rep.Actions = append(rep.Actions, Tally{a, n})
		}
	}
	rep.Pass = rep.Integer.First == nil && rep.Real.ActionMismatches == 0 &&
		rep.Real.Columns[cwndAfter].MaxRelErr <= rep.Config.RealTolerance
}

// WriteText prints the report for a terminal.
func (rep *Report) WriteText(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	verdict := "PASS"
	if !rep.Pass {
		verdict = "MISMATCH"
	}
	c := rep.Config
	fmt.Fprintf(tw, "golden replay\t%s\n", verdict)
	fmt.Fprintf(tw, "profile\t%s, %v Gb/s, network rtt %d ps, target %d ps, mtu %d, mss %d\n",
		c.Profile, c.LinkGbps, c.NetworkRTTPs, c.TargetPs, c.MTU, c.MSS)
	fmt.Fprintf(tw, "rows\t%d in %d flows\n", rep.Rows, rep.Flows)
	for _, t := range rep.Actions {
		fmt.Fprintf(tw, "  %s\t%d\n", t.Action, t.Rows)
	}
	for _, m := range []struct {
		name string
		m    *Mode
	}{{"integer", &rep.Integer}, {"real", &rep.Real}} {
		fmt.Fprintf(tw, "%s\t%d action mismatches, %d of %d values differ\n",
			m.name, m.m.ActionMismatches, m.m.ValuesDiffer, rep.Rows*numChecked)
		if f := m.m.First; f != nil {
			fmt.Fprintf(tw, "  first\trow %d (line %d), n %d, flow %d, %s: want %s, got %s\n",
				f.Row, f.Line, f.N, f.Flow, f.Column, f.Want, f.Got)
		}
	}
	fmt.Fprintf(tw, "real window\tlargest relative error %.3g, allowed %.3g\n",
		rep.Real.Columns[cwndAfter].MaxRelErr, c.RealTolerance)
	fmt.Fprintf(tw, "\ncolumn\tinteger differ\treal differ\treal max rel err\tat row\n")
	for i := range rep.Integer.Columns {
		a, b := &rep.Integer.Columns[i], &rep.Real.Columns[i]
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.3g\t%d\n", a.Name, a.Differ, b.Differ, b.MaxRelErr, b.MaxRelErrRow)
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("replay report: %w", err)
	}
	return nil
}

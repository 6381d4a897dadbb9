package tolerance

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

// Key is the key of the section of a Judge.
const Key = "tolerance"

// Data is the section's part of a JSON report.
type Data struct {
	Responses uint64      `json:"responses"` // judged, to events of the source
	Resync    bool        `json:"resync"`
	Reads     uint64      `json:"reads"`       // responses to events that the harness inserted
	Words     uint64      `json:"state_words"` // compared
	Taken     uint64      `json:"taken"`       // state words and registers that the reference took over
	Fields    []ValueData `json:"values"`
	Calls     []CallData  `json:"close_calls"`
	Flips     []FlipData  `json:"flips"`
	Unused    []string    `json:"never_compared"` // values with a rule that the run never compared
}

// ValueData is what was seen of one value with a rule.
type ValueData struct {
	Name     string  `json:"name"`
	Judged   string  `json:"judged"` // exact, bounded, ignored, flips
	Rule     string  `json:"rule"`
	Compared uint64  `json:"compared"` // of an ignored one: seen and not compared
	Differed uint64  `json:"differed"`
	Largest  uint64  `json:"largest"` // difference in LSBs
	Mean     float64 `json:"mean"`    // of all compared, with sign, in LSBs
	Closest  float64 `json:"closest"` // share of the bound
	Flips    uint64  `json:"flipped"` // decisions that differed and were explained
	Allowed  uint64  `json:"allowed"` // flips in a run of so many responses
}

// CallData is one close call.
type CallData struct {
	Share   float64 `json:"share"`
	Name    string  `json:"name"`
	Want    string  `json:"want"`
	Got     string  `json:"got"`
	Diff    uint64  `json:"diff"`
	Bound   float64 `json:"bound"`
	Episode string  `json:"episode"`
	Cycle   uint64  `json:"cycle"`
	Event   string  `json:"event"`
}

// FlipData is one decision that differed.
type FlipData struct {
	Name    string `json:"name"`
	Want    string `json:"want"`
	Got     string `json:"got"`
	Near    string `json:"near"`
	Episode string `json:"episode"`
	Cycle   uint64 `json:"cycle"`
	Event   string `json:"event"`
}

// Section returns what was judged as a section of the report. Describe puts an event into words; resync is set where
// the reference took the design's state.
func (j *Judge) Section(resync bool, describe func(event []uint64) string) report.Section {
	d := j.data(resync, describe)
	s := report.Section{Key: Key, Title: "Tolerances of the dut.yaml", Lead: "tolerances of the dut.yaml",
		Metrics: j.metrics(resync), Data: d}
	if Soft(j.Rules) {
		s.Softens = "within tolerances"
	}
	s.Fault = j.fault(resync)
	s.Lines = j.lines(d)
	s.Parts = d.parts()
	return s
}

// metrics are the figures, the first of them with the bounds that decide.
func (j *Judge) metrics(resync bool) []report.Metric {
	differed, compared, closest := uint64(0), uint64(0), 0.0
	for i := range j.seen {
		if j.Rules[i].Kind == Bounded {
			differed, compared = differed+j.seen[i].differed, compared+j.seen[i].compared
			for _, c := range j.seen[i].calls {
				closest = max(closest, c.Share)
			}
		}
	}
	out := []report.Metric{
		{Name: "beyond", What: "responses beyond their tolerances", Value: float64(j.beyond), Samples: j.judged,
			Bound: report.AtMost(0)},
		{Name: "differed", What: "values that differed within their bounds", Value: float64(differed), Samples: compared},
		{Name: "closest", What: "largest share of a bound", Value: closest, Samples: compared},
	}
	if resync {
		out = append(out,
			report.Metric{Name: "state_words", What: "state words compared", Value: float64(j.words64), Samples: j.words64,
				Bound: report.AtLeast(1)},
			report.Metric{Name: "taken", What: "state words and registers taken over", Value: float64(j.taken),
				Samples: j.words64})
	}
	for i := range j.Rules {
		r, n := &j.Rules[i], &j.seen[i]
		if r.Kind != Flips {
			continue
		}
		may := r.Allowed(j.responses)
		out = append(out, report.Metric{Name: "flips_" + strings.ReplaceAll(r.Name, ".", "_"), What: "flips of " + r.Name,
			Value: float64(n.flips), Samples: n.compared, Bound: report.AtMost(float64(may)), Whole: true,
			Excess: fmt.Sprintf("%s differed %d times in %s; at most %d may (flips: %d in each 10,000 begun)%s", r.Name,
				n.flips, report.Plural(j.responses, "response"), may, r.Flips, j.firstFlip(i))})
	}
	return out
}

// firstFlip names the first flip of a rule.
func (j *Judge) firstFlip(rule int) string {
	if i := slices.IndexFunc(j.flipped, func(f Flip) bool { return f.Rule == rule }); i >= 0 {
		return fmt.Sprintf("; the first in episode %s at cycle %d", j.flipped[i].Episode, j.flipped[i].Cycle)
	}
	return ""
}

// fault returns why the run has not judged what its rules are for, "" when it has.
func (j *Judge) fault(resync bool) string {
	if j.beyond > 0 {
		return "" // the run ended there
	}
	if resync && j.words64 == 0 {
		return "resync: state, and no state word was read"
	}
	for i := range j.Rules {
		r := &j.Rules[i]
		if r.Form == Field && r.Kind != Exact && r.Kind != Ignored && j.seen[i].compared == 0 && j.judged > 0 {
			return fmt.Sprintf("%s was never compared in this run, which its tolerance is for", r.Name)
		}
	}
	return ""
}

// unused lists the values with a rule that were never compared.
func (j *Judge) unused() (names []string) {
	for i := range j.Rules {
		if r := &j.Rules[i]; r.Kind != Exact && j.seen[i].compared == 0 {
			names = append(names, r.Name)
		}
	}
	return names
}

// text writes raw bits of a value as a number.
func (r *Rule) text(raw uint64, j *Judge) string {
	if e := j.block.Enum(r.enum); e != nil {
		for _, v := range e.Values {
			if v.Value == raw {
				return v.Name
			}
		}
	}
	if n := r.fraction(); n > 0 {
		return fmt.Sprintf("%.12g", math.Ldexp(r.number(raw), -n))
	}
	return fmt.Sprintf("%.0f", r.number(raw))
}

func (j *Judge) data(resync bool, describe func([]uint64) string) *Data {
	d := &Data{Responses: j.responses, Resync: resync, Reads: j.reads, Words: j.words64, Taken: j.taken,
		Fields: []ValueData{}, Calls: []CallData{}, Flips: []FlipData{}, Unused: append([]string{}, j.unused()...)}
	for i := range j.Rules {
		r, n := &j.Rules[i], &j.seen[i]
		v := ValueData{Name: r.Name, Judged: string(r.Kind), Rule: r.String(), Compared: n.compared, Differed: n.differed,
			Largest: n.largest, Flips: n.flips}
		if r.Kind == Flips {
			v.Allowed = r.Allowed(j.responses)
		}
		if n.compared > 0 {
			v.Mean = n.sum / float64(n.compared)
		}
		if len(n.calls) > 0 {
			v.Closest = n.calls[0].Share
		}
		d.Fields = append(d.Fields, v)
	}
	event := func(w *Where) string {
		switch {
		case w.Event == nil:
			return ""
		case w.After != nil:
			return describe(w.Event) + ", read after " + describe(w.After)
		}
		return describe(w.Event)
	}
	for _, c := range j.Calls() {
		r := &j.Rules[c.Rule]
		d.Calls = append(d.Calls, CallData{Share: c.Share, Name: r.Name, Want: r.text(c.Want, j), Got: r.text(c.Got, j),
			Diff: c.Diff, Bound: c.Bound, Episode: c.Episode, Cycle: c.Cycle, Event: event(&c.Where)})
	}
	for i := range j.flipped {
		f := &j.flipped[i]
		r := &j.Rules[f.Rule]
		d.Flips = append(d.Flips, FlipData{Name: r.Name, Want: r.text(f.Want, j), Got: r.text(f.Got, j), Near: f.Near,
			Episode: f.Episode, Cycle: f.Cycle, Event: event(&f.Where)})
	}
	return d
}

// shownCalls is how many close calls a terminal gets to see.
const shownCalls = 5

// lines returns the rows of the terminal's table.
func (j *Judge) lines(d *Data) (out []report.Line) {
	var ignored []string
	for i := range d.Fields {
		switch v := &d.Fields[i]; v.Judged {
		case string(Ignored):
			ignored = append(ignored, v.Name)
		case string(Bounded):
			out = append(out, report.Line{Name: v.Name, Text: fmt.Sprintf("%s: %s compared, %s differed, by %d LSB at most, "+
				"%s of the bound; mean %s LSB", v.Rule, report.Count(v.Compared), report.Count(v.Differed), v.Largest,
				share(v.Closest), report.Digits(v.Mean))})
		case string(Flips):
			out = append(out, report.Line{Name: v.Name, Text: fmt.Sprintf("%s compared, %s flipped, %s allowed",
				report.Count(v.Compared), report.Count(v.Flips), report.Count(v.Allowed))})
		}
	}
	first := "every value without a rule is exact"
	if d.Resync {
		first += fmt.Sprintf("; state read %s times and taken over %s times, so that two events of a context never follow "+
			"each other at once", report.Count(d.Reads), report.Count(d.Taken))
	}
	out = append([]report.Line{{Name: "tolerances", Text: first}}, out...)
	if len(ignored) > 0 {
		out = append(out, report.Line{Name: "ignored", Text: strings.Join(ignored, " ")})
	}
	if len(d.Unused) > 0 {
		out = append(out, report.Line{Name: "never compared", Text: "in this run, though they have a rule: " +
			strings.Join(d.Unused, " ")})
	}
	for i := range d.Calls {
		if c := &d.Calls[i]; i < shownCalls {
			out = append(out, report.Line{Name: "close call", Text: fmt.Sprintf("%s of the bound: %s want %s, got %s, in %s "+
				"cycle %d", share(c.Share), c.Name, c.Want, c.Got, c.Episode, c.Cycle)})
		}
	}
	for i := range d.Flips {
		if f := &d.Flips[i]; i < shownCalls {
			out = append(out, report.Line{Name: "flip", Text: fmt.Sprintf("%s want %s, got %s, as from %s, in %s cycle %d",
				f.Name, f.Want, f.Got, f.Near, f.Episode, f.Cycle)})
		}
	}
	return out
}

func share(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// parts returns the section's part of a page.
func (d *Data) parts() (out []report.Part) {
	t := report.Table{Columns: report.Columns("value", "judged", "compared", "differed", "largest, LSB", "mean, LSB",
		"share of the bound", "flips", "flips allowed")}
	t.Columns[0].Kind, t.Columns[1].Kind = report.Code, report.Words
	for i := range d.Fields {
		v := &d.Fields[i]
		row := report.Cells(v.Name, v.Rule, report.Count(v.Compared), report.Count(v.Differed))
		switch v.Judged {
		case string(Bounded):
			row = append(row, report.Cells(report.Count(v.Largest), report.Digits(v.Mean), share(v.Closest), "", "")...)
		case string(Flips):
			row = append(row, report.Cells("", "", "", report.Count(v.Flips), report.Count(v.Allowed))...)
		default:
			row = append(row, report.Cells("", "", "", "", "")...)
		}
		t.Rows = append(t.Rows, row)
	}
	out = append(out, report.Text{Text: "Every value that is not listed is compared bit for bit.", Dim: true}, t)
	if len(d.Calls) > 0 {
		c := report.Table{Columns: report.Columns("value", "share of the bound", "want", "got", "bound, LSB", "where",
			"event")}
		c.Columns[0].Kind, c.Columns[5].Kind, c.Columns[6].Kind = report.Code, report.Words, report.Code
		for i := range d.Calls {
			x := &d.Calls[i]
			c.Rows = append(c.Rows, report.Cells(x.Name, share(x.Share), x.Want, x.Got, report.Digits(x.Bound),
				fmt.Sprintf("%s, cycle %d", x.Episode, x.Cycle), x.Event))
		}
		out = append(out, report.Heading("Close calls"), c)
	}
	if len(d.Flips) > 0 {
		f := report.Table{Columns: report.Columns("decision", "want", "got", "a state that decides so", "where", "event")}
		for i := range f.Columns {
			f.Columns[i].Kind = report.Words
		}
		for i := range d.Flips {
			x := &d.Flips[i]
			f.Rows = append(f.Rows, report.Cells(x.Name, x.Want, x.Got, x.Near,
				fmt.Sprintf("%s, cycle %d", x.Episode, x.Cycle), x.Event))
		}
		out = append(out, report.Heading("Decisions that differed"), f)
	}
	return out
}

// Call is a value that differed within its bound.
type Call struct {
	Where
	Rule      int
	Want, Got uint64
	Diff      uint64  // LSBs
	Bound     float64 // LSBs
	Share     float64 // of the bound, 0 to 1
}

// mostCalls is how many of the closest calls of one value are kept.
const mostCalls = 3

// seen is what was seen of a value with a rule.
type seen struct {
	compared, differed uint64
	flips              uint64
	largest            uint64  // difference in LSBs
	sum                float64 // of the differences with their signs, got - want
	calls              []Call  // closest first
}

// add counts a value of a response that agrees.
func (s *seen) add(r *Rule, l *look, at Where) {
	s.compared++
	if !l.differs {
		return
	}
	s.differed++
	if r.Kind != Bounded {
		return
	}
	diff, below := r.difference(l.want, l.got)
	s.largest = max(s.largest, diff)
	if d := float64(diff); below {
		s.sum -= d
	} else {
		s.sum += d
	}
	c := Call{Where: at, Want: l.want, Got: l.got, Diff: diff, Bound: r.bound(l.want)}
	c.Share = min(float64(diff)/c.Bound, 1)
	if n := len(s.calls); n == mostCalls && s.calls[n-1].Share >= c.Share {
		return
	}
	c.Event, c.After = slices.Clone(at.Event), slices.Clone(at.After)
	s.calls = append(s.calls, c)
	slices.SortStableFunc(s.calls, func(a, b Call) int { return cmp.Compare(b.Share, a.Share) })
	s.calls = s.calls[:min(len(s.calls), mostCalls)]
}

// Calls returns the closest calls of all values, closest first.
func (j *Judge) Calls() (out []Call) {
	for i := range j.seen {
		for _, c := range j.seen[i].calls {
			c.Rule = i
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Call) int { return cmp.Compare(b.Share, a.Share) })
	return out[:min(len(out), mostListed)]
}

func digits(n uint64) string { return strconv.FormatUint(n, 10) }

package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
)

//go:embed page.tmpl
var pageTemplate string

//go:embed page.css
var pageCSS string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"group": group, "si": si, "sig": sig, "zero": zero, "none": orNone,
}).Parse(pageTemplate))

type pageView struct {
	Title, Banner, Class, Line string
	CSS                        template.CSS
	Many                       bool
	Coverage                   *coverView
	Runs                       []runView
}

type runView struct {
	*Result
	ID, Name, Banner, Class, Line, Covered string
	Many                                   bool
	EpisodesU                              uint64
	Config                                 []Named
	CasesLine                              string
	FailedCases                            []Case
	Cover                                  coverView
	ContextPlots                           []plotView
	StateView                              *stateView
	FloatView                              *floatView
	Grid                                   *gridsView
}

type plotView struct {
	Context int
	SVG     template.HTML
}

type floatView struct {
	F                            *FloatDiff
	Class, Verdict, Detail, More string
	SVG                          template.HTML
}

type stateView struct {
	Class, Verdict, Detail string
	Fields                 []StateField
}

type coverView struct {
	Line        string
	Groups      []coverGroupView
	Missed      []string
	Unreachable []Unreachable
}

type coverGroupView struct {
	CoverageGroup
	Width   string
	Percent string
	Part    bool
}

// gridsView has the window twice: the fields that are not zero throughout, and all.
type gridsView struct{ Short, Long *gridView }

type gridView struct {
	Cycles  []cycleView
	In, Out []gridRowView
}

type cycleView struct {
	N  uint64
	At bool
}

type gridRowView struct {
	Name  string
	Cells []gridCell
}

// WriteHTML writes the report as one page that loads nothing: styles and plots
// are inside, there is no script. It follows the reader's light or dark setting
// and prints in black on white.
func WriteHTML(w io.Writer, r *Report) error {
	t := r.totals()
	v := pageView{Banner: banner(r.Verdict()), Class: class(r.Verdict()), CSS: template.CSS(pageCSS),
		Many: len(r.Results) > 1}
	switch len(r.Results) {
	case 0:
		v.Title, v.Line = "no run", r.Reason()
	case 1:
		v.Title, v.Line = r.Results[0].Name(), r.Reason()
	default:
		v.Title = fmt.Sprintf("%s, %d runs", same(r, func(x *Result) string { return x.Block }), len(r.Results))
		v.Line = fmt.Sprintf("%s events, %s cycles, %s compared, %s", group(t.events), group(t.cycles), t.compared.words(),
			mismatches(t.mismatches))
		if r.Verdict() != Pass {
			v.Line = r.Reason() + " (" + v.Line + ")"
		}
		if c := r.Coverage(); c != nil && c.Bins > 0 {
			cv := newCoverView(c)
			v.Coverage = &cv
		}
	}
	for i := range r.Results {
		v.Runs = append(v.Runs, newRunView(&r.Results[i], i, v.Many))
	}
	if err := page.Execute(w, v); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	return nil
}

func class(v Verdict) string {
	switch v {
	case Pass:
		return "good"
	case Mismatched, OverBound, Empty, Errored, NotRun:
		return "bad"
	}
	return "warn"
}

func newRunView(r *Result, i int, many bool) runView {
	v := runView{Result: r, ID: "run" + strconv.Itoa(i+1), Name: r.Name(), Banner: banner(r.Verdict()),
		Class: class(r.Verdict()), Line: r.Reason(), Covered: percent(uint64(r.Coverage.Hit), uint64(r.Coverage.Bins)),
		Many: many, EpisodesU: uint64(r.Episodes), Cover: newCoverView(&r.Coverage)}
	v.Config = []Named{{"block", r.Block}, {"source", r.Source}, {"seed", utoa(r.Seed)},
		{"parameters", paramList(r.Params)}, {"transport", r.Transport}, {"rtl", r.RTL}, {"device under test", device(r)},
		{"schema hash", r.SchemaHash}, {"digest of all outputs", r.Digest}}
	for _, n := range []Named{{"time tick", r.Tick}, {"expected from", r.Reference},
		{"not compared", strings.Join(r.Uncompared, " ")},
		{"masked", r.masked()}, {"handshake relaxed", strings.Join(r.Relaxed, " ")}, {"ended by", r.Broken}} {
		if n.Value != "" {
			v.Config = append(v.Config, n)
		}
	}
	for _, c := range r.Cases {
		if c.Failed {
			v.FailedCases = append(v.FailedCases, c)
		}
	}
	v.CasesLine = fmt.Sprintf("%s, %d failed", plural(uint64(len(r.Cases)), "case"), len(v.FailedCases))
	if r.Plots != nil {
		for k := range r.Plots.Contexts {
			c := &r.Plots.Contexts[k]
			v.ContextPlots = append(v.ContextPlots, plotView{c.Context, template.HTML(contextPlot(c))})
		}
	}
	if d := r.State; d != nil {
		v.StateView = &stateView{Class: "good", Verdict: "within bounds", Detail: d.summary() + ".", Fields: d.Fields}
		if ok, _ := d.Within(); !ok {
			v.StateView.Class, v.StateView.Verdict = "bad", "out of bounds"
		}
	}
	if f := r.Float; f != nil {
		v.FloatView = newFloatView(f, r.Tick)
	}
	if m := r.FirstMismatch; m != nil && len(m.Window) > 0 {
		v.Grid = newGridsView(m)
	}
	return v
}

func newFloatView(f *FloatDiff, tick string) *floatView {
	v := &floatView{F: f, Class: "good", Verdict: "within bounds", SVG: template.HTML(errorPlot(f)),
		Detail: fmt.Sprintf("Bounds: relative error %s in one step and %s flip in 10,000 events with tick inputs; %s flips "+
			"in 10,000 with picosecond inputs at a tick of 1 ns.",
			sig(MaxRelErrCwnd), sig(MaxFlipsPer10k), sig(MaxPsFlipsPer10k))}
	if ok, over := f.Within(tick); !ok {
		v.Class, v.Verdict, v.Detail = "bad", "out of bounds", strings.Join(over, "; ")+"."
	}
	if all := f.ActionFlips + f.PsActionFlips; all > uint64(len(f.Flips)) {
		v.More = fmt.Sprintf("%s of %s flips shown.", group(uint64(len(f.Flips))), group(all))
	}
	return v
}

func newCoverView(c *Coverage) coverView {
	v := coverView{Line: c.summary(), Missed: c.Missed, Unreachable: c.Unreachable}
	for _, g := range c.Groups {
		w := 0.0
		if g.Bins > 0 {
			w = 100 * float64(g.Hit) / float64(g.Bins)
		}
		v.Groups = append(v.Groups, coverGroupView{g, strconv.FormatFloat(w, 'f', 1, 64),
			percent(uint64(g.Hit), uint64(g.Bins)), g.Hit < g.Bins})
	}
	return v
}

func newGridsView(m *Mismatch) *gridsView {
	g := newGrid(m)
	build := func(all bool) (v *gridView, dropped bool) {
		v = &gridView{}
		for _, c := range g.cycles {
			v.Cycles = append(v.Cycles, cycleView{c, c == m.Cycle})
		}
		pick := func(rows []gridRow) (out []gridRowView) {
			for _, r := range rows {
				if all || r.active || r.differs {
					out = append(out, gridRowView{r.name, r.cells})
				} else {
					dropped = true
				}
			}
			return out
		}
		v.In, v.Out = pick(g.in), pick(g.out)
		return v, dropped
	}
	v := &gridsView{}
	var dropped bool
	if v.Short, dropped = build(false); dropped {
		v.Long, _ = build(true)
	}
	return v
}

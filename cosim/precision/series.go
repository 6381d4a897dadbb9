package precision

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/report"
)

// Series is what one context did over time, thinned to a few thousand points.
type Series struct {
	Context int
	TimeUs  []float64
	Cwnd    []float64 // bytes
	DelayUs []float64
	AvgUs   []float64
	Target  float64 // us
	Action  []string
}

// SeriesKey is the key of the section of series.
const SeriesKey = "contexts"

// SeriesSection returns series as a section of plots, which has no bounds.
func SeriesSection(series []Series) report.Section {
	s := report.Section{Key: SeriesKey, Title: "Window, delay and actions",
		Note: "Values of the model after each event of the context."}
	for i := range series {
		s.Parts = append(s.Parts, series[i].figure())
	}
	return s
}

// actionColours has the actions in the order to draw them, what raises the window above what lowers it.
var actionColours = []struct {
	name   string
	colour report.Colour
}{
	{"FAST", "up3"}, {"PROP", "up2"}, {"FAIR", "up"}, {"RCV_LIMIT", "hold"}, {"NOOP", "flat"}, {"NO_RTT", "flat"},
	{"IGNORE", "flat"}, {"NONE", "flat"}, {"QA", "qa"}, {"MD", "down"}, {"NACK_DEC", "down"}, {"LOSS_DEC", "down"},
}

// figure draws one context, three panels over one time axis: the window, the delay with its average and target, and
// a lane of marks for every action that occurs.
func (c *Series) figure() report.Figure {
	delay := report.Panel{Title: "queueing delay, µs", Curves: []report.Curve{
		{Name: "sample", X: c.TimeUs, Y: c.DelayUs, Form: report.Dots, Colour: "c2"},
		{Name: "average", X: c.TimeUs, Y: c.AvgUs, Colour: "c1"},
	}}
	if n := len(c.TimeUs); c.Target > 0 && n > 0 {
		delay.Curves = append(delay.Curves, report.Curve{Name: "target", X: []float64{c.TimeUs[0], c.TimeUs[n-1]},
			Y: []float64{c.Target, c.Target}, Form: report.Dashed, Colour: "c3"})
	}
	f := report.Figure{
		Name:  fmt.Sprintf("context %d", c.Context),
		About: fmt.Sprintf("context %d: window, delay and actions over time", c.Context),
		Panels: []report.Panel{
			{Title: "cwnd, bytes", Log: true, Curves: []report.Curve{{X: c.TimeUs, Y: c.Cwnd}}}, delay,
		},
	}
	if lanes := c.lanes(); len(lanes) > 0 {
		f.Panels = append(f.Panels, report.Panel{Title: "action of each event", Lanes: lanes})
	}
	return f
}

// lanes returns the actions that occur; those without a place in the order come last, by name.
func (c *Series) lanes() (out []report.Lane) {
	at := map[string][]float64{}
	for i := range min(len(c.Action), len(c.TimeUs)) {
		if a := c.Action[i]; a != "" {
			at[a] = append(at[a], c.TimeUs[i])
		}
	}
	for _, a := range actionColours {
		if x := at[a.name]; x != nil {
			out = append(out, report.Lane{Name: a.name, X: x, Colour: a.colour})
			delete(at, a.name)
		}
	}
	var others []string
	for a := range at {
		others = append(others, a)
	}
	slices.Sort(others)
	for _, a := range others {
		out = append(out, report.Lane{Name: a, X: at[a], Colour: "flat"})
	}
	return out
}

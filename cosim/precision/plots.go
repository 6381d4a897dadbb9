package precision

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Plotted are the first contexts that get an ACK, each thinned to at most plotPoints points.
const plotContexts, plotPoints = 4, 2000

// Plots samples what contexts do over time. When a series is full every second point goes and the
// distance doubles, so that any length of run fits.
type Plots struct {
	tickUs float64
	target float64 // us
	all    []plotSeries
}

// NewPlots returns plots without a point. A tick is tickUs us long, and target is the delay aimed at in us.
func NewPlots(tickUs, target float64) *Plots { return &Plots{tickUs: tickUs, target: target} }

type plotSeries struct {
	Series
	every, skip int
}

// Add takes an event with its response and the time at which it was accepted.
func (b *Plots) Add(ev *ccc.Event, rsp *ccc.Response, nowPs int64) {
	if ev.Kind != ccc.KindAck && ev.Kind != ccc.KindNack && ev.Kind != ccc.KindLoss || rsp.NoContext {
		return
	}
	i := slices.IndexFunc(b.all, func(s plotSeries) bool { return s.Context == int(ev.Ctx) })
	if i < 0 {
		if len(b.all) == plotContexts {
			return
		}
		i = len(b.all)
		b.all = append(b.all, plotSeries{Series: Series{Context: int(ev.Ctx), Target: b.target}, every: 1})
	}
	s := &b.all[i]
	if s.skip++; s.skip < s.every {
		return
	}
	s.skip = 0
	if len(s.TimeUs) == plotPoints {
		s.thin()
	}
	s.TimeUs = append(s.TimeUs, float64(nowPs)/1e6)
	s.Cwnd = append(s.Cwnd, float64(rsp.Cwnd))
	s.DelayUs = append(s.DelayUs, float64(rsp.Delay)*b.tickUs)
	s.AvgUs = append(s.AvgUs, float64(rsp.AvgDelay)/65536*b.tickUs)
	s.Action = append(s.Action, rsp.Action.String())
}

func (s *plotSeries) thin() {
	n := len(s.TimeUs) / 2
	for i := range n {
		s.TimeUs[i], s.Cwnd[i], s.DelayUs[i] = s.TimeUs[2*i], s.Cwnd[2*i], s.DelayUs[2*i]
		s.AvgUs[i], s.Action[i] = s.AvgUs[2*i], s.Action[2*i]
	}
	s.TimeUs, s.Cwnd, s.DelayUs, s.AvgUs, s.Action = s.TimeUs[:n], s.Cwnd[:n], s.DelayUs[:n], s.AvgUs[:n], s.Action[:n]
	s.every *= 2
}

// Result returns the series in the order of their contexts.
func (b *Plots) Result() (out []Series) {
	for _, s := range b.all {
		out = append(out, s.Series)
	}
	slices.SortFunc(out, func(a, c Series) int { return a.Context - c.Context })
	return out
}

package fabricreport

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/units"
)

// watchedContexts is the number of contexts whose window is drawn.
const watchedContexts = 4

// actionBins is the most spans of time in which actions are counted.
const actionBins = 240

// Watch follows a run for its page: the windows of the first contexts and the actions of all contexts, counted in spans
// of time that grow with the run.
type Watch struct {
	ids    [][2]int32 // NIC and context
	end    float64    // of the last event of any context, us
	times  [watchedContexts][]float64
	cwnd   [watchedContexts][]float64
	width  units.Picos
	counts map[string][]float64
}

// Tap is a fabric tap.
func (w *Watch) Tap(ev *cc.Event) bool {
	w.end = float64(ev.Time) / 1e6
	id := [2]int32{ev.NIC, ev.CCC}
	at := slices.Index(w.ids, id)
	if at < 0 && len(w.ids) < watchedContexts && ev.Kind == cc.KindOpen {
		at = len(w.ids)
		w.ids = append(w.ids, id)
	}
	if at >= 0 {
		v := float64(ev.Out.Cwnd)
		if n := len(w.cwnd[at]); n == 0 || w.cwnd[at][n-1] != v {
			w.times[at] = append(w.times[at], float64(ev.Time)/1e6)
			w.cwnd[at] = append(w.cwnd[at], v)
		}
	}
	if a := ev.Out.Action; a != "" {
		w.count(ev.Time, a)
	}
	return true
}

// window returns the window of watched context i over time. It ends with the last event of the run, so a window that no
// longer changes is drawn to the end.
func (w *Watch) window(i int) (x, y []float64) {
	x, y = w.times[i], w.cwnd[i]
	if n := len(x); n > 0 && x[n-1] < w.end {
		return append(slices.Clone(x), w.end), append(slices.Clone(y), y[n-1])
	}
	return x, y
}

func (w *Watch) count(t units.Picos, action string) {
	if w.counts == nil {
		w.counts, w.width = map[string][]float64{}, units.Microsecond/4
	}
	for t/w.width >= actionBins {
		w.width *= 2
		for a, c := range w.counts {
			half := c[:(len(c)+1)/2]
			for i := range half {
				v := c[2*i]
				if 2*i+1 < len(c) {
					v += c[2*i+1]
				}
				half[i] = v
			}
			w.counts[a] = half
		}
	}
	c := w.counts[action]
	for len(c) <= int(t/w.width) {
		c = append(c, 0)
	}
	c[t/w.width]++
	w.counts[action] = c
}

// seriesPanels returns panels of flows and ports over time: rate, window and round trip of each flow, utilisation and
// pauses of each port. The queues of these ports are drawn with those of all others. Panels without values are left
// out.
func seriesPanels(s *series.Series) (out []report.Panel) {
	curves := func(title string, log bool, of func(add func(name string, x, y float64))) {
		p := report.Panel{Title: title, Log: log}
		of(func(name string, x, y float64) {
			if n := len(p.Curves); n == 0 || p.Curves[n-1].Name != name {
				p.Curves = append(p.Curves, report.Curve{Name: name})
			}
			c := &p.Curves[len(p.Curves)-1]
			c.X, c.Y = append(c.X, x), append(c.Y, y)
		})
		if len(p.Curves) > 0 {
			out = append(out, p)
		}
	}
	name := "flow %d: host %d to %d"
	if s.Slowest {
		name = "flow %d, the slowest: host %d to %d"
	}
	at := func(bin int) float64 { return float64(bin) * s.Every.Micros() }
	flows := func(of func(p *series.FlowPoint) (float64, bool)) func(add func(string, float64, float64)) {
		return func(add func(string, float64, float64)) {
			for i := range s.Flows {
				f := &s.Flows[i]
				for b := range f.Points {
					if v, ok := of(&f.Points[b]); ok {
						add(fmt.Sprintf(name, f.ID, f.Src, f.Dst), at(f.First+b), v)
					}
				}
			}
		}
	}
	ports := func(of func(p *series.PortPoint) float64) func(add func(string, float64, float64)) {
		return func(add func(string, float64, float64)) {
			for i := range s.Ports {
				for b := range s.Ports[i].Points {
					add(s.Ports[i].Name, at(b), of(&s.Ports[i].Points[b]))
				}
			}
		}
	}
	curves("rate of flows, Gb/s on the wire", false, flows(func(p *series.FlowPoint) (float64, bool) {
		return p.Gbps, true
	}))
	curves("window of flows, bytes", true, flows(func(p *series.FlowPoint) (float64, bool) {
		return float64(p.Window), p.Window >= 0 && p.Window < cc.NoWindow
	}))
	curves("round trip of flows, µs", false, flows(func(p *series.FlowPoint) (float64, bool) {
		return p.RTT.Micros(), p.RTT >= 0
	}))
	curves("utilisation of ports", false, ports(func(p *series.PortPoint) float64 { return p.Utilisation }))
	curves(fmt.Sprintf("pauses of ports in %.4g µs", s.Every.Micros()), false,
		ports(func(p *series.PortPoint) float64 { return float64(p.Pauses) }))
	return out
}

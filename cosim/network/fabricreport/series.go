package fabricreport

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/series"
)

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

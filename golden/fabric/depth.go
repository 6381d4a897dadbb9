package fabric

import "github.com/goldwire/goldwire/golden/units"

// DepthPoint is the queueing of the switches at one time, in bytes over all
// classes.
type DepthPoint struct {
	Time  units.Picos `json:"time_ps"`
	Sum   int64       `json:"sum"`   // of all switch ports
	Max   int64       `json:"max"`   // of the fullest
	Ports []int64     `json:"ports"` // of the ports that were asked for, in their order
}

// DepthSeries is the queueing of the switches over time.
type DepthSeries struct {
	Every  units.Picos  `json:"every_ps"`
	Names  []string     `json:"names"` // of the ports in DepthPoint.Ports
	Points []DepthPoint `json:"points"`
}

// depth samples queues while flows are under way.
type depth struct {
	series DepthSeries
	ports  []int32
	// pending tells that an evSample is scheduled.
	pending bool
}

// WithDepth samples the queues of switches every so often, and those of the
// given ports one by one; the series is in Result.Depth.
func WithDepth(every units.Picos, ports ...int32) Option {
	return func(o *options) { o.every, o.depthPorts = every, ports }
}

// buildTaps makes what the options ask to watch.
func (s *sim) buildTaps(o *options) {
	if o.ptap != nil && len(o.ptapPorts) > 0 {
		s.ptapOn = make([]bool, len(s.ports))
		for _, p := range o.ptapPorts {
			if p >= 0 && int(p) < len(s.ptapOn) {
				s.ptapOn[p] = true
			}
		}
	}
	if o.every > 0 {
		s.depth = &depth{series: DepthSeries{Every: o.every, Names: []string{}}}
		for _, p := range o.depthPorts {
			if p >= 0 && int(p) < len(s.ports) {
				s.depth.ports = append(s.depth.ports, p)
				s.depth.series.Names = append(s.depth.series.Names, s.net.Name(p))
			}
		}
		s.depth.pending = true
		s.wheel.push(0, evSample, 0)
	}
}

// sample adds a point and schedules the next while anything else is to come.
func (s *sim) sample(now units.Picos) {
	d := s.depth
	pt := DepthPoint{Time: now, Ports: make([]int64, 0, len(d.ports))}
	total := func(p *port) int64 { return p.q[classHigh].bytes + p.q[classMedium].bytes + p.q[classLow].bytes }
	for i := len(s.hosts); i < len(s.ports); i++ {
		b := total(&s.ports[i])
		pt.Sum += b
		pt.Max = max(pt.Max, b)
	}
	for _, p := range d.ports {
		pt.Ports = append(pt.Ports, total(&s.ports[p]))
	}
	d.series.Points = append(d.series.Points, pt)
	if d.pending = s.wheel.count > s.ccTimers; d.pending { // timers alone end with the run
		s.wheel.push(now+d.series.Every, evSample, 0)
	}
}

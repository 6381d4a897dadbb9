package net

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/goldwire/goldwire/golden/units"
)

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

// Depth samples queues while flows are under way.
type Depth struct {
	net    *Network
	Series DepthSeries
	ports  []int32
}

// NewDepth begins to sample the queues of a network every so often, and those of some ports one by
// one. Its events do not keep the run going.
func NewDepth(n *Network, every units.Picos, ports []int32) *Depth {
	d := &Depth{net: n, Series: DepthSeries{Every: every, Names: []string{}}}
	for _, p := range ports {
		if p >= 0 && int(p) < len(n.Ports) {
			d.ports = append(d.ports, p)
			d.Series.Names = append(d.Series.Names, n.Topo.Name(p))
		}
	}
	n.wheel.Push(0, EvSample, 0)
	return d
}

// Sample adds a point and schedules the next while anything else is to come.
func (d *Depth) Sample(now units.Picos) {
	s := d.net
	pt := DepthPoint{Time: now, Ports: make([]int64, 0, len(d.ports))}
	total := func(p *Port) int64 { return p.Q[ClassHigh].bytes + p.Q[ClassMedium].bytes + p.Q[ClassLow].bytes }
	for i := s.hosts; i < len(s.Ports); i++ {
		b := total(&s.Ports[i])
		pt.Sum += b
		pt.Max = max(pt.Max, b)
	}
	for _, p := range d.ports {
		pt.Ports = append(pt.Ports, total(&s.Ports[p]))
	}
	d.Series.Points = append(d.Series.Points, pt)
	if s.wheel.Busy() {
		s.wheel.Push(now+d.Series.Every, EvSample, 0)
	}
}

// WriteCSV writes the series with a header: time, sum and greatest queue over
// all switch ports, then the ports asked for, in bytes.
func (d *DepthSeries) WriteCSV(w io.Writer) error {
	rows := [][]string{append([]string{"time_ps", "sum", "max"}, d.Names...)}
	for _, p := range d.Points {
		row := make([]string, 0, len(rows[0]))
		for _, v := range append([]int64{int64(p.Time), p.Sum, p.Max}, p.Ports...) {
			row = append(row, strconv.FormatInt(v, 10))
		}
		rows = append(rows, row)
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// Package series follows flows and ports of a simulated network over time: rate, window and round trip of flows, queue,
// utilisation and pauses of ports.
//
//	rec := series.NewRecorder(net, every, []int32{0, 5}, ports)
//	res, err := fabric.Run(ctx, spec, fabric.WithTap(rec.Tap), fabric.WithPortTap(rec.PortTap, rec.Ports()...),
//		fabric.WithDepth(every, ports...))
//	s, err := rec.Series(res)
//	err = s.WriteCSV(file)
//
// An interval begins at its time. Rates count bytes on the wire, headers and resent packets too, in the interval in
// which their transmission falls.
package series

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// FlowPoint is a flow in one interval.
type FlowPoint struct {
	Gbps   float64     // that its sender put on the wire
	Window int64       // of its context at the end, bytes; cc.NoWindow for none, -1 before the first event
	RTT    units.Picos // mean round trip of packets sent once, less the service time; -1 without one
}

// PortPoint is a port in one interval.
type PortPoint struct {
	Queue       int64   // bytes waiting at its beginning; -1 when the run did not sample queues
	Utilisation float64 // of the link, 0 to 1
	Pauses      int     // of the port's link that began in it
}

// Flow is a flow over time.
type Flow struct {
	ID, Src, Dst int32
	First        int // interval of its start
	Points       []FlowPoint
}

// Port is a port over time, from time 0.
type Port struct {
	Name   string
	Points []PortPoint
}

// Series is a run over time.
type Series struct {
	Every units.Picos
	Flows []Flow
	Ports []Port
}

// conn is a connection as events name it.
type conn struct {
	nic, ccc int32
	pdc      uint8
}

type window struct {
	bin  int
	cwnd int64
}

type trips struct {
	bin, n int
	sum    units.Picos
}

// Recorder collects a series. It is of one run.
type Recorder struct {
	topo   *topo.Net
	every  units.Picos
	flows  []int32
	ports  []int32
	place  map[int32]int // of a port in ports
	picos  map[int32][]units.Picos
	busy   [][]units.Picos
	pauses [][]int
	cwnd   map[conn][]window // of contexts, pdc 0
	rtt    map[conn][]trips
}

// NewRecorder returns a recorder of flows and ports, in intervals of every.
func NewRecorder(n *topo.Net, every units.Picos, flows, ports []int32) *Recorder {
	r := &Recorder{topo: n, every: every, flows: flows, ports: ports, place: map[int32]int{},
		picos: map[int32][]units.Picos{}, busy: make([][]units.Picos, len(ports)), pauses: make([][]int, len(ports)),
		cwnd: map[conn][]window{}, rtt: map[conn][]trips{}}
	for i, p := range ports {
		r.place[p] = i
	}
	for _, f := range flows {
		r.picos[f] = nil
	}
	return r
}

// Ports returns the ports that PortTap must see: those of the recorder, and with flows the NICs of all hosts.
func (r *Recorder) Ports() (out []int32) {
	if len(r.flows) > 0 {
		for h := range int32(r.topo.Hosts) {
			out = append(out, h)
		}
	}
	return append(out, r.ports...)
}

// grow returns a list with element i.
func grow[T any](list []T, i int) []T {
	for len(list) <= i {
		var zero T
		list = append(list, zero)
	}
	return list
}

// PortTap is a tap of ports.
func (r *Recorder) PortTap(ev *net.PortEvent) {
	at, known := r.place[ev.Port]
	switch {
	case ev.Kind == net.PortPause && known:
		bin := int(ev.Time / r.every)
		r.pauses[at] = grow(r.pauses[at], bin)
		r.pauses[at][bin]++
	case ev.Kind == net.PortDepart:
		length := units.Picos(ev.Packet.Size) * units.Picos(units.PerByte(r.topo.Ports[ev.Port].Gbps))
		if known {
			r.busy[at] = r.spread(r.busy[at], ev.Time, length)
		}
		if int(ev.Port) < r.topo.Hosts && ev.Packet.Kind == net.PacketData {
			if list, ok := r.picos[ev.Packet.Flow]; ok {
				r.picos[ev.Packet.Flow] = r.spread(list, ev.Time, length)
			}
		}
	}
}

// spread adds a transmission of some length to the intervals in which it falls.
func (r *Recorder) spread(list []units.Picos, from, length units.Picos) []units.Picos {
	for length > 0 {
		bin := int(from / r.every)
		part := min(length, units.Picos(bin+1)*r.every-from)
		list = grow(list, bin)
		list[bin] += part
		from, length = from+part, length-part
	}
	return list
}

// Tap is a tap of contexts.
func (r *Recorder) Tap(ev *cc.Event) bool {
	if len(r.flows) == 0 {
		return true
	}
	bin := int(ev.Time / r.every)
	id := conn{ev.NIC, ev.CCC, 0}
	if list := r.cwnd[id]; len(list) > 0 && list[len(list)-1].bin == bin {
		list[len(list)-1].cwnd = ev.Out.Cwnd
	} else if len(list) == 0 || list[len(list)-1].cwnd != ev.Out.Cwnd {
		r.cwnd[id] = append(list, window{bin, ev.Out.Cwnd})
	}
	if ev.Kind == cc.KindAck && ev.TxValid && ev.RtxCount == 0 && !ev.Asked && !ev.Probe {
		id.pdc = ev.PDC
		trip := max(0, ev.Time-ev.TxTime-units.Picos(ev.ServiceTime)*cc.ServiceTick)
		list := r.rtt[id]
		if n := len(list); n == 0 || list[n-1].bin != bin {
			list = append(list, trips{bin: bin})
		}
		list[len(list)-1].n++
		list[len(list)-1].sum += trip
		r.rtt[id] = list
	}
	return true
}

// ErrNothing is returned for a series without any point.
var ErrNothing = errors.New("series: nothing to show: name a flow or a port")

// Series returns the series of a run that has ended. It errors when a flow does not exist, never began or sent nothing,
// and when there is nothing at all.
func (r *Recorder) Series(res *result.Result) (*Series, error) {
	if len(r.flows)+len(r.ports) == 0 {
		return nil, ErrNothing
	}
	s := &Series{Every: r.every}
	for _, id := range r.flows {
		if id < 0 || int(id) >= len(res.Flows) {
			return nil, fmt.Errorf("series: flow %d: there are flows 0 to %d", id, len(res.Flows)-1)
		}
		f := &res.Flows[id]
		if f.Start < 0 || len(r.picos[id]) == 0 {
			return nil, fmt.Errorf("series: flow %d: it has sent nothing", id)
		}
		s.Flows = append(s.Flows, r.flow(f, res.Time))
	}
	bins := int(res.Time/r.every) + 1
	for i, p := range r.ports {
		out := Port{Name: r.topo.Name(p), Points: make([]PortPoint, bins)}
		depth := -1
		if res.Depth != nil {
			for k, name := range res.Depth.Names {
				if name == out.Name {
					depth = k
				}
			}
		}
		for b := range out.Points {
			q := &out.Points[b]
			q.Queue = -1
			if depth >= 0 && b < len(res.Depth.Points) {
				q.Queue = res.Depth.Points[b].Ports[depth]
			}
			if b < len(r.busy[i]) {
				q.Utilisation = float64(r.busy[i][b]) / float64(r.every)
			}
			if b < len(r.pauses[i]) {
				q.Pauses = r.pauses[i][b]
			}
		}
		s.Ports = append(s.Ports, out)
	}
	return s, nil
}

// flow returns the series of a flow from its start to its end.
func (r *Recorder) flow(f *result.FlowResult, end units.Picos) Flow {
	if f.Acked >= 0 {
		end = f.Acked
	}
	first, last := int(f.Start/r.every), int(end/r.every)
	out := Flow{ID: f.ID, Src: f.Src, Dst: f.Dst, First: first, Points: make([]FlowPoint, last-first+1)}
	windows, rtts := r.cwnd[conn{f.Src, f.CCC, 0}], r.rtt[conn{f.Src, f.CCC, f.PDC}]
	gbps, cwnd := float64(r.topo.Ports[f.Src].Gbps), int64(-1)
	for b := range last + 1 {
		for len(windows) > 0 && windows[0].bin <= b {
			cwnd, windows = windows[0].cwnd, windows[1:]
		}
		for len(rtts) > 0 && rtts[0].bin < b {
			rtts = rtts[1:]
		}
		if b < first {
			continue
		}
		p := &out.Points[b-first]
		p.Window, p.RTT = cwnd, -1
		if len(rtts) > 0 && rtts[0].bin == b {
			p.RTT = rtts[0].sum / units.Picos(rtts[0].n)
		}
		if busy := r.picos[f.ID]; b < len(busy) {
			p.Gbps = gbps * float64(busy[b]) / float64(r.every)
		}
	}
	return out
}

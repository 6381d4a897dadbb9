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
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

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
	Every   units.Picos
	Flows   []Flow
	Slowest bool // the one flow is the slowest of the run
	Ports   []Port
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
	place  map[int32]int   // of a port in ports
	sent   map[int32]*busy // by flow
	busy   []busy          // of ports
	pauses [][]int
	cwnd   map[conn][]window // of contexts, pdc 0
	rtt    map[conn][]trips
	all    bool // every flow is followed, and the slowest shown
}

// NewRecorder returns a recorder of flows and ports, in intervals of every.
func NewRecorder(n *topo.Net, every units.Picos, flows, ports []int32) *Recorder {
	r := &Recorder{topo: n, every: every, flows: flows, ports: ports, place: map[int32]int{},
		sent: map[int32]*busy{}, busy: make([]busy, len(ports)), pauses: make([][]int, len(ports)),
		cwnd: map[conn][]window{}, rtt: map[conn][]trips{}}
	for i, p := range ports {
		r.place[p] = i
	}
	for _, f := range flows {
		r.sent[f] = &busy{}
	}
	return r
}

// NewSlowest returns a recorder of ports and of the flow that turns out to be the slowest, for which it follows all.
func NewSlowest(n *topo.Net, every units.Picos, ports []int32) *Recorder {
	r := NewRecorder(n, every, nil, ports)
	r.all = true
	return r
}

// Ports returns the ports that PortTap must see: those of the recorder, and with flows the NICs of all hosts.
func (r *Recorder) Ports() (out []int32) {
	if r.all || len(r.flows) > 0 {
		for h := range int32(r.topo.Hosts) {
			out = append(out, h)
		}
	}
	return append(out, r.ports...)
}

// grow returns a list with element i.
func grow[T any](list []T, i int) []T {
	return append(list, make([]T, max(0, i+1-len(list)))...)
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
		length := r.topo.Ports[ev.Port].Gbps.PerByte().Time(int64(ev.Packet.Size))
		if known {
			r.busy[at].add(r.every, ev.Time, length)
		}
		if int(ev.Port) < r.topo.Hosts && ev.Packet.Kind == net.PacketData {
			if r.all && r.sent[ev.Packet.Flow] == nil {
				r.sent[ev.Packet.Flow] = &busy{}
			}
			if b := r.sent[ev.Packet.Flow]; b != nil {
				b.add(r.every, ev.Time, length)
			}
		}
	}
}

// busy is the time that transmissions take of each interval, from the first with any.
type busy struct {
	first int
	picos []units.Picos
}

// add adds a transmission of some length, which begins no earlier than the first, to the intervals in which it falls.
func (b *busy) add(every, from, length units.Picos) {
	if len(b.picos) == 0 {
		b.first = int(from / every)
	}
	for length > 0 {
		bin := int(from / every)
		part := min(length, units.Picos(bin+1)*every-from)
		b.picos = grow(b.picos, bin-b.first)
		b.picos[bin-b.first] += part
		from, length = from+part, length-part
	}
}

// share returns the part of an interval that transmissions take, 0 to 1.
func (b *busy) share(every units.Picos, bin int) float64 {
	if bin -= b.first; bin < 0 || bin >= len(b.picos) {
		return 0
	}
	return float64(b.picos[bin]) / float64(every)
}

// Tap is a tap of contexts.
func (r *Recorder) Tap(ev *cc.Event) bool {
	if len(r.flows) == 0 && !r.all {
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
	if r.all {
		r.flows = r.slowest(res)
	}
	if len(r.flows)+len(r.ports) == 0 {
		return nil, ErrNothing
	}
	s := &Series{Every: r.every, Slowest: r.all && len(r.flows) > 0}
	for _, id := range r.flows {
		if id < 0 || int(id) >= len(res.Flows) {
			return nil, fmt.Errorf("series: flow %d: there are flows 0 to %d", id, len(res.Flows)-1)
		}
		f := &res.Flows[id]
		if f.Start < 0 || len(r.sent[id].picos) == 0 {
			return nil, fmt.Errorf("series: flow %d: it has sent nothing", id)
		}
		s.Flows = append(s.Flows, r.flow(f, res.Time))
	}
	bins := int(res.Time/r.every) + 1
	for i, p := range r.ports {
		out := Port{Name: r.topo.Name(p), Points: make([]PortPoint, bins)}
		depth := -1
		if res.Depth != nil {
			depth = slices.Index(res.Depth.Names, out.Name)
		}
		for b := range out.Points {
			q := &out.Points[b]
			q.Queue = -1
			if depth >= 0 && b < len(res.Depth.Points) {
				q.Queue = res.Depth.Points[b].Ports[depth]
			}
			q.Utilisation = r.busy[i].share(r.every, b)
			if b < len(r.pauses[i]) {
				q.Pauses = r.pauses[i][b]
			}
		}
		s.Ports = append(s.Ports, out)
	}
	return s, nil
}

// slowest returns the first flow that sent something and did not end, else that with the greatest slowdown. Flows in
// the background do not count.
func (r *Recorder) slowest(res *result.Result) (flow []int32) {
	most := -1.0
	for i := range res.Flows {
		f := &res.Flows[i]
		if r.sent[f.ID] == nil || f.Start < 0 || f.Background {
			continue
		}
		if f.Acked < 0 {
			return []int32{f.ID}
		}
		if v := float64(f.Acked-f.Start) / float64(f.Ideal); f.Ideal > 0 && v > most {
			most, flow = v, []int32{f.ID}
		}
	}
	return flow
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
		p.Gbps = gbps * r.sent[f.ID].share(r.every, b)
	}
	return out
}

// WriteCSV writes the series with a header, one row for each flow or port in each interval. The columns of ports are
// empty in rows of flows, and the other way round. A value that there is not is empty: the round trip of an interval
// without an acknowledgement, the window of a control that has none. A series without a row is an error.
func (s *Series) WriteCSV(w io.Writer) error {
	rows := [][]string{{"time_ps", "flow", "rate_gbps", "window_bytes", "rtt_ps", "port", "queue_bytes", "utilisation",
		"pauses"}}
	whole := func(v int64) string {
		if v < 0 || v >= cc.NoWindow {
			return ""
		}
		return strconv.FormatInt(v, 10)
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
	for i := range s.Flows {
		f := &s.Flows[i]
		for b, p := range f.Points {
			rows = append(rows, []string{whole(int64(f.First+b) * int64(s.Every)), strconv.Itoa(int(f.ID)), number(p.Gbps),
				whole(p.Window), whole(int64(p.RTT)), "", "", "", ""})
		}
	}
	for i := range s.Ports {
		for b, p := range s.Ports[i].Points {
			rows = append(rows, []string{whole(int64(b) * int64(s.Every)), "", "", "", "", s.Ports[i].Name, whole(p.Queue),
				number(p.Utilisation), strconv.Itoa(p.Pauses)})
		}
	}
	if len(rows) == 1 {
		return ErrNothing
	}
	return csv.NewWriter(w).WriteAll(rows)
}

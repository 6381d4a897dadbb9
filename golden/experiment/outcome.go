package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/pathmodel"
	"github.com/goldwire/goldwire/golden/units"
)

// cut is the time at which the sources of seed 000 end their runs.
const cut = 200 * units.Microsecond

// sampling is the time between two samples of the queues.
const sampling = 100 * units.Nanosecond

// Outcome is what a run gave, beyond its result.
type Outcome struct {
	*result.Result
	Fires    []Fire    // quick adapts, in the order of time
	Received []float64 // bytes of whole data packets that reached the receiver of each flow by 200 us
	Host0    []Slot    // what the link to host 0 carried, until 200 us
	Queue0   float64   // bytes of data left behind by a data packet on the link to host 0, mean; NaN without any
	UpQueue  []float64 // bytes waiting in each up-link, mean over the run; nil when not watched
	Acks     []Ack     // nil when not watched
	Wired    *Wired    // of seed 001, nil of others
	// Met is whether each packet of a collective crossed a link with an elephant, nil when not watched.
	Met  []bool
	Path *pathmodel.Result // of a run on the path model; nil for others
}

// Fire is a quick adapt of the context of a host, which set its window to Cwnd bytes. Time is in microseconds.
type Fire struct {
	Time float64
	Host int32
	Cwnd float64
}

// simulate makes one run.
func (r *run) simulate(ctx context.Context) (*Outcome, error) {
	if r.wired != nil {
		return r.simulateWired(ctx)
	}
	if r.path != nil {
		return r.path.run()
	}
	if r.collective {
		return r.collect(ctx)
	}
	layout, err := r.spec.Layout()
	if err != nil {
		return nil, err
	}
	o := &Outcome{Received: make([]float64, len(r.flows))}
	waiting, packets := 0.0, 0.0
	var last, up []int32
	for i := range layout.Ports {
		p := &layout.Ports[i]
		switch {
		case int(p.To) < layout.Hosts:
			last = append(last, int32(i))
		case int(p.From) >= layout.Hosts && int(p.From) < layout.Hosts+r.spec.Leaves:
			up = append(up, int32(i))
		}
	}
	opts := []fabric.Option{fabric.WithMessages(r.flows), fabric.WithTap(func(ev *cc.Event) bool {
		if ev.Out.Action == "QA" {
			o.Fires = append(o.Fires, Fire{ev.Time.Micros(), ev.NIC, float64(ev.Out.Cwnd)})
		}
		return true
	}), fabric.WithPortTap(func(ev *net.PortEvent) {
		if ev.Kind != net.PortDepart {
			return
		}
		p := &layout.Ports[ev.Port]
		if p.To == 0 && ev.Packet.Kind == net.PacketData && !ev.Packet.Trimmed {
			waiting, packets = waiting+float64(ev.Queued[net.ClassLow]), packets+1
		}
		if ev.Time >= cut {
			return
		}
		end := ev.Time + p.Gbps.PerByte().Time(int64(ev.Packet.Size))
		if p.To == 0 {
			o.Host0 = append(o.Host0, Slot{ev.Time.Micros(), end.Micros(), float64(ev.Packet.Size)})
		}
		data := ev.Packet.Kind == net.PacketData && !ev.Packet.Trimmed
		if data && end+units.Picos(p.Latency) <= cut {
			o.Received[ev.Packet.Flow] += float64(ev.Packet.Size)
		}
	}, last...)}
	if r.watch.up {
		opts = append(opts, fabric.WithDepth(sampling, up...))
	}
	var t *tracer
	if r.watch.trace || r.noQA || r.first != "" || r.cubic != "" {
		t = &tracer{noQA: r.noQA, first: firstWindows[r.first], propagation: r.cubic != ""}
		row, err := t.row()
		if err != nil {
			return nil, err
		}
		opts = append(opts, fabric.WithControl(row))
	}
	if r.cubic != "" {
		opts = append(opts, fabric.WithControl(cubicRow(r.cubic)))
	}
	if err := r.play(ctx, o, opts); err != nil {
		return nil, err
	}
	o.Queue0 = waiting / packets
	if t != nil && r.watch.trace {
		o.Acks = t.acks
	}
	o.keepQueues()
	return o, nil
}

// play runs the network, and checks its books unless a flow did not end, which the checks report.
func (r *run) play(ctx context.Context, o *Outcome, opts []fabric.Option) (err error) {
	if o.Result, err = fabric.Run(ctx, r.spec, opts...); err != nil || len(o.Unfinished()) > 0 {
		return err
	}
	return o.Verify()
}

// keepQueues turns the series of the queues into their means, and forgets it.
func (o *Outcome) keepQueues() {
	if o.Depth == nil || len(o.Depth.Points) == 0 {
		o.Depth = nil
		return
	}
	o.UpQueue = make([]float64, len(o.Depth.Names))
	for i := range o.Depth.Points {
		for k, b := range o.Depth.Points[i].Ports {
			o.UpQueue[k] += float64(b) / float64(len(o.Depth.Points))
		}
	}
	o.Depth = nil
}

// fct returns the completion times in microseconds, nil when a flow did not finish.
func (o *Outcome) fct() []float64 {
	var out []float64
	for i := range o.Flows {
		f := &o.Flows[i]
		if !f.Done() {
			return nil
		}
		out = append(out, (f.Acked - f.Start).Micros())
	}
	return out
}

// done returns the share of the flows that finished by a time, NaN without flows.
func (o *Outcome) done(by units.Picos) float64 {
	if len(o.Flows) == 0 {
		return math.NaN()
	}
	n := 0
	for i := range o.Flows {
		if f := &o.Flows[i]; f.Done() && f.Acked <= by {
			n++
		}
	}
	return float64(n) / float64(len(o.Flows))
}

// fctAt returns a percentile of the completion times, NaN when a flow did not finish.
func (o *Outcome) fctAt(percent int) float64 { return Percentile(o.fct(), percent) }

// name describes a run in errors.
func (r *run) name() string { return fmt.Sprintf("run %q, seed %d", r.label, r.spec.Seed) }

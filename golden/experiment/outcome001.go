package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/hpcc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
)

// wired is what a run of seed 001 has beyond its spec and flows.
type wired struct {
	Room float64 // flows for which HPCC, FNCC and LHCS leave room, N_cfg
	Port string  // watched with the rates of the flows, one for each sending host; "" for none
}

// Wired is what a run of seed 001 gave beyond its result. Times are microseconds, rates Gb/s.
type Wired struct {
	Gbps, BDP float64
	Times     []float64 // of the samples of the queue
	Queue     []float64 // bytes waiting at the watched port
	Slots     [][]Slot  // what it sent, by flow
	Rates     [][]Rate  // that each flow is allowed, at every change
	Ages      [][]float64
	Fires     []LastHop
	Acks      int
	Caused    float64 // pauses because of the watched port
}

// Rate is the rate of a flow from a time on.
type Rate struct{ Time, Gbps float64 }

// LastHop is a firing of LHCS.
type LastHop struct {
	Time, Window float64
	Flow         int
	Flows        int // to the receiver
}

// rooms returns HPCC's family with room for n flows.
func rooms(n float64) []cc.Row {
	var out []cc.Row
	for name, kind := range map[string]hpcc.Kind{"hpcc": hpcc.HPCC, "fncc": hpcc.FNCC, "fncc-lhcs": hpcc.LHCS} {
		row, err := cc.Find(name, cc.Rows())
		if err != nil {
			panic(err) // the registry has them
		}
		own := *row
		own.New = cc.HPCC(kind, func(s *hpcc.Spec) { s.Flows = n })
		out = append(out, own)
	}
	return out
}

// simulateWired makes a run of seed 001.
func (r *run) simulateWired(ctx context.Context) (*Outcome, error) {
	opts := []fabric.Option{fabric.WithMessages(r.flows)}
	if r.wired.Room > 0 {
		for _, row := range rooms(r.wired.Room) {
			opts = append(opts, fabric.WithControl(row))
		}
	}
	w := &Wired{Gbps: float64(r.spec.LinkGbps), BDP: float64(r.spec.EffectiveBaseRTT()) / 8000 * float64(r.spec.LinkGbps)}
	if r.wired.Port != "" {
		more, err := w.watch(r)
		if err != nil {
			return nil, err
		}
		opts = append(opts, more...)
	}
	o := &Outcome{Wired: w}
	if err := r.play(ctx, o, opts); err != nil {
		return nil, err
	}
	if o.Depth != nil {
		for i := range o.Depth.Points {
			p := &o.Depth.Points[i]
			w.Times, w.Queue = append(w.Times, p.Time.Micros()), append(w.Queue, float64(p.Ports[0]))
		}
		o.Depth = nil
	}
	for _, p := range o.Pauses {
		if p.Port == r.wired.Port {
			w.Caused = float64(p.Caused)
		}
	}
	return o, nil
}

// watch returns options that record the watched port and the controls.
func (w *Wired) watch(r *run) ([]fabric.Option, error) {
	layout, err := r.spec.Layout()
	if err != nil {
		return nil, err
	}
	port := int32(-1)
	for i := range layout.Ports {
		if layout.Name(int32(i)) == r.wired.Port {
			port = int32(i)
		}
	}
	if port < 0 {
		return nil, fmt.Errorf("port %q: the topology has no such port", r.wired.Port)
	}
	perByte := layout.Ports[port].Gbps.PerByte()
	w.Slots, w.Rates = make([][]Slot, len(r.flows)), make([][]Rate, len(r.flows))
	flowOf := map[int32]int{}
	for i := range r.flows {
		flowOf[r.flows[i].Src] = i
	}
	return []fabric.Option{
		fabric.WithDepth(sampling, port),
		fabric.WithPortTap(func(ev *net.PortEvent) {
			if ev.Kind == net.PortDepart && ev.Packet.Flow >= 0 {
				end := ev.Time + perByte.Time(int64(ev.Packet.Size))
				w.Slots[ev.Packet.Flow] = append(w.Slots[ev.Packet.Flow],
					Slot{ev.Time.Micros(), end.Micros(), float64(ev.Packet.Size)})
			}
		}, port),
		fabric.WithTap(func(ev *cc.Event) bool {
			f, now := flowOf[ev.NIC], ev.Time.Micros()
			if n := len(w.Rates[f]); n == 0 || w.Rates[f][n-1].Gbps != ev.Out.Rate {
				w.Rates[f] = append(w.Rates[f], Rate{now, ev.Out.Rate})
			}
			if ev.Kind != cc.KindAck {
				return true
			}
			w.Acks++
			if ev.Out.Action == hpcc.LastHop {
				w.Fires = append(w.Fires, LastHop{now, float64(ev.Out.Cwnd), f, int(ev.Flows)})
			}
			for len(w.Ages) < len(ev.Hops) {
				w.Ages = append(w.Ages, nil)
			}
			for i := range ev.Hops {
				w.Ages[i] = append(w.Ages[i], now-ev.Hops[i].TS/1000)
			}
			return true
		}),
	}, nil
}

// sampled returns the rate of a flow every microsecond of [a,b), nil when it had none yet at a.
func (w *Wired) sampled(flow int, a, b float64) (times, rates []float64) {
	if flow >= len(w.Rates) || len(w.Rates[flow]) == 0 || w.Rates[flow][0].Time > a {
		return nil, nil
	}
	all := w.Rates[flow]
	k := 0
	for t := a; t < b; t++ {
		for k+1 < len(all) && all[k+1].Time <= t {
			k++
		}
		times, rates = append(times, t), append(rates, all[k].Gbps)
	}
	return times, rates
}

// queued returns the samples of the queue in [a,b].
func (w *Wired) queued(a, b float64) (out []float64) {
	for i, t := range w.Times {
		if t >= a && t <= b {
			out = append(out, w.Queue[i])
		}
	}
	return out
}

// greatest returns the greatest queue in [a,b], NaN without a sample.
func (w *Wired) greatest(a, b float64) float64 {
	if in := w.queued(a, b); len(in) > 0 {
		return slices.Max(in)
	}
	return math.NaN()
}

// shares returns the share of the watched link that each flow takes in [a,b].
func (w *Wired) shares(a, b float64) (out []float64) {
	for _, s := range w.Slots {
		out = append(out, Utilisation(s, a, b))
	}
	return out
}

// util returns the utilisation of the watched link in [a,b], NaN when it was not watched.
func (w *Wired) util(a, b float64) float64 {
	all := w.shares(a, b)
	if len(all) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum
}

// slow returns the time after an event at which flow 0 slows, NaN when it was not watched; a flow that never does is
// given the end of the run.
func (w *Wired) slow(event, end float64) float64 {
	times, rates := w.sampled(0, event-20, end)
	return math.Min(SlowTime(times, rates, event), end-event)
}

// converged returns the time after an event from which all flows keep within 15 % of the fair share, in means over
// 10 us; flows that never do are given the end of the run.
func (w *Wired) converged(event, end float64) float64 {
	if len(w.Rates) == 0 {
		return math.NaN()
	}
	start := math.Ceil(event)
	var times []float64
	means := make([][]float64, len(w.Rates))
	for f := range w.Rates {
		_, rates := w.sampled(f, start, end)
		if rates == nil {
			return math.NaN()
		}
		for i := 0; i+10 <= len(rates); i += 10 {
			means[f] = append(means[f], meanOf(rates[i:i+10]))
			if f == 0 {
				times = append(times, start+float64(i))
			}
		}
	}
	return math.Min(ConvergeTime(times, means, w.Gbps/float64(len(w.Rates)))-event, end-event)
}

// jitter returns the standard deviation of flow 0's rate in [a,b], of what remains after its mean over 100 us around
// each sample when moving is set.
func (w *Wired) jitter(a, b float64, moving bool) float64 {
	_, rates := w.sampled(0, a, b)
	if len(rates) == 0 {
		return math.NaN()
	}
	rest := slices.Clone(rates)
	for i := range rates {
		if moving {
			rest[i] -= meanOf(rates[max(0, i-50):min(len(rates), i+51)])
		}
	}
	return math.Sqrt(Variance(rest))
}

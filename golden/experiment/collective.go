package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// The network of seed 002, section IV.
const (
	mtu002    = 4160 // bytes, 64 of them header
	payload   = 4096
	queue002  = 800_000
	mark002   = 40_000
	message   = 8_000_000
	longLived = 1_000_000_000 // bytes of an elephant, which no run comes to the end of
)

func packetsOf(bytes int64) int64 { return (bytes + payload - 1) / payload }

// tree002 returns the shared set-up: a fat tree of k-port switches, 800 Gb/s and 0.5 us per link.
func tree002(k int, control string, balancer lb.Kind) settings.Spec {
	s := settings.DefaultSpec()
	s.K, s.LinkGbps, s.LinkLatency, s.MTU, s.HeaderBytes = k, 800, units.Microsecond/2, mtu002, mtu002-payload
	s.Trim, s.QueueBytes, s.ECN, s.KMinBytes = false, queue002, settings.ECNDeterministic, mark002
	s.CC, s.LB, s.Paths, s.ARLevels = control, balancer, 1<<12, 8
	s.Target, s.MaxTime = units.Microsecond, 50*units.Millisecond
	switch control {
	case "nscc", "mnscc":
		s.Recovery = settings.RecoverSLEEK
	default:
		s.PerFlowRTT = true // Swift's target is that of the path
	}
	return s
}

// rows002 are the controls with a first window of 1 BDP and an ACK for each packet. LSwift and MSwift are lswift-late
// and mswift-late of cc.Rows: they count adjacent holes when they are resent; those of atOnce count them as soon as
// they appear, and those of steep add more per round trip.
func rows002() ([]cc.Row, error) {
	t := &tracer{quiet: true, first: func(_ int32, largest float64) float64 { return largest / 1.5 }}
	nscc, err := t.row()
	if err != nil {
		return nil, err
	}
	nscc.Needs.EveryAck = true
	known, err := cc.Find("mnscc", cc.Rows())
	if err != nil {
		return nil, err
	}
	mnscc := *known
	mnscc.New = withFirst(cc.MNSCC(nil), "cwnd", func(c cc.Config) float64 {
		return float64(c.BaseRTT) / c.LinkGbps.PerByte().Float()
	})
	rows := []cc.Row{nscc, mnscc}
	for _, name := range []string{"lswift", "mswift", "mswift-p10", "mswift-p90"} {
		known, err := cc.Find(name, cc.Rows())
		if err != nil {
			return nil, err
		}
		once, late, steeper := *known, *known, *known
		once.Name, steeper.Name = atOnce(name), steep(name)
		late.New = tuned(known.New, "cut_late", 1)
		steeper.New = tuned(late.New, "ai", increase)
		rows = append(rows, once, late, steeper)
	}
	return rows, nil
}

// collect makes a run that ends when the last flow that is not marked has ended.
func (r *run) collect(ctx context.Context) (*Outcome, error) {
	layout, err := r.spec.Layout()
	if err != nil {
		return nil, err
	}
	rows, err := rows002()
	if err != nil {
		return nil, err
	}
	opts := []fabric.Option{fabric.WithMessages(r.flows)}
	for _, row := range rows {
		opts = append(opts, fabric.WithControl(row))
	}
	left, marked := make([]int64, layout.Hosts), false
	total := int64(0)
	for i := range r.flows {
		m := &r.flows[i]
		if m.Mark {
			marked = true
			continue
		}
		if left[m.Src] > 0 {
			return nil, fmt.Errorf("collective: host %d sends twice", m.Src)
		}
		left[m.Src] = packetsOf(m.Bytes)
		total += left[m.Src]
	}
	if marked {
		opts = append(opts, fabric.WithTap(func(ev *cc.Event) bool {
			if n := int64(len(ev.AckedPSNs)); n > 0 && left[ev.NIC] > 0 {
				left[ev.NIC] -= n
				total -= n
			}
			return total > 0
		}))
	}
	o := &Outcome{}
	if r.watch.meet {
		opts = append(opts, r.meetings(layout, o))
	}
	if o.Result, err = fabric.Run(ctx, r.spec, opts...); err != nil {
		return nil, err
	}
	return o, o.Verify()
}

// meetings records in o.Met which packets of flows that are not marked leave by a port between switches that marked
// ones use, by flow and packet.
func (r *run) meetings(layout *topo.Net, o *Outcome) fabric.Option {
	first := make([]int, len(r.flows))
	n := 0
	for i := range r.flows {
		first[i] = n
		if m := &r.flows[i]; !m.Mark {
			n += int(packetsOf(m.Bytes))
		}
	}
	o.Met = make([]bool, n)
	begin := make(map[int32]uint32) // first PSN of each flow, which its host link shows
	var ports []int32
	for i := range layout.Ports {
		if p := &layout.Ports[i]; int(p.To) >= layout.Hosts {
			ports = append(ports, int32(i))
		}
	}
	carries := make([]bool, len(layout.Ports))
	return fabric.WithPortTap(func(ev *net.PortEvent) {
		k := &ev.Packet
		if ev.Kind != net.PortDepart || k.Kind != net.PacketData {
			return
		}
		if int(ev.Port) < layout.Hosts {
			if _, ok := begin[k.Flow]; !ok {
				begin[k.Flow] = k.PSN
			}
			return
		}
		switch {
		case r.flows[k.Flow].Mark:
			carries[ev.Port] = true
		case carries[ev.Port]:
			o.Met[first[k.Flow]+int(k.PSN-begin[k.Flow])] = true
		}
	}, ports...)
}

// met returns the share of the packets that met an elephant.
func met(o *Outcome) float64 {
	if len(o.Met) == 0 {
		return math.NaN()
	}
	n := 0
	for _, m := range o.Met {
		if m {
			n++
		}
	}
	return float64(n) / float64(len(o.Met))
}

// cct returns the completion time of the flows that are not marked and its zero-queue bound, us: the busiest host link,
// or the longest flow alone. Both are NaN when one of them did not end, or a marked one did.
func (o *Outcome) cct() (cct, bound float64) {
	sent, got := map[int32]units.Picos{}, map[int32]units.Picos{}
	last, least := units.Picos(-1), units.Picos(0)
	for i := range o.Flows {
		f := &o.Flows[i]
		if f.Mark {
			if f.Done() {
				return math.NaN(), math.NaN() // the others were without it for a while
			}
			continue
		}
		if !f.Done() {
			return math.NaN(), math.NaN()
		}
		last, least = max(last, f.Acked), max(least, f.Start+f.Ideal)
		line := o.Spec.LinkGbps.PerByte().Time(f.Bytes + packetsOf(f.Bytes)*(mtu002-payload))
		sent[f.Src] += line
		got[f.Dst] += line
		least = max(least, sent[f.Src], got[f.Dst])
	}
	if last < 0 {
		return math.NaN(), math.NaN()
	}
	return last.Micros(), least.Micros()
}

// infl is the completion time over its bound, less 1.
func infl(o *Outcome) float64 { return Inflation(o.cct()) }

// measured returns a percentile of the completion times of the flows that are not marked, us.
func measured(percent int) func(*Outcome) float64 {
	return func(o *Outcome) float64 {
		if v, _ := o.cct(); math.IsNaN(v) {
			return v
		}
		var all []float64
		for i := range o.Flows {
			if f := &o.Flows[i]; !f.Mark {
				all = append(all, (f.Acked - f.Start).Micros())
			}
		}
		return Percentile(all, percent)
	}
}

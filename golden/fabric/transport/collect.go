package transport

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// Result returns the outcome of the run so far.
func (s *Sim) Result() *result.Result {
	s.gather()
	r := &result.Result{Spec: *s.spec, Time: s.wheel.Now(), Stopped: s.wheel.Halted() && s.net.Deadlock == nil,
		Counters: *s.count, Digest: s.digest, Books: *s.bytes}
	for _, p := range s.net.Deadlock {
		r.PauseCycle = append(r.PauseCycle, s.net.Topo.Name(p))
	}
	r.Spec.Graph = nil
	if s.spec.Shape() == settings.Custom {
		r.Spec.Graph = s.spec.Graph
	}
	if s.depth != nil {
		r.Depth = &s.depth.Series
	}
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	r.Flows = make([]result.FlowResult, len(s.flows))
	ideal := make([]units.Picos, len(s.flows))
	for i := range s.flows {
		f := &s.flows[i]
		t := &s.tx[f.pdc]
		c := &s.ccc[t.ccc]
		want := uint64(0)
		for j := range f.packets {
			n := payload
			if j == f.packets-1 {
				n = f.last
			}
			want += deliverySum(int32(i), uint32(j), n)
		}
		ideal[i] = s.ideal(f, c.host, t.dst)
		r.Flows[i] = result.FlowResult{
			ID: int32(i), Src: c.host, Dst: t.dst, CCC: c.id, PDC: t.index, Round: f.round,
			Bytes: f.bytes, Got: f.delivered, Rtx: f.rtx,
			Timeouts: f.timeouts, Nacks: f.nacks, Probes: f.probes, Spurious: f.spurious, Why: s.whyUnfinished(int32(i)),
			Mark: f.mark, Stopped: f.stopped, Name: f.name, Ideal: ideal[i], Start: f.start, Delivered: f.doneAt,
			Acked: f.ackedAt, Sum: f.sum, Want: want,
		}
		if m := f.message; m != nil {
			r.Flows[i].CC, r.Flows[i].LB, r.Flows[i].Background = m.CC, m.LB, m.Background
		}
	}
	for i := range s.net.Ports {
		if stops, caused := s.net.Ports[i].Pauses(); stops+caused > 0 {
			name := s.net.Topo.Name(int32(i))
			r.Pauses = append(r.Pauses, result.PortPauses{Port: name, Stopped: stops, Caused: caused})
		}
	}
	for i := len(s.hosts); i < len(s.net.Ports); i++ {
		p := &s.net.Ports[i]
		for c := range p.Q {
			r.AddPeak(net.ClassNames[c], p.Q[c].Peak, p.Limit[c])
		}
	}
	r.Bound = s.cctBound(ideal)
	r.Slow = s.slowHosts()
	s.countInside(r)
	return r
}

// countInside counts the packets that the network still holds.
func (s *Sim) countInside(r *result.Result) {
	for _, n := range s.networks() {
		n.Pool.Inside(func(k *net.Packet) {
			if k.Kind != net.PacketData {
				r.CtlInside++
				return
			}
			r.DataInside++
			r.Books.Inside += s.net.PayloadOf(k)
		})
	}
}

// slowHosts returns nil when the spec has no slow hosts.
func (s *Sim) slowHosts() *result.SlowHosts {
	if s.spec.SlowHosts == 0 {
		return nil
	}
	out := &result.SlowHosts{Seed: s.spec.Seed, Hosts: []int32{}, Idle: []int32{}}
	receives := make([]bool, len(s.hosts))
	for i := range s.tx {
		receives[s.tx[i].dst] = true
	}
	for h := range s.hosts {
		if !s.hosts[h].slow {
			continue
		}
		out.Hosts = append(out.Hosts, int32(h))
		if !receives[h] {
			out.Idle = append(out.Idle, int32(h))
		}
	}
	return out
}

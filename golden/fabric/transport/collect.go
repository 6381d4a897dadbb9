package transport

import (
	"fmt"
	"slices"

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
		want, index := uint64(0), uint32(0) // of a packet among those of the flow and the credit requests between them
		for j := range f.packets {
			n := payload
			if j == f.packets-1 {
				n = f.last
			}
			for slices.Contains(t.requests, f.startPSN+index) {
				index++
			}
			want += deliverySum(int32(i), index, n)
			index++
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
		p := &s.net.Ports[i]
		if p.Stops+p.Caused > 0 {
			r.Pauses = append(r.Pauses, result.PortPauses{Port: s.net.Topo.Name(int32(i)), Caused: p.Caused, Stopped: p.Stops})
		}
		for c := range p.Q {
			if i >= len(s.hosts) {
				r.AddPeak(net.ClassNames[c], p.Q[c].Peak, p.Limit[c])
			}
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

// cctBound returns what the time from the first start to the last acknowledgement cannot be less than were every queue
// empty: the flow that would end last alone in the network, its predecessors included, or the host link that has most
// to carry. Flows in the background have no part in it.
func (s *Sim) cctBound(ideal []units.Picos) units.Picos {
	first := units.Picos(-1)
	sent, got := make([]int64, len(s.hosts)), make([]int64, len(s.hosts)) // bytes
	ready := make([]units.Picos, len(s.flows))                            // earliest delivery
	best := units.Picos(0)
	for i := range s.flows {
		f := &s.flows[i]
		if f.start < 0 || f.message != nil && f.message.Background {
			continue
		}
		if first < 0 || f.start < first {
			first = f.start
		}
		t := &s.tx[f.pdc]
		src := s.ccc[t.ccc].host
		bytes := f.bytes + f.packets*int64(s.spec.HeaderBytes)
		sent[src] += bytes
		got[t.dst] += bytes
	}
	// Flows of a list name only earlier ones, so one pass in order suffices.
	for i := range s.flows {
		f := &s.flows[i]
		if s.after == nil {
			if f.start >= 0 && f.round == 0 {
				best = max(best, f.start-first+ideal[i])
			}
			continue
		}
		if f.start < 0 || f.message != nil && f.message.Background {
			continue
		}
		ready[i] = max(ready[i], f.notBefore-first)
		best = max(best, ready[i]+ideal[i])
		// An ACK takes half an unloaded round trip and is not part of the delivery.
		done := ready[i] + ideal[i] - s.ackTime(f)
		for _, n := range s.after[i] {
			ready[n] = max(ready[n], done)
		}
	}
	for h := range s.hosts {
		p := &s.net.Ports[h]
		best = max(best, net.PerByte(s.net, p).Time(sent[h]), net.PerByte(s.net, &s.net.Ports[p.Rev]).Time(got[h]))
	}
	return best
}

// ackTime returns the time that an ACK of flow f takes alone in the network.
func (s *Sim) ackTime(f *flow) units.Picos {
	t := &s.tx[f.pdc]
	sum := units.Picos(0)
	for _, p := range s.net.Path(s.ccc[t.ccc].host, t.dst) {
		sum += p.Latency + net.PerByte(s.net, p).Time(int64(s.spec.CtlBytes))
	}
	return sum
}

// ideal returns the least time from start to the last acknowledgement of flow f: alone in the network its packets keep
// the slowest link busy, the last one crosses the others unhindered and so does its ACK; 0 if there is no path.
func (s *Sim) ideal(f *flow, src, dst int32) units.Picos {
	full, last := int64(s.spec.MTU), f.last+int64(s.spec.HeaderBytes)
	path := s.net.Path(src, dst)
	if len(path) == 0 {
		return 0
	}
	sum, slowest := units.Picos(0), net.PerByte(s.net, path[0])
	for _, p := range path {
		slowest = slower(slowest, net.PerByte(s.net, p))
		sum += 2*p.Latency + net.PerByte(s.net, p).Time(int64(s.spec.CtlBytes))
	}
	over := func(path []*net.Port, bytes int64) (sum units.Picos) {
		for _, p := range path {
			sum += net.PerByte(s.net, p).Time(bytes)
		}
		return sum
	}
	// A short last packet may overtake the full one before it, on another path.
	one := over(path, last) + slowest.Time((f.packets-1)*full)
	if f.packets > 1 {
		one = max(one, over(path, full)+slowest.Time((f.packets-2)*full))
		// All share the last link, which begins when the first full packet or the short
		// one is there and then has all bytes to carry.
		head, end := path[:len(path)-1], net.PerByte(s.net, path[len(path)-1])
		short := net.PerByte(s.net, path[0]).Time((f.packets-1)*full) + over(head, last)
		one = max(one, min(over(head, full), short)+end.Time((f.packets-1)*full+last))
	}
	if f.packets > 1 && s.spec.OnePath() {
		// In one queue after another none overtakes: the last packet meets the one
		// before it in some queue and waits there.
		most := net.PerByte(s.net, path[0])
		for i, p := range path {
			most = slower(most, net.PerByte(s.net, p))
			one = max(one, over(path[:i+1], full)+most.Time((f.packets-2)*full)+over(path[i:], last))
		}
	}
	return sum + one
}

// slower returns the time of a byte that is longer.
func slower(a, b units.PerByte) units.PerByte {
	if b.Float() > a.Float() {
		return b
	}
	return a
}

// whyUnfinished returns why the last byte of flow fi is not acknowledged, "" when it
// is. A path that is gone takes precedence over its consequences: timeouts without an
// answer, a run that waits for its end, a sender that has nothing to do.
func (s *Sim) whyUnfinished(fi int32) string {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	switch {
	case f.ackedAt >= 0:
		return ""
	case s.net.Deadlock != nil:
		return "a pause deadlock ended the run"
	case f.waits > 0:
		return "never began: a flow that it waits for was not delivered"
	}
	if why := s.net.WhyNoWay(s.ccc[t.ccc].host, t.dst); why != "" {
		return why
	}
	if s.board != nil {
		if why := s.board.lines[f.pdc].why(); why != "" {
			return why
		}
	}
	switch {
	case t.tries > maxTries:
		return fmt.Sprintf("retries exhausted: %d timeouts in a row without an answer", maxTries+1)
	case s.late:
		return fmt.Sprintf("max_time.us = %v came first", s.spec.MaxTime.Micros())
	case s.wheel.Halted():
		return "the run was stopped"
	case f.start < 0:
		return "never began"
	}
	return "nothing was left to happen"
}

package transport

import "github.com/goldwire/goldwire/golden/units"

// cctBound returns what the time from the first start to the last acknowledgement
// cannot be less than were every queue empty: the flow that would end last alone
// in the network, its predecessors included, or the host link that has most to
// carry. Flows in the background have no part in it.
func (s *Sim) cctBound(ideal []units.Picos) units.Picos {
	first := units.Picos(-1)
	sent, got := make([]units.Picos, len(s.hosts)), make([]units.Picos, len(s.hosts))
	ready := make([]units.Picos, len(s.flows)) // earliest delivery
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
		bytes := units.Picos(f.bytes + f.packets*int64(s.spec.HeaderBytes))
		sent[src] += bytes * s.net.Ports[src].PerByte
		got[t.dst] += bytes * s.net.Ports[s.net.Ports[t.dst].Rev].PerByte
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
		best = max(best, sent[h], got[h])
	}
	return best
}

// ackTime returns the time that an ACK of flow f takes alone in the network.
func (s *Sim) ackTime(f *flow) units.Picos {
	t := &s.tx[f.pdc]
	sum := units.Picos(0)
	for _, p := range s.net.Path(s.ccc[t.ccc].host, t.dst) {
		sum += p.Latency + p.PerByte*units.Picos(s.spec.CtlBytes)
	}
	return sum
}

package transport

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// pairs returns the sender and receiver of every context of a permutation or an incast: for each host of the pattern,
// in order of hosts, CCCsPerNIC destinations.
func (s loader) pairs() [][2]int32 {
	var out [][2]int32
	hosts := int32(len(s.hosts))
	if s.spec.Workload == settings.Incast {
		// The senders are drawn among all hosts but the receiver.
		order := rand.New(s.rngTopo).Perm(int(hosts) - 1)[:s.spec.Incast]
		slices.Sort(order)
		for _, h := range order {
			for range s.spec.CCCsPerNIC {
				out = append(out, [2]int32{int32(h) + 1, 0})
			}
		}
		return out
	}
	perms := make([][]int, s.spec.CCCsPerNIC)
	for i := range perms {
		perms[i] = traffic.Derangement(rand.New(s.rngTopo), int(hosts))
	}
	for h := range hosts {
		for _, perm := range perms {
			out = append(out, [2]int32{h, int32(perm[h])})
		}
	}
	return out
}

// place returns where host h of the workload sits in the network.
func (s *Hosts) place(h int32) int32 {
	if s.spec.HostOrder != nil {
		return s.spec.HostOrder[h]
	}
	return h
}

// buildWorkload creates contexts, connections and their first flows; given takes the place of the spec's workload.
func (s loader) buildWorkload(given []traffic.Message) error {
	if w := s.spec.Workload; given != nil || w != settings.Permutation && w != settings.Incast {
		return s.buildMessages(given)
	}
	spec := s.spec
	pairs := s.pairs()
	n := len(pairs) * spec.PDCsPerCCC
	s.room(len(pairs), n, n*max(spec.Rounds, 1))
	bound := int64(1) << 40
	if spec.Rounds == 1 {
		bound = s.packetsOf(spec.FlowBytes)
	}
	for ci, p := range pairs {
		c := s.addContext(int32(ci), s.place(p[0]), spec.PDCsPerCCC)
		for j := range spec.PDCsPerCCC {
			ti := int32(ci*spec.PDCsPerCCC + j)
			s.addPDC(ti, int32(ci), uint8(j), s.place(p[1]), spec.LB)
			s.bound[ti] = bound
			sender{s.Hosts}.giveMemory(ti)
			at := units.Picos(0)
			if spec.StartSpread > 0 {
				at = units.Picos(s.rngTopo.Uint64() % uint64(spec.StartSpread+1))
			}
			s.wheel.Push(at, evStart, s.addFlow(ti, 0, spec.FlowBytes))
		}
		if err := (sender{s.Hosts}).makeCC(c); err != nil {
			return err
		}
	}
	return nil
}

// messages returns the workload as a list of messages.
func (s loader) messages() ([]traffic.Message, error) {
	spec := s.spec
	hosts := len(s.hosts)
	r := rand.New(s.rngTopo)
	ranks := cmp.Or(spec.Ranks, hosts)
	chunk := max(1, spec.FlowBytes/int64(ranks))
	switch spec.Workload {
	case settings.Converge:
		return traffic.Converge(spec.SenderCount(), spec.FlowBytes, int64(spec.Stagger)), nil
	case settings.Mixture:
		return traffic.Mixture(r, hosts, spec.Sizes), nil
	case settings.Elephants:
		return traffic.Elephants(r, hosts, spec.Elephants, cmp.Or(spec.ElephantBytes, spec.FlowBytes), spec.FlowBytes)
	case settings.AllToAll:
		return traffic.AllToAll(hosts, spec.FlowBytes, cmp.Or(spec.Parallel, 8)), nil
	case settings.AllGather:
		return traffic.Ring(r.Perm(hosts)[:ranks], chunk, ranks-1), nil
	case settings.AllReduce:
		return traffic.Ring(r.Perm(hosts)[:ranks], chunk, 2*(ranks-1)), nil
	case settings.HSDP:
		return traffic.HSDP(r, hosts, spec.Ring, spec.FlowBytes)
	case settings.Poisson:
		c, err := traffic.LoadCDF(spec.CDF)
		if err != nil {
			return nil, err
		}
		return traffic.Poisson(r, hosts, spec.Flows, c, spec.Load, float64(spec.LinkGbps)), nil
	default:
		return traffic.LoadMatrix(spec.MatrixFile, spec.MatrixUnit, hosts)
	}
}

// buildMessages creates the connections of a list of messages, one context each,
// and schedules the flows that wait for no other.
func (s loader) buildMessages(list []traffic.Message) (err error) {
	if list == nil {
		if list, err = s.messages(); err != nil {
			return err
		}
	}
	if err := traffic.Check("messages", list, len(s.hosts)); err != nil {
		return err
	}
	conns := int32(0)
	for i := range list {
		conns = max(conns, list[i].Conn+1)
	}
	s.room(int(conns), int(conns), len(list))
	made := make([]bool, conns)
	s.after = make([][]int32, len(list))
	for i := range list {
		m := &list[i]
		ti := m.Conn
		if !made[ti] {
			made[ti] = true
			s.addConnection(ti, m)
		}
		f := s.addFlow(ti, 0, m.Bytes)
		s.flows[f].mark = m.Mark
		s.flows[f].message = m
		if m.ID > 0 {
			s.flows[f].name = m.ID
		}
		s.bound[ti] += s.flows[f].packets
		s.flows[f].waits, s.flows[f].notBefore = int32(len(m.After)), units.Picos(m.Start)
		for _, a := range m.After {
			s.after[a] = append(s.after[a], f)
		}
		if m.Stop > 0 {
			s.wheel.Push(units.Picos(m.Stop), evStop, f)
		}
		if len(m.After) == 0 {
			s.wheel.Push(units.Picos(m.Start), evStart, f)
		}
	}
	return nil
}

// addConnection creates the context and connection of message m.
func (s loader) addConnection(ti int32, m *traffic.Message) {
	kind := s.spec.LB
	class := uint8(net.ClassLow)
	if m.Mark {
		kind = cmp.Or(s.spec.ElephantLB, lb.ECMP)
		if s.spec.ElephantClass == "medium" {
			class = net.ClassMedium
		}
	}
	c := s.addContext(ti, s.place(m.Src), 1)
	c.name = cmp.Or(m.CC, c.name)
	s.addPDC(ti, ti, 0, s.place(m.Dst), cmp.Or(lb.Kind(m.LB), kind))
	s.tx[ti].class, s.tx[ti].noTrim, s.tx[ti].once = class, m.NoTrim, true
}

package fabric

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/units"
)

// messages returns the workload as a list of messages.
func (s *sim) messages() ([]traffic.Message, error) {
	spec := &s.spec
	if s.given != nil {
		return s.given, nil
	}
	hosts := len(s.hosts)
	r := rand.New(s.rngTopo)
	ranks := spec.Ranks
	if ranks == 0 {
		ranks = hosts
	}
	switch spec.Workload {
	case Converge:
		return traffic.Converge(spec.senders(), spec.FlowBytes, int64(spec.Stagger)), nil
	case Mixture:
		return traffic.Mixture(r, hosts, spec.Sizes), nil
	case Elephants:
		large := spec.ElephantBytes
		if large == 0 {
			large = spec.FlowBytes
		}
		return traffic.Elephants(r, hosts, spec.Elephants, large, spec.FlowBytes)
	case AllToAll:
		parallel := spec.Parallel
		if parallel == 0 {
			parallel = 8
		}
		return traffic.AllToAll(hosts, spec.FlowBytes, parallel), nil
	case AllGather:
		return traffic.Ring(r.Perm(hosts)[:ranks], max(1, spec.FlowBytes/int64(ranks)), traffic.GatherSteps(ranks)), nil
	case AllReduce:
		return traffic.Ring(r.Perm(hosts)[:ranks], max(1, spec.FlowBytes/int64(ranks)), traffic.ReduceSteps(ranks)), nil
	case HSDP:
		return traffic.HSDP(r, hosts, spec.Ring, spec.FlowBytes)
	case Poisson:
		c, err := traffic.LoadCDF(spec.CDF)
		if err != nil {
			return nil, err
		}
		return traffic.Poisson(r, hosts, spec.Flows, c, spec.Load, spec.LinkGbps), nil
	default:
		return traffic.LoadMatrix(spec.MatrixFile, spec.MatrixUnit, hosts)
	}
}

// buildMessages creates the connections of a list of messages, one context each,
// and schedules the flows that wait for no other.
func (s *sim) buildMessages() error {
	list, err := s.messages()
	if err != nil {
		return err
	}
	conns := int32(0)
	for i := range list {
		if err := checkMessage(list, i, len(s.hosts)); err != nil {
			return fmt.Errorf("messages[%d] (%d -> %d): %w", i, list[i].Src, list[i].Dst, err)
		}
		conns = max(conns, list[i].Conn+1)
	}
	s.room(int(conns), int(conns), len(list))
	s.bound = make([]int64, conns)
	made := make([]bool, conns)
	s.after = make([][]int32, len(list))
	s.waited = make([]bool, len(list))
	for i := range list {
		m := &list[i]
		ti := m.Conn
		if !made[ti] {
			made[ti] = true
			s.addConnection(ti, m)
		}
		f := s.addFlow(ti, 0, m.Bytes)
		s.flows[f].mark = m.Mark
		if m.ID > 0 {
			s.flows[f].name = m.ID
		}
		s.bound[ti] += s.flows[f].packets
		s.flows[f].waits, s.flows[f].notBefore = int32(len(m.After)), units.Picos(m.Start)
		s.waited[i] = len(m.After) > 0
		for _, a := range m.After {
			s.after[a] = append(s.after[a], f)
		}
		if len(m.After) == 0 {
			s.wheel.push(units.Picos(m.Start), evStart, f)
		}
	}
	return nil
}

// checkMessage returns an error when a message cannot be sent.
func checkMessage(list []traffic.Message, i, hosts int) error {
	m := &list[i]
	bad := func(what string) error { return errors.New(what) }
	inside := func(h int32) bool { return h >= 0 && int(h) < hosts }
	switch {
	case !inside(m.Src) || !inside(m.Dst):
		return bad(fmt.Sprintf("src, dst: there are hosts 0 to %d", hosts-1))
	case m.Src == m.Dst:
		return bad("dst: a host does not send to itself")
	case m.Bytes < 1 || m.Bytes > 1<<40:
		return bad(fmt.Sprintf("bytes: %d bytes: want 1 to 2^40", m.Bytes))
	case m.Start < 0:
		return bad("the start lies before time 0")
	case m.Conn < 0 || int(m.Conn) >= len(list):
		return bad(fmt.Sprintf("connection %d: want 0 to %d", m.Conn, len(list)-1))
	}
	if m.LB != "" {
		if _, err := lb.Parse(m.LB); err != nil {
			return bad(err.Error())
		}
	}
	for _, a := range m.After {
		if a < 0 || int(a) >= i {
			return bad(fmt.Sprintf("after: waits for %d, which is not an earlier one, counted from 0", a))
		}
	}
	return nil
}

// addConnection creates the context and connection of message m.
func (s *sim) addConnection(ti int32, m *traffic.Message) {
	kind := s.spec.LB
	class := uint8(classLow)
	if m.Mark {
		if s.spec.ElephantLB != "" {
			kind = s.spec.ElephantLB
		} else {
			kind = lb.ECMP
		}
		if s.spec.ElephantClass == "medium" {
			class = classMedium
		}
	}
	if m.LB != "" {
		kind = lb.Kind(m.LB)
	}
	c := s.addContext(ti, s.place(m.Src), 1)
	if m.CC != "" {
		c.name = m.CC
	}
	s.addPDC(ti, ti, 0, s.place(m.Dst), kind)
	s.tx[ti].class, s.tx[ti].once = class, true
}

// release starts the flows that waited for flow fi alone, each at its own time when
// that is still to come.
func (s *sim) release(fi int32) {
	if s.after == nil {
		return
	}
	for _, f := range s.after[fi] {
		if s.flows[f].waits--; s.flows[f].waits == 0 {
			s.wheel.push(max(s.now, s.flows[f].notBefore), evStart, f)
		}
	}
}
